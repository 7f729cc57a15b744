# SPDX-License-Identifier: Apache-2.0
# Bind a header that knows only pointers and lengths, with a file beside it: --contracts, --new-contracts.
set -eu
. "$(dirname "$0")/expect.sh"

echo 'double sums_of(const double *x, int n);' >sums.h

# Begin with guesses, which do nothing until you remove their mark.
dlferry-bind sums.h --name sums --new-contracts guesses
has guesses "?x: f64[n];"
sed 's/?//' guesses >sums.contracts

dlferry-bind sums.h --name sums --contracts sums.contracts --lang python --out made
has made/python/sums/__init__.pyi "def of("
