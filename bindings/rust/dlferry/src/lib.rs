// SPDX-License-Identifier: Apache-2.0
//! DLPack tensors in Rust, safe and without a copy.
//!
//! DLPack is the C structure in which NumPy, PyTorch, JAX, Go and Julia libraries hand each other tensors. A [`Tensor`]
//! is made here ([`Tensor::create`]), wraps memory that Rust owns ([`Tensor::wrap`], `From<Vec<T>>`), or comes from
//! somebody else ([`Tensor::from_dlpack`]); it is looked at through [`View`]s that honour strides and goes out
//! through [`Tensor::to_dlpack`].
//!
//! ```
//! use dlferry::Tensor;
//!
//! let t = Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
//! assert_eq!(t.view::<f32>()?[[1, 2]], 6.0);
//!
//! let exported = t.to_dlpack()?; // for any consumer of DLPack, in any language
//! // SAFETY: valid, owned, and nobody writes.
//! let back = unsafe { Tensor::from_dlpack(exported.into_raw())? };
//! assert_eq!(back.data(), t.data());
//! # Ok::<(), dlferry::Error>(())
//! ```
//!
//! All logic is in the C library `dlferry`, which is built in; every function names its C function as an alias for the
//! search above. Packages that `dlferry-bind` generates build on [`arg`].
//!
//! # Shared objects
//! A deleter may be called long after whoever loaded a library has closed it. A `cdylib` that exports tensors should
//! never be unloaded: let its build script print `cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete`.
#![deny(missing_docs)]

pub mod arg;
mod check;
mod copy;
mod device;
mod dtype;
mod element;
mod error;
mod exchange;
mod format;
mod handle;
mod iter;
mod layout;
#[cfg(feature = "ndarray")]
mod nd;
mod of;
mod place;
#[cfg(doctest)]
mod refused;
mod tensor;
mod view;
mod wrap;

/// The C interface, for generated packages and for those who speak DLPack in C.
pub use dlferry_sys as ffi;

pub use arg::{Arg, ArgMut};
pub use check::CheckLevel;
pub use device::{Device, Stream};
pub use dtype::DType;
pub use element::{Bool, Element};
pub use error::{Error, ErrorKind, Result};
pub use exchange::{ManagedTensor, ManagedTensorLegacy};
pub use iter::Iter;
pub use layout::Order;
pub use of::{of, of_mut, of_strided, of_strided_mut, Of, OfMut};
pub use tensor::Tensor;
pub use view::{View, ViewMut};

/// What [`Tensor::flags`] is made of.
pub mod flags {
    use crate::ffi;

    /// The elements must not be written.
    pub const READ_ONLY: u64 = ffi::DLPACK_FLAG_BITMASK_READ_ONLY as u64;
    /// The producer made a copy, which the consumer owns alone.
    pub const IS_COPIED: u64 = ffi::DLPACK_FLAG_BITMASK_IS_COPIED as u64;
    /// Elements of less than a byte take a whole byte each.
    pub const SUBBYTE_PADDED: u64 = ffi::DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED as u64;
}

/// Tell the version of the C library, such as `"0.1.0"`.
#[doc(alias = "dlf_version")]
pub fn version() -> &'static str {
    // SAFETY: the hub lends a static ASCII string.
    unsafe { std::ffi::CStr::from_ptr(ffi::dlf_version()) }
        .to_str()
        .unwrap_or_default()
}

/// Count the tensors of this copy of the hub that have not been let go yet: 0 when nothing leaked.
#[doc(alias = "dlf_live")]
pub fn live() -> i64 {
    // SAFETY: takes nothing.
    unsafe { ffi::dlf_live() }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
