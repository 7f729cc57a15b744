// SPDX-License-Identifier: Apache-2.0

//go:build cgo

// Package dlferry makes Go speak DLPack, the C structure in which NumPy, PyTorch, JAX, Rust, Go and Julia libraries
// hand each other tensors without a copy.
//
// A [Tensor] is one counted handle on a tensor, its shape and its owner. [Create] allocates one, [Wrap] puts one around
// a Go slice, [FromDLPack] takes one over from another library and [Tensor.ToDLPack] hands one out. [With] reads and
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
// Close a Tensor when it is no longer needed; one that is forgotten is closed some time after the garbage collector
// finds it. A wrapped slice stays pinned until the last user of its memory is gone, who may be in another language and
// on another thread: that thread never enters Go, it leaves the slice on a release queue, which every call of this
// package and one goroutine of its own empty.
//
// # Concurrency
//
// Every function may be called from any goroutine. A Tensor may be shared, and closed at any time: a call that is using
// it goes on, and the memory goes with the last one: inside of [With] that holds for the elements and for a slice of them.
// An [Elements] that [View] made, and a slice of it, must not be used while another goroutine closes the tensor.
// Synchronising access to the elements is up to the program.
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

// Extents and indices are int here and int64_t in C: this does not compile where they differ.
var _ [0]struct{} = [unsafe.Sizeof(int(0)) - 8]struct{}{}

// Version tells the version of the library, such as "0.1.0".
//
// C: dlf_version
func Version() string { return C.GoString(C.dlf_version()) }

// Live counts the tensors that have not been let go yet, those of other languages that hold Go memory included.
//
// It is 0 when nothing leaked. A Tensor that was not closed counts until the garbage collector has found it.
//
// C: dlf_live
func Live() int64 {
	drainAll()
	return int64(C.dlf_live())
}
