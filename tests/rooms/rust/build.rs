// SPDX-License-Identifier: Apache-2.0
//! A deleter may run after this library was closed: it stays loaded.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
