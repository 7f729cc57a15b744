#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Debian source package of the C archive: built twice into the same bytes, accepted by lintian, and used by another
# project from where its packages are unpacked. As any user; TOOLS has debhelper and lintian, unpacked by debian.sh of
# tests/setup, or is "" where they are installed.
#   usage: debian.sh RELEASE VERSION WORK TOOLS
set -eu
release=$1 version=$2 work=$3 tools=$4
source=$release/c/dlferry-$version.tar.gz
here=$(cd "$(dirname "$0")" && pwd)
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
quietly() { # quietly COMMAND...: its output only if it fails
  "$@" >"$work/log" 2>&1 || fail "$*: $(tail -50 "$work/log")"
}

if [ -n "$tools" ]; then
  library=$(echo "$tools"/usr/lib/*-linux-gnu)
  export PATH="$tools/usr/bin:$PATH" LD_LIBRARY_PATH="$library"
  export PERL5LIB="$tools/usr/share/perl5:$(echo "$library"/perl5/5.*)" DH_DATAFILES="$tools/usr/share/debhelper"
fi
for program in dpkg-buildpackage dh help2man lintian; do
  if ! command -v $program >/dev/null; then
    echo "NOT RUN: needs $program, which is not installed"
    exit 77
  fi
done

rm -rf "$work"
mkdir -p "$work"
build() { # build FOLDER: the packages
  quietly sh "$here/../../core/packaging/debian.sh" "$source" "$1"
  (cd "$1" && quietly dpkg-source --extract dlferry_*.dsc tree)
  # Unpacked tools are not in dpkg's list, which -d leaves unread.
  (cd "$1/tree" && quietly dpkg-buildpackage -us -uc -b ${tools:+-d} -j2)
  rm -r "$1/tree"
}
build "$work/one"
# Not with a blank in its name, for which dpkg leaves the folder in the debug information.
(umask 077 && export TZ=Pacific/Auckland LC_ALL=C.UTF-8 && build "$work/another-folder")
for file in "$work"/one/*.deb "$work"/one/*.dsc "$work"/one/*.tar.*; do
  cmp "$file" "$work/another-folder/${file##*/}"
  echo "ok  built twice: ${file##*/}"
done

lintian --fail-on error,warning "$work"/one/*.changes "$work"/one/*.dsc
echo "ok  lintian"

root=$work/root
for file in "$work"/one/*.deb; do
  dpkg-deb -x "$file" "$root"
done
library=$(echo "$root"/usr/lib/*-linux-gnu*)
mkdir "$work/test"
cd "$work/one" && dpkg-source --extract dlferry_*.dsc tree >/dev/null && cd tree
AUTOPKGTEST_TMP=$work/test CMAKE_PREFIX_PATH=$root/usr PKG_CONFIG_PATH=$library/pkgconfig \
  LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PATH=$root/usr/bin:$PATH \
  quietly sh debian/tests/consumer
echo "ok  the packages' own test"
