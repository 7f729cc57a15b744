#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Use what pack.sh packed for another system from other projects, as its users do: first the README's program in C, then
# find_package and pkg-config, static and shared. Where nothing runs the system's programs, they are only linked.
#   usage: use.sh KIND SOURCE ARCHIVE WORK SETUP RUNS CMAKE
# KIND is the users' compiler, of tests/setup/compiler.sh; RUNS is ON or OFF; the file WORK/used says how much was used.
set -eu
kind=$1 source=$2 archive=$3 work=$4 setup=$5 runs=$6 cmake=$7
compiler=$setup/compilers/$kind
cc=$compiler/bin/cc
consumer=$source/tests/packages/consumer
version=${archive##*/dlferry-}
version=${version%%-*}
both=$work/both     # as published
static=$work/static # without the shared library
exe=
case $kind in windows*) exe=.exe ;; esac # where a library lies beside its program
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$both"
begun=$(date +%s)
tar -xzf "$archive" -C "$both" --strip-components 1
unpacked=$(($(date +%s) - begun))
cp -R "$both" "$static"
find "$static" \( -name '*.so*' -o -name '*.dylib' -o -name '*.dll*' \) -exec rm {} +
libraries=$(dirname "$(find "$both" -name libdlferry.a)")
pages=${libraries#"$both/"}/pkgconfig

# The shared library itself.
python=$setup/compilers/lief/bin/python
if sh "$source/tests/setup/compiler.sh" lief "$setup/compilers/lief"; then
  library=$(find "$both" -name libdlferry.dll -o -name libdlferry.so -o -name libdlferry.dylib)
  "$python" -B "$source/tests/platforms/library.py" "$library" "$version"
else
  echo "not run: what the shared library exports: the package lief could not be installed"
fi
[ -z "$exe" ] || [ -e "$libraries/libdlferry.dll.a" ] || fail "the DLL has no import library"

run=
[ ! -e "$compiler/bin/run" ] || run=$compiler/bin/run
# For i686 no emulator brings the loader and libraries that zig's files ask for. A machine of 64 bits may lack them, the
# users' compiler does not.
if [ "$kind" = i686 ]; then
  run=$work/run
  begin=$(readlink -f "$("$cc" -print-file-name=ld-linux.so.2)")
  printf '#!/bin/sh\nexec "%s" --library-path "%s" "$@"\n' "$begin" "${begin%/*}" >"$run"
  chmod +x "$run"
fi
start() {
  ${run:+"$run"} "$@" >"$work/printed" || return
  tr -d '\r' <"$work/printed"
}
# musl's programs are static; one that is not begins with a loader, which this machine lacks.
loader=
if [ "$kind" = musl-x86_64 ] && sh "$source/tests/setup/compiler.sh" musl "$setup/compilers/musl"; then
  loader=$setup/compilers/musl/bin/loader
fi

ran=0 linked=0
# check TITLE EXPECTED PROGRAM: it prints that, if anything runs it here; TITLE ends with how it links the library.
check() {
  is=static
  if grep -aEq 'libdlferry[.](so|dll|[0-9])' "$3"; then
    is=shared
  fi
  case $1 in *$is) ;; *) fail "$1: the program links the library as a $is one" ;; esac
  if [ "$runs" = OFF ]; then
    linked=$((linked + 1))
    echo "ok  $1: linked"
    return
  fi
  case $kind,$is in
  windows*,shared) cp "$both/bin/libdlferry.dll" "$(dirname "$3")" ;;
  musl-*,shared)
    if [ -z "$loader" ]; then
      linked=$((linked + 1))
      echo "ok  $1: linked; not run: this machine lacks the loader of $kind"
      return
    fi
    ;;
  esac
  if [ $is = shared ]; then
    got=$(start ${loader:+"$loader"} "$3") || fail "$1: exit status $?"
  else
    got=$(start "$3") || fail "$1: exit status $?"
  fi
  [ "$got" = "$2" ] || fail "$1: expected '$2', got '$got'"
  ran=$((ran + 1))
  echo "ok  $1: $got"
}
# From prebuilt files to the first call: the generator of that system, its compiler, the program.
flags() {
  PKG_CONFIG_LIBDIR=$1/$pages pkg-config --cflags --libs dlferry
}
if [ "$runs" = ON ] && command -v pkg-config >/dev/null; then
  mkdir "$work/first"
  cp "$source/examples/photo/photo.h" "$source/examples/photo/photo.c" "$work/first"
  awk '/^```c$/ { n++; inside = n == 2; next } /^```$/ { inside = 0 } inside' "$source/README.md" >"$work/first/readme.c"
  cd "$work/first"
  begun=$(date +%s)
  start "$both/bin/dlferry-bind$exe" photo.h --name photo --out packages
  # shellcheck disable=SC2046 -- one argument a flag
  "$cc" -std=c11 readme.c photo.c packages/photo_dlferry.c -I. -Ipackages $(flags "$static") -lm -o "first$exe"
  check "the README's program, static" 0.1592 "./first$exe"
  echo "the first call from C took $((unpacked + $(date +%s) - begun)) s from the archive"
fi

expected="float32[2, 3] cpu, live 0"

for way in static shared; do
  out=$work/cmake-$way
  shared=OFF
  [ $way = static ] || shared=ON
  "$cmake" -S "$consumer" -B "$out" -DCMAKE_TOOLCHAIN_FILE="$source/tests/setup/compiler.cmake" \
    -DDLFERRY_COMPILER="$kind" -DDLFERRY_SETUP_DIR="$setup" -DCMAKE_PREFIX_PATH="$both" -DSERIES="${version%.*}" \
    -DBUILD_SHARED_LIBS=$shared >"$work/log" 2>&1 || fail "$(cat "$work/log")"
  "$cmake" --build "$out" --target consumer >"$work/log" 2>&1 || fail "$(cat "$work/log")"
  check "find_package, $way" "$expected" "$out/consumer$exe"
done

if command -v pkg-config >/dev/null; then
  mkdir "$work/pkg-static" "$work/pkg-shared"
  # shellcheck disable=SC2046 -- one argument a flag
  "$cc" -std=c11 "$consumer/consumer.c" $(flags "$static") -o "$work/pkg-static/consumer$exe"
  check "pkg-config, static" "$expected" "$work/pkg-static/consumer$exe"
  path=-Wl,-rpath,$libraries
  named=$(flags "$both")
  case $kind in
  windows) path=-Wl,-Bdynamic ;; # Debian's compiler is told -static, for its own libraries
  windows-*) path='' named=${named%-ldlferry*}$libraries/libdlferry.dll.a ;; # for -l zig looks for no import library
  esac
  # shellcheck disable=SC2086
  "$cc" -std=c11 "$consumer/consumer.c" $path $named -o "$work/pkg-shared/consumer$exe"
  check "pkg-config, shared" "$expected" "$work/pkg-shared/consumer$exe"
  if [ -z "$exe" ]; then
    awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$both/README.md" >"$work/readme.sh"
    cp "$consumer/consumer.c" "$both/program.c"
    (cd "$both" && PATH=$compiler/bin:$PATH sh -e "$work/readme.sh") || fail "the archive's README"
    check "the archive's README, shared" "$expected" "$both/program"
    rm "$both/program" "$both/program.c" # what was published is read afterwards
  fi
else
  echo "not run: pkg-config is not installed"
fi

echo "$ran run, $linked linked" >"$work/used"
