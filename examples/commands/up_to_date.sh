# SPDX-License-Identifier: Apache-2.0
# Let a test fail when checked-in packages are older than their header: --check.
set -eu
. "$(dirname "$0")/expect.sh"

dlferry-bind gain.h --name gain --out made
ends 0 dlferry-bind gain.h --name gain --out made --check

sed 's/factor = 2.0/factor = 3.0/' gain.h >changed.h && mv changed.h gain.h
ends 1 dlferry-bind gain.h --name gain --out made --check
has said made/gain_dlferry.h
