// SPDX-License-Identifier: Apache-2.0

//go:build !cgo

package dlferry

// dlferry is a C library with a Go interface. This build has cgo switched off, so the next line stops it.
// Set CGO_ENABLED=1 (a cross build switches it off by default) and have a C compiler on PATH or named by CC.
var _ = dlferry_needs_cgo__set_CGO_ENABLED_to_1_and_install_a_C_compiler
