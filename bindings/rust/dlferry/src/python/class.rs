// SPDX-License-Identifier: Apache-2.0
//! Tensors as Python objects: of the hub's own class, or arrays of a library.

use crate::error::{call, Error, Result};
use crate::{ffi, ErrorKind, Tensor};
use pyo3::prelude::*;
use std::ffi::c_void;
use std::ptr::null_mut;

impl Tensor {
    /// Give the tensor to Python, as the object that C, Go and Julia give too. A `#[pyfunction]` that returns a `Tensor`
    /// does the same.
    ///
    /// Its class is `dlferry.SharedTensor`: it has DLPack's methods and exchange table, the buffer protocol and
    /// `__array__`, so that `numpy.asarray` shares the elements; `shape`, `strides`, `dtype` and `device`. Read it in
    /// Rust by [`Tensor::from_python`].
    ///
    /// Python may write the elements, so for Rust they are another runtime's from now on: see [`Tensor::into_foreign`].
    ///
    /// # Errors
    /// `MemoryError`; `ValueError` if a view, an export or another handle shares the elements, since Python may write
    /// them: give a copy, or call [`Tensor::into_foreign`] before sharing them. Read-only ones may be shared.
    #[doc(alias = "dlf_to_python")]
    pub fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let given = self.given_away("to_python")?;
        object_of(py, &given, None).map_err(Failure::into_py)
    }

    /// Give the tensor to Python as an array of the same library as `model`, without a copy: through the exchange table
    /// of its type (PyTorch), else by `from_dlpack` of its array API namespace (NumPy, JAX), else like
    /// [`Tensor::to_python`].
    ///
    /// # Errors
    /// Those of [`Tensor::to_python`], `BufferError` for a read-only tensor if the library has no read-only arrays, as
    /// PyTorch, and the exception of a library that refuses the tensor, such as one with an unknown dtype.
    #[doc(alias = "dlf_to_python")]
    pub fn to_python_like<'py>(self, model: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let given = self.given_away("to_python")?;
        match object_of(model.py(), &given, Some(model)) {
            Err(Failure::Status(error)) if error.kind() == ErrorKind::Invalid => given.to_python(model.py()), // no library
            made => made.map_err(Failure::into_py),
        }
    }
}

enum Failure {
    Status(Error),
    Raised(PyErr),
}

impl Failure {
    fn into_py(self) -> PyErr {
        match self {
            Failure::Status(error) => error.into(),
            Failure::Raised(error) => error,
        }
    }
}

fn object_of<'py>(
    py: Python<'py>,
    tensor: &Tensor,
    like: Option<&Bound<'py, PyAny>>,
) -> std::result::Result<Bound<'py, PyAny>, Failure> {
    let like = like.map_or(null_mut(), |like| like.as_ptr().cast());
    let mut out: *mut c_void = null_mut();
    // SAFETY: the handle is alive, and the model if there is one; out and error are valid slots.
    let made: Result<()> = call(|error| unsafe { ffi::dlf_to_python(tensor.raw(), like, true, &raw mut out, error) });
    match (made, PyErr::take(py)) {
        // SAFETY: success gives a reference for us.
        (Ok(()), _) => Ok(unsafe { Bound::from_owned_ptr(py, out.cast()) }),
        (Err(_), Some(raised)) => Err(Failure::Raised(raised)),
        (Err(error), None) => Err(Failure::Status(error)),
    }
}

/// As [`Tensor::to_python`] gives it.
impl<'py> IntoPyObject<'py> for Tensor {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_python(py)
    }
}
