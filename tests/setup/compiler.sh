#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make a compiler available in a folder: this machine's, or Debian's, unpacked there (debian.sh) and run from there.
#
#   usage: compiler.sh clang|i686|armhf FOLDER      ends with FOLDER/bin/cc and ar; for armhf also run, the emulator
#
# FOLDER/bin has scripts, since an unpacked program must be told where its libraries lie. A second run does nothing.
set -eu

kind=${1:?usage: compiler.sh clang|i686|armhf FOLDER}
folder=${2:?usage: compiler.sh clang|i686|armhf FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/bin"
# Two presets may configure at once.
if command -v flock >/dev/null; then
  exec 9>"$folder/lock"
  flock 9
fi
[ ! -e "$folder/bin/complete" ] || exit 0
folder=$(cd "$folder" && pwd)
trap 'rm -f "$folder"/try*' EXIT
echo 'int main(void) { return 0; }' >"$folder/try.c"
echo 'int LLVMFuzzerTestOneInput(const char *, unsigned long); int LLVMFuzzerTestOneInput(const char *x, unsigned long n) {
  return x && n ? 0 : 0; }' >"$folder/try_fuzzer.c"
unpacked=$folder/debian
libraries= # of unpacked programs
sysroot=   # unpacked; what a cross compiler's scripts for the linker name lies in it

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

# Fail unless this kind's compiler is there and what it makes runs.
offer() {
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
  i686)
    program=$(find_program i686-linux-gnu-gcc) || return 1
    write_script cc "$program" $sysroot
    # Programs run as they are: their loader and libraries are not where a system of that kind has them.
    loader=$(readlink -f "$("$folder/bin/cc" -print-file-name=ld-linux.so.2)")
    write_script cc "$program" $sysroot "-Wl,--dynamic-linker=$loader" "-Wl,-rpath,$(dirname "$loader")"
    write_script ar "$(find_program i686-linux-gnu-ar)"
    "$folder/bin/cc" "$folder/try.c" -o "$folder/try" && "$folder/try"
    ;;
  armhf)
    program=$(find_program arm-linux-gnueabihf-gcc) || return 1
    emulator=$(find_program qemu-arm qemu-arm-static) || return 1
    write_script cc "$program" $sysroot
    write_script ar "$(find_program arm-linux-gnueabihf-ar)"
    root=$(readlink -f "$(dirname "$("$folder/bin/cc" -print-file-name=ld-linux-armhf.so.3)")/..")
    write_script run "$emulator" -U LD_LIBRARY_PATH -L "$root"
    "$folder/bin/cc" "$folder/try.c" -o "$folder/try" && "$folder/bin/run" "$folder/try"
    ;;
  *)
    echo "compiler: expected clang, i686 or armhf, got $kind" >&2
    exit 1
    ;;
  esac
}

case $kind in
clang) packages="clang-19 libclang-rt-19-dev" ;;
i686) packages="gcc-i686-linux-gnu libc6-dev-i386-cross" ;;
armhf) packages="gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user" ;;
*) packages= ;;
esac
if ! offer >"$folder/try.log" 2>&1; then
  # shellcheck disable=SC2086 -- one argument a package
  [ -e "$unpacked/usr/bin" ] || sh "$here/debian.sh" --complete "$unpacked" $packages
  libraries=$(find "$unpacked" -name '*.so*' -path "*/$(uname -m)-linux-gnu*" -exec dirname {} + | sort -u |
    paste -sd: -)
  [ $kind = clang ] || sysroot=--sysroot=$unpacked
  offer >"$folder/try.log" 2>&1 || {
    cat "$folder/try.log" >&2
    echo "compiler: the unpacked $kind compiler does not work; $packages can be installed instead" >&2
    exit 1
  }
fi
touch "$folder/bin/complete"
