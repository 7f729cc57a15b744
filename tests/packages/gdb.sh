#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A breakpoint in a C kernel that Python calls, as in the README.
#   usage: gdb.sh PYTHON PACKAGE        (PYTHON has dlferry, scikit-build-core; PACKAGE is photo's for Python)
set -eu
python=$1 package=$2
if ! command -v gdb >/dev/null; then
  echo "NOT RUN: needs gdb, which is not installed"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$package" "$work/package"
SKBUILD_CMAKE_BUILD_TYPE=Debug SKBUILD_INSTALL_STRIP=false "$python" -m pip install --quiet \
  --disable-pip-version-check --no-index --no-deps --no-build-isolation --target "$work/site" "$work/package"
cat >"$work/program.py" <<'END'
import photo

photo.blur(memoryview(bytearray(100)).cast("f", (5, 5)), sigma=1.5)
END
PYTHONPATH=$work/site gdb -q -batch -nx -ex 'set breakpoint pending on' -ex 'set debuginfod enabled off' \
  -ex 'break photo_blur' -ex run -ex 'backtrace 3' -ex 'print image->shape[0]' -ex kill \
  --args "$python" "$work/program.py" >"$work/log" 2>&1 || true
if grep -qi -e 'ptrace: operation not permitted' -e 'could not trace the inferior' "$work/log"; then
  echo "NOT RUN: gdb may not trace processes here"
  exit 77
fi
for words in 'Breakpoint 1, photo_blur (image=.* sigma=1.5,' '^#[12] .* photo_blur_new (.*sigma=1.5' '^\$1 = 5$'; do
  grep -q "$words" "$work/log" || {
    echo "FAILED: expected '$words' from gdb, got:" >&2
    cat "$work/log" >&2
    exit 1
  }
done
grep 'Breakpoint 1, ' "$work/log"
