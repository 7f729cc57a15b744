#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Put LightGBM's library, from PyPI's wheel, and its headers, from the sources there, into a folder.
#   usage: library.sh PYTHON FOLDER
set -eu
python=$1 folder=$2
version=4.7.0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kind in --only-binary --no-binary; do
  "$python" -m pip --disable-pip-version-check download --quiet --no-deps "$kind" lightgbm --dest "$work" \
    "lightgbm==$version"
done
"$python" -m zipfile -e "$work"/lightgbm-*.whl "$work/wheel"
tar -xzf "$work/lightgbm-$version.tar.gz" -C "$work" "lightgbm-$version/include"
mkdir -p "$folder/lib" "$folder/include"
cp "$work/wheel/lightgbm/lib/lib_lightgbm.so" "$folder/lib"
cp -r "$work/lightgbm-$version/include/LightGBM" "$folder/include"
