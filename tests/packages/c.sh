#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install the build, move it, and use it from CMake and through pkg-config.
#   usage: c.sh BUILD SOURCE CMAKE CC SANITIZER_FLAG VERSION
set -eu
build=$1 source=$2 cmake=$3 cc=$4 sanitize=$5 version=$6
[ "$sanitize" != "-fsanitize=" ] || sanitize=
series=${version%.*}
later=${series%.*}.$((${series#*.} + 1))
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

"$cmake" --install "$build" --prefix "$work/first" >/dev/null
cp -R "$work/first" "$work/moved"
touch "$work/first/include/of-somebody-else"
"$cmake" --build "$build" --target uninstall >"$work/log" 2>&1 || fail "$(cat "$work/log")"
left=$(cd "$work/first" && find . | sort | tr '\n' ' ')
[ "$left" = ". ./include ./include/of-somebody-else " ] || fail "uninstall left $left"
rm -r "$work/first"
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
"$cmake" --build "$build" --target uninstall >"$work/log" 2>&1 || fail "$(cat "$work/log")"
left=$(find "$work/first" -mindepth 1)
[ -z "$left" ] || fail "uninstall left $left"
rmdir "$work/first"
echo "ok  uninstall leaves an empty prefix, and foreign files"

moved=$work/moved
[ -e "$moved/include/dlferry/dlpack/dlpack.h" ] || fail "dlpack.h is not in a folder of its own"
[ ! -e "$moved/include/dlpack" ] || fail "dlpack.h would replace the system's"
if grep -rlF -e "$source" -e "$build" "$moved"/lib*/cmake "$moved"/lib*/pkgconfig; then
  fail "these files name the folder they were built in"
fi

export LD_LIBRARY_PATH="$(dirname "$(find "$moved" -name libdlferry.so)")"
expected="float32[2, 3] cpu, live 0"
check() { # check TITLE PROGRAM
  got=$("$2") || fail "$1: exit status $?"
  [ "$got" = "$expected" ] || fail "$1: expected '$expected', got '$got'"
  echo "ok  $1"
}

for command in dlferry dlferry-bind; do
  got=$("$moved/bin/$command" --version) || fail "$command --version: exit status $?"
  case $got in *"$version"*) echo "ok  $got" ;; *) fail "$command --version: expected $version, got '$got'" ;; esac
done

mkdir "$work/after"
cat >"$work/after/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(after LANGUAGES C)
find_package(dlferry ${SERIES} CONFIG REQUIRED)
include(${EXPORT}/cmake/consumer.cmake)
add_executable(after ${SOURCE})
target_include_directories(after PRIVATE ${EXPORT}/include)
target_link_libraries(after PRIVATE consumer::scale)
END

for shared in OFF ON; do
  "$cmake" -S "$here/consumer" -B "$work/cmake-$shared" -DCMAKE_PREFIX_PATH="$moved" -DSERIES=$series \
    -DBUILD_SHARED_LIBS=$shared -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$sanitize" >"$work/log" 2>&1 ||
    fail "$(cat "$work/log")"
  "$cmake" --build "$work/cmake-$shared" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
  check "find_package, BUILD_SHARED_LIBS=$shared" "$work/cmake-$shared/consumer"
  got=$(cd "$work/cmake-$shared" && ./host ./libplugin.so "$LD_LIBRARY_PATH/libdlferry.so" ./libunloadable.so) ||
    fail "dlclose under a live tensor, BUILD_SHARED_LIBS=$shared: exit status $?"
  echo "ok  $got, BUILD_SHARED_LIBS=$shared"
  if [ -e "$work/cmake-$shared/scaled" ]; then
    "$cmake" --install "$work/cmake-$shared" --prefix "$work/export" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    "$cmake" -S "$work/after" -B "$work/after/$shared" -DCMAKE_PREFIX_PATH="$moved" -DSERIES=$series \
      -DBUILD_SHARED_LIBS=$shared -DSOURCE="$here/consumer/scaled.c" -DEXPORT="$work/export" \
      -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$sanitize" \
      >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    "$cmake" --build "$work/after/$shared" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    got=$("$work/after/$shared/after") || fail "install(EXPORT), BUILD_SHARED_LIBS=$shared: $got"
    echo "ok  install(EXPORT) of what dlferry_add_bindings made, BUILD_SHARED_LIBS=$shared: $got"
    got=$("$work/cmake-$shared/scaled") || fail "dlferry_add_bindings, BUILD_SHARED_LIBS=$shared: $got"
    "$work/cmake-$shared/scaled_linked" >"$work/log" || fail "dlferry_add_bindings(LINK): $(cat "$work/log")"
    echo "ok  dlferry_add_bindings, BUILD_SHARED_LIBS=$shared: $got"
    grep -q 'rustc-link-lib=elsewhere' "$work/cmake-$shared/a folder/rust/build.rs" || fail "LINK does not name the file"
  fi
done

if [ -e "$work/cmake-ON/scaled" ]; then
  stamp=$work/cmake-ON/scale-bindings/.stamp
  touch -d 2001-01-01 "$stamp" # older than the header, so it runs once more, and changes nothing
  for turn in once never; do
    "$cmake" --build "$work/cmake-ON" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    ran=$(grep -c 'dlferry-bind scale:' "$work/log" || true)
    [ "$turn:$ran" = once:1 ] || [ "$turn:$ran" = never:0 ] || fail "rebuild, $turn: dlferry-bind ran $ran times"
  done
  echo "ok  dlferry_add_bindings runs the generator after a change, and only then"
fi

mkdir "$work/later"
cat >"$work/later/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(later LANGUAGES C)
find_package(dlferry ${LATER} CONFIG QUIET)
if(dlferry_FOUND)
  message(FATAL_ERROR "an earlier version must not pass for ${LATER}")
endif()
find_package(dlferry CONFIG QUIET COMPONENTS static fortran)
if(dlferry_FOUND)
  message(FATAL_ERROR "a component that is not there must be refused")
endif()
END
"$cmake" -S "$work/later" -B "$work/later/build" -DCMAKE_PREFIX_PATH="$moved" -DLATER=$later -DCMAKE_C_COMPILER="$cc" \
  >"$work/log" 2>&1 || fail "$(cat "$work/log")"
echo "ok  find_package refuses another minor version, and a component that is not there"

if command -v pkg-config >/dev/null; then
  PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig
  export PKG_CONFIG_PATH
  # shellcheck disable=SC2046
  "$cc" -std=c11 $sanitize "$here/consumer/consumer.c" $(pkg-config --cflags --libs dlferry) -o "$work/with-pkg-config"
  check "pkg-config" "$work/with-pkg-config"
  if [ -d "$build/readme" ]; then # a release's: the program of its README
    awk '/^```c$/ { n++; inside = n == 2; next } /^```$/ { inside = 0 } inside' "$source/README.md" >"$work/readme.c"
    # shellcheck disable=SC2046
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$work/readme.c" "$build"/readme/packages/photo_dlferry.c \
      "$build/readme/photo.c" -I"$build/readme/packages" -I"$build/readme" $(pkg-config --cflags --libs dlferry) -lm \
      -o "$work/readme"
    [ "$("$work/readme")" = 0.1592 ] || fail "README.md's program printed '$("$work/readme")'"
    echo "ok  the README's program in C"
  fi
else
  echo "not run: pkg-config is not installed"
fi
