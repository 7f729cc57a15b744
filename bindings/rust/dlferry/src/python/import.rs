// SPDX-License-Identifier: Apache-2.0
//! Python objects as tensors.

use super::options::ImportOptions;
use super::{capsule, method, table};
use crate::error::Result;
use crate::{flags, CopyMode, Device, Tensor};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

impl Tensor {
    /// Import an array of NumPy, PyTorch, JAX or any other library with DLPack's methods, or a DLPack capsule, without
    /// a copy. A `#[pyfunction]` with a parameter of type `Tensor` does the same.
    ///
    /// # Errors
    /// An exception of the producer, or that of the error's kind: of a type without `__dlpack__`, a lazily conjugated
    /// or negated tensor of PyTorch, a masked array of NumPy, and those of [`Tensor::from_dlpack`].
    pub fn from_python(x: &Bound<'_, PyAny>) -> PyResult<Tensor> {
        Tensor::from_python_with(x, &ImportOptions::default())
    }

    /// Import an array with a say about copies, device and stream. Otherwise like [`Tensor::from_python`].
    ///
    /// # Errors
    /// Those of [`Tensor::from_python`]; also [`Device`](crate::ErrorKind::Device) if neither the producer nor the C library
    /// can move the elements, or [`Layout`](crate::ErrorKind::Layout) if they would need a copy that is forbidden.
    pub fn from_python_with(x: &Bound<'_, PyAny>, options: &ImportOptions) -> PyResult<Tensor> {
        if x.is_exact_instance_of::<PyCapsule>() {
            return Ok(settle(capsule::take(x, false)?, options)?);
        }
        let Some(found) = table::find(&x.get_type())? else {
            return Ok(settle(method::import(x, options)?, options)?);
        };
        let tensor = table::import(found, x)?;
        // The table does not wait for the device's stream, and only the producer can move or copy from there.
        if tensor.device().is_cpu_accessible() || x.getattr_opt(pyo3::intern!(x.py(), "__dlpack__"))?.is_none() {
            return Ok(settle(tensor, options)?);
        }
        drop(tensor);
        Ok(settle(method::import(x, options)?, options)?)
    }
}

/// The rest of the options, after the producer's part.
fn settle(tensor: Tensor, options: &ImportOptions) -> Result<Tensor> {
    let copied = tensor.flags() & flags::IS_COPIED != 0;
    let copy = match options.copy {
        Some(true) if !copied => CopyMode::Always,
        Some(false) => CopyMode::Never,
        _ => CopyMode::IfNeeded,
    };
    if copy != CopyMode::Always && options.device.is_none() {
        return Ok(tensor);
    }
    tensor.to_device(options.device.unwrap_or(Device { kind: 0, id: 0 }), copy)
}

/// As [`Tensor::from_python`] imports: without a copy.
impl<'py> FromPyObject<'_, 'py> for Tensor {
    type Error = PyErr;

    fn extract(x: Borrowed<'_, 'py, PyAny>) -> PyResult<Tensor> {
        Tensor::from_python(&x)
    }
}
