#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The published crates: run their tests and the examples in their documentation, and build and run programs that depend
# on them, among them that of the README.
#   usage: package.sh RELEASE PACKAGES [WORD]; core/release.cmake wrote RELEASE, and tests/packages/source.sh made PACKAGES;
#   of the tests and examples of the crate dlferry only those run that have WORD in their name
set -eu
crates=$(cd "$1/rust" && pwd) readme=$(cd "$1" && pwd)/repository/README.md photo=$(cd "$2/rust" && pwd)
cd "$(dirname "$0")"
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-$PWD/target}
features="half num-complex ndarray"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
for crate in dlferry-sys dlferry dlferry-build; do
  tar -xzf "$crates/$crate-$version.crate" -C "$work"
  test -s "$work/$crate-$version/LICENSE"
  test -s "$work/$crate-$version/README.md"
done
test -f "$work/dlferry-sys-$version/csrc/dlferry.c"

# documented CRATE WORD OPTIONS...
documented() {
  crate=$1
  word=$2
  shift 2
  cp Cargo.lock "$work/$crate-$version/" # with already fetched crates; cargo removes unused entries
  (cd "$work/$crate-$version" && CARGO_TARGET_DIR="$target" "$cargo" test "$@" \
    --config "patch.crates-io.dlferry-sys.path='$work/dlferry-sys-$version'" -- ${word:+"$word"})
}
documented dlferry "${3-}" --features "$features"
documented dlferry-build ""

mkdir -p "$work/stranger/src/bin"
cp Cargo.lock "$work/stranger/"
cat >"$work/stranger/Cargo.toml" <<EOF
[package]
name = "stranger"
version = "0.0.0"
edition = "2021"
default-run = "stranger"

[dependencies]
photo = { path = "$photo", features = ["ndarray"] }
dlferry = { version = "$version", features = [$(printf '"%s", ' $features)] }
ndarray = { version = "0.17", default-features = false, features = ["std"] }

[patch.crates-io]
dlferry = { path = "../dlferry-$version" }
dlferry-sys = { path = "../dlferry-sys-$version" }
EOF
cat >"$work/stranger/src/main.rs" <<'EOF'
fn main() -> dlferry::Result<()> {
    let t = dlferry::Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
    assert_eq!(t.elements::<f32>()?.ndarray::<ndarray::Ix2>()?.sum(), 21.0);
    // SAFETY: just exported; nothing writes.
    let back = unsafe { dlferry::Tensor::from_dlpack(t.to_dlpack()?.into_raw())? };
    assert_eq!(back.elements::<f32>()?.iter().sum::<f32>(), 21.0);
    let transposed = t.permute(&[1, 0])?;
    assert!(transposed.select(1, 0)?.equal(&t.select(0, 0)?)? && !t.equal(&transposed)?);
    let path = std::env::temp_dir().join(format!("stranger{}.npy", std::process::id()));
    dlferry::npy::save(&transposed, &path)?;
    assert!(dlferry::npy::open(&path)?.all_close(&transposed, 0.0, 0.0, false)?);
    std::fs::remove_file(&path).unwrap();
    let sum = dlferry::Contract::compile("x: f32[n]", "sum", &[("x", dlferry::contract::Parameter::Input)])?;
    let refused = sum.match_(&mut [dlferry::contract::Value::Input(&t)]).unwrap_err().to_string();
    assert_eq!(refused, "sum: x: ndim is 2, expected 1; got f32[2, 3], wanted f32[n]");
    drop((t, back, transposed, sum));
    assert_eq!(dlferry::live(), 0);
    println!("stranger: dlferry {} works from its package", dlferry::version());
    Ok(())
}
EOF
sed -n '/^```rust$/,/^```$/{//!p}' "$readme" >"$work/stranger/src/bin/readme.rs"
CARGO_TARGET_DIR="$target" "$cargo" run --manifest-path "$work/stranger/Cargo.toml"
printed=$(CARGO_TARGET_DIR="$target" "$cargo" run --manifest-path "$work/stranger/Cargo.toml" --bin readme)
if [ "$printed" != 0.1592 ]; then
  echo "FAILED: the README's program printed '$printed'" >&2
  exit 1
fi

# A checkout in which nothing was built has no C in these folders: the build script names the command that writes it.
# without CRATE FILE: the build of a crate that lacks its C says so.
without() {
  mv "$work/$1-$version/csrc" "$work/csrc"
  if (cd "$work/$1-$version" && CARGO_TARGET_DIR="$target" "$cargo" build --quiet \
    --config "patch.crates-io.dlferry-sys.path='$work/dlferry-sys-$version'") >"$work/log" 2>&1; then
    echo "FAILED: $1 builds without its C" >&2
    exit 1
  fi
  grep -F "$2 is missing: run \`cmake -P core/amalgamate.cmake\` in the checkout of dlferry" "$work/log" || {
    cat "$work/log" >&2
    exit 1
  }
  mv "$work/csrc" "$work/$1-$version/csrc"
}
cp Cargo.lock "$work/dlferry-sys-$version/"
without dlferry-build csrc/dlferry_bind.c
without dlferry-sys csrc/dlferry.c
