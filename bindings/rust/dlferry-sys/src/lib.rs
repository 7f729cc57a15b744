// SPDX-License-Identifier: Apache-2.0
//! The C interface of [dlferry](https://github.com/dlferry/dlferry) and DLPack 1.3, exactly as `dlferry.h` declares it.
//!
//! Use the crate `dlferry` instead: it is safe. This one is for generated packages and for those who speak DLPack in C.
//! Enumerations are integer constants, since a foreign producer may hand over codes that no header has named yet.
#![no_std]

#[allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    rustdoc::all,
    clippy::all
)]
mod bindings;

pub use bindings::*;
