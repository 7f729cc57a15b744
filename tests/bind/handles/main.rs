// SPDX-License-Identifier: Apache-2.0
//! Handles of every style: used and dropped. Types refuse one that is closed, or of another class.
use handles::{Bag, Counter, Jar, Sum, Ticket};

/// What the other languages print for a closed handle, which Rust cannot pass.
const CLOSED: &str = "add: sum: expected an open sum, got a closed one
CounterNext: counter: expected an open Counter, got a closed one
BagCount: counter: expected an open Counter, got a closed one
ticket_number: ticket: expected an open ticket, got a closed one
jar_value: jar: expected an open jar, got a closed one";

fn styles() -> dlferry::Result<()> {
    let mut total = Sum::begin(1.5)?;
    handles::add(&mut total, 2.0)?;
    println!("sum {}", handles::total(&total)?);
    let (mut counter, mut bag) = (Counter::create(3)?, Bag::create(&[1f32, 2.0])?);
    println!(
        "counter {} {} bag {}",
        counter.next()?,
        counter.next()?,
        bag.count(&mut counter)?
    );
    let (mut ticket, mut jar) = (Ticket::create(5)?, Jar::new(4)?);
    jar.set(jar.value()? + 1)?;
    println!("ticket {} jar {}", ticket.number()?, jar.value()?);
    println!("{}", Counter::create(-1).unwrap_err());
    println!("{}", Ticket::create(-1).unwrap_err());
    println!("{CLOSED}");
    Ok(())
}

fn main() -> dlferry::Result<()> {
    styles()?;
    println!("live {}", handles::live()?);
    Ok(())
}
