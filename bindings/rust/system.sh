#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The feature `system`: a program links the dlferry that pkg-config finds, if its version fits the crate.
#   usage: system.sh CMAKE BUILD CRATES; the library of BUILD is installed into a temporary folder; CRATES has .crate files
set -eu
cmake=$1 build=$2 crates=$(cd "$3" && pwd)
cd "$(dirname "$0")"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
if ! command -v pkg-config >/dev/null; then
  echo "NOT RUN: needs pkg-config, which is not installed"
  exit 77
fi
cargo=${CARGO:-cargo}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/system"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
"$cmake" --install "$build" --prefix "$work/installed" >/dev/null
library=$(find "$work/installed" -name libdlferry.so)
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH

for crate in dlferry-sys dlferry; do tar -xzf "$crates/$crate-$version.crate" -C "$work"; done
mkdir "$work/program" "$work/program/src"
cp Cargo.lock "$work/program/" # with already fetched crates; cargo removes unused entries
cat >"$work/program/Cargo.toml" <<END
[package]
name = "program"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
dlferry = { path = "../dlferry-$version", features = ["system"] }

[patch.crates-io]
dlferry-sys = { path = "../dlferry-sys-$version" }
END
cat >"$work/program/src/main.rs" <<'END'
fn main() -> dlferry::Result<()> {
    let mut t = dlferry::Tensor::wrap(vec![1.0f32, 2.0], &[2])?;
    t.elements_mut::<f32>()?.fill(3.0);
    println!("{t:?} {:?}", t.elements::<f32>()?.to_vec());
    Ok(())
}
END

# built VERSION: the library reports this version.
built() {
  found=$LD_LIBRARY_PATH/pkgconfig-$1 # a separate folder, since cargo searches again when the path changes
  cp -R "$LD_LIBRARY_PATH/pkgconfig" "$found"
  sed -i "s/^Version: .*/Version: $1/" "$found/dlferry.pc"
  PKG_CONFIG_PATH=$found "$cargo" build --quiet --manifest-path "$work/program/Cargo.toml" >"$work/log" 2>&1
}
series=${version%.*}
for fits in "$version" "$series.77"; do
  built "$fits" || fail "$fits was refused: $(cat "$work/log")"
done
got=$("$CARGO_TARGET_DIR/debug/program")
[ "$got" = "Tensor(float32[2] cpu) [3.0, 3.0]" ] || fail "the program said '$got'"
ldd "$CARGO_TARGET_DIR/debug/program" | grep -q "$LD_LIBRARY_PATH/libdlferry.so" || fail "it is not linked"
for other in 0.0.9 "${series%.*}.$((${series#*.} + 1)).0" "$((${series%.*} + 1)).0.0"; do
  if built "$other"; then fail "$other was linked"; fi
  grep -q "needs dlferry $version or later, below [0-9.]*, where pkg-config finds it" "$work/log" ||
    fail "$other: $(cat "$work/log")"
done
echo "system: dlferry $version and $series.77 are linked, versions before and after the series are refused"
