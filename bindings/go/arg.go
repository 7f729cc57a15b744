// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

import (
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"unsafe"

	"github.com/dlferry/dlferry/bindings/go/internal/plumb"
)

// Arg is a tensor argument of a generated function: a [*Tensor], or an [*Array] that [Of] made from a slice.
type Arg interface {
	// argument keeps others out: C must be able to trust what it gets.
	argument()
}

func (*Tensor) argument() {}
func (*Array) argument()  {}

// Index is an element of an int64_t array argument of a generated function: []int and []int64 are passed in place.
type Index interface{ ~int | ~int64 }

// flatten describes an argument to C until done. The name, such as "blur: image", opens the error text.
//
// It fails with ErrInvalid for nil and a closed tensor, and like [Array.Wrap].
func flatten(name string, argument Arg) (plumb.Flat, error) {
	switch a := argument.(type) {
	case *Array:
		if !a.fits() {
			if err := a.checkWindow(name); err != nil {
				return plumb.Flat{}, err
			}
		}
		drain()
		return a.flat(), nil
	case *Tensor:
		if !a.use() {
			return plumb.Flat{}, a.misuse(name)
		}
		drain()
		if a.flags>>56 != 0 {
			return plumb.Flat{Data: (*byte)(unsafe.Pointer(a.dl)), Shape: (*int)(unsafe.Pointer(&a.flags)), About: flatFlagged}, nil
		}
		return plumb.Flat{Data: (*byte)(unsafe.Pointer(a.dl)), About: a.flags<<8 | flatTensor}, nil
	case nil:
		return plumb.Flat{}, errorf(ErrInvalid, "%s: expected a tensor, got nil", name)
	}
	// A struct around one has its methods too.
	return plumb.Flat{}, errorf(ErrInvalid, "%s: expected a *dlferry.Tensor or *dlferry.Array, got %s", name,
		reflect.TypeOf(argument))
}

// flattenOptional is flatten for a tensor that may be absent (nil).
func flattenOptional(name string, argument Arg) (plumb.Flat, error) {
	tensor, isTensor := argument.(*Tensor)
	array, isArray := argument.(*Array)
	if argument == nil || isTensor && tensor == nil || isArray && array == nil {
		return plumb.Flat{}, nil
	}
	return flatten(name, argument)
}

// kept is an argument that C keeps after the call: C counts a reference to its handle, whose owner is a slot. C may drop
// the last one inside a generated call, which must not call Go, as the deleter of a tensor may. So C's release only
// returns the slot, and Go releases the tensor later, outside of every call.
type kept struct{ tensor *Tensor }

// Handle returns the dlf_tensor *, valid until Done.
func (k *kept) Handle() uintptr { return uintptr(k.tensor.handle) }

// Done ends the use of the argument by Go's side of the call.
func (k *kept) Done() { _ = k.tensor.Close() }

// keep makes a handle of an argument, which C may keep. The name opens the error text. It fails like flatten.
func keep(name string, argument Arg) (*kept, error) {
	if array, ok := argument.(*Array); ok {
		if err := array.check(name); err != nil {
			return nil, err
		}
		tensor, err := wrap(array.flat(), unsafe.Pointer(array.data))
		return &kept{tensor}, err
	}
	if _, err := flatten(name, argument); err != nil {
		return nil, err
	}
	tensor := argument.(*Tensor)
	defer tensor.done()
	own, err := tensor.inSlot()
	return &kept{own}, err
}

// finish ends the use of an argument begun by flatten, and keeps it alive until then. A tensor closed meanwhile is
// released now.
func finish(argument Arg) {
	if t, ok := argument.(*Tensor); ok && t != nil {
		t.done()
	}
	runtime.KeepAlive(argument)
}

// beside opens the tensor and another one until doneBeside.
func (t *Tensor) beside(name string, other Arg) (plumb.Flat, error) {
	if _, err := t.open(name); err != nil {
		return plumb.Flat{}, err
	}
	flat, err := flatten(name, other)
	if err != nil {
		t.done()
	}
	return flat, err
}

func (t *Tensor) doneBeside(other Arg) {
	finish(other)
	t.done()
}

// list is a list of arguments for C: in one block of memory, which is pinned, since C gets pointers to it.
type list struct {
	flats  []plumb.Flat
	used   []*Tensor
	pinner runtime.Pinner
}

// flattenList describes a list of arguments to C until its Close. The name opens the error text. It fails like flatten.
func flattenList(name string, arguments []Arg) (*list, error) {
	l := &list{flats: make([]plumb.Flat, len(arguments))}
	for i, argument := range arguments {
		flat, err := flatten(name, argument)
		if err != nil {
			l.Close()
			_, err = flatten(name+"["+strconv.Itoa(i)+"] (from 0)", argument)
			return nil, err
		}
		l.flats[i] = flat
		if tensor, ok := argument.(*Tensor); ok {
			l.used = append(slices.Grow(l.used, len(arguments)-i), tensor)
			flat.Data = nil // in C memory
		}
		l.pin(flat)
	}
	return l, nil
}

func (l *list) pin(flat plumb.Flat) {
	if flat.Data != nil {
		l.pinner.Pin(flat.Data)
	}
	if flat.Shape != nil {
		l.pinner.Pin(flat.Shape)
	}
	if flat.Strides != nil {
		l.pinner.Pin(flat.Strides)
	}
}

// First returns the address of the first plumb.Flat, and Len their number.
func (l *list) First() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(l.flats)) }

// Len returns the number of arguments.
func (l *list) Len() int { return len(l.flats) }

// Close ends the use of the arguments.
func (l *list) Close() {
	l.pinner.Unpin()
	for _, tensor := range l.used {
		tensor.done()
	}
}
