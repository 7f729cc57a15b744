// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

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

// Handle is an object in C that a generated package opens and closes. C counts the calls that use it, and what was made
// of it, so that it is freed once and by the last of these; and it lets calls take turns. A nil or zero one is closed.
// It is for generated packages, whose types are Handles under names of their own, and must not be copied.
type Handle struct {
	_      [0]atomic.Int64 // go vet tells of copies
	self   *Handle         // what is elsewhere is a copy, and may live longer
	object uintptr         // a dlf_object, which lives as long as this
}

// NewHandle takes the object. One that is never closed is freed some time after the garbage collector has found the
// handle.
func NewHandle(object uintptr) *Handle {
	h := &Handle{object: object}
	h.self = h
	runtime.AddCleanup(h, releaseObject, object)
	return h
}

// Object lends the object to a call, which calls Keep after it; 0 for a handle that was never opened,
// and for a copy of one.
func (h *Handle) Object() uintptr {
	if h == nil || h.self != h {
		return 0
	}
	return h.object
}

// Keep keeps the object until here.
func (h *Handle) Keep() { runtime.KeepAlive(h) }

// Close lets go of the object. Closing again, or closing nil, does nothing.
func (h *Handle) Close() error {
	if object := h.Object(); object != 0 {
		C.dlfgo_object_close(C.uintptr_t(object))
		h.Keep()
	}
	return nil
}

func releaseObject(object uintptr) { C.dlfgo_object_release(C.uintptr_t(object)) }
