// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_read
// #cgo nocallback dlfgo_read
// #cgo noescape dlfgo_contains
// #cgo nocallback dlfgo_contains
// #include "bridge.h"
import "C"

import (
	"math"
	"reflect"
)

// Read returns one element as a number, exactly: a float64, complex128, int64, uint64 or bool. There is an index for
// each axis, from 0.
//
// It reads any dtype with arithmetic, packed or padded; [With] is faster. It fails with ErrBounds, ErrDevice, or
// ErrUnsupported for unknown flags and dtypes without arithmetic.
//
// C: dlf_read
func (t *Tensor) Read(index ...int) (any, error) { return t.ReadLane(0, index...) }

// ReadLane is [Tensor.Read] of one of several lanes, from 0.
//
// C: dlf_read
func (t *Tensor) ReadLane(lane int, index ...int) (any, error) {
	if _, err := t.open("read"); err != nil {
		return nil, err
	}
	defer t.done()
	if axes := int(t.dl.ndim); len(index) != axes {
		return nil, errorf(ErrBounds, "read: expected %d indices, got %d", axes, len(index))
	}
	var number C.dlf_number
	var e C.dlf_error
	status := C.dlfgo_read(t.number(), C.uint64_t(t.flags), extents(index), lane32(lane), &number, &e)
	if status != 0 {
		return nil, failed(status, &e)
	}
	switch number.kind {
	case C.DLF_NUMBER_COMPLEX:
		return complex(float64(number.real), float64(number.imaginary)), nil
	case C.DLF_NUMBER_SIGNED:
		return int64(number.signed_value), nil
	case C.DLF_NUMBER_UNSIGNED:
		return uint64(number.unsigned_value), nil
	case C.DLF_NUMBER_BOOL:
		return number.unsigned_value != 0, nil
	}
	return float64(number.real), nil
}

// Contains tells whether an element equals a number: any of Go's, a bool, or one of this package's.
//
// As in NumPy, the number is first rounded to the precision of a dtype of reals. It fails with ErrInvalid for another
// value, ErrDevice, or ErrUnsupported for unknown flags and dtypes without arithmetic.
//
// C: dlf_contains
func (t *Tensor) Contains(number any) (bool, error) {
	if _, err := t.open("contains"); err != nil {
		return false, err
	}
	defer t.done()
	sought, ok := numberOf(number)
	if !ok {
		return false, errorf(ErrInvalid, "contains: expected a number, got %T", number)
	}
	var found C.bool
	var e C.dlf_error
	status := C.dlfgo_contains(t.number(), C.uint64_t(t.flags), &sought, &found, &e)
	return bool(found), failed(status, &e)
}

// numberOf reads any number of Go.
func numberOf(number any) (n C.dlf_number, ok bool) {
	if x, ok := number.(interface{ Float64() float64 }); ok {
		return C.dlf_number{kind: C.DLF_NUMBER_REAL, real: C.double(x.Float64())}, true
	}
	value := reflect.ValueOf(number)
	switch {
	case value.Kind() == reflect.Bool:
		n.kind = C.DLF_NUMBER_BOOL
		if value.Bool() {
			n.unsigned_value = 1
		}
	case value.CanInt():
		n.kind, n.signed_value = C.DLF_NUMBER_SIGNED, C.int64_t(value.Int())
	case value.CanUint():
		n.kind, n.unsigned_value = C.DLF_NUMBER_UNSIGNED, C.uint64_t(value.Uint())
	case value.CanFloat():
		n.kind, n.real = C.DLF_NUMBER_REAL, C.double(value.Float())
	case value.CanComplex():
		c := value.Complex()
		n.kind, n.real, n.imaginary = C.DLF_NUMBER_COMPLEX, C.double(real(c)), C.double(imag(c))
	default:
		return n, false
	}
	return n, true
}

// lane32 keeps a number that C cannot hold outside every element's lanes.
func lane32(lane int) C.int32_t { return C.int32_t(min(max(lane, math.MinInt32), math.MaxInt32)) }
