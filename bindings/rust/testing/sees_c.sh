#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The address sanitizer also watches the C in the crates: it must stop a program whose C reads one extent too many.
set -eu
cd "$(dirname "$0")"
cargo=${CARGO:-cargo}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../target}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/src"
cp ../Cargo.lock "$work/" # with already fetched crates; cargo removes unused entries
cat >"$work/Cargo.toml" <<END
[package]
name = "sees_c"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
dlferry-sys = { path = "$PWD/../dlferry-sys" }
END
cat >"$work/src/main.rs" <<'END'
fn main() {
    let shape = vec![2i64].into_boxed_slice();
    let mut strides = [0i64; 2];
    // SAFETY: none: the shape has one extent, not two.
    unsafe {
        dlferry_sys::dlf_compact_strides(2, shape.as_ptr(), 0, strides.as_mut_ptr(), std::ptr::null_mut());
    }
    println!("not seen: {strides:?}");
}
END
if "$cargo" run --quiet --manifest-path "$work/Cargo.toml" >"$work/log" 2>&1; then
  cat "$work/log"
  exit 1
fi
grep -q "AddressSanitizer: heap-buffer-overflow" "$work/log" && grep -q "csrc/dlferry.c" "$work/log" && exit 0
cat "$work/log"
exit 1
