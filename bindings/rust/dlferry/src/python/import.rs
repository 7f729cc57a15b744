// SPDX-License-Identifier: Apache-2.0
//! Python objects as tensors.

use super::error::no_array;
use super::options::ImportOptions;
use crate::tensor::Memory;
use crate::{ffi, CopyMode, Device, Error, ErrorKind, Tensor};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};

impl Tensor {
    /// Import an array of NumPy, PyTorch, JAX or any other library with DLPack's methods, or a DLPack capsule, without
    /// a copy. A `#[pyfunction]` with a parameter of type `Tensor` does the same.
    ///
    /// # Errors
    /// An exception of the producer, or that of the error's kind: of a type without `__dlpack__`, a lazily conjugated
    /// or negated tensor of PyTorch, an array of NumPy with masked elements, and those of [`Tensor::from_dlpack`].
    #[doc(alias = "dlf_from_python")]
    pub fn from_python(x: &Bound<'_, PyAny>) -> PyResult<Tensor> {
        Tensor::from_python_with(x, &ImportOptions::default())
    }

    /// Import an array with a say about copies, device and stream. Otherwise like [`Tensor::from_python`].
    ///
    /// # Errors
    /// Those of [`Tensor::from_python`]; also [`Device`](crate::ErrorKind::Device) if neither the producer nor the C library
    /// can move the elements, or [`Layout`](crate::ErrorKind::Layout) if they would need a copy that is forbidden.
    #[doc(alias = "dlf_from_python")]
    pub fn from_python_with(x: &Bound<'_, PyAny>, options: &ImportOptions) -> PyResult<Tensor> {
        let copy = match options.copy {
            None => CopyMode::IfNeeded,
            Some(true) => CopyMode::Always,
            Some(false) => CopyMode::Never,
        };
        let own_device = ffi::DLDevice {
            device_type: 0,
            device_id: 0,
        };
        let asked = ffi::dlf_import_options {
            size: size_of::<ffi::dlf_import_options>() as i64,
            device: options.device.map_or(own_device, Device::raw),
            copy: copy as i32,
            keep_exception: 1,
            stream: options.stream.unwrap_or(i64::from(ffi::DLF_STREAM_DEFAULT)),
        };
        // SAFETY: the object is alive, and make() hands out valid slots.
        let made = unsafe {
            Tensor::make(Memory::Foreign, |out, error| {
                ffi::dlf_from_python(x.as_ptr().cast(), &raw const asked, out, error)
            })
        };
        // A copy that the producer made is flagged as such, which cannot be verified. All others are the hub's own.
        let made = made.map(|mut tensor| {
            if copy == CopyMode::Always && tensor.flags() & crate::flags::IS_COPIED == 0 {
                tensor.set_memory(Memory::Own);
            }
            tensor
        });
        made.map_err(|error| PyErr::take(x.py()).unwrap_or_else(|| refused(x, error)))
    }
}

/// The exception for a failure that is not Python's own. An object of the wrong type is INVALID in C, like a wrong value.
fn refused(x: &Bound<'_, PyAny>, error: Error) -> PyErr {
    let has = |name| x.getattr(name).is_ok_and(|found| !found.is_none());
    let array = x.is_exact_instance_of::<PyCapsule>() || (has("__dlpack__") && has("__dlpack_device__"));
    match error.kind() {
        ErrorKind::Invalid if !array || x.is_instance_of::<PyType>() => no_array(x.py(), error.message()),
        _ => error.into(),
    }
}

/// As [`Tensor::from_python`] imports: without a copy.
impl<'py> FromPyObject<'_, 'py> for Tensor {
    type Error = PyErr;

    fn extract(x: Borrowed<'_, 'py, PyAny>) -> PyResult<Tensor> {
        Tensor::from_python(&x)
    }
}
