// SPDX-License-Identifier: Apache-2.0
//! Python objects as tensors and tensors as Python objects, without a copy, through [PyO3](https://pyo3.rs).
//!
//! A `#[pyfunction]` takes and returns [`Tensor`](crate::Tensor)s:
//!
//! ```no_run
//! use dlferry::{DType, Tensor};
//! use pyo3::prelude::*;
//!
//! /// Return an array of zeros with the shape of `x`, an array of NumPy, PyTorch, JAX or any other DLPack library.
//! #[pyfunction]
//! fn zeros_like(x: Tensor) -> PyResult<Tensor> {
//!     Ok(Tensor::create(x.dtype(), x.shape())?)
//! }
//! # let _ = DType::F32;
//! ```
//!
//! In Python the result is an object that every DLPack library takes, and NumPy as an array: `numpy.asarray(zeros_like(x))`.
//! [`Tensor::to_python_like`](crate::Tensor::to_python_like) makes an array of the caller's own library instead.
//!
//! [`Tensor::from_python`](crate::Tensor::from_python) asks the exchange table of the object's type first, then
//! `__dlpack__`, and also takes a capsule. Errors of dlferry become Python's: each class is dlferry's own and a
//! built-in one, see [`error_type`]. Exceptions that a producer raises pass as they are.
//!
//! Python code may write an array between two reads of Rust, in a call that Rust makes or on another thread. So the
//! memory of an import is not Rust's: its elements are read by value, and only `unsafe` functions lend references to them.
//! A write at the time of a read is a race, as between two threads of Python: the program excludes it.

mod class;
mod error;
mod import;
mod options;
mod types;

pub use error::error_type;
pub use options::ImportOptions;
