#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Build llama.cpp from the sources that PyPI's llama-cpp-python carries, and write the small model.
#   usage: library.sh PYTHON FOLDER
# FOLDER gets lib, include, old (the headers of an older version, for --diff) and model.gguf. Nothing else stays.
set -eu
python=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)
new=0.3.36 old=0.3.32
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

# Unpack the sources of llama.cpp of one version.
fetch() {
  "$python" -m pip --disable-pip-version-check download --quiet --no-deps --no-binary llama-cpp-python \
    --dest "$work" "llama-cpp-python==$1"
  tar -xzf "$work/llama_cpp_python-$1.tar.gz" -C "$work" "llama_cpp_python-$1/vendor/llama.cpp"
}

# The headers of one version, in a folder.
headers() {
  mkdir -p "$2"
  cp "$work/llama_cpp_python-$1/vendor/llama.cpp"/include/*.h \
    "$work/llama_cpp_python-$1/vendor/llama.cpp"/ggml/include/*.h "$2"
}

fetch "$old"
headers "$old" "$folder/old"
rm -r "$work/llama_cpp_python-$old"
fetch "$new"
headers "$new" "$folder/include"
source=$work/llama_cpp_python-$new/vendor/llama.cpp

# The libraries alone, without what needs other libraries or this processor. -O1: the model is small.
cmake -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
  -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
  -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
  -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_APP=OFF -DLLAMA_OPENSSL=OFF -DGGML_OPENMP=OFF -DGGML_NATIVE=OFF \
  -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH=\$ORIGIN
cmake --build "$work/build" --parallel "${DLFERRY_JOBS-2}"
mkdir -p "$folder/lib"
find "$work/build" -name 'lib*.so*' -exec cp -P {} "$folder/lib" \;

"$python" -m pip --disable-pip-version-check install --quiet --no-deps --target "$work/gguf" gguf==0.19.0
PYTHONPATH=$work/gguf "$python" -B "$here/model.py" "$source/models/ggml-vocab-llama-spm.gguf" "$folder/model.gguf"
