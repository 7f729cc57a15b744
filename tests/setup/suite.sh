# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts that fetch Debian's packages, also of another suite than this machine's own, or of another processor.
#
#   own_apt WORK                             writes WORK/apt.conf, with lists and a cache below WORK
#   open_suite WORK SUITE [ARCHITECTURE]     reads the lists; then `apt-get -qq -c "$WORK/apt.conf" download ...`
#   open_suite WORK SUITE source             likewise for `apt-get source`
#
# From the mirror that this machine uses, with lists and a cache of our own, verified by apt as usual.

# Only root has a sandbox to give up. Hooks that clean up the system's own cache are none of ours.
own_apt() {
  cat >"$1/apt.conf" <<CONF
Dir::State::Lists "$1/lists";
Dir::Cache "$1/cache";
Debug::NoLocking "1";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
APT::Update::Error-Mode "any";
APT::Sandbox::User "$(id -un)";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
CONF
}

open_suite() {
  work=$1
  for tool in apt-get dpkg dpkg-deb; do
    command -v "$tool" >/dev/null || fail "$tool is missing: this is no Debian system"
  done
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -e $keys ] || fail "$keys is missing"
  architecture=${3:-$(dpkg --print-architecture)}
  # The machine's own mirror, in either form of apt's sources.
  mirror=$(sed -nE 's/^(URIs:|deb( \[[^]]*\])?) *([a-z+]*:\/\/[^ ]*\/debian)\/?( .*)?$/\3/p' /etc/apt/sources.list \
    /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
  [ -n "$mirror" ] || fail "apt's sources name no mirror of Debian"

  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/unpacked"
  line=deb
  if [ "$architecture" = source ]; then
    line=deb-src
    architecture=$(dpkg --print-architecture)
  fi
  echo "$line [signed-by=$keys] $mirror $2 main" >"$work/sources.list"
  own_apt "$work"
  cat >>"$work/apt.conf" <<CONF
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
Dir::State::status "/dev/null";
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
CONF
  apt-get -qq -c "$work/apt.conf" update || fail "the package lists of $2 cannot be read (no network?)"
}
