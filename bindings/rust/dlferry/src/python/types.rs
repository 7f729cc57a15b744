// SPDX-License-Identifier: Apache-2.0
//! Types of other packages, known by identity: any class may have their names. Looking for one imports nothing and runs
//! none of its code.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};

fn modules<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyDict>> {
    static MODULES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let kept = MODULES.get_or_try_init(py, || {
        let modules = py.import("sys")?.getattr("modules")?;
        Ok::<_, PyErr>(modules.cast_into::<PyDict>()?.unbind())
    })?;
    Ok(kept.bind(py))
}

/// Find an attribute of a module that is already imported.
pub(super) fn imported<'py>(
    py: Python<'py>,
    module: &Bound<'py, PyString>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match modules(py)?.get_item(module)? {
        Some(module) => module.getattr_opt(name),
        None => Ok(None),
    }
}

fn is_a(x: &Bound<'_, PyAny>, module: &Bound<'_, PyString>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    match imported(x.py(), module, name)? {
        // By ancestry, since isinstance() may run the code of a metaclass.
        Some(class) => Ok(class
            .cast::<PyType>()
            .is_ok_and(|class| is_subtype(&x.get_type(), class))),
        None => Ok(false),
    }
}

fn is_subtype(derived: &Bound<'_, PyType>, base: &Bound<'_, PyType>) -> bool {
    // SAFETY: both are types, alive for the call.
    unsafe { pyo3::ffi::PyType_IsSubtype(derived.as_type_ptr(), base.as_type_ptr()) != 0 }
}

pub(super) fn is_torch(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = x.py();
    is_a(x, pyo3::intern!(py, "torch"), pyo3::intern!(py, "Tensor"))
}

pub(super) fn is_masked(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = x.py();
    is_a(x, pyo3::intern!(py, "numpy.ma"), pyo3::intern!(py, "MaskedArray"))
}

pub(super) fn is_tensorflow(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, name) = (x.py(), pyo3::intern!(x.py(), "Tensor"));
    Ok(is_a(x, pyo3::intern!(py, "tensorflow.python.framework.tensor"), name)?
        || is_a(x, pyo3::intern!(py, "tensorflow.python.framework.ops"), name)?)
}

pub(super) fn is_jax(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, name) = (x.py(), pyo3::intern!(x.py(), "ArrayImpl"));
    Ok(is_a(x, pyo3::intern!(py, "jaxlib._jax"), name)? || is_a(x, pyo3::intern!(py, "jaxlib.xla_extension"), name)?)
}

/// Name a type as an error does: `numpy.ndarray`, `int`.
pub(super) fn name_of(x: &Bound<'_, PyAny>) -> String {
    let full = x.get_type().fully_qualified_name().map(|name| name.to_string());
    full.unwrap_or_else(|_| "another object".into())
}
