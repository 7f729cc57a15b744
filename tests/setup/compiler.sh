#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make a compiler available in a folder: this machine's, or Debian's, unpacked (debian.sh) and run from there; or zig,
# from Python's package index.
#
#   usage: compiler.sh KIND FOLDER      ends with FOLDER/bin/cc and ar, and system.cmake for compiler.cmake
#
# KIND is clang or zig, for this machine, or a system, whose programs FOLDER/bin/run runs if something runs them here:
#   aarch64 riscv64 s390x armhf i686    Linux with glibc, by Debian's gcc; qemu-user, but i686 as it is
#   musl-x86_64 -i686 -aarch64 ...      Linux with musl, static, by zig; likewise
#   glibc-x86_64 -i686 -aarch64 ...     Linux with glibc 2.17 or newer, by zig: for packages; not run
#   windows                             x86-64, by Debian's mingw-w64; wine
#   windows-zig windows-arm64           by zig; wine, but arm64 nowhere here
#   macos-x86_64 macos-arm64            by zig; nowhere here
# or lief, which reads what those compilers link: FOLDER/bin/python knows the module;
# or musl, Debian's loader of programs with musl: FOLDER/bin/loader.
# FOLDER/bin has scripts, since an unpacked program must be told where its libraries lie. What kinds share, such as qemu,
# lies beside FOLDER. A second run does nothing.
set -eu

kind=${1:?usage: compiler.sh KIND FOLDER}
folder=${2:?usage: compiler.sh KIND FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/bin"
# Two presets may configure at once.
if command -v flock >/dev/null; then
  exec 9>"$folder/lock"
  flock 9
fi
[ ! -e "$folder/bin/complete" ] || [ ! -e "$folder/bin/system.cmake" ] || exit 0
folder=$(cd "$folder" && pwd)
beside=$(dirname "$folder")
trap 'rm -f "$folder"/try*' EXIT
echo 'int main(void) { return 0; }' >"$folder/try.c"
echo 'int LLVMFuzzerTestOneInput(const char *, unsigned long); int LLVMFuzzerTestOneInput(const char *x, unsigned long n) {
  return x && n ? 0 : 0; }' >"$folder/try_fuzzer.c"
unpacked=$folder/debian
libraries= # of unpacked programs
sysroot=   # unpacked; what a cross compiler's scripts for the linker name lies in it
machine=${kind#musl-}
machine=${machine#glibc-}

fail() {
  echo "compiler: $*" >&2
  exit 1
}

# A program below the unpacked packages, or of the machine; the first of the names that there is.
find_program() {
  for name in "$@"; do
    if [ -x "$unpacked/usr/bin/$name" ]; then
      echo "$unpacked/usr/bin/$name"
      return
    elif command -v "$name"; then
      return
    fi
  done
  return 1
}

# Write the script NAME, which runs a program with the unpacked libraries, and options before its arguments.
write_script() {
  name=$1
  shift
  {
    echo '#!/bin/sh'
    [ -z "$libraries" ] || echo "export LD_LIBRARY_PATH=$libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
    echo "exec $* \"\$@\""
  } >"$folder/bin/$name"
  chmod 755 "$folder/bin/$name"
}

# What another kind has in bin, which is made first.
other() {
  sh "$here/compiler.sh" "$1" "$beside/$1" >&2 9>&- || return 1
  echo "$beside/$1/bin/$2"
}

# Lines of CMake about the system.
tell() {
  printf '%s\n' "$@" >>"$folder/bin/system.cmake"
}

# Compile and link for zig's name of a system.
offer_zig() {
  zig=$(other zig zig) || return 1
  # zig would add a sanitizer of its own, and a static program cannot have two unwinders.
  write_script cc "$zig" cc -target "$1" -fno-sanitize=undefined
  write_script ar "$zig" ar
  write_script ranlib "$zig" ranlib
  write_script rc "$zig" rc
  write_script dlltool "$zig" dlltool
  tell 'set(CMAKE_RANLIB ${compiler}/bin/ranlib CACHE FILEPATH "" FORCE)' \
    'set(CMAKE_C_COMPILER_AR ${compiler}/bin/ar CACHE FILEPATH "")' \
    'set(CMAKE_C_COMPILER_RANLIB ${compiler}/bin/ranlib CACHE FILEPATH "")'
  "$folder/bin/cc" "$folder/try.c" -o "$folder/try"
}

# Have programs of the system run under qemu, which knows the machine by this name.
offer_qemu() {
  qemu=$(other qemu "qemu-$1") || return 1
  write_script run "$qemu" -U LD_LIBRARY_PATH ${2:+-L "$2"}
  "$folder/bin/run" "$folder/try"
}

cross() {
  case $machine in
  aarch64) gnu=aarch64-linux-gnu debian=arm64 emulator=aarch64 loader=ld-linux-aarch64.so.1 zig=aarch64-linux-musl ;;
  riscv64) gnu=riscv64-linux-gnu debian=riscv64 emulator=riscv64 loader=ld-linux-riscv64-lp64d.so.1 zig=riscv64-linux-musl ;;
  s390x) gnu=s390x-linux-gnu debian=s390x emulator=s390x loader=ld64.so.1 zig=s390x-linux-musl ;;
  armhf) gnu=arm-linux-gnueabihf debian=armhf emulator=arm loader=ld-linux-armhf.so.3 zig=arm-linux-musleabihf ;;
  i686) gnu=i686-linux-gnu debian=i386 emulator= loader=ld-linux.so.2 zig=x86-linux-musl ;;
  x86_64) emulator= zig=x86_64-linux-musl ;;
  *) fail "expected a kind that the head of this file names, got $kind" ;;
  esac
}

# Fail unless this kind's compiler is there and what it makes runs.
offer() {
  rm -f "$folder/bin/system.cmake"
  tell "# Written by compiler.sh."
  case $kind in
  clang)
    # The newest one whose runtime is installed too.
    for version in "" -22 -21 -20 -19 -18 -17 -16 -15 -14; do
      program=$(find_program "clang$version") || continue
      write_script cc "$program"
      write_script ar "$(command -v ar)"
      "$folder/bin/cc" -fsanitize=fuzzer,address,undefined "$folder/try_fuzzer.c" -o "$folder/try" &&
        "$folder/try" -runs=1 && return 0
    done
    return 1
    ;;
  zig)
    python3 -m venv "$folder/venv" || return 1
    sh "$here/install.sh" "$folder/venv/bin/python" -r "$here/requirements-zig.txt" || return 1
    zig=$(echo "$folder"/venv/lib/python3*/site-packages/ziglang/zig)
    {
      echo '#!/bin/sh'
      echo "export ZIG_GLOBAL_CACHE_DIR=$folder/cache ZIG_LOCAL_CACHE_DIR=$folder/cache"
      echo "exec $zig \"\$@\""
    } >"$folder/bin/zig"
    chmod 755 "$folder/bin/zig"
    write_script cc "$folder/bin/zig" cc
    write_script ar "$folder/bin/zig" ar
    "$folder/bin/zig" version
    ;;
  lief)
    python3 -m venv "$folder/venv" || return 1
    sh "$here/install.sh" "$folder/venv/bin/python" -r "$here/requirements-lief.txt" || return 1
    write_script python "$folder/venv/bin/python"
    "$folder/bin/python" -c 'import lief'
    ;;
  musl)
    program=$(find "$unpacked" -path '*-linux-musl/libc.so' -type f) || return 1
    write_script loader "$program"
    ;;
  qemu)
    for emulated in aarch64 riscv64 s390x arm; do
      program=$(find_program qemu-$emulated qemu-$emulated-static) || return 1
      write_script "qemu-$emulated" "$program"
      "$folder/bin/qemu-$emulated" --version || return 1
    done
    ;;
  wine)
    program=$(PATH=$unpacked/usr/lib/wine:$PATH find_program wine64) || return 1
    if [ -e "$unpacked/usr/lib/wine/wineserver64" ]; then
      ln -sf wineserver64 "$unpacked/usr/lib/wine/wineserver" # a script that looks in /usr
      mkdir -p "$folder/prefix/drive_c/windows/system32"
      cp "$unpacked/usr/x86_64-w64-mingw32/lib/zlib1.dll" "$folder/prefix/drive_c/windows/system32"
    fi
    {
      echo '#!/bin/sh'
      echo "export WINEPREFIX=$folder/prefix WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml="
      [ -z "$libraries" ] || echo "export LD_LIBRARY_PATH=$libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
      echo "exec $program \"\$@\" </dev/null"
    } >"$folder/bin/wine"
    chmod 755 "$folder/bin/wine"
    "$folder/bin/wine" cmd /c exit 0
    ;;
  windows)
    program=$(find_program x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-gcc) || return 1
    write_script cc "$program" $sysroot -static
    write_script ar "$(find_program x86_64-w64-mingw32-ar)"
    write_script rc "$(find_program x86_64-w64-mingw32-windres)"
    tell 'set(CMAKE_SYSTEM_NAME Windows)' 'set(CMAKE_SYSTEM_PROCESSOR x86_64)' 'set(CMAKE_RC_COMPILER ${compiler}/bin/rc)'
    "$folder/bin/cc" "$folder/try.c" -o "$folder/try.exe" || return 1
    wine=$(other wine wine) || return 1
    write_script run "$wine"
    "$folder/bin/run" "$folder/try.exe"
    ;;
  windows-*)
    machine=aarch64
    [ "$kind" = windows-arm64 ] || machine=x86_64
    tell 'set(CMAKE_SYSTEM_NAME Windows)' "set(CMAKE_SYSTEM_PROCESSOR $machine)" 'set(CMAKE_RC_COMPILER ${compiler}/bin/rc)'
    offer_zig $machine-windows-gnu || return 1
    if [ $machine = x86_64 ]; then
      wine=$(other wine wine) || return 1
      write_script run "$wine"
    fi
    ;;
  macos-*)
    machine=aarch64
    [ "$kind" = macos-arm64 ] || machine=x86_64
    write_script install_name_tool true
    # zig ignores the versions of a library unless the linker is told; CMake asks a macOS whether it knows RPATH.
    cat >"$folder/bin/darwin.cmake" <<'END'
set(CMAKE_C_OSX_COMPATIBILITY_VERSION_FLAG "-Wl,-compatibility_version,")
set(CMAKE_C_OSX_CURRENT_VERSION_FLAG "-Wl,-current_version,")
set(CMAKE_SHARED_LIBRARY_RUNTIME_C_FLAG "-Wl,-rpath,")
END
    tell 'set(CMAKE_SYSTEM_NAME Darwin)' "set(CMAKE_SYSTEM_PROCESSOR $machine)" \
      'set(CMAKE_INSTALL_NAME_TOOL ${compiler}/bin/install_name_tool)' 'set(CMAKE_OSX_SYSROOT "")' \
      'set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "")' \
      'set(CMAKE_USER_MAKE_RULES_OVERRIDE_C ${compiler}/bin/darwin.cmake)'
    offer_zig $machine-macos
    ;;
  glibc-*)
    cross
    version=2.17
    [ "$machine" != riscv64 ] || version=2.27 # its first one
    tell 'set(CMAKE_SYSTEM_NAME Linux)' "set(CMAKE_SYSTEM_PROCESSOR $machine)"
    offer_zig "$(echo "$zig" | sed 's/musl/gnu/').$version"
    ;;
  musl-*)
    cross
    if [ -n "$emulator" ]; then
      tell 'set(CMAKE_SYSTEM_NAME Linux)' "set(CMAKE_SYSTEM_PROCESSOR $machine)"
    fi
    offer_zig $zig || return 1
    [ -z "$emulator" ] || offer_qemu $emulator
    ;;
  *)
    cross
    program=$(find_program $gnu-gcc) || return 1
    write_script cc "$program" $sysroot
    write_script ar "$(find_program $gnu-ar)"
    loader=$(readlink -f "$("$folder/bin/cc" -print-file-name=$loader)")
    if [ -z "$emulator" ]; then
      # Programs run as they are: their loader and libraries are not where a system of that kind has them.
      write_script cc "$program" $sysroot "-Wl,--dynamic-linker=$loader" "-Wl,-rpath,$(dirname "$loader")"
      "$folder/bin/cc" "$folder/try.c" -o "$folder/try" && "$folder/try"
      return
    fi
    tell 'set(CMAKE_SYSTEM_NAME Linux)' "set(CMAKE_SYSTEM_PROCESSOR $machine)"
    "$folder/bin/cc" "$folder/try.c" -o "$folder/try" || return 1
    offer_qemu $emulator "$(readlink -f "$(dirname "$loader")/..")"
    ;;
  esac
}

case $kind in
clang) packages="clang-19 libclang-rt-19-dev" ;;
musl) packages="musl" ;;
qemu) packages="qemu-user" ;;
wine) packages="wine64" ;;
windows) packages="gcc-mingw-w64-x86-64" ;;
zig | lief | glibc-* | musl-* | macos-* | windows-*) packages= ;;
*)
  cross
  packages="gcc-$gnu libc6-dev-$debian-cross"
  ;;
esac
if ! offer >"$folder/try.log" 2>&1; then
  if [ -n "$packages" ]; then
    # shellcheck disable=SC2086 -- one argument a package
    [ -e "$unpacked/usr/bin" ] || sh "$here/debian.sh" --complete "$unpacked" $packages 9>&-
    libraries=$(find "$unpacked" -name '*.so*' -path "*/$(uname -m)-linux-gnu*" -exec dirname {} + | sort -u |
      paste -sd: -)
    case $kind in
    clang | qemu | wine | windows) ;;
    *) sysroot=--sysroot=$unpacked ;;
    esac
  fi
  offer >"$folder/try.log" 2>&1 || {
    cat "$folder/try.log" >&2
    fail "$kind does not work${packages:+; $packages can be installed instead}"
  }
fi
touch "$folder/bin/complete"
