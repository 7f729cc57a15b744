# SPDX-License-Identifier: Apache-2.0
# One package from several headers, with a submodule for each: HEADER..., and --include for what C includes.
set -eu
. "$(dirname "$0")/expect.sh"

echo 'typedef enum lib_mode { LIB_FAST, LIB_EXACT } lib_mode;' >lib_modes.h
echo '#include "lib_modes.h"
int lib_cost(lib_mode mode, int size);' >lib_costs.h
dlferry-bind lib_modes.h lib_costs.h --name lib --include lib_modes.h --include lib_costs.h --lang python,rust --out made
has made/lib_dlferry.h '#include "lib_costs.h"'
has made/python/lib/costs.py "cost,"
has made/rust/src/lib.rs "pub mod costs {"
