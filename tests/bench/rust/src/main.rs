// SPDX-License-Identifier: Apache-2.0
//! Prints the nanoseconds of one call in Rust: `bench CALLS`. Each is the best of ten runs.

use dlferry::{of, of_mut, Result};
use std::hint::black_box;
use std::time::Instant;

fn measure(name: &str, calls: u32, mut call: impl FnMut() -> Result<()>) -> Result<()> {
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let start = Instant::now();
        for _ in 0..calls {
            call()?;
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
    }
    println!("{name} {best:.2}");
    Ok(())
}

fn main() -> Result<()> {
    let calls = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(100);
    let (a, b, mut out) = ([1f32; 16], [2f32; 16], [0f32; 16]);
    measure("into", calls, || {
        let (a, b) = (of(black_box(&a), [4, 4])?, of(black_box(&b), [4, 4])?);
        photo::difference_into(&a, &b, &mut of_mut(black_box(&mut out), [4, 4])?)
    })?;
    measure("new", calls, || {
        let (a, b) = (of(black_box(&a), [4, 4])?, of(black_box(&b), [4, 4])?);
        photo::difference(&a, &b).map(drop)
    })
}
