#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dlferry.c and dlferry.h vendored in another project: no warning from -O0 to -O3, a program that runs, the header in C++.
#   usage: amalgamation.sh COMPILER FOLDER_OF_DLFERRY_C CONSUMER_C
set -eu
cc=$1 folder=$2 consumer=$3
if ! command -v "$cc" >/dev/null; then
  echo "NOT RUN: needs $cc, which is not installed"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for level in 0 1 2 3; do
  "$cc" -std=c11 -Wall -Wextra -Werror -O$level -I"$folder" "$folder/dlferry.c" "$consumer" -o "$work/consumer"
  got=$("$work/consumer")
  if [ "$got" != "float32[2, 3] cpu, live 0" ]; then
    echo "FAILED: -O$level printed '$got'" >&2
    exit 1
  fi
  echo "ok  $cc -std=c11 -O$level"
done
printf '#include "dlferry.h"\n#include "dlferry.h"\nint main() { return dlf_live() != 0; }\n' >"$work/header.cpp"
if "$cc" -x c++ -fsyntax-only /dev/null 2>/dev/null; then
  "$cc" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -I"$folder" "$work/header.cpp"
  echo "ok  $cc -std=c++17, the header"
else
  echo "not run: $cc knows no C++"
fi
