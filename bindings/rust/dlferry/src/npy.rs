// SPDX-License-Identifier: Apache-2.0
//! Files in NumPy's `.npy` format, versions 1 to 3.
//!
//! ```
//! use dlferry::{npy, Tensor};
//!
//! let path = std::env::temp_dir().join(format!("dlferry-{}.npy", std::process::id()));
//! let t = Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
//! npy::save(&t, &path)?;
//! assert!(npy::open(&path)?.identical(&t)?);
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), dlferry::Error>(())
//! ```

use crate::error::{c_text, call, Result};
use crate::tensor::{Memory, Slot};
use crate::{ffi, Arg, Tensor};
use std::path::Path;

/// Map a file as a read-only tensor, without copying.
///
/// The mapping lives as long as the tensor and its views. Another process can change or shorten the file meanwhile:
/// then elements change, or the program ends with SIGBUS. So elements are read by value, not as a slice.
///
/// # Errors
/// [`Foreign`](crate::ErrorKind::Foreign) if the system refuses, [`Invalid`](crate::ErrorKind::Invalid) for another or
/// too short file, [`Dtype`](crate::ErrorKind::Dtype) for objects, text and structures,
/// [`Unsupported`](crate::ErrorKind::Unsupported) for the other byte order, or
/// [`NoMemory`](crate::ErrorKind::NoMemory).
#[doc(alias = "dlf_npy_open")]
pub fn open(path: impl AsRef<Path>) -> Result<Tensor> {
    let path = c_text("npy_open", path.as_ref().as_os_str().as_encoded_bytes())?;
    // SAFETY: path ends with NUL; make() hands out valid slots.
    unsafe {
        Tensor::make(Memory::Foreign, |out, error| {
            ffi::dlf_npy_open(path.as_ptr(), out, error)
        })
    }
}

/// Write a tensor as a file. At the end it replaces an older file of that name; on failure the older file stays.
///
/// # Errors
/// [`Foreign`](crate::ErrorKind::Foreign) if the system refuses, [`Dtype`](crate::ErrorKind::Dtype) for dtypes without a
/// NumPy name, [`Device`](crate::ErrorKind::Device), [`Unsupported`](crate::ErrorKind::Unsupported) for unknown flags,
/// or [`NoMemory`](crate::ErrorKind::NoMemory).
#[doc(alias = "dlf_npy_save")]
pub fn save(tensor: &(impl Arg + ?Sized), path: impl AsRef<Path>) -> Result<()> {
    let path = c_text("npy_save", path.as_ref().as_os_str().as_encoded_bytes())?;
    let mut slot = Slot::new();
    let lent = tensor.lend(&mut slot);
    // SAFETY: the tensor is lent for the call, path ends with NUL, error is a valid slot.
    call(|error| unsafe { ffi::dlf_npy_save(lent.raw(), path.as_ptr(), error) })
}
