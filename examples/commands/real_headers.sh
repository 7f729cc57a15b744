# SPDX-License-Identifier: Apache-2.0
# Bind a header that was not written for dlferry-bind: --prefix, --ignore-macro, --include.
set -eu
. "$(dirname "$0")/expect.sh"

# Functions begin with amp_ instead of gain_, and have an export macro in front.
sed -e 's/gain_apply/amp_apply/' -e 's/^void/AMP_EXPORT void/' gain.h >amp.h
ends 1 dlferry-bind amp.h --name gain --prefix amp_ --out made
dlferry-bind amp.h --name gain --prefix amp_ --ignore-macro AMP_EXPORT --lang python --out made
has made/python/gain/__init__.pyi "def apply("

# A header that needs the preprocessor is preprocessed first. The checked C still includes the original.
sed '/^#include/a #define OUT(name) DLTensor *name' gain.h | sed 's/DLTensor \*out)/OUT(out))/' >macros.h
include=$here/../../core/include
"${CC:-cc}" -E -C -I"$include" macros.h -o macros.i
dlferry-bind macros.i --name gain --include macros.h --out made
has made/gain_dlferry.h '#include "macros.h"'
