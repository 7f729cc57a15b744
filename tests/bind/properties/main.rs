// SPDX-License-Identifier: Apache-2.0
//! Getters and setters without `get`: read, set, refused. Types refuse a closed object.
use properties::{Lamp, Mode};

/// What the other languages print for a closed object, which Rust cannot pass.
const CLOSED: &str = "lamp_get_level: lamp: expected an open lamp, got a closed one
lamp_set_level: lamp: expected an open lamp, got a closed one
lamp_get_owner: lamp: expected an open lamp, got a closed one";

fn used(lamp: &mut Lamp) -> dlferry::Result<()> {
    println!("level {} weight {}", lamp.level(), lamp.weight());
    lamp.set_level(60)?;
    println!("level {} weight {}", lamp.level(), lamp.weight());
    lamp.set_mode(Mode::EXACT)?;
    println!("mode {}", lamp.mode()?.0);
    println!("owner {}", lamp.owner()?.unwrap_or("nobody".into()));
    lamp.set_lit(true)?;
    println!("lit {} owner {}", i32::from(lamp.lit()), lamp.owner()?.unwrap());
    lamp.set_name("lantern")?;
    println!("name {} hue {} id {}", lamp.name()?, lamp.hue()?, lamp.id());
    #[allow(deprecated)]
    let brightness = lamp.brightness();
    println!("brightness {brightness}");
    println!(
        "next {} age {} sum {} seed {}",
        lamp.get_next(),
        lamp.get_age(),
        lamp.get_sum(2),
        lamp.set_seed(5)
    );
    Ok(())
}

fn refused(lamp: &mut Lamp) -> dlferry::Result<()> {
    println!("{}", lamp.set_level(101).unwrap_err());
    lamp.set_level(13)?;
    println!("{}", lamp.hue().unwrap_err());
    lamp.set_name("broken")?;
    println!("{}", lamp.set_lit(false).unwrap_err());
    println!("level {}", lamp.level());
    Ok(())
}

fn main() -> dlferry::Result<()> {
    let mut lamp = Lamp::new("lamp")?;
    used(&mut lamp)?;
    refused(&mut lamp)?;
    drop(lamp);
    println!("{CLOSED}");
    println!("live {}", properties::live());
    Ok(())
}
