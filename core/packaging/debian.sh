#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Write the Debian source package of a release's C archive into a folder; dpkg-buildpackage builds it. Needs dpkg-dev.
#
#   usage: debian.sh ARCHIVE FOLDER      such as build/release/c/dlferry-1.2.3.tar.gz build/release/debian
#
# FOLDER gets the .dsc with its two archives. All of it is made of ARCHIVE, which has the files of debian/ too: its name
# gives them the version, its files the date. A revision of Debian's own, -1, counts as later than ours.
set -eu
umask 022
archive=${1:?usage: debian.sh ARCHIVE FOLDER}
folder=${2:?usage: debian.sh ARCHIVE FOLDER}
version=${archive##*/dlferry-}
version=${version%.tar.gz}
series=${version%.*}

mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "$archive" -C "$work"
source=$work/dlferry-$version
date=$(LC_ALL=C date -u -R -r "$source/CMakeLists.txt")

cp -R "$source/core/packaging/debian" "$source/debian"
find "$source/debian" -type f -exec \
  sed -i "s/@VERSION@/$version/g; s/@SERIES@/$series/g; s/@DATE@/$date/g" {} +
for file in "$source"/debian/libdlferry.*; do
  mv "$file" "$source/debian/libdlferry$series.${file##*.}"
done

cp "$archive" "$work/dlferry_$version.orig.tar.gz"
(cd "$work" && dpkg-source --build "dlferry-$version")
mv "$work"/dlferry_* "$folder"
