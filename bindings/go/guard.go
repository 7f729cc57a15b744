// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// A guard releases the handle of a Tensor that is forgotten: only the Tensor points to it, and its cleanup runs after
// both. Closed tensors give theirs to later ones, since adding a cleanup costs two allocations and more than a call of C.
type guard struct {
	handle *C.uintptr_t // outside, for the cleanup; 0 while the guard has nothing to release
}

var guards = sync.Pool{New: func() any {
	g := &guard{handle: new(C.uintptr_t)}
	runtime.AddCleanup(g, releaseForgotten, g.handle)
	return g
}}

// The cleanup runs after the last use of the guard, which the race detector does not see.
//
//go:norace
func releaseForgotten(handle *C.uintptr_t) {
	if *handle != 0 {
		release(*handle)
	}
}

//go:norace
func newGuard(handle C.uintptr_t) *guard {
	g := guards.Get().(*guard)
	*g.handle = handle
	return g
}

// end is for a Tensor that is closed: its handle is no longer the guard's to release.
//
//go:norace
func (g *guard) end() {
	*g.handle = 0
	// The compiler sends all that is reachable from a pooled pointer to the heap: every argument of a call, through done.
	number := C.uintptr_t(uintptr(unsafe.Pointer(g)))
	guards.Put((*guard)(pointer(&number)))
	runtime.KeepAlive(g)
}

func release(handle C.uintptr_t) { released(C.dlfgo_release(handle)) }
