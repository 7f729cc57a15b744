// SPDX-License-Identifier: Apache-2.0
//! Errors as Python's exceptions.

use super::types::imported;
use crate::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

/// For each status its class in Python's package dlferry and the built-in classes that it also is. A test compares the
/// table with that package.
const CLASSES: [(ErrorKind, &str, &[&str]); 12] = [
    (ErrorKind::Invalid, "InvalidError", &["Error", "ValueError"]),
    (ErrorKind::Bounds, "BoundsError", &["Error", "IndexError"]),
    (ErrorKind::Overflow, "SizeOverflowError", &["Error", "OverflowError"]),
    (ErrorKind::Dtype, "DtypeError", &["Error", "BufferError", "TypeError"]),
    (ErrorKind::Shape, "ShapeError", &["Error", "ValueError"]),
    (
        ErrorKind::Device,
        "DeviceError",
        &["Error", "BufferError", "TypeError", "ValueError"],
    ),
    (
        ErrorKind::Layout,
        "LayoutError",
        &["Error", "BufferError", "ValueError"],
    ),
    (ErrorKind::ReadOnly, "ReadOnlyError", &["Error", "BufferError"]),
    (ErrorKind::Version, "VersionError", &["Error", "BufferError"]),
    // MemoryError comes first, since CPython refuses its __new__ otherwise.
    (ErrorKind::NoMemory, "NoMemoryError", &["MemoryError", "Error"]),
    (ErrorKind::Foreign, "ForeignError", &["Error", "RuntimeError"]),
    (
        ErrorKind::Unsupported,
        "UnsupportedError",
        &["Error", "BufferError", "NotImplementedError"],
    ),
];

/// An object that is no array: AttributeError in the array API standard; TypeError, since the argument has the wrong type.
const PROTOCOL: (&str, &[&str]) = ("ProtocolError", &["AttributeError", "TypeError", "Error"]);

/// Return the base of the exception classes that this extension raises, for `except` in Python: add it to your module.
///
/// It is `dlferry.Error` if the Python package dlferry is imported first, else a class of this extension. The class of
/// an error is a subclass and a built-in exception, such as `BoundsError`, which is also an `IndexError`; its
/// attribute `status` is the number of the C library's status.
///
/// # Errors
/// An exception of the interpreter, such as `MemoryError`.
pub fn error_type(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    class(py, "Error")
}

/// The classes by name, made or found at the first use.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    static FOUND: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let classes = FOUND.get_or_try_init(py, || find(py).map(Bound::unbind))?.bind(py);
    match classes.get_item(name)? {
        Some(class) => Ok(class.cast_into()?),
        None => unreachable!("find() gives a class for each name"),
    }
}

fn find(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let package = imported(py, pyo3::intern!(py, "dlferry"), pyo3::intern!(py, "errors"))?;
    let rows = CLASSES.iter().map(|&(kind, name, bases)| (Some(kind), name, bases));
    let all = rows.chain([(None, PROTOCOL.0, PROTOCOL.1)]);
    let classes = PyDict::new(py);
    let Some(package) = package else {
        let root = make(py, &classes, None, "Error", &["Exception"])?;
        classes.set_item("Error", root)?;
        for (kind, name, bases) in all {
            classes.set_item(name, make(py, &classes, kind, name, bases)?)?;
        }
        return Ok(classes);
    };
    classes.set_item("Error", package.getattr("Error")?)?;
    for (_, name, _) in all {
        classes.set_item(name, package.getattr(name)?)?;
    }
    Ok(classes)
}

fn make<'py>(
    py: Python<'py>,
    classes: &Bound<'py, PyDict>,
    kind: Option<ErrorKind>,
    name: &str,
    bases: &[&str],
) -> PyResult<Bound<'py, PyAny>> {
    let builtins = py.import("builtins")?;
    let find = |&base: &&str| match classes.get_item(base)? {
        Some(own) => Ok(own),
        None => builtins.getattr(base),
    };
    let bases = bases.iter().map(find).collect::<PyResult<Vec<_>>>()?;
    let content = PyDict::new(py);
    content.set_item("__module__", "dlferry.errors")?;
    if let Some(kind) = kind {
        content.set_item("status", kind.status())?;
    }
    py.get_type::<PyType>().call1((name, PyTuple::new(py, bases)?, content))
}

fn exception(py: Python<'_>, name: &str, text: &str) -> PyErr {
    match class(py, name).and_then(|class| class.call1((text,))) {
        Ok(made) => PyErr::from_value(made),
        Err(raised) => raised,
    }
}

/// The exception of the error's status, with the same text.
impl From<Error> for PyErr {
    fn from(error: Error) -> PyErr {
        let row = CLASSES.iter().find(|(kind, ..)| *kind == error.kind());
        let name = row.map_or("ForeignError", |&(_, name, _)| name);
        Python::attach(|py| exception(py, name, error.message()))
    }
}

/// Refuse an object without DLPack's methods.
pub(super) fn no_array(py: Python<'_>, text: &str) -> PyErr {
    exception(py, PROTOCOL.0, text)
}
