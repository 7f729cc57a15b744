#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Build the module's wheel by maturin, install it in a fresh environment, and test it there. PYO3_PYTHON names a Python
# with maturin, pip, NumPy, PyTorch and JAX; the fresh environment finds the last three in that Python's folder.
#   usage: run.sh [VERSION]; VERSION is another one of PyO3 than that in Cargo.lock, which the registry then must have
set -eu
cd "$(dirname "$0")"
python=${PYO3_PYTHON:-python3}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../target}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

manifest=$PWD/Cargo.toml
locked=--locked
if [ $# -gt 0 ]; then # a copy, whose lock may change
  cp -r . "$work/source"
  sed "s#\"\.\./dlferry\"#\"$PWD/../dlferry\"#" Cargo.toml >"$work/source/Cargo.toml"
  manifest=$work/source/Cargo.toml
  locked=
  "${CARGO:-cargo}" update --quiet --manifest-path "$manifest" --package pyo3 --precise "$1"
fi
# shellcheck disable=SC2086 # locked is one word or none
"$python" -m maturin build --quiet $locked --manifest-path "$manifest" --interpreter "$python" --auditwheel skip \
  --out "$work/wheels"

"$python" -m venv --without-pip "$work/fresh"
"$python" -m pip --python "$work/fresh/bin/python" --disable-pip-version-check --quiet install --no-index --no-deps \
  "$work"/wheels/dlferry_service-*.whl
"$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$work/frameworks"
cp "$work/frameworks" "$("$work/fresh/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/frameworks.pth"
PYTHONPATH= "$work/fresh/bin/python" -B test_service.py "$PWD/../../python/src/dlferry/errors.py" \
  "$PWD/../../../tests/cases/hostile.py" "$work/fresh"
