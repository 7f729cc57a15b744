// SPDX-License-Identifier: Apache-2.0
//! Build the hub from csrc/ and tell dependents' build scripts where its headers (`DEP_DLFERRY_INCLUDE`) and
//! its sources (`DEP_DLFERRY_CSRC`) are.

fn main() {
    println!("cargo::rerun-if-changed=csrc");
    let include = match system() {
        Some(include) => include,
        None => bundled(),
    };
    println!("cargo::metadata=include={include}");
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    println!("cargo::metadata=csrc={folder}/csrc");
}

#[cfg(feature = "system")]
fn system() -> Option<String> {
    let (least, below) = (env!("CARGO_PKG_VERSION"), next_series());
    let found = pkg_config::Config::new()
        .range_version(least..below.as_str())
        .probe("dlferry")
        .unwrap_or_else(|reason| {
            panic!(
                "feature `system` needs dlferry {least} or later, below {below}, where pkg-config finds it: {reason}"
            );
        });
    // Headers in the compiler's own search path are not reported.
    Some(
        found
            .include_paths
            .first()
            .map_or("/usr/include".into(), |path| path.display().to_string()),
    )
}

/// The first version whose ABI may differ: the next minor one before 1.0, else the next major one.
#[cfg(feature = "system")]
fn next_series() -> String {
    let number = |part: &str| part.parse::<u32>().expect("cargo checks versions");
    match number(env!("CARGO_PKG_VERSION_MAJOR")) {
        0 => format!("0.{}", number(env!("CARGO_PKG_VERSION_MINOR")) + 1),
        major => format!("{}", major + 1),
    }
}

#[cfg(not(feature = "system"))]
fn system() -> Option<String> {
    None
}

/// Dependents include <dlferry.h> and what belongs to it; the amalgamated header holds all of them.
fn bundled() -> String {
    let source = "csrc/dlferry.c";
    assert!(
        std::path::Path::new(source).exists(), // git ignores it
        "{source} is missing: run `cmake -P core/amalgamate.cmake` in the checkout of dlferry"
    );
    let include = format!("{}/include", std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write = |name: &str, text: &[u8]| {
        let path = std::path::PathBuf::from(format!("{include}/{name}"));
        std::fs::create_dir_all(path.parent().expect("below OUT_DIR")).expect("OUT_DIR is writable");
        std::fs::write(path, text).expect("OUT_DIR is writable");
    };
    write("dlferry.h", &std::fs::read("csrc/dlferry.h").expect("csrc is complete"));
    for part in [
        "dlpack/dlpack.h",
        "dlferry/contract.h",
        "dlferry/npy.h",
        "dlferry/object.h",
        "dlferry/oneapi.h",
        "dlferry/pyobject.h",
    ] {
        write(part, b"#include \"../dlferry.h\"\n");
    }
    cc::Build::new()
        .std("c11")
        .file(source)
        .include("csrc")
        .compile("dlferry");
    include
}
