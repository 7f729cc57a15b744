#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Generate a crate from odd.h with $DLFERRY_BIND; then rustfmt, clippy and rustdoc must have nothing to say, its extern
# block must have the types that bindgen sees, and main.rs must find that it works.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cargo=${CARGO:-cargo}
work=${CARGO_TARGET_DIR:-$here/../target}/generated
rm -rf "$work"
mkdir -p "$work/odd" "$work/use/src"
(cd "$here" && "$DLFERRY_BIND" odd.h --name odd --lang rust --source odd.c --out "$work/odd")
crate=$work/odd/rust
rustfmt --check --edition 2021 "$crate/src/lib.rs" "$crate/build.rs"

cat >"$work/use/Cargo.toml" <<EOF
[package]
name = "use-odd"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
odd = "0.1"
dlferry = "0.1"

[patch.crates-io]
odd = { path = "../odd/rust" }
dlferry = { path = "$here/../dlferry" }
dlferry-sys = { path = "$here/../dlferry-sys" }
EOF
cp "$here/../Cargo.lock" "$work/use/" # what is already fetched
{
  cat "$here/main.rs"
  echo "#[allow(non_snake_case, non_upper_case_globals, non_camel_case_types, dead_code, clippy::all)]"
  echo "mod oracle;"
} >"$work/use/src/main.rs"

# C passes an enum as the integer that the emitter makes of it.
enums="odd_mode odd_kind"
oracle=$work/use/src/oracle.rs
{
  echo "#[path = \"$crate/src/ffi.rs\"] mod ours;"
  echo "use dlferry::ffi::*;"
  for name in $enums; do echo "type $name = i32;"; done
  block=""
  for name in $enums; do block="$block --blocklist-type $name"; done
  "${BINDGEN:-bindgen}" "$work/odd/odd_dlferry.h" --allowlist-function 'odd_.*_(checked|new)' --use-core \
    --blocklist-type '(dlf_|DL).*' $block \
    -- -std=c11 "-I$here" "-I$here/../../../core/include" "-I$(${CC:-cc} -print-file-name=include)"
  echo "pub fn compare() {"
  sed -n 's/^ *pub fn \(odd_[a-z_]*\)(.*/    let _ = [ours::\1, \1];/p' "$crate/src/ffi.rs"
  echo "}"
} >"$oracle"
test "$(grep -c 'let _ = ' "$oracle")" -ge 8

export CARGO_TARGET_DIR="$work/target"
cd "$work/use"
"$cargo" run --quiet
"$cargo" clippy --quiet -p odd -- -D warnings
RUSTDOCFLAGS="-D warnings" "$cargo" doc --quiet --no-deps -p odd
