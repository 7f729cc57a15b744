#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dlferry.c and dlferry.h vendored in another project: no warning at the levels of optimisation, a program that runs, the
# header in C++, and without contracts and files what is left is the exchange core; lint_core_readme measures its size.
#   usage: amalgamation.sh COMPILER FOLDER_OF_DLFERRY_C CONSUMER_C LEVEL...
set -eu
cc=$1 folder=$2 consumer=$3
shift 3
if ! command -v "$cc" >/dev/null; then
  echo "NOT RUN: needs $cc, which is not installed"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() { # OPTIONS...: dlferry.o
  "$cc" -std=c11 -Wall -Wextra -Werror "$@" -I"$folder" -c "$folder/dlferry.c" -o "$work/dlferry.o"
}
for level in "$@"; do
  compile -O$level
  cp "$work/dlferry.o" "$work/whole.o"
  "$cc" -std=c11 -Wall -Wextra -Werror -O$level -I"$folder" "$work/dlferry.o" "$consumer" -o "$work/consumer"
  got=$("$work/consumer")
  if [ "$got" != "float32[2, 3] cpu, live 0" ]; then
    echo "FAILED: -O$level printed '$got'" >&2
    exit 1
  fi
  echo "ok  $cc -std=c11 -O$level"
done
# Of another library in the same process, none of these takes a call.
shown=$(readelf -sW "$work/whole.o" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" && $8 ~ /^dlf__/ { print $8 }')
if [ -n "$shown" ]; then
  echo "FAILED: not hidden without -fvisibility=hidden: $shown" >&2
  exit 1
fi
# Each switch leaves its functions out of header and library, and nothing else.
functions() { # OBJECT: the public functions that it has
  nm -g --defined-only "$1" | sed -n 's/.* [TDBR] \(dlf_[a-z]\)/\1/p' | sort
}
left() { # OPTIONS...: the public functions that are left
  compile "$@"
  functions "$work/dlferry.o"
}
functions "$work/whole.o" >"$work/all"
for switch in DLF_NO_CONTRACT:contract,lock,make,object,to_float DLF_NO_FILES:npy DLF_NO_ONEAPI:oneapi \
  DLF_NO_PYOBJECT:python,from_python,to_python; do
  words=$(echo "${switch#*:}" | tr ',' '|')
  left -O0 -D"${switch%%:*}" >"$work/left"
  grep -vE "^dlf_($words)(_|\$)" "$work/all" | cmp - "$work/left"
  echo "ok  $cc -D${switch%%:*}: $(wc -l <"$work/left") of $(wc -l <"$work/all") functions"
done
left -O$level -DDLF_NO_CONTRACT -DDLF_NO_FILES -DDLF_NO_PYOBJECT >"$work/left"
"$cc" -std=c11 -O$level -DDLF_NO_CONTRACT -DDLF_NO_FILES -DDLF_NO_PYOBJECT -I"$folder" "$work/dlferry.o" "$consumer" -o "$work/consumer"
[ "$("$work/consumer")" = "float32[2, 3] cpu, live 0" ]
echo "ok  $cc, the exchange core: $(wc -l <"$work/left") functions"
if grep -q dlf_contract_ "$work/left"; then exit 1; fi
printf '#include "dlferry.h"\n#include "dlferry.h"\nint main() { return dlf_live() != 0; }\n' >"$work/header.cpp"
if "$cc" -x c++ -fsyntax-only /dev/null 2>/dev/null; then
  "$cc" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -I"$folder" "$work/header.cpp"
  echo "ok  $cc -std=c++17, the header"
else
  echo "not run: $cc knows no C++"
fi
