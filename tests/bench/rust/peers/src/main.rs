// SPDX-License-Identifier: Apache-2.0
//! Times the same steps with dlferry, dlpk and dlpark in one run and prints nanoseconds, ratios and their limits:
//! `peers [--short] [FILE]`. FILE is a document in which the table between the marks is replaced.

mod rows;
mod table;

use std::time::Instant;

/// A step by one crate.
struct Step {
    crate_name: &'static str,
    run: Box<dyn FnMut()>,
    best: f64,
}

/// One step by several crates, of which the first ones are dlferry's.
struct Row {
    name: &'static str,
    limit: Option<f64>,
    steps: Vec<Step>,
}

impl Row {
    fn new(name: &'static str, limit: Option<f64>) -> Row {
        Row {
            name,
            limit,
            steps: Vec::new(),
        }
    }

    fn step(mut self, crate_name: &'static str, run: impl FnMut() + 'static) -> Row {
        self.steps.push(Step {
            crate_name,
            run: Box::new(run),
            best: f64::INFINITY,
        });
        self
    }

    /// Time the steps by turns, so that all see the same machine.
    fn measure(&mut self, rounds: u32, calls: u32) {
        for _ in 0..rounds {
            for step in &mut self.steps {
                let start = Instant::now();
                for _ in 0..calls {
                    (step.run)();
                }
                step.best = step.best.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
            }
        }
    }

    fn of(&self, crate_name: &str) -> Option<f64> {
        let step = self.steps.iter().find(|step| step.crate_name == crate_name)?;
        Some(step.best)
    }

    /// The time that dlferry's is compared with: the faster crate's, or a slice's.
    fn other(&self) -> f64 {
        let others = self.steps.iter().filter(|step| step.crate_name != "dlferry");
        others.map(|step| step.best).fold(f64::INFINITY, f64::min)
    }
}

fn main() {
    let mut short = false;
    let mut document = None;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--short" => short = true,
            _ => document = Some(argument),
        }
    }
    let mut rows = rows::all();
    for row in &mut rows {
        if short {
            row.measure(2, 10);
        } else {
            row.measure(400, if row.name.contains("4,096") { 50 } else { 2000 });
        }
    }
    let text = table::text(&rows);
    println!("{text}");
    if let Some(document) = document {
        table::write(&document, &text);
    }
}
