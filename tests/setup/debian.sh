#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpack packages of this machine's own Debian release into a folder, as any user, without touching the system.
#
#   usage: debian.sh [--complete] PREFIX PACKAGE...      ends with PREFIX/usr/include, PREFIX/usr/lib, ...
#
# A PACKAGE is an extended regular expression for a whole name, since a library's name carries its soname, which
# differs between releases: 'libzfp[0-9]+'. Dependencies are not followed, but with --complete: then all that the
# packages need and the machine lacks is unpacked too, as for a compiler, which is run. Fetched by apt with lists and cache of our
# own, so that a machine that never ran `apt-get update` suffices, verified by apt as usual, unpacked by dpkg-deb.
set -eu

complete=no
if [ "${1-}" = --complete ]; then
  complete=yes
  shift
fi
prefix=${1:?usage: debian.sh [--complete] PREFIX PACKAGE...}
shift
fail() {
  echo "debian: $*" >&2
  exit 1
}
. "$(dirname "$0")/suite.sh"
for tool in apt-get apt-cache dpkg-deb; do
  command -v "$tool" >/dev/null || fail "$tool is missing: this is no Debian system"
done

mkdir -p "$(dirname "$prefix")"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
own_apt "$work"
echo "debian: reading the package lists"
apt-get -qq -c "$work/apt.conf" update || fail "the package lists cannot be read (no network, or no apt sources)"
apt-cache -c "$work/apt.conf" dumpavail | sed -n 's/^Package: //p' | sort -u >"$work/names"

count=0
for pattern in "$@"; do
  found=$(grep -Ex -e "$pattern" "$work/names") || fail "no package is called $pattern"
  for package in $found; do
    echo "$package"
  done >>"$work/wanted"
done
echo "debian: downloading $(wc -l <"$work/wanted") packages"
if [ $complete = yes ]; then
  # What an installation would add. A package that is installed already is not fetched.
  # shellcheck disable=SC2046 -- one argument a package
  apt-get -qq -c "$work/apt.conf" -y --no-install-recommends --download-only install $(cat "$work/wanted") >/dev/null ||
    fail "the packages cannot be installed beside this machine's"
  mv "$work"/cache/archives/*.deb "$work/debs"
else
  # shellcheck disable=SC2046 -- one argument a package
  (cd "$work/debs" && apt-get -qq -c "$work/apt.conf" download $(cat "$work/wanted"))
fi
for deb in "$work"/debs/*.deb; do
  dpkg-deb -x "$deb" "$work/root"
  count=$((count + 1))
done

# All or nothing: the old content is removed only now.
rm -rf "$prefix"
mv "$work/root" "$prefix"
chmod 755 "$prefix"
echo "debian: unpacked $count packages in $prefix"
