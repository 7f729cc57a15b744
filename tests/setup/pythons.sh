#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpack CPythons of Debian's newest suite, with their own C library, into a folder, as any user, without touching the
# system. They run in place: patchelf writes the folder of their libraries into the programs.
#
#   usage: pythons.sh PREFIX PATCHELF VERSION...      such as 3.14; ends with PREFIX/usr/bin/python3.14, ...
#
# Fetched by apt from the mirror that this machine uses, with lists of our own.
set -eu

prefix=${1:?usage: pythons.sh PREFIX PATCHELF VERSION...}
patchelf=${2:?usage: pythons.sh PREFIX PATCHELF VERSION...}
shift 2
fail() {
  echo "pythons: $*" >&2
  exit 1
}
for tool in apt-get dpkg dpkg-deb; do
  command -v "$tool" >/dev/null || fail "$tool is missing: this is no Debian system"
done
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e $keys ] || fail "$keys is missing"
# The machine's own mirror, in either form of apt's sources.
mirror=$(sed -nE 's/^(URIs:|deb( \[[^]]*\])?) *([a-z+]*:\/\/[^ ]*\/debian)\/?( .*)?$/\3/p' /etc/apt/sources.list \
  /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
[ -n "$mirror" ] || fail "apt's sources name no mirror of Debian"

mkdir -p "$(dirname "$prefix")"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/unpacked"
echo "deb [signed-by=$keys] $mirror sid main" >"$work/sources.list"
cat >"$work/apt.conf" <<CONF
Dir::State::Lists "$work/lists";
Dir::State::status "/dev/null";
Dir::Cache "$work/cache";
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
Debug::NoLocking "1";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
APT::Update::Error-Mode "any";
APT::Sandbox::User "$(id -un)";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
CONF
echo "pythons: reading the package lists"
apt-get -qq -c "$work/apt.conf" update || fail "the package lists cannot be read (no network?)"

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
for version in "$@"; do
  "$prefix/usr/bin/python$version" -c 'import ctypes, sys, zlib; print("pythons: CPython", sys.version.split()[0])'
done
