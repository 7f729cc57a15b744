// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package generated

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Object is a C object that a generated package opens and closes. C counts the calls that use it and the objects made
// from it, so the last of these frees it once; and C serialises calls. A nil or zero Object is closed. The types of
// generated packages are Objects under other names. It must not be copied.
type Object struct {
	_      [0]atomic.Int64 // go vet reports copies
	self   *Object         // a value elsewhere is a copy, and may live longer
	object uintptr         // a dlf_object, which lives as long as this
}

// NewObject takes the object. The garbage collector later frees one that is never closed.
func NewObject(object uintptr) *Object {
	o := &Object{object: object}
	o.self = o
	runtime.AddCleanup(o, hub.ReleaseObject, object)
	return o
}

// NewOptionalObject is NewObject, or nil for 0.
func NewOptionalObject(object uintptr) *Object {
	if object == 0 {
		return nil
	}
	return NewObject(object)
}

// Absent is what LendOptional lends for nil.
const Absent = 1

// LendOptional is Lend for an object that may be absent: nil is, and a copy is still closed.
func (o *Object) LendOptional() uintptr {
	if o == nil {
		return Absent
	}
	return o.Lend()
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

// Lent is a list of objects that a call uses.
type Lent[T any] struct {
	objects   []*T // the caller's slice may change meanwhile
	addresses []uintptr
}

// LendList does the same as Lend for each object of a list, of a type that is an Object under another name. The call
// calls Keep after it.
func LendList[T any](objects []*T) Lent[T] {
	lent := Lent[T]{append([]*T(nil), objects...), make([]uintptr, len(objects))}
	for i, object := range lent.objects {
		lent.addresses[i] = (*Object)(unsafe.Pointer(object)).Lend()
	}
	return lent
}

// First is the place of the first address, for C to replace it by that of C's object.
func (l Lent[T]) First() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(l.addresses)) }

// Keep keeps the objects until here.
func (l Lent[T]) Keep() { runtime.KeepAlive(l.objects) }

// Close releases the object. Closing again, or closing nil, does nothing.
func (o *Object) Close() error {
	if object := o.Lend(); object != 0 {
		hub.CloseObject(object)
		o.Keep()
	}
	return nil
}
