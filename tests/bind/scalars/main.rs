// SPDX-License-Identifier: Apache-2.0
//! Values of every kind but tensors, in and out of C.

use dlferry::Complex;
use scalars::{
    AxpyOptions, GreetOptions, Mode, PlanOptions, ScalefOptions, SolveOptions, TriangleOptions, WithinOptions,
};

fn show(what: &str, value: impl std::fmt::Display) {
    println!("{what:12} {value}");
}

fn number(z: Complex<f64>) -> String {
    format!("{}{:+}i", z.re, z.im)
}

fn refused<T>(result: dlferry::Result<T>) {
    println!(
        "{}",
        result.map_or_else(|error| error.to_string(), |_| "not refused".to_string())
    );
}

fn main() -> dlferry::Result<()> {
    show(
        "times",
        number(scalars::times(Complex::new(1.0, 2.0), Complex::new(3.0, -1.0))),
    );
    let i = Complex::new(0f32, 1.0);
    let square = scalars::timesf(i, i);
    show("timesf", number(Complex::new(square.re.into(), square.im.into())));
    show("real", number(scalars::times(2.0.into(), 1.5.into())));
    let mut x = vec![Complex::new(1.0, 0.0), Complex::new(0.0, 1.0)];
    scalars::scale(Complex::new(0.0, 2.0), &mut x)?;
    show("scale", x.iter().map(|z| number(*z)).collect::<Vec<_>>().join(" "));
    let mut y = vec![Complex::new(2f32, 0.0)];
    scalars::scalef(ScalefOptions::default(), &mut y)?;
    show("default", number(Complex::new(y[0].re.into(), y[0].im.into())));
    show("total", number(scalars::total(&x)?));
    let (total, odd) = scalars::sum(&x[..1])?;
    show("sum", format!("{} {}", number(total), i32::from(odd)));
    let lower = TriangleOptions { uplo: b'L', any: b'y' };
    show(
        "triangle",
        format!(
            "{} {}",
            scalars::triangle(TriangleOptions::default())?,
            scalars::triangle(lower)?
        ),
    );
    let named = TriangleOptions {
        uplo: b'L',
        ..TriangleOptions::default()
    };
    assert_eq!(
        scalars::triangle(b'L')?,
        scalars::triangle(named)?,
        "the first option alone"
    );
    show("grade", char::from(scalars::grade(60)?));
    let four = ndarray::arr1(&[1.0, 2.0, 3.0, 4.0]);
    show("mean", scalars::mean(&four.slice(ndarray::s![..;-3]))?);
    let given = WithinOptions {
        tolerance: Some(2.0),
        most: Some(3),
    };
    show(
        "within",
        format!(
            "{} {}",
            scalars::within(WithinOptions::default()),
            scalars::within(given)
        ),
    );
    let you = scalars::greet(GreetOptions { name: Some("you") })?.unwrap();
    let nobody = scalars::greet(GreetOptions::default())?;
    show(
        "greet",
        format!("{you} {}", if nobody.is_none() { "absent" } else { "present" }),
    );
    let quick = PlanOptions {
        sign: scalars::BACKWARD,
        flags: scalars::QUICK,
    };
    show(
        "plan",
        format!("{} {}", scalars::plan(PlanOptions::default()), scalars::plan(quick)),
    );
    show(
        "modes",
        format!(
            "{} {}",
            scalars::modes(scalars::ModesOptions::default())?,
            scalars::modes(Mode::TWO)?
        ),
    );
    show("fixed", scalars::fixed(&[1.0, 1.0, 1.0][..])?);
    let mut y = vec![10f32, 20.0];
    scalars::axpy(AxpyOptions { alpha: 2.0.into() }, &[1f32, 2.0][..], &mut y)?;
    show("axpy", format!("{} {}", y[0], y[1]));
    let mut z = vec![Complex::new(0.0, 0.0)];
    scalars::axpy(Complex::new(0.0, 1.0), &[Complex::new(1.0, 0.0)][..], &mut z)?;
    show("axpy", number(z[0]));
    show(
        "largest",
        format!("{} {}", scalars::largest(&y)?, scalars::largest(&[3.0, -4.0][..])?),
    );
    let lengths = scalars::abs(&[Complex::new(3f32, 4.0)][..])?;
    let length = lengths.elements::<f32>()?.at([0]);
    show("abs", format!("{length} {}", lengths.dtype()));
    refused(scalars::triangle(TriangleOptions { uplo: b'u', any: b'x' }));
    refused(scalars::check(1));
    refused(scalars::count(1));
    refused(scalars::solve(
        SolveOptions::default(),
        &ndarray::arr2(&[[1.0, 2.0], [3.0, 0.0]]),
    ));
    refused(scalars::solve(
        SolveOptions::default(),
        &ndarray::arr2(&[[1.0, 2.0], [3.0, -1.0]]),
    ));
    refused(scalars::total(&[1.0, 1.0][..]));
    refused(scalars::axpy(Complex::new(0.0, 1.0), &[1f32][..], &mut vec![1f32]));
    refused(scalars::axpy(AxpyOptions::default(), &[1i32][..], &mut vec![1f32]));
    Ok(())
}
