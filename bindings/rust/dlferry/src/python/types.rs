// SPDX-License-Identifier: Apache-2.0
//! Types of other packages, known by identity: any class may have their names. Looking for one imports nothing and runs
//! none of its code.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};

fn modules(py: Python<'_>) -> PyResult<&Bound<'_, PyDict>> {
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
