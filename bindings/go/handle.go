// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

import (
	"runtime"
	"sync/atomic"
)

// users counts who is inside of something that can be closed, so that the last one out frees it. The zero value is
// closed.
type users struct{ state atomic.Int64 } // twice their number, and 1 while it is open

func (u *users) open() { u.state.Store(1) }

func (u *users) isOpen() bool { return u.state.Load()&1 != 0 }

// isUsed is true while somebody is inside, closed or not.
func (u *users) isUsed() bool { return u.state.Load() > 1 }

// enter is false when it is closed; after each that is true there is a leave.
func (u *users) enter() bool {
	for {
		state := u.state.Load()
		if state&1 == 0 {
			return false
		}
		if u.state.CompareAndSwap(state, state+2) {
			return true
		}
	}
}

// leave is true for the last one out of what is closed, who frees it.
func (u *users) leave() bool { return u.state.Add(-2) == 0 }

// shut closes, and is true when nobody is inside: then who closed frees.
func (u *users) shut() bool { return u.state.And(^1) == 1 }

// Handle guards an object in C that a generated package opens and closes, so that it is freed once, and never while
// a call uses it or what was made of it lives: whoever is last frees it. A nil or zero one is closed. It is for
// generated packages, whose types are Handles under names of their own, and must not be copied.
type Handle struct {
	_       [0]atomic.Int64 // go vet tells of copies
	guarded *guarded
	cleanup runtime.Cleanup
}

// What lives until nobody uses it, the garbage collector's notice of the Handle included.
type guarded struct {
	users   users
	object  uintptr
	free    func(uintptr)
	parents []*guarded // used as long as this lives
}

// NewHandle takes the object. One that is never closed is freed some time after the garbage collector has found the
// handle. C may have made it of its parents, which the caller has in use.
func NewHandle(object uintptr, free func(uintptr), parents ...*Handle) *Handle {
	g := &guarded{object: object, free: free}
	g.users.open()
	for _, parent := range parents {
		parent.guarded.users.state.Add(2)
		g.parents = append(g.parents, parent.guarded)
	}
	h := &Handle{guarded: g}
	h.cleanup = runtime.AddCleanup(h, (*guarded).close, g)
	return h
}

// Use lends the object to a call, which calls Done after it; 0 when the handle is closed.
func (h *Handle) Use() uintptr {
	if h != nil && h.guarded != nil && h.guarded.users.enter() {
		return h.guarded.object
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

// Close lets go of the object. Closing again, or closing nil, does nothing.
func (h *Handle) Close() error {
	if h != nil && h.guarded != nil {
		h.cleanup.Stop()
		h.guarded.close()
	}
	return nil
}

func (g *guarded) close() {
	if g.users.shut() {
		g.end()
	}
}

func (g *guarded) done() {
	if g.users.leave() {
		g.end()
	}
}

func (g *guarded) end() {
	g.free(g.object)
	for _, parent := range g.parents {
		parent.done()
	}
}
