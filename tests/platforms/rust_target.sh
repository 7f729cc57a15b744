#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The crates, and the one made from examples/photo's header, for another system: compiled, and their tests run where
# something runs them here. A row of platforms_rust.txt says how much that was.
#   usage: rust_target.sh KIND SOURCE BUILD SETUP REPORT      KIND is one of tests/setup/compiler.sh; CARGO names cargo
#   needs: the copies of the core's C (target copies) and the C of examples/photo/packages (target photo_carried)
# Rust's own library for the system comes from rustup, which installs a toolchain of its own in SETUP/rustup.
set -eu
kind=$1 source=$2 build=$3 setup=$4 report=$5
cargo=${CARGO:-cargo}
case $kind in
windows) target=x86_64-pc-windows-gnu ;;
musl-x86_64) target=x86_64-unknown-linux-musl ;;
aarch64) target=aarch64-unknown-linux-gnu ;;
macos-arm64) target=aarch64-apple-darwin ;;
*)
  echo "rust_target: expected windows, musl-x86_64, aarch64 or macos-arm64, got $kind" >&2
  exit 1
  ;;
esac

not_run() {
  echo "NOT RUN: $target: $*"
  exit 77
}
mkdir -p "$build" "$setup/compilers" "$setup/rustup" "$report/platforms_rust"
compiler=$setup/compilers/$kind
sh "$source/tests/setup/compiler.sh" "$kind" "$compiler" ||
  not_run "its C compiler or its emulator is missing, see the output above"
[ $kind != windows ] || sh "$source/tests/platforms/wine_random.sh" "$setup"
command -v rustup >/dev/null || not_run "rustup, which installs Rust's library for it, is not on PATH"
RUSTUP_TOOLCHAIN=$("$cargo" --version | cut -d ' ' -f 2) # the Rust of all other tests
RUSTUP_HOME=$setup/rustup
export RUSTUP_TOOLCHAIN RUSTUP_HOME
if ! ls -d "$RUSTUP_HOME/toolchains/$RUSTUP_TOOLCHAIN"-*/lib/rustlib/$target >/dev/null 2>&1; then
  rustup toolchain install "$RUSTUP_TOOLCHAIN" --profile minimal --target $target --no-self-update ||
    not_run "rustup could not install Rust's library for it, see the output above"
fi

# The linker of musl is Rust's own choice: it brings musl, and the C compiler's would be linked twice.
name=$(echo $target | tr - _)
upper=$(echo "$name" | tr '[:lower:]' '[:upper:]')
export "CC_$name=$compiler/bin/cc" "AR_$name=$compiler/bin/ar" "CARGO_TARGET_DIR=$build"
[ $kind = musl-x86_64 ] || export "CARGO_TARGET_${upper}_LINKER=$compiler/bin/cc"
[ ! -e "$compiler/bin/run" ] || export "CARGO_TARGET_${upper}_RUNNER=$compiler/bin/run"
case $kind in
musl-* | macos-*) export CRATE_CC_NO_DEFAULTS=1 "CFLAGS_$name=-fPIC -O1" ;; # zig does not know clang's names of systems
esac
verb=test options=--no-fail-fast
[ $kind != macos-arm64 ] || verb=check options= # nothing here has Apple's frameworks to link

status=0
: >"$build/log"
in_folder() {
  folder=$1
  shift
  (cd "$folder" && "$cargo" "$verb" --target $target $options "$@") >"$build/last.log" 2>&1 || status=1
  cat "$build/last.log"
  cat "$build/last.log" >>"$build/log"
}
features="--features half,num-complex,ndarray"
in_folder "$source/bindings/rust" --locked --workspace --tests $features

# The generated crate is copied, since its Cargo.lock is written beside it.
rm -rf "$build/photo"
cp -R "$source/examples/photo/packages/rust" "$build/photo"
cp "$source/bindings/rust/Cargo.lock" "$build/photo/Cargo.lock" # with already fetched crates; cargo removes unused ones
cat >>"$build/photo/Cargo.toml" <<END

[workspace]

[patch.crates-io]
dlferry = { path = "$source/bindings/rust/dlferry" }
dlferry-sys = { path = "$source/bindings/rust/dlferry-sys" }
END
in_folder "$build/photo" --tests $features

total() {
  sed -n "s/^test result: .* \([0-9]*\) $1;.*/\1/p" "$build/log" | awk '{ sum += $1 } END { print sum + 0 }'
}
passed=- failed=- ignored=-
if [ $verb = test ]; then
  passed=$(total passed) failed=$(total failed) ignored=$(total ignored)
  [ "$passed" -gt 0 ] || status=1
fi
row='%-27s %-8s %-7s %-7s %s\n'
# shellcheck disable=SC2059 -- the rows' format
printf "$row" $target "$verb" "$passed" "$failed" "$ignored" >"$report/platforms_rust/$kind"
{
  printf "$row" target cargo passed failed ignored
  cat "$report"/platforms_rust/*
} >"$report/platforms_rust.txt"
cat "$report/platforms_rust/$kind"
exit $status
