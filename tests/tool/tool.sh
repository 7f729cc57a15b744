#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command dlferry: its output and exit status, against the checked-in expected.txt.
#   usage: tool.sh DLFERRY WRITE [--update]
set -eu
dlferry=$1 write=$2 update=${3-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$write" "$work"
cd "$work"
printf 'not an array\n' >text.npy
head -c 130 rows.npy >short.npy

ask() { # the command line, its output, its exit status; without parts that differ from run to run
  status=0
  "$dlferry" "$@" >"$work/out" 2>"$work/err" || status=$?
  echo "\$ dlferry${*:+ $*}"
  sed -e 's/0x[0-9a-f][0-9a-f]*/0x.../g' -e 's/^dlferry [0-9.]*,/dlferry VERSION,/' "$work/out"
  sed 's/^/stderr: /' "$work/err"
  echo "exit status $status"
  echo
}

{
  ask --version
  ask --help
  ask dtypes
  ask devices
  for name in rows columns strided complex bool scalar empty; do ask inspect $name.npy; done
  ask inspect bool.npy missing.npy scalar.npy
  ask inspect text.npy
  ask inspect short.npy
  ask inspect
  ask
  ask fly
  ask dtypes too many
} >"$work/got.txt"
if [ "$update" = --update ]; then
  cp "$work/got.txt" "$here/expected.txt"
fi
diff -u "$here/expected.txt" "$work/got.txt"
echo "as in expected.txt: $(grep -c '^\$ ' "$work/got.txt") calls"
