# SPDX-License-Identifier: Apache-2.0
# Bind a header that declares its functions through macros and includes its types: --preprocess, -I, -D.
set -eu
. "$(dirname "$0")/expect.sh"

mkdir include
echo 'typedef double sums_real;' >include/sums_types.h
cat >sums.h <<'END'
#include <sums_types.h>
#define SUMS(name, R) R sums_##name(const R *x, int n)
#ifdef SUMS_ALL
SUMS(of, sums_real);
#endif
END
echo 'sums_of { n := n;  x: f64[n] }' >sums.contracts

# The compiler (cc, or what CC names) expands macros. What sums_types.h declares is known, but not bound.
dlferry-bind sums.h --name sums --contracts sums.contracts --preprocess -I include -D SUMS_ALL=1 --lang python --out made
has made/python/sums/__init__.pyi "def of("
