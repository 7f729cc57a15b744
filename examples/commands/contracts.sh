# SPDX-License-Identifier: Apache-2.0
# Bind a header that knows only pointers and lengths, with a file beside it: --contracts, --new-contracts, --explain.
set -eu
. "$(dirname "$0")/expect.sh"

echo 'double sums_of(const double *x, int n);' >sums.h

# Ask what one function lacks, or all that are left out.
dlferry-bind sums.h --name sums --explain sums_of >lacks
has lacks "x: f64[n];"
dlferry-bind sums.h --name sums --explain 'sums_*' >lacks
has lacks "x: f64[n];"

# Begin with guesses, which do nothing until you remove their mark.
dlferry-bind sums.h --name sums --new-contracts guesses
has guesses "?x: f64[n];"
sed 's/?//' guesses >sums.contracts

dlferry-bind sums.h --name sums --contracts sums.contracts --lang python --out made
has made/python/sums/__init__.pyi "def of("

# A new version of the header: add guesses for what is new to the file, which else stays as it is.
echo 'double sums_mean(const double *x, int n);' >>sums.h
dlferry-bind sums.h --name sums --contracts sums.contracts --new-contracts sums.contracts
has sums.contracts "sums_mean {"
has sums.contracts "?x: f64[n];"
