// SPDX-License-Identifier: Apache-2.0

//go:build cgo

// Package dlferry implements DLPack for Go, the C structure in which NumPy, PyTorch, JAX, Rust, Go and Julia libraries
// exchange tensors without a copy.
//
// A [Tensor] is one counted handle on a tensor, its shape and its owner. [Create] allocates one, [Wrap] makes one
// around a Go slice, [FromDLPack] imports one from another library and [Tensor.ToDLPack] exports one. [With] reads and
// writes its elements in place.
//
//	pixels := make([]float32, 480*640)
//	t, err := dlferry.Wrap(pixels, 480, 640)
//	if err != nil {
//		return err
//	}
//	defer t.Close()
//
// # Ownership
//
// Close a Tensor when it is no longer needed; the garbage collector closes a forgotten one later. A wrapped slice stays
// pinned until its last user is gone, perhaps in another language and on another thread. That thread never enters Go:
// it puts the slice on a release queue, which every call of this package and a goroutine empty.
//
// # Concurrency
//
// Every function may be called from any goroutine. A Tensor may be shared, and closed at any time: a running call
// continues, and the last one releases the memory. Inside [With] that covers the elements and a slice of them. Do not
// use [Elements] from [Look], or their slice, while another goroutine closes the tensor. Synchronising access to the
// elements is up to you.
//
// # Errors
//
// Errors are of type [*Error]; their text is the same in every language. Test for a kind with errors.Is:
//
//	if errors.Is(err, dlferry.ErrShape) { ... }
package dlferry

// #cgo CFLAGS: -std=c11 -O2 -fvisibility=hidden -DDLF_HIDDEN
// #include "bridge.h"
import "C"

import "unsafe"

// Extents and indices are int here and int64_t in C: this does not compile if they differ.
var _ [0]struct{} = [unsafe.Sizeof(int(0)) - 8]struct{}{}

// Version returns the version of the library, such as "0.2.0".
//
// C: dlf_version
func Version() string { return C.GoString(C.dlf_version()) }

// VersionNumber returns the version of the library as one number that grows: 201 is 0.2.1.
//
// C: dlf_version_number
func VersionNumber() int { return int(C.dlf_version_number()) }

// Live counts the tensors that are not released yet, including those of other languages that hold Go memory.
//
// It is 0 when nothing leaked. A Tensor that was not closed counts until the garbage collector finds it.
//
// C: dlf_live
func Live() int64 {
	drainAll()
	return int64(C.dlf_live())
}
