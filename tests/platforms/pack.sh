#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install a build and pack it for those who have no build of their own: the libraries, headers and commands, with the
# files that CMake and pkg-config look for. The bytes depend on the files and SOURCE_DATE_EPOCH alone.
#   usage: pack.sh SYSTEM SOURCE BUILD OUT CMAKE      ends with OUT/dlferry-VERSION-SYSTEM.tar.gz, whose name it prints
set -eu
system=$1 source=$2 build=$3 out=$4 cmake=$5
version=$(sed -n 's/^project(dlferry VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
name=dlferry-$version-$system

case $system in
*linux-*) needs='glibc 2.17 or later (2.27 on riscv64)' ;;
*musl-*) needs='musl 1.2 or later. Programs that link the static library need no other one' ;;
*windows-*) needs="Windows 10 or later. mingw-w64's compilers with the UCRT and zig link the libraries; MSVC is not tried" ;;
*macos-*) needs='macOS 13 or later. The libraries were compiled and linked on another system, not run' ;;
*) needs='the system that they were built on' ;;
esac

# So that a program finds the shared library.
# shellcheck disable=SC2016 -- Markdown
case $system in
*windows-*) rpath='' beside='`bin/libdlferry.dll` belongs beside the program.' ;;
*linux-*)
  rpath='-Wl,-rpath,$PWD/lib '
  beside='With `-rpath` the program finds it here. With glibc before 2.34 a static program that opens Python needs `-ldl`.'
  ;;
*) rpath='-Wl,-rpath,$PWD/lib ' beside='With `-rpath` the program finds it here.' ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cmake" --install "$build" --prefix "$work/$name" >/dev/null
cp "$source/LICENSE" "$work/$name"
sed -e "s|@version@|$version|g" -e "s|@series@|${version%.*}|g" -e "s|@system@|$system|g" -e "s|@needs@|$needs|" \
  -e "s|@rpath@|$rpath|" -e "s|@beside@|$beside|" "$source/core/packaging/prebuilt.md.in" >"$work/$name/README.md"
mkdir -p "$out"
tar --sort=name --mtime="@${SOURCE_DATE_EPOCH:-1700000000}" --owner=0 --group=0 --numeric-owner --mode=u+w,go=rX \
  -cf - -C "$work" "$name" | gzip -9n >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
