#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compile a generated package with warnings as errors, link it with a library, and load it: nothing is called.
#   usage: compile.sh python|rust|go|julia NAME PACKAGE WORK
# PYTHON, CARGO, GO, JULIA and JULIA_PACKAGE come from the environment, as in examples/try.sh; C_INCLUDE_PATH, LIBRARY_PATH and
# LD_LIBRARY_PATH say where the headers and the library are.
set -eu
language=$1 name=$2 package=$3 work=$4
repository=$(cd "${REPOSITORY-$(dirname "$0")/../..}" && pwd)
mkdir -p "$work"
case $language in
python)
  "$PYTHON" -m pip install --quiet --no-index --no-deps --no-build-isolation --target "$work/site" \
    --config-settings=cmake.build-type=Debug --config-settings=cmake.define.CMAKE_C_FLAGS="-Wall -Wextra -Werror" "$package"
  (cd "$work" && PYTHONPATH=$work/site "$PYTHON" -W error -c "import $name")
  ;;
rust)
  cp "$repository/tests/rooms/rust/Cargo.lock" "$work/" # with already fetched crates
  mkdir -p "$work/src"
  echo "fn main() { let _ = stringify!($name); }" >"$work/src/main.rs"
  cat >"$work/Cargo.toml" <<EOF
[package]
name = "use-$name"
version = "0.0.0"
edition = "2021"

[dependencies]
$name = { path = "$package" }

[patch.crates-io]
dlferry = { path = "$repository/bindings/rust/dlferry" }
dlferry-sys = { path = "$repository/bindings/rust/dlferry-sys" }
EOF
  RUSTFLAGS="-D warnings" "$CARGO" test --quiet --manifest-path "$work/Cargo.toml" -p "$name" --tests -- --list
  ;;
go)
  cp -R "$package/." "$work/"
  printf 'replace github.com/dlferry/dlferry/bindings/go => %s\n' "$repository/bindings/go" >>"$work/go.mod"
  (cd "$work" && CGO_CFLAGS="-Wall -Werror" "$GO" vet . &&
    CGO_CFLAGS="-Wall -Werror" "$GO" test -run '^$' .)
  ;;
julia)
  JULIA_LOAD_PATH=$JULIA_PACKAGE:$package:@stdlib
  export JULIA_LOAD_PATH
  CFLAGS="-O0 -Wall -Wextra -Werror" "$JULIA" --startup-file=no --compile=min "$package/deps/build.jl"
  module=$(sed -n 's/^name = "\(.*\)"/\1/p' "$package/Project.toml")
  "$JULIA" --startup-file=no --compile=min -e "using $module"
  ;;
esac
