// SPDX-License-Identifier: Apache-2.0
//! The capsules in which `__dlpack__` returns a managed tensor.

use crate::error::{Error, Result};
use crate::{ffi, flags, ErrorKind, ManagedTensor, ManagedTensorLegacy, Tensor};
use pyo3::ffi as py;
use pyo3::prelude::*;
use std::ffi::{c_void, CStr};
use std::ptr::null_mut;

/// The names of DLPack 1.x and of 0.8, before and after a consumer has taken the tensor.
const NAMES: [(&CStr, &CStr); 2] = [
    (c"dltensor_versioned", c"used_dltensor_versioned"),
    (c"dltensor", c"used_dltensor"),
];

/// Make a capsule that owns a managed tensor until a consumer renames it.
pub(super) fn versioned(python: Python<'_>, made: ManagedTensor) -> PyResult<Bound<'_, PyAny>> {
    let capsule = new(python, made.as_ptr().cast(), NAMES[0].0)?;
    made.into_raw();
    Ok(capsule)
}

/// The same for the older structure.
pub(super) fn legacy(python: Python<'_>, made: ManagedTensorLegacy) -> PyResult<Bound<'_, PyAny>> {
    let capsule = new(python, made.as_ptr().cast(), NAMES[1].0)?;
    made.into_raw();
    Ok(capsule)
}

fn new<'py>(python: Python<'py>, made: *const c_void, name: &'static CStr) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the name is static; release() knows both names.
    unsafe {
        let capsule = py::PyCapsule_New(made.cast_mut(), name.as_ptr(), Some(release));
        Bound::from_owned_ptr_or_err(python, capsule)
    }
}

/// Release a tensor that no consumer took. An exception may be in flight, which a deleter must not see.
unsafe extern "C" fn release(capsule: *mut py::PyObject) {
    // SAFETY: a capsule that still has its name was not consumed. The interpreter is attached.
    unsafe {
        let flight = PyErr::take(Python::assume_attached());
        drop(ManagedTensor::from_raw(held(capsule, NAMES[0].0).cast()));
        drop(ManagedTensorLegacy::from_raw(held(capsule, NAMES[1].0).cast()));
        if let Some(error) = flight {
            error.restore(Python::assume_attached());
        }
    }
}

/// # Safety
/// capsule is one.
unsafe fn held(capsule: *mut py::PyObject, name: &CStr) -> *mut c_void {
    // SAFETY: the caller promises it, and a name ends with NUL.
    unsafe {
        match py::PyCapsule_IsValid(capsule, name.as_ptr()) {
            0 => null_mut(),
            _ => py::PyCapsule_GetPointer(capsule, name.as_ptr()),
        }
    }
}

/// Take the tensor out of a capsule; its elements are read-only if the producer's never change.
pub(super) fn take(capsule: &Bound<'_, PyAny>, immutable: bool) -> PyResult<Tensor> {
    let object = capsule.as_ptr();
    for (kind, (fresh, used)) in NAMES.into_iter().enumerate() {
        // SAFETY: a capsule, alive, and static names. The new name is set before anything else can run or fail, so that
        // nothing consumes the tensor again.
        unsafe {
            let owned = held(object, fresh);
            if owned.is_null() {
                continue;
            }
            if py::PyCapsule_SetName(object, used.as_ptr()) != 0 {
                return Err(PyErr::fetch(capsule.py()));
            }
            return Ok(match kind {
                0 => import(owned.cast(), immutable)?,
                _ => import_legacy(owned.cast(), immutable)?,
            });
        }
    }
    // SAFETY: a capsule, alive; its name, if any, ends with NUL.
    let name = unsafe {
        let name = py::PyCapsule_GetName(object);
        (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy())
    };
    let got = match &name {
        Some(name) => format!("\"{name}\""),
        None => "one without a name".into(),
    };
    let wanted = match &name {
        Some(name) if name.starts_with("used_") => "a capsule that has not been consumed",
        _ => "a capsule \"dltensor_versioned\" or \"dltensor\"",
    };
    let text = format!("from_dlpack: expected {wanted}, got {got}");
    Err(Error::new(ErrorKind::Invalid, text).into())
}

/// # Safety
/// Like [`Tensor::from_dlpack`].
unsafe fn import(owned: *mut ffi::DLManagedTensorVersioned, immutable: bool) -> Result<Tensor> {
    // SAFETY: the caller promises it; only our major version has these fields.
    unsafe {
        let ours = (*owned).version.major == ffi::DLF_DLPACK_MAJOR;
        if immutable && ours && (*owned).flags & flags::IS_COPIED == 0 {
            (*owned).flags |= flags::READ_ONLY;
        }
        Tensor::from_dlpack(owned)
    }
}

/// # Safety
/// Like [`Tensor::from_dlpack_legacy`].
unsafe fn import_legacy(owned: *mut ffi::DLManagedTensor, immutable: bool) -> Result<Tensor> {
    // SAFETY: the caller promises it.
    let tensor = unsafe { Tensor::from_dlpack_legacy(owned)? };
    if immutable {
        super::table::read_only(tensor)
    } else {
        Ok(tensor)
    }
}
