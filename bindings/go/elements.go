// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Elements gives typed access to a tensor's elements in place, with any strides.
//
// [Elements.At] and [Elements.Set] take an index for each axis; At1, At2, At3 and their Sets are as fast as a slice.
// [Elements.Slice], [Elements.Row] and [Elements.Rows] lend slices, [Elements.All] yields all elements.
//
// It keeps the tensor from the garbage collector. Elements of a [Look] panic after the tensor's Close, which must not
// run while another goroutine uses them: a guard would make each access several times slower. Elements of [With] need
// no such care.
type Elements[T Element] struct { // four words: with more the compiler keeps none in registers
	layout *layout
	data   unsafe.Pointer // what access to single elements needs of the layout, besides the extents that Close empties
	s0, s1 int
}

// With gives a function access to the elements of a tensor, like [Look], and returns its error.
//
// Until the function returns, the tensor stays alive, even if the garbage collector finds it or another goroutine
// closes it. So do the Elements and their Slice, which must not leave the function.
//
//	err := dlferry.With(t, func(e dlferry.Elements[float32]) error {
//		samples, err := e.Slice()
//		...
//	})
//
// It fails like Look, and with ErrInvalid for a nil function.
//
// C: dlf_look
func With[T Element](t *Tensor, look func(Elements[T]) error) error {
	if _, err := t.open("elements"); err != nil {
		return err
	}
	defer t.done()
	if look == nil {
		return errorf(ErrInvalid, "elements: expected a function, got nil")
	}
	e, err := lookOpen[T](t)
	if err != nil {
		return err
	}
	return look(e)
}

// Look returns the elements of a tensor as Go values, without copying. [With] also guards them.
//
// It fails with ErrDtype if T is not the tensor's dtype, ErrDevice if the processor cannot reach the data, ErrLayout if
// the address is not aligned for T, ErrOverflow if strides of 0 make too many elements to count, and ErrUnsupported for
// flags that DLPack 1.3 does not name.
//
// C: dlf_look
func Look[T Element](t *Tensor) (Elements[T], error) {
	if _, err := t.open("elements"); err != nil {
		return Elements[T]{}, err
	}
	defer t.done()
	return lookOpen[T](t)
}

// lookOpen is Look of a tensor that is in use.
func lookOpen[T Element](t *Tensor) (Elements[T], error) {
	dtype := DTypeOf[T]()
	l := (*layout)(atomic.LoadPointer(t.layoutWord()))
	if l == nil || l.dtype != dtype {
		made, err := t.newLayout(dtype)
		if err != nil {
			return Elements[T]{}, err
		}
		l = made
	}
	if isBoolType[T]() {
		l = l.asBool
	}
	return Elements[T]{l, l.data, l.s0, l.s1}, nil
}

func isBoolType[T Element]() bool {
	return unsafe.Sizeof(*new(T)) == 1 && reflect.TypeFor[T]().Kind() == reflect.Bool
}
