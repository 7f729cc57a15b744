# SPDX-License-Identifier: Apache-2.0
# See what dlferry-bind understands of a header: --explain, --ir, --cases, --coverage, --strict.
set -eu
. "$(dirname "$0")/expect.sh"

# For people: one function, with its signature in each language.
dlferry-bind gain.h --name gain --explain gain_apply >explained
has explained "signal: f32[n]"
has explained "func Apply(signal dlferry.Arg, options ApplyOptions) (*dlferry.Tensor, error)"

# For programs: all functions as JSON, and the calls that generated tests make.
dlferry-bind gain.h --name gain --ir >ir.json
has ir.json '"name": "gain_apply"'
dlferry-bind gain.h --name gain --cases >cases.json
has cases.json "factor is 0, wanted factor > 0"

# How much of a header is bound, and what keeps the rest out, the most frequent reason first.
sed '/^#endif/i void gain_print(const char *format, ...);' gain.h >variadic.h
dlferry-bind variadic.h --name gain --coverage table >coverage
has coverage "a variable number of arguments is not bound"

# A function that cannot be bound is skipped with a message, unless the build should stop there.
ends 0 dlferry-bind variadic.h --name gain --out made
has said "gain_print"
ends 1 dlferry-bind variadic.h --name gain --out made --strict
