# SPDX-License-Identifier: Apache-2.0
# Choose where Go finds the package: --go-module, --go-package.
set -eu
. "$(dirname "$0")/expect.sh"

# A module of its own.
dlferry-bind gain.h --name gain --source gain.c --lang go --out module --go-module example.com/audio/gain
has module/go/go.mod "module example.com/audio/gain"

# A package inside a module that exists.
dlferry-bind gain.h --name gain --source gain.c --lang go --out app/internal --go-package example.com/app/internal/go
[ ! -e app/internal/go/go.mod ] || fail "expected no go.mod"
