// SPDX-License-Identifier: Apache-2.0
//! Build the generator as a program for build scripts to run: they can capture its output, and a crash does not end
//! them.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=csrc");
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("expected {name} to be set"));
    let (include, hub) = (variable("DEP_DLFERRY_INCLUDE"), variable("DEP_DLFERRY_CSRC"));
    let program = Path::new(&variable("OUT_DIR")).join("dlferry-bind");

    let source = "csrc/dlferry_bind.c";
    assert!(
        Path::new(source).exists(), // git ignores it
        "{source} is missing: run `cmake -P core/amalgamate.cmake` in the checkout of dlferry"
    );
    let compiler = cc::Build::new().std("c11").warnings(false).include(&hub).get_compiler();
    let mut command: Command = compiler.to_command();
    let sources = [source.to_string(), format!("{hub}/dlferry.c")];
    let done = command.arg("-o").arg(&program).args(sources).arg("-lm").status();
    let good = matches!(&done, Ok(status) if status.success());
    assert!(
        good,
        "this needs a C compiler, which CC chooses; {:?} failed: {done:?}",
        compiler.path()
    );
    println!("cargo::rustc-env=DLFERRY_BIND_PROGRAM={}", program.display());
    println!("cargo::rustc-env=DLFERRY_BIND_INCLUDE={include}");
}
