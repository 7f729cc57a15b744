// SPDX-License-Identifier: Apache-2.0
//! A deleter may run after whoever loaded this library has let it go: it stays.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
