// SPDX-License-Identifier: Apache-2.0
//! Decode a photograph: the pixels stay where stb_image put them, and dropping the tensor frees them.
use si::{decode, size, DecodeOptions};

fn describe(tensor: &dlferry::Tensor) -> dlferry::Result<String> {
    let shape: Vec<String> = tensor.shape().iter().map(i64::to_string).collect();
    let sum: i64 = tensor.elements::<u8>()?.iter().map(i64::from).sum();
    Ok(format!("{}, sum {sum}", shape.join("x")))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::fs::read(std::env::args().nth(1).ok_or("expected a picture")?)?;
    let (width, height, channels) = size(&file)?;
    println!("size    {height} rows, {width} columns, {channels} channels");
    println!("pixels  {}", describe(&decode(&file, DecodeOptions::default())?)?);
    println!("gray    {}", describe(&decode(&file, DecodeOptions { channels: 1 })?)?);
    if let Err(error) = decode(&file[100..], DecodeOptions::default()) {
        println!("{error}");
    }
    if let Err(error) = decode(&file, DecodeOptions { channels: 5 }) {
        println!("{error}");
    }
    Ok(())
}
