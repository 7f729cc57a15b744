// SPDX-License-Identifier: Apache-2.0
//! Handles of every style: used and dropped. Types refuse one that is closed, or of another class.
use dlferry::{Arg, Complex, Element, LocalTensor, Tensor};
use handles::{Bag, Counter, Jar, Plan, Shelf, Sum, Ticket};

/// What the other languages print for a closed handle, which Rust cannot pass.
const CLOSED: &str = "add: sum: expected an open sum, got a closed one
counter_next: counter: expected an open Counter, got a closed one
bag_count: counter: expected an open Counter, got a closed one
ticket_number: ticket: expected an open ticket, got a closed one
jar_value: jar: expected an open jar, got a closed one";

fn styles() -> dlferry::Result<()> {
    let mut total = Sum::begin(1.5)?;
    handles::add(&mut total, 2.0);
    println!("sum {}", handles::total(&total));
    let (mut counter, mut bag) = (Counter::create(3)?, Bag::create(&[1f32, 2.0])?);
    println!(
        "counter {} {} bag {}",
        counter.next()?,
        counter.next()?,
        bag.count(&mut counter)?
    );
    let (mut ticket, mut jar) = (Ticket::create(5)?, Jar::new(4)?);
    jar.set(jar.value()? + 1);
    println!("ticket {} jar {}", ticket.number()?, jar.value()?);
    println!("{}", Counter::create(-1).unwrap_err());
    println!("{}", Ticket::create(-1).unwrap_err());
    println!("{CLOSED}");
    Ok(())
}

/// Likewise, for functions that give memory.
const GIVES_CLOSED: &str = "bag_values: bag: expected an open Bag, got a closed one
bag_show: bag: expected an open Bag, got a closed one";

/// Tensors that may leave their thread and those that may not.
trait Read {
    fn values<T: Element>(&self) -> dlferry::Result<Vec<T>>;
}

impl Read for Tensor {
    fn values<T: Element>(&self) -> dlferry::Result<Vec<T>> {
        Ok(self.elements()?.to_vec())
    }
}

impl Read for LocalTensor {
    fn values<T: Element>(&self) -> dlferry::Result<Vec<T>> {
        Ok(self.elements()?.to_vec())
    }
}

fn show<T: Element + std::fmt::Display>(what: &str, tensor: &impl Read) -> dlferry::Result<()> {
    let values: Vec<_> = tensor.values::<T>()?.iter().map(T::to_string).collect();
    println!("{what} {}", values.join(" "));
    Ok(())
}

fn show_parts<T: std::fmt::Display>(what: &str, tensor: &impl Read) -> dlferry::Result<()>
where
    Complex<T>: Element,
{
    let values = tensor.values::<Complex<T>>()?;
    let values: Vec<_> = values.iter().map(|z| format!("{} {}", z.re, z.im)).collect();
    println!("{what} {}", values.join(" "));
    Ok(())
}

/// Lent memory is only read, however often it is lent; memory that C frees for us is ours.
fn borrows() -> dlferry::Result<()> {
    let mut bag = Bag::create(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let (mut lent, again, mut halves) = (bag.show()?, bag.show()?, bag.halves(2)?);
    assert_eq!(lent.data(), again.data());
    assert!(lent.elements::<f32>()?.as_slice().is_err() && lent.elements_mut::<f32>().is_err());
    assert!(halves.elements::<f32>()?.as_slice().is_err()); // columns
    halves.elements_mut::<f32>()?[[1, 0]] += 1.0;
    let row = halves.select(0, 1)?;
    assert!(halves.elements_mut::<f32>().is_err()); // shared with the view
    assert_eq!(
        (row.elements::<f32>()?.at([0]), row.copy()?.shape()),
        (halves.elements::<f32>()?.at([1, 0]), &[3][..])
    );
    let lent: &dyn Arg = &lent;
    assert!(again.equal(lent)?);
    Ok(())
}

fn gives() -> dlferry::Result<()> {
    let mut bag = Bag::create(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let (copied, lent, halves) = (bag.values()?, bag.show()?, bag.halves(2)?);
    let (matrix, letters) = bag.matrix()?;
    let pairs = bag.pairs()?;
    drop(bag);
    show::<f32>("copied", &copied)?;
    show::<f32>("lent", &lent)?;
    show::<f32>("halves", &halves)?;
    show::<f32>("matrix", &matrix)?;
    show::<u8>("letters", &letters)?;
    show::<f64>("range", &handles::range(3)?)?;
    show_parts::<f32>("pairs", &pairs)?;
    show_parts::<f64>("circle", &handles::circle(3)?)?;
    println!("alive {}", handles::live());
    println!("{}", handles::range(13).unwrap_err());
    for how in [1, 2, 4, 5] {
        println!("{}", handles::wrong(how).unwrap_err());
    }
    println!("empty {}", handles::wrong(3)?.elements::<i32>()?.iter().count());
    println!("{GIVES_CLOSED}");
    Ok(())
}

fn keeps() -> dlferry::Result<()> {
    let tensor = |values: &[f64]| Tensor::from(values.to_vec());
    let show = |plan: &Plan| -> dlferry::Result<()> {
        let out = plan.kept::<f64>("out")?;
        println!("doubled {} {}", out.at([0]), out.at([1]));
        Ok(())
    };
    let given = tensor(&[1.0, 2.0]);
    let view = given.reshape(&[2])?;
    let shared = Plan::make(given, tensor(&[0.0, 0.0])).unwrap_err();
    assert!(shared.message().contains("no view"), "{shared}");
    drop(view);
    let mut plan = Plan::make(tensor(&[1.0, 2.0]), tensor(&[0.0, 0.0]))?;
    plan.run();
    show(&plan)?;
    plan.kept_mut::<f64>("in")?[[1]] = 5.0;
    plan.run();
    show(&plan)?;
    plan.read(tensor(&[3.0, 4.0]))?;
    plan.run();
    show(&plan)?;
    println!("{}", plan.read(tensor(&[-1.0, 4.0])).unwrap_err());
    println!("{}", plan.read(Tensor::from(vec![0f32; 2])).unwrap_err());
    println!("{}", Plan::make(tensor(&[0.0; 13]), tensor(&[0.0; 13])).unwrap_err());
    println!("{}", Plan::make(tensor(&[0.0; 2]), tensor(&[0.0; 3])).unwrap_err());
    println!("plan_run: plan: expected an open plan, got a closed one");
    Ok(())
}

fn keeps_objects() -> dlferry::Result<()> {
    let (jar, other, bad) = (Jar::new(1)?, Jar::new(2)?, Jar::new(-1)?);
    let (mut shelf, mut upper, mut lower) = (Shelf::new(Some(&jar))?, Shelf::new(None)?, Shelf::new(None)?);
    shelf.put(&other)?;
    upper.put(&other)?;
    shelf.stack(Some(&mut upper))?;
    shelf.stack(None)?;
    shelf.stack(Some(&mut upper))?;
    println!("{}", shelf.put(&bad).unwrap_err());
    drop((jar, other, upper, bad));
    println!("shelf {} furniture {}", shelf.sum(), handles::furniture());
    println!("shelf_put: jar: expected an open jar, got a closed one");
    println!("shelf_stack: upper: expected an open shelf, got a closed one");
    lower.stack(Some(&mut shelf))?;
    println!("{}", shelf.stack(Some(&mut lower)).unwrap_err());
    drop(shelf);
    drop(lower);
    println!("furniture {} read {}", handles::furniture(), handles::read_at_the_end());
    Ok(())
}

/// Make, use and drop handles, while tensors that they lend outlive them on this thread.
fn make_and_free() -> dlferry::Result<()> {
    let mut others: Vec<LocalTensor> = Vec::new();
    for i in 0..100 {
        let number = f64::from(i);
        let mut plan = Plan::make(Tensor::from(vec![number]), Tensor::from(vec![0.0]))?;
        plan.run();
        assert_eq!(plan.kept::<f64>("out")?.at([0]), 2.0 * number);
        let mut bag = Bag::create(&[i as f32, 2.0])?;
        others.push(bag.show()?);
        others.push(bag.halves(1)?);
        drop(bag);
        let gone: Vec<_> = others.drain(..others.len().saturating_sub(8)).collect();
        assert!(gone.iter().all(|tensor| tensor.shape().last() == Some(&2)));
    }
    Ok(())
}

fn threads() -> dlferry::Result<()> {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| make_and_free().unwrap());
        }
    });
    println!("collisions {} live {}", handles::collisions(), handles::live());
    Ok(())
}

fn main() -> dlferry::Result<()> {
    styles()?;
    println!("live {}", handles::live());
    borrows()?;
    gives()?;
    println!("live {}", handles::live());
    keeps()?;
    println!("live {}", handles::live());
    keeps_objects()?;
    threads()?;
    Ok(())
}
