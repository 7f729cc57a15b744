#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Build the README's PyO3 recipe with $PYO3_PYTHON, and test it with that Python.
set -eu
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../target}"
"${CARGO:-cargo}" build --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$CARGO_TARGET_DIR/debug/libservice.so" "$work/service.so"
"${PYO3_PYTHON:-python3}" service.py "$work"
