// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

import (
	"runtime"
	"sync/atomic"
)

// Handle guards an object in C that a generated package opens and closes, so that it is freed once, and never while
// a call uses it: whoever is last frees it. It is for generated packages. It must not be copied.
type Handle struct {
	state   atomic.Int64 // twice the calls inside, and 1 once it is closed
	object  uintptr
	free    func(uintptr)
	cleanup runtime.Cleanup
}

// Open takes the object. One that is never closed is freed some time after the garbage collector has found the handle.
func (h *Handle) Open(object uintptr, free func(uintptr)) {
	h.object, h.free = object, free
	h.cleanup = runtime.AddCleanup(h, free, object)
}

// Use lends the object to a call, which calls Done after it; 0 when the handle is closed.
func (h *Handle) Use() uintptr {
	for {
		state := h.state.Load()
		if state&1 != 0 {
			return 0
		}
		if h.state.CompareAndSwap(state, state+2) {
			return h.object
		}
	}
}

// Done ends a Use that gave this object; for 0 it does nothing.
func (h *Handle) Done(object uintptr) {
	if object != 0 && h.state.Add(-2) == 1 {
		h.free(object)
	}
}

// Close lets go of the object. Closing again does nothing.
func (h *Handle) Close() {
	for {
		state := h.state.Load()
		if state&1 != 0 {
			return
		}
		if h.state.CompareAndSwap(state, state|1) {
			h.cleanup.Stop()
			if state == 0 {
				h.free(h.object)
			}
			return
		}
	}
}
