// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A guard releases the handle of a Tensor that is forgotten: only the Tensor points to it, and its cleanup runs after
// both. Closed tensors give theirs to later ones, since adding a cleanup costs two allocations and more than a call of C.
type guard struct {
	handle *atomic.Uintptr // outside, for the cleanup; 0 while the guard has nothing to release
}

var guards = sync.Pool{New: func() any {
	g := &guard{handle: new(atomic.Uintptr)}
	runtime.AddCleanup(g, releaseForgotten, g.handle)
	return g
}}

func releaseForgotten(handle *atomic.Uintptr) {
	if owned := handle.Swap(0); owned != 0 {
		release(C.uintptr_t(owned))
	}
}

func newGuard(handle C.uintptr_t) *guard {
	g := guards.Get().(*guard)
	g.handle.Store(uintptr(handle))
	return g
}

// end is for a Tensor that is closed: its handle is no longer the guard's to release.
func (g *guard) end() {
	g.handle.Store(0)
	// The compiler sends all that is reachable from a pooled pointer to the heap: every argument of a call, through done.
	number := C.uintptr_t(uintptr(unsafe.Pointer(g)))
	guards.Put((*guard)(pointer(&number)))
	runtime.KeepAlive(g)
}

func release(handle C.uintptr_t) { released(C.dlfgo_release(handle)) }
