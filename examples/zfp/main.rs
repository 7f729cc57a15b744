// SPDX-License-Identifier: Apache-2.0
//! Compress a field as it lies in memory, transposed or not, and get it back within the tolerance.
use ndarray::Array3;
use zf::Stream;

fn within(a: &Array3<f64>, b: &Array3<f64>) -> &'static str {
    let far = a.iter().zip(b).any(|(a, b)| (a - b).abs() > 0.001);
    if far {
        "no"
    } else {
        "yes"
    }
}

fn main() -> dlferry::Result<()> {
    let field = Array3::from_shape_fn((32, 32, 32), |(x, y, z)| {
        let (x, y, z) = (x as f64, y as f64, z as f64);
        (x * y - z * z + x) / 64.0
    });
    let mut stream = Stream::open()?;
    stream.set_accuracy(0.001)?;
    let code = stream.encode(&field)?;
    let mut back = Array3::<f64>::zeros((32, 32, 32));
    stream.decode(&code, &mut back)?;
    println!("field   {} bytes", 8 * field.len());
    println!("stream  {} bytes", code.shape()[0]);
    println!("within the tolerance: {}", within(&back, &field));
    // Strides of 8, 256 and 8192 bytes: zfp walks them itself.
    let turned = stream.encode(&field.t())?;
    stream.decode(&turned, &mut back.view_mut().reversed_axes())?;
    println!("turned, in place: {}", within(&back, &field));
    if let Err(error) = stream.encode(&ndarray::Array2::<f64>::zeros((0, 3))) {
        println!("{error}");
    }
    Ok(())
}
