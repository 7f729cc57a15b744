// SPDX-License-Identifier: Apache-2.0
//! The C interface of [dlferry](https://github.com/dlferry/dlferry) and DLPack 1.3, exactly as `dlferry.h` declares it.
//!
//! Use the safe crate `dlferry` instead. This one is for generated packages and for code over DLPack's C structures.
//! Enumerations are integer constants, since a foreign producer may use codes that no header names yet.
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
