#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Build with the system's dlpack.h: ours is neither used nor installed.
#   usage: system_dlpack.sh SOURCE CMAKE CC PYTHON      (PYTHON has apache-tvm-ffi, whose header stands for the system's)
set -eu
source=$1 cmake=$2 cc=$3 python=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
theirs=$("$python" -c 'import importlib.util as u; print(u.find_spec("tvm_ffi").submodule_search_locations[0])')/include
mkdir "$work/system"
cp -R "$theirs/dlpack" "$work/system"

"$cmake" -S "$source" -B "$work/build" -DDLFERRY_SYSTEM_DLPACK=ON -DDLFERRY_DLPACK_INCLUDE="$work/system" \
  -DDLFERRY_DEVELOP=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
"$cmake" --build "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$cmake" --install "$work/build" --prefix "$work/installed" >/dev/null
used=$(find "$work/build" -name '*.d' -exec cat {} + | tr ' ' '\n' | grep '/dlpack/dlpack.h$' | sort -u)
if [ "$used" != "$work/system/dlpack/dlpack.h" ]; then
  echo "FAILED: expected only the system's header, got: $used"
  exit 1
fi
if find "$work/installed" -name dlpack.h | grep .; then
  echo "FAILED: our dlpack.h was installed beside the system's"
  exit 1
fi
"$cc" -std=c11 -I"$work/installed/include/dlferry" -I"$work/system" "$(dirname "$0")/consumer/consumer.c" \
  "$work"/installed/lib*/libdlferry.a -o "$work/consumer"
"$work/consumer"
