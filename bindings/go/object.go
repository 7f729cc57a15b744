// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"runtime"
	"sync/atomic"
)

// users counts the calls inside an object that can be closed, so that the last one frees it. The zero value is closed.
type users struct{ state atomic.Int64 } // twice their number, and 1 while it is open

func (u *users) open() { u.state.Store(1) }

func (u *users) isOpen() bool { return u.state.Load()&1 != 0 }

// isUsed is true while a call is inside, closed or not.
func (u *users) isUsed() bool { return u.state.Load() > 1 }

// enter is false if it is closed; each true enter needs a leave.
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

// leave is true for the last call that leaves a closed object; that call frees it.
func (u *users) leave() bool { return u.state.Add(-2) == 0 }

// shut closes, and is true if no call is inside: then the closer frees it.
func (u *users) shut() bool { return u.state.And(^1) == 1 }

// Object is a C object that a generated package opens and closes. C counts the calls that use it and the objects made
// from it, so the last of these frees it once; and C serialises calls. A nil or zero Object is closed. For generated
// packages, whose types are Objects under other names. It must not be copied.
type Object struct {
	_      [0]atomic.Int64 // go vet reports copies
	self   *Object         // a value elsewhere is a copy, and may live longer
	object uintptr         // a dlf_object, which lives as long as this
}

// NewObject takes the object. The garbage collector later frees one that is never closed.
func NewObject(object uintptr) *Object {
	o := &Object{object: object}
	o.self = o
	runtime.AddCleanup(o, releaseObject, object)
	return o
}

// Lend lends the address to a call, which calls Keep after it; 0 for an object that was never opened, and for a copy.
func (o *Object) Lend() uintptr {
	if o == nil || o.self != o {
		return 0
	}
	return o.object
}

// Keep keeps the object until here.
func (o *Object) Keep() { runtime.KeepAlive(o) }

// Close releases the object. Closing again, or closing nil, does nothing.
func (o *Object) Close() error {
	if object := o.Lend(); object != 0 {
		C.dlfgo_object_close(C.uintptr_t(object))
		o.Keep()
	}
	return nil
}

func releaseObject(object uintptr) { C.dlfgo_object_release(C.uintptr_t(object)) }
