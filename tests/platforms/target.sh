#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compile the core and the C tests for another system, all warnings errors, and run what something runs here; then use
# what it installs (use.sh). A row of platforms.txt says how much that was.
#   usage: target.sh KIND SOURCE BUILD SETUP REPORT CMAKE CTEST      KIND is one of tests/setup/compiler.sh
set -eu
kind=$1 source=$2 build=$3 setup=$4 report=$5 cmake=$6 ctest=$7

compiler=$setup/compilers/$kind
mkdir -p "$setup/compilers" "$report/platforms"
if ! sh "$source/tests/setup/compiler.sh" "$kind" "$compiler"; then
  echo "NOT RUN: $kind: its compiler or its emulator is missing, see the output above"
  exit 77
fi
# What is not cross-compiled runs as it is.
runs=OFF
if [ -e "$compiler/bin/run" ] || ! grep -q CMAKE_SYSTEM_NAME "$compiler/bin/system.cmake"; then
  runs=ON
fi

faults=ON
if grep -qs qemu "$compiler/bin/run"; then
  echo "not run: fault injection, which takes hours where programs are emulated; i686, musl-x86_64 and Windows run it"
  faults=OFF
fi

"$cmake" -S "$source" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$source/tests/setup/compiler.cmake" \
  -DDLFERRY_COMPILER="$kind" -DDLFERRY_SETUP_DIR="$setup" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1" -DDLFERRY_DEVELOP=ON -DDLFERRY_TESTS=$runs \
  -DDLFERRY_FAULTS=$faults
"$cmake" --build "$build" -j2

count() {
  find "$@" | wc -l
}
objects() {
  count "$@" ! -name 'embedded*' \( -name '*.o' -o -name '*.obj' \)
}
hub="$(objects "$build/core/CMakeFiles/dlferry_hub.dir") of $(count "$source/core/hub" "$source/core/contract" -name '*.c')"
bind="$(objects "$build/core/CMakeFiles/dlferry_generator.dir" "$build/core/CMakeFiles/dlferry-bind.dir") of $(count "$source/core/bind" -name '*.c')"
linked=$(count "$build/core" -maxdepth 1 \( -name 'dlferry-bind' -o -name 'dlferry-bind.exe' -o -name 'libdlferry.so' \
  -o -name 'libdlferry.dll' -o -name 'libdlferry.dylib' -o -name 'dlferry' -o -name 'dlferry.exe' \))

status=0
passed=- failed=- skipped=-
if [ $runs = ON ]; then
  case $kind in
  # Else ctest waits for wine's server, which holds the output of the test that started it.
  windows*) "$compiler/bin/run" cmd /c exit >/dev/null 2>&1 ;;
  esac
  "$ctest" --test-dir "$build" -L '^c$' -E '^(package|tool|bind_cplusplus)' -j2 --output-on-failure \
    --output-junit "$build/tests.xml" || status=1
  total() {
    sed -n "/<testsuite /,/>/s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$build/tests.xml"
  }
  failed=$(total failures)
  skipped=$(($(total skipped) + $(total disabled)))
  passed=$(($(total tests) - failed - skipped))
  echo "what tests say that they did not run:"
  grep -hi '^not run' "$build/Testing/Temporary/LastTest.log" | sort | uniq -c || true
fi
archive=$(sh "$source/tests/platforms/pack.sh" "$kind" "$source" "$build" "$build/archive" "$cmake")
sh "$source/tests/platforms/use.sh" "$kind" "$source" "$archive" "$build/use" "$setup" $runs "$cmake" || status=1
used=no
[ ! -e "$build/use/used" ] || used=$(cat "$build/use/used")
row='%-15s %-10s %-12s %-7s %-7s %-7s %-7s %s\n'
# shellcheck disable=SC2059 -- the rows' format
printf "$row" "$kind" "$hub" "$bind" "$linked of 3" "$passed" "$failed" "$skipped" "$used" >"$report/platforms/$kind"
{
  printf "$row" system hub generator linked passed failed skipped used
  cat "$report"/platforms/*
} >"$report/platforms.txt"
cat "$report/platforms/$kind"
exit $status
