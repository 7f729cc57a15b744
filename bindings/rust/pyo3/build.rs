// SPDX-License-Identifier: Apache-2.0
//! A deleter may run after Python has dropped the module, so it must stay loaded.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
