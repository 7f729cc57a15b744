#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make an example's package for one language, build a program with it as a user would, and compare its output.
#   usage: try.sh LANGUAGE EXAMPLE [ARGUMENT...]
set -eu
if [ $# -lt 2 ]; then
  cat >&2 <<'EOF'
usage: try.sh python|rust|go|julia samplerate|sndfile|hdf5|zfp|stb|fftw|blas|zlib|faiss|xgboost|lightgbm [ARGUMENT...]
       try.sh python|rust|go|julia llama FOLDER
   where stb's argument is a picture, and FOLDER has the model.gguf that llama/library.sh wrote
Programs, from PATH unless the environment names them: BIND (dlferry-bind), PYTHON, CARGO, GO, JULIA.
Python has dlferry, numpy, pytest, scikit-build-core and ninja; Julia's DLFerry is in JULIA_PACKAGE, else in
bindings/julia, and built. The C libraries are Debian's libsamplerate0-dev, libsndfile1-dev, libhdf5-dev, libzfp-dev,
libstb-dev, libblas-dev, liblapacke-dev and zlib1g-dev, the libfaiss_c that faiss/library.cmake builds, and what
library.sh makes of the last two; CPATH, LIBRARY_PATH and LD_LIBRARY_PATH say where, if not in the system's folders.
EOF
  exit 2
fi
language=$1 example=$2
shift 2
repository=$(cd "${REPOSITORY-$(dirname "$0")/..}" && pwd)
BIND=${BIND-dlferry-bind} PYTHON=${PYTHON-python3} CARGO=${CARGO-cargo} GO=${GO-go} JULIA=${JULIA-julia}
JULIA_PACKAGE=${JULIA_PACKAGE-$repository/bindings/julia}
here=$repository/examples/$example
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# A header, in the folders where the compiler looks.
own_header() {
  IFS=:
  for folder in "$here" ${CPATH-} /usr/include "/usr/include/$(cc -print-multiarch 2>/dev/null)"; do
    [ ! -e "$folder/$1" ] || { echo "$folder/$1" && return; }
  done
  echo "no $1 in CPATH and /usr/include" >&2
  exit 1
}

own=""
case $example in
samplerate) name=sr link="--link samplerate" module=Sr own=samplerate.h prefix=src_ ;;
sndfile) name=sf link="--link sndfile" module=Sf own=sndfile.h prefix=sf_,SF_ ;;
hdf5) name=h5 link="--link hdf5_serial_hl --link hdf5_serial" module=H5 prefix=H5 features=', "num-complex"'
  own="H5Fpublic.h H5Dpublic.h H5Spublic.h H5Gpublic.h H5Apublic.h H5Tpublic.h H5LTpublic.h"
  ;;
zfp) name=zf link="--link zfp" module=Zf own=zfp.h ;;
stb) name=si link="" module=Si ;;
blas) name=blas link="--link lapacke --link blas" module=Blas own="cblas-netlib.h lapacke.h" ;;
fftw) name=fftw link="--link fftw3 --link fftw3f" module=Fftw own=fftw3.h prefix=fftw_ features=', "num-complex"' ;;
zlib) name=zl link="--link z" module=Zl own=zlib.h prefix=zlib,Z_ ;;
xgboost) name=xgb link="--link xgboost" module=Xgb own=xgboost/c_api.h prefix=XGB,XG ;;
lightgbm) name=lgb link="--link _lightgbm" module=Lgb own=LightGBM/c_api.h prefix=LGBM_ ;;
llama) name=llama link="--link llama" module=Llama own=llama.h prefix=llama_ ;;
handles) # a test of the generator
  name=handles link="" module=Handles here=$repository/tests/bind/handles features=', "num-complex"'
  ;;
scalars) name=scalars link="" module=Scalars here=$repository/tests/bind/scalars ;; # the same
shapes) name=shapes link="--contracts shapes.contracts --prefix s_" module=Shapes here=$repository/tests/bind/shapes ;;
properties) name=properties link="--contracts properties.contracts --prefix q_" module=Properties
  here=$repository/tests/bind/properties ;; # the same
faiss) # its headers, and one of the example
  name=faiss link="--link faiss_c --source range.h --source range.c" module=Faiss prefix=faiss_
  own=faiss/c_api/Index_c.h
  for part in index_factory index_io AutoTune impl/AuxIndexStructures error; do own="$own faiss/c_api/${part}_c.h"; done
  own="$own range.h"
  ;;
*) echo "no example is called $example" >&2 && exit 2 ;;
esac
[ $# -gt 0 ] || set -- "$work" # for program output

# shellcheck disable=SC2086 -- an option and its value, or nothing
if [ "$example" = handles ] || [ "$example" = scalars ]; then
  prefix=$(printf %.1s "$name")_
  (cd "$here/.." && "$BIND" "$name.h" --name "$name" --prefix "$prefix" --contracts "$name.contracts" \
    --source "${name}_library.c" --strict --lang "$language" --out "$work")
elif [ "$example" = zfp ]; then
  (cd "$here" && "$BIND" "$(own_header "$own")" zf.h --preprocess --name zf --prefix zfp_ \
    --contracts zf.contracts --include "$own" --include zf.h --source zf.h --source zf.c $link --lang "$language" \
    --out "$work")
elif [ "$own" ]; then
  for header in $own; do
    headers="${headers-} $(own_header "$header") --include $header"
  done
  (cd "$here" && "$BIND" $headers --preprocess --name "$name" --prefix "${prefix-cblas_,LAPACKE_}" \
    --contracts "$name.contracts" $link --lang "$language" --out "$work")
else
  (cd "$here" && "$BIND" "$name.h" --name "$name" --source "$name.c" $link --strict --lang "$language" --out "$work")
fi
package=$work/$language
compile=yes
case $here in
"$repository"/tests/bind/*) compile=min ;; # each of their lines runs once; libraries' examples have loops
esac
mkdir "$work/program"
case $language in
python)
  "$PYTHON" -m pip install --quiet --no-index --no-deps --no-build-isolation --target "$work/site" \
    --config-settings=cmake.build-type=Debug "$package" # soon compiled
  PYTHONPATH=$work/site "$PYTHON" "$here/example.py" "$@" >"$work/printed"
  PYTHONPATH=$work/site "$PYTHON" -B -m pytest -q -p no:cacheprovider "$package/tests"
  [ ! -e "$here/stress.py" ] || PYTHONPATH=$work/site "$PYTHON" "$here/stress.py"
  ;;
rust)
  mkdir "$work/program/src"
  cp "$here/main.rs" "$work/program/src/"
  cp "$repository/tests/rooms/rust/Cargo.lock" "$work/program/" # with already fetched crates
  cat >"$work/program/Cargo.toml" <<EOF
[package]
name = "example-$name"
version = "0.0.0"
edition = "2021"

[dependencies]
dlferry = "*"
ndarray = { version = "*", default-features = false, features = ["std"] }
$name = { path = "$package", features = ["ndarray"${features-}] }

[patch.crates-io]
dlferry = { path = "$repository/bindings/rust/dlferry" }
dlferry-sys = { path = "$repository/bindings/rust/dlferry-sys" }
EOF
  "$CARGO" test --quiet --test contract --manifest-path "$work/program/Cargo.toml" -p "$name"
  "$CARGO" run --quiet --manifest-path "$work/program/Cargo.toml" -- "$@" >"$work/printed"
  ;;
go)
  cp "$here/main.go" "$work/program/"
  cat >"$work/program/go.mod" <<EOF
module example

go 1.24

require github.com/dlferry/dlferry/bindings/go v0.3.0

require $name v0.0.0

replace github.com/dlferry/dlferry/bindings/go => "$repository/bindings/go"

replace $name => "$package"
EOF
  (cd "$work/program" && "$GO" test -vet=off "$name" && "$GO" build -o "$work/example" .)
  "$work/example" "$@" >"$work/printed"
  ;;
julia)
  JULIA_LOAD_PATH=$JULIA_PACKAGE:$package:@stdlib
  export JULIA_LOAD_PATH
  CFLAGS="${CFLAGS--O0}" "$JULIA" --startup-file=no --compile=min "$package/deps/build.jl"
  "$JULIA" --startup-file=no "--compile=$compile" "$here/example.jl" "$@" >"$work/printed"
  "$JULIA" --startup-file=no --compile=min "$package/test/runtests.jl"
  ;;
esac
diff "$here/golden.txt" "$work/printed" || {
  echo "FAILED: $example in $language prints something else than golden.txt" >&2
  exit 1
}
cat "$work/printed"

# A package of another author reads what the program wrote.
if [ -e "$here/peer.py" ] && [ -n "${PEER-}" ]; then
  "$PEER" -B "$here/peer.py" "$work"
fi

# libsamplerate's own command, on the same file: equal to one step of 16 bits.
if [ "$example" = samplerate ] && [ -n "${RESAMPLE-}" ] && [ -n "${PYTHON-}" ]; then
  "$RESAMPLE" -to 48000 -c 0 "$work/tone.wav" "$work/expected.wav" >/dev/null
  "$PYTHON" - "$work/resampled.wav" "$work/expected.wav" <<'EOF'
import sys
import wave

import numpy

ours, theirs = (
    numpy.frombuffer(wave.open(path).readframes(1 << 20), "<i2").astype(int) for path in sys.argv[1:]
)
assert abs(len(ours) - len(theirs)) <= 2, (len(ours), len(theirs))
size = min(len(ours), len(theirs))
far = numpy.abs(ours[:size] - theirs[:size]).max()
print(f"beside sndfile-resample: {size // 2} frames, at most {far} of 32768 apart")
assert far <= 1, far
EOF
fi

# XGBoost's own package, in an environment below this folder.
if [ "$example" = xgboost ] && [ "$language" = python ] && [ -n "${XGBOOST_SETUP-}" ]; then
  PYTHONPATH=$work/site${PYTHONPATH+:$PYTHONPATH} "$PYTHON" -B "$here/compare.py" "$XGBOOST_SETUP"
fi
