#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The documentation as docs.rs builds it, with a nightly Rust: items of a feature have a badge that names it.
set -eu
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/target}/badges
RUSTDOCFLAGS="--cfg docsrs -D warnings" CARGO_TARGET_DIR="$target" "${CARGO:-cargo}" doc --quiet --locked --no-deps \
  -p dlferry --features half,num-complex,ndarray
# badge PAGE FEATURE: the page says so
badge() {
  tr '\n' ' ' <"$target/doc/dlferry/$1" | grep -q "Available on .*<strong>crate feature <code>$2</code></strong> only" || {
    echo "FAILED: $1 has no badge of $2" >&2
    exit 1
  }
}
badge struct.Elements.html ndarray
badge trait.Element.html half
badge trait.Element.html num-complex
grep -q 'soundness' "$target/doc/dlferry/index.html"
if grep -q 'href="plumbing/index.html"' "$target/doc/dlferry/index.html"; then
  echo "FAILED: the plumbing is not hidden" >&2
  exit 1
fi
echo "badges: features are named, the plumbing is hidden"
