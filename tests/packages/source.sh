#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpack the archive of the C sources and build it by the README's commands, for the tests that install it.
#   usage: source.sh RELEASE SOURCE BUILD CMAKE CC
set -eu
release=$1 source=$2 build=$3 cmake=$4 cc=$5
version=${source##*/dlferry-}
rm -rf "$source" "$build"
mkdir -p "${source%/*}"
tar -xzf "$release/c/dlferry-$version.tar.gz" -C "${source%/*}"
find "$source" | sort >"$source.before"
"$cmake" -S "$source" -B "$build" -DCMAKE_C_COMPILER="$cc" >"$source.log" 2>&1 || { cat "$source.log"; exit 1; }
"$cmake" --build "$build" >"$source.log" 2>&1 || { cat "$source.log"; exit 1; }
find "$source" | sort | diff "$source.before" - # building leaves the sources alone
for copy in bindings/rust/dlferry-sys/csrc/dlferry.c bindings/rust/dlferry-sys/csrc/dlferry.h \
  bindings/rust/dlferry-build/csrc/dlferry_bind.c; do
  git -C "$release/repository" show "v$version:$copy" | cmp - "$source/amalgamation/${copy##*/}"
done
echo "ok  dlferry-$version.tar.gz builds"

# The README's first command, by the release's own generator: its packages are in BUILD/packages, for the README's programs.
mkdir "$build/readme"
for file in photo.h photo.c; do
  git -C "$release/repository" show "v$version:examples/photo/$file" >"$build/readme/$file"
done
command=$(sed -n 's/^`\(dlferry-bind photo.h .*\)` writes.*/\1/p' "$source/README.md")
[ -n "$command" ] || { echo "FAILED: README.md has no command for photo.h" >&2; exit 1; }
(cd "$build/readme" && PATH="$build/core:$PATH" sh -ec "$command")
for language in python rust go julia; do test -d "$build/readme/packages/$language"; done
echo "ok  $command"
