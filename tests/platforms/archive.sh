#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make the archive of the built C library and generator for a system, by zig, twice with the same bytes, then use it from
# another project, by a compiler that its users may have. WORK/state says how far that went.
#   usage: archive.sh SYSTEM SOURCE OUT WORK SETUP CMAKE
# SYSTEM is linux-, musl-, windows- or macos- and a machine of tests/setup/compiler.sh; SOURCE is what is built.
set -eu
system=$1 source=$2 out=$3 work=$4 setup=$5 cmake=$6
root=$(cd "$(dirname "$0")/../.." && pwd)
tools=$root/tests/setup
maker=$system # a kind of compiler.sh; and the users'
user=$system
case $system in
linux-x86_64) maker=glibc-x86_64 user=$maker ;;
linux-*) maker=glibc-${system#linux-} user=${system#linux-} ;;
windows-x86_64) maker=windows-zig user=$maker ;;
esac

mkdir -p "$setup/compilers"
if ! sh "$tools/compiler.sh" "$maker" "$setup/compilers/$maker"; then
  echo "NOT RUN: $system: its compiler is missing, see the output above"
  exit 77
fi
rm -rf "$work"
for turn in one two; do
  build=$work/$turn
  # Nothing that names a folder: debug information.
  "$cmake" -S "$source" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$tools/compiler.cmake" \
    -DDLFERRY_COMPILER="$maker" -DDLFERRY_SETUP_DIR="$setup" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
    "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG -g0" -DCMAKE_EXE_LINKER_FLAGS=-s -DCMAKE_SHARED_LINKER_FLAGS=-s >"$work.log" &&
    "$cmake" --build "$build" -j2 >>"$work.log" || {
    cat "$work.log"
    exit 1
  }
  sh "$root/tests/platforms/pack.sh" "$system" "$source" "$build" "$work/$turn-packed" "$cmake"
done
archive=$(ls "$work"/one-packed/*.tar.gz)
if ! cmp "$archive" "$work/two-packed/${archive##*/}"; then
  echo "FAILED: $system: expected the same bytes twice"
  exit 1
fi
runs=OFF
if sh "$tools/compiler.sh" "$user" "$setup/compilers/$user"; then
  case $system in
  windows-arm64 | macos-*) ;;
  *) runs=ON ;;
  esac
else
  echo "not run: the users' compiler or the emulator is missing, see the output above"
  user=$maker
fi
sh "$root/tests/platforms/use.sh" "$user" "$root" "$archive" "$work/use" "$setup" $runs "$cmake"
if grep -rlaF -e "$source" -e "$work" "$work/use/both"; then
  echo "FAILED: $system: these files name the folder they were built in"
  exit 1
fi
mkdir -p "$out"
cp "$archive" "$out"
how="compiled: $(cat "$work/use/used")"
[ $runs = OFF ] || how="run on $system, by $user of tests/setup/compiler.sh: $(cat "$work/use/used")"
echo "$how" | tee "$work/state"
