# SPDX-License-Identifier: Apache-2.0
# Show .npy files, dtypes and devices with the command dlferry: inspect, dtypes, devices, --version, --help.
set -eu
. "$(dirname "$0")/expect.sh"

dlferry inspect numbers.npy >shown
has shown '"dtype": "float32", "shape": [2, 3]'
has shown '[[1., 2., 3.],'
ends 1 dlferry inspect missing.npy
has said "dlferry: missing.npy: npy_open: expected a file"

dlferry dtypes >dtypes
has dtypes "bfloat16"
dlferry devices >devices
has devices "cuda"

dlferry --version | grep -q '^dlferry [0-9].*DLPack 1' || fail "expected a version"
dlferry --help >help
has help "usage: dlferry inspect"
