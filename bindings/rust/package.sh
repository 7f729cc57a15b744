#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Package the crates, run the examples in their documentation, and build and run a program that depends on the packages
# from outside.
set -eu
cd "$(dirname "$0")"
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-$PWD/target}
features="half complex ndarray"

# Verified by building: dlferry against the dlferry-sys that was just packaged. Cargo assumes that a registry's content
# never changes and would keep the last run's.
rm -rf "$target/packaged" "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/dlferry*-[0-9]*
"$cargo" package --locked --allow-dirty -p dlferry-sys -p dlferry -p dlferry-build --target-dir "$target/packaged"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
for crate in dlferry-sys dlferry dlferry-build; do
  tar -xzf "$target/packaged/package/$crate-$version.crate" -C "$work"
  test -s "$work/$crate-$version/LICENSE"
done
test -f "$work/dlferry-sys-$version/csrc/dlferry.c"
test -f "$work/dlferry-$version/README.md"

# documented CRATE OPTIONS...
documented() {
  crate=$1
  shift
  cp Cargo.lock "$work/$crate-$version/" # with what is already fetched; cargo removes unused entries
  (cd "$work/$crate-$version" && CARGO_TARGET_DIR="$target" "$cargo" test "$@" \
    --config "patch.crates-io.dlferry-sys.path='$work/dlferry-sys-$version'")
}
documented dlferry --features "$features"
documented dlferry-build

mkdir "$work/stranger" "$work/stranger/src"
cp Cargo.lock "$work/stranger/"
cat >"$work/stranger/Cargo.toml" <<EOF
[package]
name = "stranger"
version = "0.0.0"
edition = "2021"

[dependencies]
dlferry = { version = "$version", features = [$(printf '"%s", ' $features)] }

[patch.crates-io]
dlferry = { path = "../dlferry-$version" }
dlferry-sys = { path = "../dlferry-sys-$version" }
EOF
cat >"$work/stranger/src/main.rs" <<'EOF'
fn main() -> dlferry::Result<()> {
    let t = dlferry::Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
    // SAFETY: just exported; nobody writes.
    let back = unsafe { dlferry::Tensor::from_dlpack(t.to_dlpack()?.into_raw())? };
    assert_eq!(back.view::<f32>()?.ndarray()?.sum(), 21.0);
    drop((t, back));
    assert_eq!(dlferry::live(), 0);
    println!("stranger: dlferry {} works from its package", dlferry::version());
    Ok(())
}
EOF
CARGO_TARGET_DIR="$target" "$cargo" run --manifest-path "$work/stranger/Cargo.toml"
