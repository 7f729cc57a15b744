#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Name what breaks from one llama.h to the next, and make the packages of both from one file of contracts.
#   usage: diff.sh BIND FOLDER CC CORE, where library.sh has filled FOLDER and CORE has the hub's headers
set -eu
bind=$1 folder=$2 cc=$3 core=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
"$bind" --diff "$folder/old/llama.h" "$folder/include/llama.h" --preprocess -I "$folder/include" \
  --old-folder "$folder/old" --name llama --prefix llama_ >"$work/breaks" || status=$?
[ "$status" = 1 ] # there are breaks
sed "s,$folder/include/,," "$work/breaks" | diff "$here/diff.txt" -

# The C of the packages, against the header of each version.
sed '/^# New in/,$d' "$here/llama.contracts" >"$work/old.contracts"
cp "$here/llama.contracts" "$work/include.contracts"
for version in old include; do
  headers=$folder/$version
  "$bind" "$headers/llama.h" --preprocess -I "$headers" --name llama --prefix llama_ \
    --contracts "$work/$version.contracts" --include llama.h --link llama --lang python \
    --out "$work/$version"
  "$cc" -fsyntax-only -Wall -Wextra -Werror -I "$headers" -I "$core" "$work/$version/llama_dlferry.c"
done
echo "both versions compile"
