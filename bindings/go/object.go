// SPDX-License-Identifier: Apache-2.0

package dlferry

import (
	"sync/atomic"
	"unsafe"
)

// users counts the calls inside an object that can be closed, so that the last one frees it. The zero value is closed.
type users struct{ state atomic.Int64 } // twice their number, and 1 while it is open

// open is for an object that no other goroutine has yet: an atomic store would take longer than the rest of the opening.
func (u *users) open() { *(*int64)(unsafe.Pointer(&u.state)) = 1 }

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
