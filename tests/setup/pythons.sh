#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpack CPythons of a suite of Debian, the newest one unless named, with their own C library, into a folder, as any user,
# without touching the system. They run in place: patchelf writes the folder of their libraries into the programs.
#
#   usage: pythons.sh [--of SUITE ARCHITECTURE] PREFIX PATCHELF VERSION...
#
# A VERSION is such as 3.14; ends with PREFIX/usr/bin/python3.14, ...; those of another processor are not tried.
set -eu

suite=sid architecture=
if [ "${1-}" = --of ]; then
  suite=$2 architecture=$3
  shift 3
fi
prefix=${1:?usage: pythons.sh [--of SUITE ARCHITECTURE] PREFIX PATCHELF VERSION...}
patchelf=${2:?usage: pythons.sh [--of SUITE ARCHITECTURE] PREFIX PATCHELF VERSION...}
shift 2
fail() {
  echo "pythons: $*" >&2
  exit 1
}
. "$(dirname "$0")/suite.sh"

mkdir -p "$(dirname "$prefix")"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "pythons: reading the package lists"
open_suite "$work" "$suite" "$architecture"

packages="libc6 libgcc-s1 libstdc++6 libexpat1 zlib1g libzstd1 libssl3t64 libbz2-1.0 libffi8 liblzma5 libncursesw6"
packages="$packages libreadline8t64 libsqlite3-0 libtinfo6 libuuid1"
for version in "$@"; do
  packages="$packages python$version python$version-minimal libpython$version-minimal libpython$version-stdlib"
  packages="$packages libpython$version-dev"
done
echo "pythons: downloading $*"
# shellcheck disable=SC2086 -- one argument a package
(cd "$work/debs" && apt-get -qq -c "$work/apt.conf" download $packages)
for deb in "$work"/debs/*.deb; do
  dpkg-deb -x "$deb" "$work/unpacked"
done

library=$(dirname "$(find "$work/unpacked/usr/lib" -name libc.so.6)")
multiarch=$(basename "$library")
loader=$(basename "$(find "$library" -name 'ld-linux*.so.*' | head -n 1)")
for version in "$@"; do
  # RPATH, not RUNPATH: libraries that extension modules load are found there too. The small libraries of a C library
  # must be those of the same version; an extension module may name them.
  "$patchelf" --set-interpreter "$prefix/usr/lib/$multiarch/$loader" --force-rpath \
    --set-rpath "$prefix/usr/lib/$multiarch" --add-needed libpthread.so.0 --add-needed libdl.so.2 \
    --add-needed librt.so.1 --add-needed libm.so.6 "$work/unpacked/usr/bin/python$version"
  # Debian's header only includes this one.
  cp "$work/unpacked/usr/include/$multiarch/python$version/pyconfig.h" "$work/unpacked/usr/include/python$version/pyconfig.h"
done

# All or nothing: the old content is removed only now.
rm -rf "$prefix"
mv "$work/unpacked" "$prefix"
chmod 755 "$prefix"
[ -z "$architecture" ] || [ "$architecture" = "$(dpkg --print-architecture)" ] || exit 0
for version in "$@"; do
  "$prefix/usr/bin/python$version" -c 'import ctypes, sys, zlib; print("pythons: CPython", sys.version.split()[0])'
done
