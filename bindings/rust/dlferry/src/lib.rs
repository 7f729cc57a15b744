// SPDX-License-Identifier: Apache-2.0
//! DLPack tensors in Rust, safe and without a copy.
//!
//! DLPack is the C structure in which NumPy, PyTorch, JAX, Go and Julia libraries exchange tensors. Make a [`Tensor`]
//! ([`Tensor::create`]), wrap memory that Rust owns ([`Tensor::wrap`], `From<Vec<T>>`), or import one
//! ([`Tensor::from_dlpack`]); read its [`Elements`], with any strides, and export it with
//! [`Tensor::to_dlpack`].
//!
//! ```
//! use dlferry::Tensor;
//!
//! let t = Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
//! assert_eq!(t.elements::<f32>()?.at([1, 2]), 6.0);
//!
//! let exported = t.to_dlpack()?; // for any consumer of DLPack, in any language
//! // SAFETY: valid and owned, and nothing writes the elements.
//! let back = unsafe { Tensor::from_dlpack(exported.into_raw())? };
//! assert_eq!(back.data(), t.data());
//! # Ok::<(), dlferry::Error>(())
//! ```
//!
//! The built-in C library `dlferry` has all logic; every function has its C name as an alias for the search above.
//! Packages that `dlferry-bind` generates use [`arg`].
//!
//! # Shared objects
//! A deleter may run long after a library was closed. Never unload a `cdylib` that exports tensors: print
//! `cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete` in its build script.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs)]

pub mod arg;
pub mod contract;
mod device;
mod dtype;
mod element;
mod elements;
mod error;
mod exchange;
pub mod flags;
pub mod npy;
mod object;
pub mod plumbing;
#[cfg(feature = "pyo3")]
pub mod python;
#[cfg(doctest)]
mod refused;
pub mod soundness;
mod tensor;
mod text;
mod view;

/// The C interface, for generated packages and code that uses DLPack's structures.
pub use dlferry_sys as ffi;

pub use arg::{Arg, ArgMut};
pub use contract::Contract;
pub use device::{oneapi_enable, Device, Stream};
pub use dtype::DType;
pub use element::{Bool, Element};
pub use elements::{cast_into, cast_into_saturating, fill, float, Elements, ElementsMut, Iter, Number};
pub use error::{Error, ErrorKind, Result};
pub use exchange::{
    copy_into, CopyMode, ExportOptions, Exported, FromDlpack, ManagedTensor, ManagedTensorLegacy, ToDlpack,
};
pub use object::LocalTensor;
pub use tensor::{compact_strides, of, of_mut, of_strided, of_strided_mut, CheckLevel, Of, OfMut, Order, Tensor};
pub use view::IndexItem;

/// A complex number as an argument or a result of a generated package.
#[cfg(feature = "num-complex")]
pub use num_complex::Complex;

/// Tell the version of the C library, such as `"0.3.0"`.
///
/// ```
/// assert_eq!(dlferry::version().split('.').count(), 3);
/// ```
#[doc(alias = "dlf_version")]
#[must_use]
pub fn version() -> &'static str {
    // SAFETY: the hub lends a static ASCII string.
    unsafe { std::ffi::CStr::from_ptr(ffi::dlf_version()) }
        .to_str()
        .unwrap_or_default()
}

/// Return the version of the C library as one number that grows: 201 is 0.2.1.
///
/// ```
/// assert!(dlferry::version_number() >= 200);
/// ```
#[doc(alias = "dlf_version_number")]
#[must_use]
pub fn version_number() -> i32 {
    // SAFETY: takes nothing.
    unsafe { ffi::dlf_version_number() }
}

/// Count the live tensors of this copy of the hub: 0 when nothing leaked.
#[doc(alias = "dlf_live")]
#[must_use]
pub fn live() -> i64 {
    // SAFETY: takes nothing.
    unsafe { ffi::dlf_live() }
}

/// Let one large copy, cast or fill use up to so many threads, from now on in all the process: 1 before the first call.
///
/// Results of less than 16 MiB get one thread. Threads are made for each call and end before it returns.
///
/// ```
/// dlferry::set_threads(2)?;
/// assert!(dlferry::set_threads(0).is_err());
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// # Errors
/// [`Invalid`](ErrorKind::Invalid) for less than 1 or more than 64.
#[doc(alias = "dlf_set_threads")]
pub fn set_threads(count: i32) -> Result<()> {
    // SAFETY: error is a valid slot.
    error::call(|error| unsafe { ffi::dlf_set_threads(count, error) })
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
