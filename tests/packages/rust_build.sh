#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The crate dlferry-build from its package, in the build.rs of another crate.
#   usage: rust_build.sh CRATES RUST_WORKSPACE KERNELS        (CARGO, CARGO_TARGET_DIR)
#   CRATES has the .crate files; of the workspace only Cargo.lock and the version are used
set -eu
crates=$(cd "$1" && pwd) rust=$(cd "$2" && pwd) kernels=$(cd "$3" && pwd)
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-$rust/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$rust/Cargo.toml")
for crate in dlferry-sys dlferry dlferry-build; do
  tar -xzf "$crates/$crate-$version.crate" -C "$work"
done
if grep -rlF -e "$rust" -e "$crates" "$work/dlferry-build-$version"; then
  fail "these files name the folder they were packaged in"
fi

# The names of libclang's crates must not be built, and an installed dlferry-bind must not be found.
"$cargo" init --quiet --vcs none --name stranger "$work/stranger" # of the newest edition
cp "$rust/Cargo.lock" "$work/stranger/" # with already fetched crates; cargo removes unused entries
cp "$kernels/kernels.h" "$kernels/kernels.c" "$work/stranger/src/"
cat >>"$work/stranger/Cargo.toml" <<EOF
dlferry = "$version"

[build-dependencies]
dlferry-build = "$version"

[patch.crates-io]
dlferry = { path = "../dlferry-$version" }
dlferry-sys = { path = "../dlferry-sys-$version" }
dlferry-build = { path = "../dlferry-build-$version" }
EOF
# Two headers that stay as they are, with their contracts beside them.
mkdir "$work/stranger/lib"
cat >"$work/stranger/lib/lib_modes.h" <<'EOF'
#ifndef LIB_MODES_H
#define LIB_MODES_H
typedef enum lib_mode { LIB_ONE, LIB_TWO } lib_mode;
#endif
EOF
cat >"$work/stranger/lib/lib_sums.h" <<'EOF'
#define LIB_API(type) type
#include "lib_modes.h"
LIB_API(double) lib_sum(const double *x, int n, lib_mode mode);
#ifdef LIB_MORE
int lib_more(int a);
#endif
EOF
cat >"$work/stranger/lib/lib_sums.c" <<'EOF'
#include "lib_sums.h"
double lib_sum(const double *x, int n, lib_mode mode) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += mode == LIB_TWO ? 2 * x[i] : x[i];
  return sum;
}
int lib_more(int a) { return a + 1; }
EOF
echo 'lib_sum { x: f64[n];  n := n;  n > 0;  mode = LIB_ONE }' >"$work/stranger/lib/lib.contracts"
cat >"$work/stranger/build.rs" <<'EOF'
fn main() -> Result<(), Box<dyn std::error::Error>> {
    dlferry_build::Bindings::new("src/kernels.h").source("src/kernels.c").flag("-DSTRANGER").link("m").strict(true).build()?;
    dlferry_build::Bindings::new("lib/lib_modes.h")
        .header("lib/lib_sums.h")
        .name("lib")
        .contracts("lib/lib.contracts")
        .include("lib")
        .include_name("lib_sums.h")
        .preprocess(true)
        .define("LIB_MORE")
        .source("lib/lib_sums.c")
        .strict(true)
        .build()?;
    Ok(())
}
EOF
cat >"$work/stranger/src/main.rs" <<'EOF'
//! These lints are for hand-written code.
#![deny(unsafe_code, missing_docs, missing_debug_implementations, unreachable_pub, unused_qualifications, unused_results)]
#![deny(rust_2018_idioms, trivial_casts, single_use_lifetimes, warnings)]

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
include!(concat!(env!("OUT_DIR"), "/lib.rs"));

fn main() -> dlferry::Result<()> {
    assert_eq!(lib::sums::sum(&[1.0f64, 2.0], lib::Mode::TWO)? + f64::from(lib::more(3)), 10.0);
    assert_eq!(
        lib::sum(&[0.0f64; 0], lib::SumOptions::default()).unwrap_err().to_string(),
        "sum: x[n] is 0, wanted n > 0"
    );
    let x = [1.0f32, 2.0, 3.0];
    let doubled = kernels::scale(&x, 2.0)?;
    assert_eq!(doubled.elements::<f32>()?.as_slice()?, [2.0f32, 4.0, 6.0]);
    assert_eq!(kernels::sum(&doubled)?, 12.0);
    drop(doubled);
    let mut out = [0.0f32; 2];
    let error = kernels::scale_into(&x, kernels::ScaleOptions::default(), &mut out).unwrap_err();
    println!("{}, live {}", error, dlferry::live());
    Ok(())
}
EOF
build() {
  CARGO_TARGET_DIR="$target" "$cargo" run --quiet --manifest-path "$work/stranger/Cargo.toml"
}
got=$(build 2>"$work/log") || fail "$(cat "$work/log")"
[ "$got" = "scale: out[n] is 2, expected 3 as x[n]; got f32[2], wanted f32[n], live 0" ] || fail "it printed '$got'"
echo "ok  $got"
if "$cargo" tree --manifest-path "$work/stranger/Cargo.toml" --target all |
  grep -E 'bindgen|clang'; then
  fail "libclang is needed"
fi

# A header that only the C file includes is watched too; it checks for the flag.
printf '#ifndef STRANGER\n#error no flag\n#endif\n' >"$work/stranger/src/late.h"
sed -i '1i #include "late.h"' "$work/stranger/src/kernels.c"
build >"$work/log" 2>&1 || fail "$(cat "$work/log")"
sleep 1 # cargo compares times
echo '#error late.h was read again' >"$work/stranger/src/late.h"
if build >"$work/log" 2>&1; then fail "a header that changed was not seen"; fi
grep -q 'late.h was read again' "$work/log" || fail "$(cat "$work/log")"
echo >"$work/stranger/src/late.h"

# Touching the header generates again; a refusal of the generator ends the build, with its text.
echo 'int kernels_late(const DLTensor *x, @);' >>"$work/stranger/src/kernels.h"
if build >"$work/log" 2>&1; then fail "a broken header was taken"; fi
grep -q 'dlferry-bind: .*kernels\.h:[0-9]*: ' "$work/log" || fail "the generator's words are missing: $(cat "$work/log")"
echo "ok  $(grep -o 'dlferry-bind: .*kernels\.h:[0-9]*: .*' "$work/log" | head -1)"
cp "$kernels/kernels.h" "$work/stranger/src/"
printf '/** Not bound. */\nint kernels_va(int n, ...);\n' >>"$work/stranger/src/kernels.h"
if build >"$work/log" 2>&1; then fail "strict(true) let a function go"; fi
grep -q 'kernels_va' "$work/log" || fail "the function's name is missing: $(cat "$work/log")"
sed 's/.strict(true)//' "$work/stranger/build.rs" >"$work/build.rs"
cp "$work/build.rs" "$work/stranger/build.rs"
build >"$work/log" 2>&1 || fail "$(cat "$work/log")"
echo "ok  strict is the user's choice"
