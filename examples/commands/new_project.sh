# SPDX-License-Identifier: Apache-2.0
# Start a project: --new. And ask the command about itself: --version, --help.
set -eu
. "$(dirname "$0")/expect.sh"

dlferry-bind --new filters project >hints
has project/filters.h "@contract x: f32[n]"
has project/CMakeLists.txt "dlferry_add_bindings(filters"
has project/filters.toml 'version = "0.1.0"' # of all packages that `cmake --workflow --preset release` makes
has project/.github/workflows/release.yml "cibuildwheel packages/python"
ends 1 dlferry-bind --new filters project # It overwrites nothing.

dlferry-bind --version | grep -q '^dlferry-bind [0-9]' || fail "expected a version"
dlferry-bind --help >help
has help "usage: dlferry-bind"
