#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs of Rust and Go take random numbers from bcryptprimitives.dll, which Wine 8 lacks: make it one that takes them
# from advapi32.dll, in the prefix of the tests' own wine.
#   usage: wine_random.sh SETUP      after tests/setup/compiler.sh windows SETUP/compilers/windows
set -eu
compilers=$1/compilers
folder=$compilers/wine/prefix/drive_c/windows/system32
[ ! -e "$folder/bcryptprimitives.dll" ] || exit 0
cat >"$compilers/windows/random.c" <<'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(void *bytes, ULONG count); /* RtlGenRandom */
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *bytes, SIZE_T count) {
  return SystemFunction036(bytes, (ULONG)count);
}
END
"$compilers/windows/bin/cc" -shared -O1 -o "$compilers/windows/random.dll" "$compilers/windows/random.c" -ladvapi32
mv "$compilers/windows/random.dll" "$folder/bcryptprimitives.dll"
