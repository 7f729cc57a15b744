// SPDX-License-Identifier: Apache-2.0
//! What the packages that `dlferry-bind` writes call, beside [`arg`](crate::arg). It is hidden from the documentation.
//!
//! # Stability
//! None for code written by hand: any release may change or remove what is here, without a word in the changelog. A
//! generated package works with the release whose generator wrote it and with all later ones of the same series, that is
//! of the same minor version before 1.0; its manifest says so. Write it again for another series.
#![doc(hidden)]

mod place;

pub use crate::error::{call, sure};
pub use place::{text_field, text_of_field, Given, List, Terminated, Text, Texts};
