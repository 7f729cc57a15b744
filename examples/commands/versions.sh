# SPDX-License-Identifier: Apache-2.0
# Learn what a new version of a header breaks: --diff, --old-folder.
set -eu
. "$(dirname "$0")/expect.sh"

mkdir old new
echo '#include <sums_types.h>
double sums_of(const double *x, sums_size n);' >old/sums.h
cp old/sums.h new
echo 'int sums_count(void);' >>new/sums.h
echo 'typedef int sums_size;' | tee old/sums_types.h >new/sums_types.h
echo 'sums_of { x: f64[n]; n := n }' >sums.contracts

# A new function breaks none of the users, so the status is 0.
compare() {
  dlferry-bind --diff old/sums.h new/sums.h --name sums --contracts sums.contracts --preprocess \
    --old-folder old -I new
}
ends 0 compare
has out "new/sums.h:3: sums_count: a new function"

# Each break is a sentence; behind it stands whom it breaks. The status is 1, for the job that checks a release.
echo 'typedef long sums_size;' >new/sums_types.h
sed -i 's/of(const double/of(const float/' new/sums.h
ends 1 compare
has out "sums_of: a parameter is \`sums_size n\`, i64, was i32 (source, ABI)"
has out "sums_of: a parameter is \`const float *x\`, was \`const double *x\` (source)"
has out "of: x: the contract says f64, C says float (contract)"
