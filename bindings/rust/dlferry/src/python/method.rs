// SPDX-License-Identifier: Apache-2.0
//! The method `__dlpack__` of other types.

use super::error::no_array;
use super::options::ImportOptions;
use super::types::{is_jax, is_masked, is_tensorflow, name_of};
use super::{capsule, device};
use crate::error::Error;
use crate::{ffi, flags, Device, ErrorKind, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

/// Import by `__dlpack__`. The flag tells whether the producer has copied.
pub(super) fn import(x: &Bound<'_, PyAny>, options: &ImportOptions) -> PyResult<Tensor> {
    let py = x.py();
    let method = match x.getattr_opt(pyo3::intern!(py, "__dlpack__"))? {
        Some(method) if !method.is_none() => method,
        _ => return Err(no_array(x, "an array with __dlpack__ or a DLPack capsule")),
    };
    let tensorflow = is_tensorflow(x)?;
    if tensorflow {
        check_tensorflow(x)?;
    }
    if is_masked(x)? {
        let text = "from_dlpack: expected an array without a mask, got a numpy.ma.MaskedArray; pass .data or .filled()";
        return Err(Error::new(ErrorKind::Layout, text).into());
    }
    let made = ask(&method, device_of(x)?, options)?;
    if !made.is_exact_instance_of::<PyCapsule>() {
        let (producer, got) = (name_of(x), name_of(&made));
        let text = format!("from_dlpack: expected a capsule from __dlpack__ of {producer}, got {got}");
        return Err(Error::new(ErrorKind::Foreign, text).into());
    }
    // These frameworks' arrays never change, which not all of their versions say.
    let tensor = capsule::take(&made, tensorflow || is_jax(x)?)?;
    if options.copy == Some(false) && tensor.flags() & flags::IS_COPIED != 0 {
        let text = format!(
            "from_dlpack: expected data that is shared, got a copy from {}",
            name_of(x)
        );
        return Err(Error::new(ErrorKind::Layout, text).into()); // a producer older than the keyword
    }
    Ok(tensor)
}

/// Call the method. A producer older than some keyword refuses it with TypeError; then it is asked again without the
/// newest one, as the array API standard says, and the caller does that part afterwards. The data would be ready too
/// late without a stream: that keyword is never dropped.
fn ask<'py>(method: &Bound<'py, PyAny>, at: Device, options: &ImportOptions) -> PyResult<Bound<'py, PyAny>> {
    let py = method.py();
    let given = PyDict::new(py);
    let mut newest = Vec::new();
    given.set_item(pyo3::intern!(py, "max_version"), newest_version())?;
    newest.push(pyo3::intern!(py, "max_version"));
    if let Some(device) = options.device {
        given.set_item(pyo3::intern!(py, "dl_device"), (device.kind, device.id))?;
        newest.push(pyo3::intern!(py, "dl_device"));
    }
    if let Some(copy) = options.copy {
        given.set_item(pyo3::intern!(py, "copy"), copy)?;
        newest.push(pyo3::intern!(py, "copy"));
    }
    // Array API: the stream must fit the device that is asked for.
    if let Some(stream) = options.stream.or_else(|| default_stream(options.device.unwrap_or(at))) {
        given.set_item(pyo3::intern!(py, "stream"), stream)?;
    }
    let first = match method.call((), Some(&given)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => error,
        called => return called,
    };
    while let Some(keyword) = newest.pop() {
        given.del_item(keyword)?;
        match method.call((), Some(&given)) {
            Err(error) if error.is_instance_of::<PyTypeError>(py) => (),
            called => return called,
        }
    }
    Err(first) // the producer's own mistake
}

fn newest_version() -> (u32, u32) {
    (ffi::DLF_DLPACK_MAJOR, ffi::DLF_DLPACK_MINOR)
}

/// The stream on which the data must be ready. It is explicit, since producers differ about None: the legacy default
/// stream, which orders the processor's later calls.
fn default_stream(device: Device) -> Option<i64> {
    match device.kind as ffi::DLDeviceType {
        ffi::kDLCUDA | ffi::kDLCUDAManaged => Some(1),
        ffi::kDLROCM => Some(0),
        _ => None,
    }
}

fn device_of(x: &Bound<'_, PyAny>) -> PyResult<Device> {
    let method = match x.getattr_opt(pyo3::intern!(x.py(), "__dlpack_device__"))? {
        Some(method) if !method.is_none() => method,
        _ => return Err(no_array(x, "an array with __dlpack_device__")),
    };
    device::device_pair(&method.call0()?, "from_dlpack")
}

/// TensorFlow aborts the process if asked to export its own objects.
fn check_tensorflow(x: &Bound<'_, PyAny>) -> PyResult<()> {
    let name: String = x.getattr("dtype")?.getattr("name")?.extract()?;
    if matches!(name.as_str(), "string" | "resource" | "variant") {
        let text = format!("from_dlpack: expected numbers, got TensorFlow's {name}");
        return Err(Error::new(ErrorKind::Dtype, text).into());
    }
    Ok(())
}
