// SPDX-License-Identifier: Apache-2.0
//! Arguments of generated functions, and their calls.
//!
//! A generated function takes `&impl Arg` for a tensor that it reads and `&mut impl ArgMut` for one that it writes, so
//! callers pass tensors, slices, vectors, arrays or ndarray views directly. Each describes itself to C in a [`Slot`] on
//! the caller's stack: nothing is allocated or copied.
//!
//! Outputs are borrowed exclusively, so the compiler enforces a contract's `noalias`:
//!
//! ```compile_fail,E0502
//! # fn blur(_: &(impl dlferry::Arg + ?Sized), _: &mut (impl dlferry::ArgMut + ?Sized)) {}
//! let mut image = vec![0f32; 6];
//! blur(&image, &mut image);
//! ```

pub use crate::object::{Object, Unshared};
pub use crate::tensor::{Arg, ArgMut, AssumeAlone, Lent, Row, Slot};
