// SPDX-License-Identifier: Apache-2.0
//! The Rust room: dlferry and the generated crate photo as a Rust program uses them, behind the functions of room.h.

use dlferry::ffi::{dlf_error, dlf_error_set, DLManagedTensorVersioned};
use dlferry::{Error, ErrorKind, Result, Tensor};
use photo::DrawHistogramOptions;
use std::ffi::{c_char, CStr, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Run a function for C: its error goes into C's slot, and so does a panic.
fn report(error: *mut dlf_error, run: impl FnOnce() -> Result<()>) -> i32 {
    let caught = catch_unwind(AssertUnwindSafe(run));
    let Err(failure) = caught.unwrap_or_else(|_| Err(Error::new(ErrorKind::Foreign, "the Rust room panicked"))) else {
        return 0;
    };
    let text = CString::new(failure.message()).unwrap_or_default();
    // SAFETY: the caller's slot, or NULL; the text ends with NUL.
    unsafe { dlf_error_set(error, failure.kind().status(), text.as_ptr()) as i32 }
}

/// Rows 1 and 3, columns 1, 3 and 5 of a 4 x 7 array.
fn produce() -> Result<Tensor> {
    const WIDTH: usize = 7;
    let mut array = vec![-1f32; 4 * WIDTH];
    for (i, j) in (0..2).flat_map(|i| (0..3).map(move |j| (i, j))) {
        array[(2 * i + 1) * WIDTH + 2 * j + 1] = (10 * i + j) as f32;
    }
    Tensor::wrap_strided(array, WIDTH + 1, &[2, 3], &[2 * WIDTH as i64, 2])
}

fn consume(tensor: &Tensor) -> Result<f64> {
    let elements = tensor.elements::<f32>()?;
    let &[rows, columns] = elements.shape() else {
        let text = format!("room_consume: expected 2 dimensions, got {}", elements.shape().len());
        return Err(Error::new(ErrorKind::Shape, text));
    };
    let places = (0..rows as usize).flat_map(|i| (0..columns as usize).map(move |j| (i, j)));
    Ok(places
        .map(|(i, j)| ((i + 1) * (j + 1)) as f64 * f64::from(elements.at([i, j])))
        .sum())
}

/// Run a kernel: its new output, or the input itself when it works in place.
fn run(kernel: &str, mut image: Tensor) -> Result<Tensor> {
    match kernel {
        "gray" => photo::gray(&image),
        "blur" => photo::blur(&image, 1.0),
        "sobel" => photo::sobel(&image),
        "equalize" => photo::equalize(&image),
        "draw_histogram" => {
            // SAFETY: room_photo's caller touches nothing meanwhile.
            photo::draw_histogram(&mut unsafe { image.assume_alone() }, DrawHistogramOptions::default())?;
            Ok(image)
        }
        _ => {
            let text = format!("room_photo: expected a kernel of photo.h, got '{kernel}'");
            Err(Error::new(ErrorKind::Invalid, text))
        }
    }
}

/// See room.h.
///
/// # Safety
/// See room.h.
#[no_mangle]
pub unsafe extern "C" fn room_produce(out: *mut *mut DLManagedTensorVersioned, error: *mut dlf_error) -> i32 {
    report(error, || {
        // SAFETY: the caller's place for a result.
        unsafe { out.write(std::ptr::null_mut()) };
        let given = produce()?.to_dlpack()?.into_raw();
        // SAFETY: as above.
        unsafe { out.write(given) };
        Ok(())
    })
}

/// See room.h.
///
/// # Safety
/// See room.h.
#[no_mangle]
pub unsafe extern "C" fn room_consume(
    owned: *mut DLManagedTensorVersioned,
    sum: *mut f64,
    address: *mut u64,
    error: *mut dlf_error,
) -> i32 {
    report(error, || {
        // SAFETY: the caller owns owned, hands it over and writes nothing meanwhile.
        let tensor = unsafe { Tensor::from_dlpack(owned) }?;
        let total = consume(&tensor)?;
        // SAFETY: the caller's places for results.
        unsafe {
            sum.write(total);
            address.write(tensor.data() as u64);
        }
        Ok(())
    })
}

/// See room.h.
///
/// # Safety
/// See room.h.
#[no_mangle]
pub unsafe extern "C" fn room_photo(
    kernel: *const c_char,
    owned: *mut DLManagedTensorVersioned,
    out: *mut *mut DLManagedTensorVersioned,
    address: *mut u64,
    error: *mut dlf_error,
) -> i32 {
    report(error, || {
        // SAFETY: the caller owns owned, hands it over and touches nothing meanwhile; the others are its places for
        // results, and a text that ends with NUL.
        let (image, kernel) = unsafe {
            out.write(std::ptr::null_mut());
            (Tensor::from_dlpack(owned)?, CStr::from_ptr(kernel).to_string_lossy())
        };
        // SAFETY: as above.
        unsafe { address.write(image.data() as u64) };
        let given = run(&kernel, image)?.to_dlpack()?.into_raw();
        // SAFETY: as above.
        unsafe { out.write(given) };
        Ok(())
    })
}

/// See room.h. Nothing here waits for a queue or a collector.
#[no_mangle]
pub extern "C" fn room_live() -> i64 {
    dlferry::live()
}
