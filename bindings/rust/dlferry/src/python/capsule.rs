// SPDX-License-Identifier: Apache-2.0
//! The capsules in which `__dlpack__` returns a managed tensor.

use crate::{ManagedTensor, ManagedTensorLegacy};
use pyo3::ffi as py;
use pyo3::prelude::*;
use std::ffi::{c_void, CStr};
use std::ptr::null_mut;

/// The names of DLPack 1.x and of 0.8, until a consumer has taken the tensor.
const NAMES: [&CStr; 2] = [c"dltensor_versioned", c"dltensor"];

/// Make a capsule that owns a managed tensor until a consumer renames it.
pub(super) fn versioned(python: Python<'_>, made: ManagedTensor) -> PyResult<Bound<'_, PyAny>> {
    let capsule = new(python, made.as_ptr().cast(), NAMES[0])?;
    made.into_raw();
    Ok(capsule)
}

/// The same for the older structure.
pub(super) fn legacy(python: Python<'_>, made: ManagedTensorLegacy) -> PyResult<Bound<'_, PyAny>> {
    let capsule = new(python, made.as_ptr().cast(), NAMES[1])?;
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
        drop(ManagedTensor::from_raw(held(capsule, NAMES[0]).cast()));
        drop(ManagedTensorLegacy::from_raw(held(capsule, NAMES[1]).cast()));
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
