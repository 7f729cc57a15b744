#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpack Debian's Julia 1.5.3 and the libraries it loads into a folder, as any user, without touching the system.
#
#   usage: install-julia.sh PREFIX      ends with PREFIX/bin/julia
#
# Debian 11 was the last release with Julia, so its packages are fetched through apt with lists and cache of our own,
# verified by the system's archive keyring, and unpacked with dpkg. Needs: a Debian machine, about 300 MB.
set -eu

prefix=${1:?usage: install-julia.sh PREFIX}
shift
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)

# Julia, and each library it loads whose soname later releases no longer carry or a small machine may lack. Packages
# unpacked by an earlier run have a folder in doc, or a link.
for package in julia libjulia1 julia-common libgit2-1.1 libllvm9 libmbedcrypto3 libmbedtls12 libmbedx509-0 libopenlibm3 \
  libdsfmt-19937-1 libutf8proc2 libffi7 libpcre2-8-0 libssh2-1 libcurl3-gnutls libmpfr6 libgmp10 libunwind8 \
  libgfortran5 libpcre3 libhttp-parser2.9; do
  doc=$prefix/usr/share/doc/$package
  [ -d "$doc" ] || [ -L "$doc" ] || set -- "$@" "$package/bullseye"
done
if [ $# -eq 0 ] && "$prefix/bin/julia" --version; then exit 0; fi

fail() {
  echo "install-julia: $*" >&2
  exit 1
}
for tool in apt-get dpkg dpkg-deb; do
  command -v "$tool" >/dev/null || fail "$tool is missing; on other systems than Debian install Julia yourself"
done
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || fail "$keyring is missing (apt-get install debian-archive-keyring)"

# The machine's own mirrors of Debian serve its older releases too.
site() { apt-get indextargets --format '$(SITE)' | sort -u | grep -E "$1" | head -n 1; }
main=$(site '/debian/?$') || true
security=$(site '/debian-security/?$') || true
[ -n "$main" ] && [ -n "$security" ] || fail "the apt sources name no Debian archive (or run apt-get update once)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs"
for source in "$main bullseye" "$security bullseye-security"; do
  echo "deb [signed-by=$keyring] $source main"
done >"$work/sources.list"
# bullseye's Release files are past their date; the signature still holds. Only root has a sandbox to give up. Hooks
# that clean up the system's own cache are none of ours.
cat >"$work/apt.conf" <<CONF
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
Debug::NoLocking "1";
Acquire::Check-Valid-Until "false";
APT::Sandbox::User "$(id -un)";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
CONF
apt() { apt-get -qq -c "$work/apt.conf" "$@"; }
echo "install-julia: reading the package lists of Debian 11"
apt update

echo "install-julia: downloading $# packages"
(cd "$work/debs" && apt download "$@")
for deb in "$work"/debs/*.deb; do
  dpkg -x "$deb" "$prefix"
done
if [ -d "$prefix/lib" ]; then cp -RP "$prefix/lib/." "$prefix/usr/lib/"; fi # to Debian they are one folder

mkdir -p "$prefix/bin"
cat >"$prefix/bin/julia" <<'WRAPPER'
#!/bin/sh
# Runs the unpacked Julia with the libraries unpacked beside it.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
lib=$root/usr/lib/$(uname -m)-linux-gnu
export LD_LIBRARY_PATH="$lib:$lib/julia${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$root/usr/bin/julia" "$@"
WRAPPER
chmod +x "$prefix/bin/julia"
"$prefix/bin/julia" --version
