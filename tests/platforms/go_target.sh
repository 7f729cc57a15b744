#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Go module, its sub-module gonum, and the package made from examples/photo's header, for another system: vetted and
# built, and their tests run where something runs them here. A row of platforms_go.txt says how much that was.
#   usage: go_target.sh KIND SOURCE BUILD SETUP REPORT      KIND is one of tests/setup/compiler.sh
#   environment: GO names go, DLFERRY_BIND the generator, both of this machine
#   needs: the copies of the core's C (target copies) and the C of examples/photo/packages (target photo_carried)
set -eu
kind=$1 source=$2 build=$3 setup=$4 report=$5
go=${GO:-go}
case $kind in
windows) GOOS=windows GOARCH=amd64 ;;
macos-x86_64) GOOS=darwin GOARCH=amd64 ;;
macos-arm64) GOOS=darwin GOARCH=arm64 ;;
*)
  echo "go_target: expected windows, macos-x86_64 or macos-arm64, got $kind" >&2
  exit 1
  ;;
esac

mkdir -p "$build" "$setup/compilers" "$report/platforms_go"
compiler=$setup/compilers/$kind
if ! sh "$source/tests/setup/compiler.sh" "$kind" "$compiler"; then
  echo "NOT RUN: $GOOS/$GOARCH: its C compiler or its emulator is missing, see the output above"
  exit 77
fi
[ $kind != windows ] || sh "$source/tests/platforms/wine_random.sh" "$setup"
CGO_ENABLED=1 CC=$compiler/bin/cc CGO_CFLAGS=-O1
export GOOS GOARCH CGO_ENABLED CC CGO_CFLAGS
if [ $GOOS = darwin ]; then
  # Zig has none of macOS but libSystem. Go links two things more: a framework that it uses on iOS alone, and the resolver.
  stub() { # FILE INSTALL-NAME SYMBOLS
    mkdir -p "$(dirname "$1")"
    printf '%s\n' '--- !tapi-tbd' 'tbd-version: 4' 'targets: [ x86_64-macos, arm64-macos ]' "install-name: '$2'" >"$1"
    printf '%s\n' 'exports:' '  - targets: [ x86_64-macos, arm64-macos ]' "    symbols: [ $3 ]" '...' >>"$1"
  }
  stub "$build/CoreFoundation.framework/CoreFoundation.tbd" \
    /System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation _CFRelease
  stub "$build/libresolv.tbd" /usr/lib/libresolv.9.dylib '_res_9_ninit, _res_9_nsearch, _res_9_nclose'
  export CGO_LDFLAGS="-F$build -L$build"
fi

status=0
: >"$build/log"
in_folder() {
  folder=$source/bindings/go/$1
  shift
  echo "$folder: go $*"
  (cd "$folder" && "$go" "$@") >"$build/last.log" 2>&1 || status=1
  cat "$build/last.log"
  cat "$build/last.log" >>"$build/log"
}
in_folder . vet ./...
in_folder tests vet ./... photo
# Without debug information, for which Go would strip the programs of macOS with a tool of macOS.
in_folder . build -ldflags=-w ./...
in_folder tests build -ldflags=-w ./... photo
in_folder gonum vet ./...
built=yes
[ $status = 0 ] || built=no

passed=- failed=-
if [ -e "$compiler/bin/run" ]; then
  # Wine 8 lacks a way to delete files, which tests do with their folders: Go then takes another way, if it is told to.
  deletion=$("$go" env GOROOT)/src/internal/syscall/windows/at_windows.go
  sed 's/^var TestDeleteatFallback bool/var TestDeleteatFallback = true/' "$deletion" >"$build/at_windows.go"
  printf '{"Replace": {"%s": "%s"}}\n' "$deletion" "$build/at_windows.go" >"$build/overlay.json"
  # Wine's own processes outlive a test's, and Go would wait for the pipe to which they write too.
  {
    echo '#!/bin/sh'
    echo 'said=$(mktemp)'
    echo "$compiler/bin/run"' "$@" >"$said" 2>&1'
    echo 'status=$?'
    echo 'cat "$said"'
    echo 'rm "$said"'
    echo 'exit $status'
  } >"$build/run"
  chmod 755 "$build/run"
  set -- test -v -vet=off -count=1 -overlay "$build/overlay.json" -exec "$build/run"
  echo "not run: tests/module and inlined and TestDoc, which tell what the go command does, not a system; tests/python, which"
  echo "not run: links a CPython; arrow and onnxruntime, modules of their own whose libraries were not tried there"
  in_folder . "$@" ./...
  in_folder tests "$@" -skip TestDoc . ./cases photo
  in_folder gonum "$@" ./...
  # The tests of generated packages run the go command: here, where it compiles for that system and has its programs run.
  (
    cd "$source/bindings/go/tests/generated" &&
      env -u GOOS -u GOARCH -u CC -u CGO_CFLAGS "$go" test -c -o "$build/generated" . &&
      GOFLAGS="${GOFLAGS-} -exec=$build/run" "$build/generated" -test.v -test.short
  ) >"$build/last.log" 2>&1 || status=1
  tee -a "$build/log" <"$build/last.log"
  passed=$(grep -c '^--- PASS' "$build/log" || true)
  failed=$(grep -c '^--- FAIL' "$build/log" || true)
  [ "$passed" -gt 0 ] || status=1
fi
row='%-15s %-7s %-7s %s\n'
# shellcheck disable=SC2059 -- the rows' format
printf "$row" $GOOS/$GOARCH $built "$passed" "$failed" >"$report/platforms_go/$kind"
{
  printf "$row" system built passed failed
  cat "$report"/platforms_go/*
} >"$report/platforms_go.txt"
cat "$report/platforms_go/$kind"
exit $status
