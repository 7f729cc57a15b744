// SPDX-License-Identifier: Apache-2.0
//! Multiply arrays of any order and step by BLAS, without a copy.
use blas::{daxpy, ddot, dgemm, dgemv, DgemmOptions, DgemvOptions};
use ndarray::{array, s, Array1, Array2, ShapeBuilder};

fn show<'a>(what: &str, numbers: impl IntoIterator<Item = &'a f64>) {
    let numbers: Vec<_> = numbers.into_iter().map(f64::to_string).collect();
    println!("{what:21} {}", numbers.join(" "));
}

fn main() -> dlferry::Result<()> {
    let (a, b) = (
        array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
    );
    let mut c = Array2::<f64>::zeros((2, 2));
    dgemm(DgemmOptions::default(), &a, &b, &mut c)?;
    show("rows times rows", &c);
    let mut columns = Array2::<f64>::zeros((2, 3).f());
    columns.assign(&a);
    let turned = b.t().to_owned();
    dgemm(DgemmOptions::default(), &columns, &turned.t(), &mut c)?;
    show("columns times a turn", &c);
    let mut window = Array2::<f64>::zeros((2, 3));
    dgemm(DgemmOptions::default(), &a, &b, &mut window.slice_mut(s![.., 1..]))?;
    show("into a window", &window);
    let (x, mut y) = (array![1.0, 2.0, 3.0], Array1::<f64>::zeros(2));
    dgemv(DgemvOptions::default(), &a, &x, &mut y)?;
    show("matrix times vector", &y);
    show("backwards", &[ddot(&x.slice(s![..;-1]), &x)?]);
    show("backwards, both", &[ddot(&x.slice(s![..;-1]), &x.slice(s![..;-1]))?]);
    let mut y = array![3.0, 3.0];
    daxpy(3.0, &array![1.0, 0.0, 2.0].slice(s![..;2]), &mut y)?;
    show("a step of two", &y);
    if let Err(error) = dgemm(DgemmOptions::default(), &a, &b.slice(s![..2, ..]), &mut c) {
        println!("{error}");
    }
    if let Err(error) = ddot(&array![1.0f32, 2.0, 3.0], &x) {
        println!("{error}");
    }
    Ok(())
}
