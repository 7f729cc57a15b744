// SPDX-License-Identifier: Apache-2.0
//! Build the C helper that makes malformed tensors, shared by every language's tests.

fn main() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/cases");
    let include = std::env::var("DEP_DLFERRY_INCLUDE").expect("dlferry-sys names its headers");
    println!("cargo::rerun-if-changed={cases}/malformed.c");
    println!("cargo::rerun-if-changed={cases}/malformed.h");
    cc::Build::new()
        .std("c11")
        .include(include)
        .file(format!("{cases}/malformed.c"))
        .compile("malformed");
}
