#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh PYTHON ARGUMENT...: `pip install ARGUMENT...` into an environment, by uv, which fetches and unpacks several
# packages at once. pip does it where it was told of an index of the user's, which uv would not ask, and where uv fails.
# Most of the frameworks' 12,000 files are never imported, so none is compiled here: Python compiles those that are.
set -u
python=$1
shift
uv=0.13.9
# An index may have to fetch a framework's wheel itself first, which takes minutes.
export PIP_DEFAULT_TIMEOUT="${PIP_DEFAULT_TIMEOUT:-180}"
export UV_HTTP_TIMEOUT="${UV_HTTP_TIMEOUT:-$PIP_DEFAULT_TIMEOUT}"
pip() { "$python" -m pip --disable-pip-version-check "$@"; }

if pip config list | grep -q 'index'; then
  pip install --no-compile "$@"
  exit
fi
# Its cache lies beside the environment, where its files are linked and not copied, and keeps what came before a failure.
UV_CACHE_DIR=$(dirname "$python")/../../uv
export UV_CACHE_DIR
if "$python" -c 'import uv' 2>/dev/null || pip install --quiet "uv==$uv"; then
  for pause in 0 10 30; do
    sleep $pause
    if "$python" -m uv pip install --python "$python" "$@"; then
      rm -rf "$UV_CACHE_DIR"
      exit
    fi
    echo "set-up: uv failed"
  done
  echo "set-up: pip tries in its place"
fi
pip install --no-compile "$@"
