// SPDX-License-Identifier: Apache-2.0
//! Call each function of shapes.h well and badly.
use dlferry::{Result, Tensor};
use ndarray::{s, Array2};
use shapes::{Phase, StepOptions, Table};

/// Numbers alike in all languages.
trait Show {
    fn show(&self) -> String;
}

macro_rules! show_numbers {
    ($($type:ty)*) => {$(
        impl Show for $type {
            fn show(&self) -> String {
                format!("{self}")
            }
        }
    )*};
}
show_numbers!(i32 i64 u32 u64 f32 f64);

impl Show for bool {
    fn show(&self) -> String {
        if *self { "yes" } else { "no" }.into()
    }
}

impl Show for Phase {
    fn show(&self) -> String {
        self.0.show()
    }
}

fn integers(t: &Tensor) -> Vec<String> {
    if let Ok(elements) = t.elements::<i32>() {
        return elements.iter().map(|x| x.show()).collect();
    }
    if let Ok(elements) = t.elements::<f64>() {
        return elements.iter().map(|x| x.show()).collect();
    }
    if let Ok(elements) = t.elements::<i8>() {
        return elements.iter().map(|x| i32::from(x).show()).collect();
    }
    let elements = t.elements::<u8>().unwrap();
    elements.iter().map(|x| u32::from(x).show()).collect()
}

impl Show for Tensor {
    fn show(&self) -> String {
        let words: Vec<String> = match self.elements::<f32>() {
            Ok(elements) => elements.iter().map(|x| x.show()).collect(),
            Err(_) => integers(self),
        };
        format!("[{}]", words.join(" "))
    }
}

impl<A: Show, B: Show> Show for (A, B) {
    fn show(&self) -> String {
        format!("{} {}", self.0.show(), self.1.show())
    }
}

impl<A: Show, B: Show, C: Show, D: Show> Show for (A, B, C, D) {
    fn show(&self) -> String {
        format!(
            "{} {} {} {}",
            self.0.show(),
            self.1.show(),
            self.2.show(),
            self.3.show()
        )
    }
}

impl Show for () {
    fn show(&self) -> String {
        String::new()
    }
}

/// Print the result of a call, or the error's text.
fn tell<T: Show>(name: &str, result: Result<T>) {
    match result {
        Ok(value) => println!("{name:10}{}", value.show()),
        Err(error) => println!("{name:10}{error}"),
    }
}

fn main() -> Result<()> {
    tell("next", shapes::next(1));
    tell("next", shapes::next(0));
    tell("step", shapes::step(StepOptions { by: -3 }, 2, 0.5, true, Phase::REST));
    tell(
        "step",
        shapes::step(StepOptions::default(), -11, 0.5, true, Phase::REST),
    );
    tell("step", shapes::step(StepOptions::default(), 0, 0.5, true, Phase::RUN));
    let numbers = Array2::from_shape_fn((3, 4), |(i, k)| (4 * i + k) as f64);
    tell("trace", shapes::trace(&numbers.slice(s![.., ..2])));
    tell("trace", shapes::trace(&Array2::<f64>::zeros((300, 256))));
    let (short, long) = ([1f32, 2.], [10f32, 20., 30.]);
    tell("add", shapes::add(&short, &long));
    tell("add", shapes::add_into(&short, &long, &mut [0f32; 2]));

    let x = [-1f32, 2., 0., 4.];
    tell("keep", shapes::keep(&x));
    tell("keep", shapes::keep_into(&x, &mut [0f32; 5]));
    tell("keep", shapes::keep_into(&x, &mut [0f32; 2]));
    let i = [5i32, 6, 0, 7, 1];
    tell("find", shapes::find(&i, 6));
    tell("find", shapes::find_into(&i, 6, &mut [0i32], &mut [0i32]));
    tell("find", shapes::find(&i, 5));
    tell("find", shapes::find_into(&i, 1, &mut [0i32; 256], &mut [0i32; 256]));
    tell("pack", shapes::pack(&[1u8, 1, 1, 2]));
    tell("pack", shapes::pack_into(&[0x0101u16, 0x0201], &mut [0u8; 8]));
    tell("unpack", shapes::unpack(&[4u8, 7]));
    tell("unpack", shapes::unpack(&[3u8, 7]));
    tell("unpack", shapes::unpack(&[3u8]));
    tell("down", shapes::down(3, &mut [0i32; 5]));
    tell("down", shapes::down(3, &mut [0i32; 2]));
    tell("down", shapes::down(99, &mut [0i32; 4]));
    tell("lie", shapes::lie(2));
    tell("lie", shapes::lie(-1));
    tell("lie", shapes::lie_into(5, &mut [0f32; 4]));
    tell("lie", shapes::lie_wide(u64::MAX));
    let (table, wide) = (Table::new(3)?, Table::new(10)?);
    let rows = |n: usize, m: usize| Array2::from_shape_fn((n, m), |(i, k)| (m * i + k + 1) as f64);
    tell("weigh", table.weigh(&rows(2, 3)));
    tell("weigh", table.weigh(&rows(3, 2)));
    tell("weigh", wide.weigh(&rows(2, 3)));
    tell("repeat", table.repeat(1));
    tell("repeat", table.repeat(64));
    let row = [1f64, 2., 3., 4., 5., 6.];
    tell("weight", table.weight(2));
    tell("weight", table.weight(3));
    tell("weight", table.weight(-1));
    tell("weight", wide.weight(2));
    tell("weigh row", table.weigh_row(&row));
    tell("weigh row", table.weigh_row(&row[..2]));
    tell("weigh row", Table::new(5)?.weigh_row(&row[..2]));
    Ok(())
}
