// SPDX-License-Identifier: Apache-2.0

//go:build cgo

// Package dlferry implements DLPack for Go, the C structure in which NumPy, PyTorch, JAX, Rust, Go and Julia libraries
// exchange tensors without a copy.
//
// A [Tensor] is a counted handle on a tensor. [Create] allocates one, [Wrap] takes a slice, [FromDLPack] imports,
// [Tensor.ToDLPack] exports, [With] uses the elements.
//
// Close a Tensor when it is no longer needed; the garbage collector closes a forgotten one later. A wrapped slice stays
// pinned until its last user is gone, perhaps in another language and on another thread. That thread never enters Go:
// later calls of this package, or a goroutine, take the slice back.
//
// Every function may be called from any goroutine, and a shared Tensor may be closed at any time: a running call
// continues, and the last one releases the memory, also inside [With]. Do not use [Elements] of [Look] while another
// goroutine closes the tensor. Synchronising access to elements is up to you.
//
// Errors are of type [*Error], whose text is the same in every language; errors.Is(err, dlferry.ErrShape) tests the
// kind.
package dlferry

// #cgo CFLAGS: -std=c11 -O2 -fvisibility=hidden -DDLF_HIDDEN
// #include "bridge.h"
import "C"

import (
	"math"
	"unsafe"
)

// Extents and indices are int here and int64_t in C: this does not compile if they differ.
var _ [0]struct{} = [unsafe.Sizeof(int(0)) - 8]struct{}{}

// Version returns the version of the library, such as "0.3.0".
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
	return int64(C.dlf_live()) + countExported()
}

// SetThreads lets one large copy, cast or fill use up to so many threads, from now on in all the process: 1 before the first
// call.
//
// Results of less than 16 MiB get one thread. Threads are made for each call and end before it returns. It fails with
// ErrInvalid for less than 1 or more than 64.
//
// C: dlf_set_threads
func SetThreads(count int) error {
	var e C.dlf_error
	return failed(C.dlf_set_threads(C.int32_t(min(max(count, math.MinInt32), math.MaxInt32)), &e), &e)
}
