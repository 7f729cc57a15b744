# SPDX-License-Identifier: Apache-2.0
# Write packages for several languages from a header: --name, --source, --lang, --out, --link, --no-tests.
set -eu
. "$(dirname "$0")/expect.sh"

# The packages carry gain.c and link libm. Each one also gets tests of the contract.
dlferry-bind gain.h --name gain --source gain.c --link m --lang python,rust --out packages
has packages/gain_dlferry.h "gain_apply_checked("
has packages/python/gain/__init__.pyi "def apply("
has packages/rust/src/lib.rs "pub fn apply("
has packages/rust/build.rs "rustc-link-lib=m"
[ -f packages/rust/csrc/gain.c ] || fail "the Rust package has no gain.c"
[ -d packages/rust/tests ] || fail "the Rust package has no tests"

# Without --lang, only the checked C. Without tests, only the package.
dlferry-bind gain.h --name gain --out checked
[ "$(ls checked | tr '\n' ' ')" = "gain_dlferry.c gain_dlferry.h " ] || fail "expected two files, got $(ls checked)"
dlferry-bind gain.h --name gain --source gain.c --lang rust --no-tests --out small
[ ! -e small/rust/tests ] || fail "expected no tests"
