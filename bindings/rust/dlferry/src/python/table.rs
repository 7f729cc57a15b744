// SPDX-License-Identifier: Apache-2.0
//! Exchange tables of other types: C functions that give a managed tensor for an object.

use super::types::is_torch;
use crate::error::{call, Error, Result};
use crate::tensor::Memory;
use crate::{ffi, flags, ErrorKind, Tensor};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use std::ffi::{c_void, CStr};
use std::ptr::null;

pub(super) type Table = &'static ffi::DLPackExchangeAPI;

/// The name of the capsule that holds a table.
pub(super) fn capsule_name() -> &'static CStr {
    // SAFETY: a string of C ends with NUL.
    unsafe { CStr::from_bytes_with_nul_unchecked(ffi::DLF_EXCHANGE_CAPSULE) }
}

/// Find the table of a type. A subclass with an own `__dlpack__` interprets its data differently from its base, so the
/// base's table is not for it.
pub(super) fn find(class: &Bound<'_, PyType>) -> PyResult<Option<Table>> {
    let py = class.py();
    let (now, old) = (
        pyo3::intern!(py, "__dlpack_c_exchange_api__"),
        pyo3::intern!(py, "__c_dlpack_exchange_api__"),
    );
    for class in class.mro().iter() {
        let content = class.getattr(pyo3::intern!(py, "__dict__"))?;
        for name in [now, old] {
            if let Ok(attribute) = content.get_item(name) {
                if let Some(table) = read(&attribute)? {
                    return Ok(Some(table));
                }
            }
        }
        if content.contains(pyo3::intern!(py, "__dlpack__"))? {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Read the attribute, a capsule or an address; `None` for a table that we cannot use.
fn read(attribute: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
    let table: *const c_void = if let Ok(capsule) = attribute.cast_exact::<PyCapsule>() {
        // SAFETY: a capsule and a string of C.
        unsafe {
            match pyo3::ffi::PyCapsule_IsValid(capsule.as_ptr(), capsule_name().as_ptr()) {
                0 => null(),
                _ => pyo3::ffi::PyCapsule_GetPointer(capsule.as_ptr(), capsule_name().as_ptr()),
            }
        }
    } else {
        attribute.extract::<usize>().unwrap_or(0) as *const c_void
    };
    let mut found = null();
    // SAFETY: DLPack 1.3: the attribute of this name holds a table that lives as long as the process.
    let status = unsafe { ffi::dlf_exchange_find(table, &mut found, std::ptr::null_mut()) };
    // SAFETY: on success the hub lends a table of our version.
    Ok((status == ffi::DLF_OK).then(|| unsafe { &*found }))
}

/// Import through a table, without waiting for a stream.
pub(super) fn import(table: Table, x: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    let torch = is_torch(x)?;
    if torch {
        check_torch(x)?;
    }
    let owned = x.as_ptr().cast();
    // SAFETY: the table belongs to the type of the object, which is alive; make() hands out valid slots.
    let made = unsafe {
        Tensor::make(Memory::Foreign, |out, error| {
            ffi::dlf_exchange_import(table, owned, out, error)
        })
    };
    let tensor = made.map_err(|error| PyErr::take(x.py()).unwrap_or_else(|| error.into()))?;
    match torch && x.getattr(pyo3::intern!(x.py(), "requires_grad"))?.is_truthy()? {
        true => Ok(read_only(tensor)?), // a write would bypass autograd
        false => Ok(tensor),
    }
}

/// torch's table exports lazily conjugated and negated tensors with the wrong values.
fn check_torch(x: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = x.py();
    let lazy = [
        (pyo3::intern!(py, "is_conj"), "conjugated", "resolve_conj"),
        (pyo3::intern!(py, "is_neg"), "negated", "resolve_neg"),
    ];
    for (is, how, method) in lazy {
        if x.call_method0(is)?.is_truthy()? {
            let text = format!(
                "from_dlpack: expected elements as they lie in memory, got a lazily {how} tensor; pass .{method}()"
            );
            return Err(Error::new(ErrorKind::Layout, text).into());
        }
    }
    Ok(())
}

/// Make a handle on the same elements that forbids writing.
pub(super) fn read_only(tensor: Tensor) -> Result<Tensor> {
    let exported = tensor.to_dlpack()?.into_raw();
    // SAFETY: just exported; an export whose flags differ becomes a handle of its own.
    unsafe {
        (*exported).flags |= flags::READ_ONLY;
        Tensor::from_dlpack(exported)
    }
}

/// Make an object of the table's framework that keeps the tensor.
pub(super) fn export<'py>(py: Python<'py>, table: Table, tensor: &Tensor) -> PyResult<Bound<'py, PyAny>> {
    let mut out: *mut c_void = std::ptr::null_mut();
    // SAFETY: the table is a framework's, the handle is alive, out and error are valid slots.
    let made = call(|error| unsafe { ffi::dlf_exchange_export(table, tensor.raw(), &mut out, error) });
    made.map_err(|error| PyErr::take(py).unwrap_or_else(|| error.into()))?;
    // SAFETY: success gives an object with a reference for us.
    Ok(unsafe { Bound::from_owned_ptr(py, out.cast()) })
}
