// SPDX-License-Identifier: Apache-2.0
//! Build the C helper that makes malformed tensors, shared by every language's tests.

fn main() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/cases");
    let include = std::env::var("DEP_DLFERRY_INCLUDE").expect("dlferry-sys names its headers");
    for file in ["malformed.c", "malformed.h", "made.c", "made.h"] {
        println!("cargo::rerun-if-changed={cases}/{file}");
    }
    cc::Build::new()
        .std("c11")
        .include(include)
        .file(format!("{cases}/malformed.c"))
        .file(format!("{cases}/made.c"))
        .compile("malformed");
}
