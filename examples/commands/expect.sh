# SPDX-License-Identifier: Apache-2.0
# Shared by the examples: they run in a folder with only gain.h and gain.c, and end if a result is missing.
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/gain.h" "$here/gain.c" "$here/numbers.npy" "$work"
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# has FILE TEXT: the file holds the text.
has() {
  grep -qF -e "$2" "$1" || fail "expected '$2' in $1, got: $(cat "$1")"
}

# ends STATUS COMMAND...: the command ends with this status. Its output is in the files `out` and `said`.
ends() {
  wanted=$1
  shift
  status=0
  "$@" >out 2>said || status=$?
  [ "$status" = "$wanted" ] || fail "expected exit status $wanted of $*, got $status: $(cat said)"
}
