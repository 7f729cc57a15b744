// SPDX-License-Identifier: Apache-2.0
//! Python objects as tensors.

use super::{capsule, method, table, types};
use crate::error::{Error, Result};
use crate::{flags, CopyMode, Device, ErrorKind, Tensor};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

/// What [`Tensor::from_python_with`] asks of a producer; the default asks for nothing.
///
/// ```
/// let options = dlferry::python::ImportOptions { copy: Some(true), ..Default::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// `Some(true)`: a copy, which nothing else uses. `Some(false)`: an error rather than a copy. `None`: a copy only
    /// where `device` needs one.
    pub copy: Option<bool>,
    /// The device on which the elements must be; `None` where they are.
    pub device: Option<Device>,
    /// The stream on which the elements must be ready, as a number of the array API standard; `None` means the
    /// device's default stream.
    pub stream: Option<i64>,
}

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
    /// Those of [`Tensor::from_python`]; also [`Device`](ErrorKind::Device) if neither the producer nor the C library
    /// can move the elements, or [`Layout`](ErrorKind::Layout) if they would need a copy that is forbidden.
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

/// Read a pair of device type and device id. The type may be a member of a plain enum, and Paddle's id is None.
pub(super) fn device_pair(pair: &Bound<'_, PyAny>, name: &str) -> PyResult<Device> {
    let number =
        |x: Bound<'_, PyAny>| -> Option<i32> { x.extract().ok().or_else(|| x.getattr("value").ok()?.extract().ok()) };
    let read = || {
        let pair = pair.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2)?;
        let id = pair.get_item(1).ok()?;
        let kind = number(pair.get_item(0).ok()?).filter(|&kind| kind > 0)?;
        let id = if id.is_none() { 0 } else { number(id)? };
        (id >= 0).then_some(Device { kind, id })
    };
    read().ok_or_else(|| {
        let got = types::name_of(pair);
        let text = format!("{name}: expected a pair of device type and device id, got {got}");
        Error::new(ErrorKind::Invalid, text).into()
    })
}

/// As [`Tensor::from_python`] imports: without a copy.
impl<'py> FromPyObject<'_, 'py> for Tensor {
    type Error = PyErr;

    fn extract(x: Borrowed<'_, 'py, PyAny>) -> PyResult<Tensor> {
        Tensor::from_python(&x)
    }
}
