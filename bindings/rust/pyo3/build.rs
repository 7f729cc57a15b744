// SPDX-License-Identifier: Apache-2.0
//! Extract the recipe from the README: the first block of Rust below its heading.

use std::{env, fs, path::Path};

fn main() {
    let readme = "../README.md";
    println!("cargo::rerun-if-changed={readme}");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    let text = fs::read_to_string(readme).expect("the README lies beside");
    let (_, below) = text
        .split_once("\n## Python tensors through PyO3\n")
        .expect("a heading");
    let (_, block) = below.split_once("\n```rust,ignore\n").expect("a block of Rust");
    let (recipe, _) = block.split_once("\n```\n").expect("its end");
    let out = env::var("OUT_DIR").expect("cargo says where");
    fs::write(Path::new(&out).join("recipe.rs"), recipe).expect("a place to write");
}
