// SPDX-License-Identifier: Apache-2.0
//! Write an image, its axis and their attributes into an HDF5 file, and read them back into vectors.
use dlferry::{of, of_mut, Complex};
use h5::{DreadOptions, DtypeToTextOptions, DwriteOptions, FcreateOptions, FopenOptions, TextToDtypeOptions};

fn write(path: &str) -> dlferry::Result<()> {
    let image: Vec<f32> = (0..12u8).map(f32::from).collect();
    // An id is a number, as in C, which HDF5 checks.
    let file = h5::fcreate(path, FcreateOptions::default())?;
    let (shape, kind) = (
        h5::screate_simple(&[3, 4])?,
        h5::text_to_dtype("H5T_IEEE_F32LE", TextToDtypeOptions::default())?,
    );
    let dataset = h5::dcreate(file, "image", kind, shape)?;
    h5::dwrite(dataset, shape, DwriteOptions::default(), &image)?;
    h5::make_dataset(file, "axis", &of(&[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0], [4])?)?;
    h5::set_attribute(file, "image", "scale", &of(&[0.5, 2.0], [2])?)?;
    h5::set_attribute(file, "image", "frames", &of(&[7i32], [1])?)?;
    h5::set_attribute_string(file, "image", "unit", "kelvin")?;
    h5::dclose(dataset)?;
    h5::tclose(kind)?;
    h5::sclose(shape)?;
    h5::fclose(file)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = format!("{}/data.h5", std::env::args().nth(1).ok_or("expected a folder")?);
    write(&path)?;

    let file = h5::fopen(&path, FopenOptions::default())?;
    let (dims, kind, size) = h5::get_dataset_info(file, "image")?;
    let dims = dims.elements::<u64>()?.to_vec();
    println!("image  {} x {}, class {}, {size} bytes each", dims[0], dims[1], kind.0);
    let dataset = h5::dopen(file, "image")?;
    let shape = h5::dget_space(dataset);
    let mut room = vec![0f64; (dims[0] * dims[1]) as usize]; // of another dtype: HDF5 converts
    h5::dread(dataset, shape, DreadOptions::default(), &mut room)?;
    let last: f64 = room[2 * dims[1] as usize..].iter().sum();
    println!("sum    {}, of the last row {last}", room.iter().sum::<f64>());

    let mut scale = [0f64; 16]; // as many numbers as bytes in the file
    let attribute = h5::aopen_by_name(file, "image", "scale")?;
    h5::aread(attribute, &mut of_mut(&mut scale, [16])?)?;
    h5::aclose(attribute)?;
    println!("scale  {} {}", scale[0], scale[1]);
    let (none, kind, size) = h5::get_attribute_info(file, "image", "unit")?;
    println!("unit   {} axes, class {}, {size} bytes", none.shape()[0], kind.0);
    let found = |name| h5::find_dataset(file, name);
    println!("found  {} {} {}", found("image")?, found("axis")?, found("no")?);
    let kind = h5::dget_type(dataset);
    println!("type   {}", h5::dtype_to_text(kind, DtypeToTextOptions::default())?);
    h5::tclose(kind)?;

    let (mut few, mut complex) = ([0f64; 11], [Complex::new(0.0, 0.0); 12]);
    let few = &mut of_mut(&mut few, [11])?;
    println!("{}", h5::dread(dataset, shape, 0, few).unwrap_err());
    let matrix = &mut of_mut(&mut room, [3, 4])?;
    println!("{}", h5::dread(dataset, shape, 0, matrix).unwrap_err());
    let complex = &mut of_mut(&mut complex, [12])?;
    println!("{}", h5::dread(dataset, shape, 0, complex).unwrap_err());
    println!("{}", h5::aread(dataset, &mut of_mut(&mut scale, [16])?).unwrap_err());
    h5::dclose(dataset)?;
    h5::sclose(shape)?;
    h5::fclose(file)?;
    Ok(())
}
