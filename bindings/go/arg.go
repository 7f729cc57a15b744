// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

import (
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"unsafe"
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

// Flatten describes an argument to C until Done. The name, such as "blur: image", opens the error text. For generated
// packages.
//
// It fails with ErrInvalid for nil and a closed tensor, and like [Array.Wrap].
func Flatten(name string, argument Arg) (Flat, error) {
	switch a := argument.(type) {
	case *Array:
		if !a.fits() {
			if err := a.checkWindow(name); err != nil {
				return Flat{}, err
			}
		}
		drain()
		return a.flat(), nil
	case *Tensor:
		if !a.use() {
			return Flat{}, a.misuse(name)
		}
		drain()
		if a.flags>>56 != 0 {
			return Flat{Data: (*byte)(unsafe.Pointer(a.dl)), Shape: (*int)(unsafe.Pointer(&a.flags)), About: flatFlagged}, nil
		}
		return Flat{Data: (*byte)(unsafe.Pointer(a.dl)), About: a.flags<<8 | flatTensor}, nil
	case nil:
		return Flat{}, errorf(ErrInvalid, "%s: expected a tensor, got nil", name)
	}
	// A struct around one has its methods too.
	return Flat{}, errorf(ErrInvalid, "%s: expected a *dlferry.Tensor or *dlferry.Array, got %s", name,
		reflect.TypeOf(argument))
}

// FlattenOptional is Flatten for a tensor that may be absent (nil).
func FlattenOptional(name string, argument Arg) (Flat, error) {
	tensor, isTensor := argument.(*Tensor)
	array, isArray := argument.(*Array)
	if argument == nil || isTensor && tensor == nil || isArray && array == nil {
		return Flat{}, nil
	}
	return Flatten(name, argument)
}

// Done ends the use of an argument begun by Flatten, and keeps it alive until then. A tensor closed meanwhile is
// released now. For generated packages.
func Done(argument Arg) {
	if t, ok := argument.(*Tensor); ok && t != nil {
		t.done()
	}
	runtime.KeepAlive(argument)
}

// List is a list of arguments for C: in one block of memory, which is pinned, since C gets pointers to it.
type List struct {
	flats  []Flat
	used   []*Tensor
	pinner runtime.Pinner
}

// FlattenList describes a list of arguments to C. The name opens the error text. For generated packages, which Close
// the list after the call.
//
// It fails like [Flatten].
func FlattenList[A Arg](name string, arguments []A) (*List, error) {
	list := &List{flats: make([]Flat, len(arguments))}
	for i, argument := range arguments {
		flat, err := Flatten(name, argument)
		if err != nil {
			list.Close()
			_, err = Flatten(name+"["+strconv.Itoa(i)+"] (from 0)", argument)
			return nil, err
		}
		list.flats[i] = flat
		if tensor, ok := any(argument).(*Tensor); ok {
			list.used = append(slices.Grow(list.used, len(arguments)-i), tensor)
			flat.Data = nil // in C memory
		}
		list.pin(flat)
	}
	return list, nil
}

func (l *List) pin(flat Flat) {
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

// First returns the address of the first Flat, and Len their number.
func (l *List) First() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(l.flats)) }

// Len returns the number of arguments.
func (l *List) Len() int { return len(l.flats) }

// Close ends the use of the arguments.
func (l *List) Close() {
	l.pinner.Unpin()
	for _, tensor := range l.used {
		tensor.done()
	}
}
