// SPDX-License-Identifier: Apache-2.0
//! Multiply and solve with arrays of any order, step and dtype by BLAS and LAPACK, without a copy.
use blas::{axpy, dot, dotc, dotu, gemm, gemv, gesdd, gesv, nrm2, GemmOptions, GemvOptions};
use dlferry::{Complex, Element};
use ndarray::{array, s, Array1, Array2, ShapeBuilder};

fn show<T: Copy + Into<f64>>(what: &str, numbers: impl IntoIterator<Item = T>) {
    let round = |x: T| (x.into() * 1e6).round() / 1e6;
    let numbers: Vec<_> = numbers.into_iter().map(|x| round(x).to_string()).collect();
    println!("{what:21} {}", numbers.join(" "));
}

fn complex_text(z: Complex<f64>) -> String {
    format!("{}{:+}i", z.re, z.im)
}

/// Solve with rows, columns, and a window of either; no array is copied.
fn solve<T: Element + Copy>(name: &str, of: fn(f64) -> T, back: fn(T) -> f64) -> dlferry::Result<()> {
    for (what, columns, window) in [
        ("rows", false, 0),
        ("columns", true, 0),
        ("a window", false, 1),
        ("its turn", true, 1),
    ] {
        let shape = (2 + 2 * window, 2 + 2 * window).set_f(columns);
        let (mut all, mut others) = (Array2::from_elem(shape, of(0.0)), Array2::from_elem(shape, of(0.0)));
        let inside = s![window..window + 2, window..window + 2];
        let (mut matrix, mut right) = (all.slice_mut(inside), others.slice_mut(inside));
        matrix.assign(&array![[0.0, 2.0], [4.0, 0.0]].mapv(of));
        right.assign(&array![[2.0, 4.0], [8.0, 4.0]].mapv(of));
        gesv(&mut matrix, &mut right)?;
        show(&format!("solved {name} {what}"), right.iter().map(|&x| back(x)));
    }
    Ok(())
}

fn main() -> dlferry::Result<()> {
    let (a, b) = (
        array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
    );
    let once = GemmOptions::default();
    let mut c = Array2::<f64>::zeros((2, 2));
    gemm(once, &a, &b, &mut c)?;
    show("rows times rows", c.iter().copied());
    let mut columns = Array2::<f64>::zeros((2, 3).f());
    columns.assign(&a);
    let turned = b.t().to_owned();
    gemm(once, &columns, &turned.t(), &mut c)?;
    show("columns times a turn", c.iter().copied());
    let mut window = Array2::<f64>::zeros((2, 3));
    gemm(once, &a, &b, &mut window.slice_mut(s![.., 1..]))?;
    show("into a window", window.iter().copied());
    let mut fortran = Array2::<f64>::zeros((2, 2).f());
    gemm(once, &a, &b, &mut fortran)?;
    show("into columns", fortran.iter().copied());
    let half = GemmOptions {
        alpha: 0.5.into(),
        ..once
    };
    let (narrow_a, narrow_b) = (a.mapv(|x| x as f32), b.mapv(|x| x as f32));
    let mut single = Array2::<f32>::zeros((2, 2));
    gemm(half, &narrow_a, &narrow_b, &mut single)?;
    show("halves in float32", single.iter().copied());
    let (x, mut y) = (array![1.0, 2.0, 3.0], Array1::<f64>::zeros(2));
    gemv(GemvOptions::default(), &a, &x, &mut y)?;
    show("matrix times vector", y.iter().copied());
    show("backwards", [dot(&x.slice(s![..;-1]), &x)?]);
    show("backwards, both", [dot(&x.slice(s![..;-1]), &x.slice(s![..;-1]))?]);
    let mut y = array![3.0, 3.0];
    axpy(3.0.into(), &array![1.0, 0.0, 2.0].slice(s![..;2]), &mut y)?;
    show("a step of two", y.iter().copied());

    let i = Complex::new(0.0, 1.0);
    let z = array![[Complex::new(2.0, 0.0), i]];
    let mut product = array![[Complex::new(0.0, 0.0)]];
    gemm(GemmOptions { alpha: i, ..once }, &z, &z.t(), &mut product)?;
    println!("{:21} {}", "complex matrices", complex_text(product[[0, 0]]));
    let row = z.row(0);
    let products = (dotu(&row, &row)?, dotc(&row, &row)?);
    println!(
        "{:21} {} {}",
        "complex vectors",
        complex_text(products.0),
        complex_text(products.1)
    );
    show(
        "lengths",
        [nrm2(&[3.0, 4.0][..])?, nrm2(&[Complex::new(3f32, 4.0)][..])?],
    );

    let (mut matrix, mut right) = (array![[0.0, 2.0], [4.0, 0.0]], array![[2.0], [8.0]]);
    let pivots = gesv(&mut matrix, &mut right)?;
    show("solved", right.iter().copied());
    show("pivots", pivots.elements::<i32>()?.iter());
    solve("f32", |x| x as f32, f64::from)?;
    solve("f64", |x| x, |x| x)?;
    solve("c64", |x| Complex::new(x as f32, 0.0), |z| z.re.into())?;
    let mut rows = Array2::<f64>::zeros((2, 3).f());
    rows.row_mut(1).assign(&array![2.0, 4.0, 6.0]);
    gesv(&mut array![[2.0]], &mut rows.slice_mut(s![1.., ..]))?;
    show("one row of columns", rows.row(1).iter().copied());
    let tall = array![[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]].mapv(|x: f32| Complex::new(x, 0.0));
    let mut columns = Array2::zeros((3, 2).f());
    columns.assign(&tall);
    for mut matrix in [tall, columns] {
        let (s, u, vt) = gesdd(&mut matrix)?;
        let order = match (u.strides(), vt.strides()) {
            ([2, 1], [2, 1]) => "rows",
            ([1, 3], [1, 2]) => "columns",
            _ => "",
        };
        let values = s.elements::<f32>()?;
        println!("{:21} {} {} {order}", "singular values", values.at([0]), values.at([1]));
    }
    let mut errors = vec![
        gemm(once, &a, &b.slice(s![..2, ..]), &mut c).err(),
        dot(&array![1.0f32, 2.0, 3.0], &x).err(),
        gemm(once, &a.mapv(|x| x as i32), &b, &mut c).err(),
        gemm(GemmOptions { alpha: i, ..once }, &a, &b, &mut c).err(),
    ];
    errors.push(gesv(&mut Array2::<f64>::zeros((2, 2)), &mut right).err());
    let (mut ones, mut columns) = (Array2::<f64>::ones((2, 2)), Array2::<f64>::ones((2, 2).f()));
    errors.push(gesv(&mut ones, &mut columns).err());
    let mut others = ones.clone();
    errors.push(gesv(&mut ones.slice_mut(s![..;-1, ..]), &mut others).err());
    for error in errors.into_iter().flatten() {
        println!("{error}");
    }
    Ok(())
}
