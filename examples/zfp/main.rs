// SPDX-License-Identifier: Apache-2.0
//! Compress a field, get it back within the tolerance, then again from the bytes that a file would hold.
use dlferry::Tensor;
use zf::{Field, Stream};

const N: i64 = 32;

fn shaped(values: Vec<f64>, shape: &[i64]) -> dlferry::Result<Tensor> {
    Tensor::from(values).reshape(shape)
}

fn field(values: Vec<f64>) -> dlferry::Result<Field> {
    Field::from_3d(shaped(values, &[N, N, N])?)
}

fn within(back: &Field, values: &[f64]) -> dlferry::Result<&'static str> {
    let back = back.kept::<f64>("pointer")?.to_vec();
    let far = back.iter().zip(values).any(|(a, b)| (a - b).abs() > 0.001);
    Ok(if far { "no" } else { "yes" })
}

fn main() -> dlferry::Result<()> {
    let at = |i: i64| (i / N / N, i / N % N, i % N);
    let value = |(x, y, z): (i64, i64, i64)| (x * y - z * z + x) as f64 / 64.0;
    let values: Vec<f64> = (0..N * N * N).map(|i| value(at(i))).collect();
    let (mut full, mut back) = (field(values.clone())?, field(vec![0.0; values.len()])?);
    let mut stream = Stream::open()?;
    stream.set_accuracy(0.001)?;
    let (code, size) = stream.encode(&mut full)?;
    stream.decode(&mut back, &code)?;
    println!("field   {} bytes", 8 * values.len());
    println!("stream  {size} bytes of {}", code.shape()[0]);
    println!("within the tolerance: {}", within(&back, &values)?);

    let mut stored = code.elements::<u8>()?.to_vec();
    stored.truncate(size as usize);
    println!("{}", stream.decode(&mut back, &stored).unwrap_err());
    stored.resize(stream.maximum_size(&mut back) as usize, 0);
    let mut again = field(vec![0.0; values.len()])?;
    stream.decode(&mut again, &stored)?;
    println!("stored and padded: {}", within(&again, &values)?);
    println!("{}", Field::from_2d(shaped(vec![], &[0, 3])?).unwrap_err());
    Ok(())
}
