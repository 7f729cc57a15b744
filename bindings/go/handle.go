// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

import (
	"runtime"
	"sync/atomic"
)

// Handle guards an object in C that a generated package opens and closes, so that it is freed once, and never while
// a call uses it or what was made of it lives: whoever is last frees it. It is for generated packages, and must not be
// copied.
type Handle struct {
	guarded *guarded
	cleanup runtime.Cleanup
}

// What lives until nobody uses it, the garbage collector's notice of the Handle included.
type guarded struct {
	state   atomic.Int64 // twice the users, and 1 once it is closed
	object  uintptr
	free    func(uintptr)
	parents []*guarded // used as long as this lives
}

// Open takes the object. One that is never closed is freed some time after the garbage collector has found the handle.
// C may have made it of its parents, which the caller has in use.
func (h *Handle) Open(object uintptr, free func(uintptr), parents ...*Handle) {
	g := &guarded{object: object, free: free}
	for _, parent := range parents {
		parent.guarded.state.Add(2)
		g.parents = append(g.parents, parent.guarded)
	}
	h.guarded = g
	h.cleanup = runtime.AddCleanup(h, (*guarded).close, g)
}

// Use lends the object to a call, which calls Done after it; 0 when the handle is closed.
func (h *Handle) Use() uintptr {
	for h.guarded != nil {
		state := h.guarded.state.Load()
		if state&1 != 0 {
			break
		}
		if h.guarded.state.CompareAndSwap(state, state+2) {
			return h.guarded.object
		}
	}
	return 0
}

// Done ends a Use that gave this object; for 0 it does nothing.
func (h *Handle) Done(object uintptr) {
	if object != 0 {
		h.guarded.done()
	}
	runtime.KeepAlive(h)
}

// Close lets go of the object. Closing again does nothing.
func (h *Handle) Close() {
	if h.guarded != nil {
		h.cleanup.Stop()
		h.guarded.close()
	}
}

func (g *guarded) close() {
	for {
		state := g.state.Load()
		if state&1 != 0 {
			return
		}
		if g.state.CompareAndSwap(state, state|1) {
			if state == 0 {
				g.end()
			}
			return
		}
	}
}

func (g *guarded) done() {
	if g.state.Add(-2) == 1 {
		g.end()
	}
}

func (g *guarded) end() {
	g.free(g.object)
	for _, parent := range g.parents {
		parent.done()
	}
}
