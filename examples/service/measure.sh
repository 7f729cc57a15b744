#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Build the service and its load, and measure: measure.sh FOLDER [--quick | --readme]
# In the environment: DLFERRY_ONNXRUNTIME, the library; SERVICE_MODELS, what model.py wrote; RACE, flags of go build.
set -eu
mkdir -p "$1"
# shellcheck disable=SC2086
go build ${RACE:-} -o "$1" . ./load
exec python -B measure.py "$1/service" "$1/load" "$DLFERRY_ONNXRUNTIME" "$SERVICE_MODELS" "$@"
