#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh PYTHON ARGUMENT...: `pip install ARGUMENT...` into an environment, by uv, which fetches and unpacks several
# packages at once. pip does it where it was told of an index of the user's, which uv would not ask, and where uv fails.
# Most of the frameworks' 12,000 files are never imported, so none is compiled here: Python compiles those that are.
set -u
python=$1
shift
uv=0.13.9
pip() { "$python" -m pip --disable-pip-version-check "$@"; }

if pip config list | grep -q 'index'; then
  pip install --no-compile "$@"
  exit
fi
if "$python" -c 'import uv' 2>/dev/null || pip install --quiet "uv==$uv"; then
  "$python" -m uv pip install --python "$python" --no-cache "$@" && exit
  echo "set-up: uv failed, pip tries again"
fi
pip install --no-compile "$@"
