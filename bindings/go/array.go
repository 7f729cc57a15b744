// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"math/bits"
	"unsafe"
)

// Array is a Go slice seen as a tensor: what [Of] makes, for a call or for [Wrap]. It owns nothing.
type Array struct {
	data    *byte
	shape   []int // nil for one axis of this length
	strides []int
	length  int   // elements of the slice
	offset  int   // elements before the first one
	element any   // nil pointer to the element type
	as      DType // instead of that type's, unless 0
	strided bool
	flags   uint16
}

// Of sees a slice as a row-major tensor of this shape; without one, as a tensor of one axis. [Scalar] makes one without
// axes, as an empty shape does that is not nil: what [Tensor.Shape] returns can be passed on.
//
// The extents must multiply to the length of the slice, which is checked when the Array is used. The memory is
// borrowed: a call uses it until it returns, and allocates nothing.
func Of[T Element](slice []T, shape ...int) *Array {
	// Small enough to be inlined: only then the Array stays on the caller's stack. A call to DTypeOf would be too much.
	return &Array{data: (*byte)(unsafe.Pointer(unsafe.SliceData(slice))), shape: shape, length: len(slice),
		element: (*T)(nil)}
}

// Scalar sees a variable as a tensor without axes, which has one element.
func Scalar[T Element](variable *T) *Array {
	length := 1
	if variable == nil {
		length = 0 // refused when the Array is used
	}
	return &Array{data: (*byte)(unsafe.Pointer(variable)), shape: []int{}, length: length, element: (*T)(nil)}
}

// Strided is the array with strides, in elements, and a first element other than the slice's. Strides may be negative.
//
// All elements must lie inside the slice, which is checked when the Array is used.
func (a *Array) Strided(offset int, strides ...int) *Array {
	if a == nil {
		return nil
	}
	b := *a // a store through the pointer would send the strides to the heap
	b.offset, b.strides, b.strided = offset, strides, true
	return &b
}

// ReadOnly is the array that every user of it is forbidden to write to.
func (a *Array) ReadOnly() *Array {
	if a == nil {
		return nil
	}
	b := *a
	b.flags = readOnly
	return &b
}

// As is the array whose bytes are elements of another dtype, such as one that Go has no type for: lanes, half bytes.
//
// The shape, strides and offset count those; what is left of the bytes at the end is not used.
func (a *Array) As(dtype DType) *Array {
	if a == nil || a.element == nil {
		return nil
	}
	b := *a
	b.as, b.length = dtype, 0
	if width := dtype.width(); width != 0 {
		b.length = a.length * a.dtype().width() / width
	}
	return &b
}

func (a *Array) extents() []int {
	if a.shape == nil {
		return unsafe.Slice(&a.length, 1)
	}
	return a.shape
}

func (a *Array) dtype() DType {
	if a.as != 0 {
		return a.as
	}
	return dtypeOfPointer(a.element)
}

// Wrap puts a handle around the slice, which stays pinned until the last user of its memory is gone.
//
// It fails with ErrInvalid when the shape or the strides do not fit the slice.
//
// C: dlf_wrap_queued
func (a *Array) Wrap() (*Tensor, error) {
	if err := a.check("wrap"); err != nil {
		return nil, err
	}
	return wrap(a.flat(), unsafe.Pointer(a.data))
}

// ToDLPack exports the slice without a Tensor between, as a DLManagedTensorVersioned * that keeps it pinned.
//
// The caller must hand it on or release it. It fails with ErrInvalid when the shape or the strides do not fit the
// slice.
//
// C: dlf_to_dlpack
func (a *Array) ToDLPack() (unsafe.Pointer, error) {
	if err := a.check("to_dlpack"); err != nil {
		return nil, err
	}
	return export(a.flat(), unsafe.Pointer(a.data))
}

// check sees to it that all elements lie inside the slice: only here is its length known. The name opens the message.
func (a *Array) check(name string) error {
	if a == nil {
		return errorf(ErrInvalid, "%s: expected a tensor, got nil", name)
	}
	if !a.fits() {
		return a.misfit(name)
	}
	return nil
}

// fits tells whether all elements lie inside the slice. Small row-major arrays are decided here, others elsewhere.
func (a *Array) fits() bool {
	const small = 1 << 31 // a product of two such numbers does not overflow
	if a.strided || len(a.shape) > C.DLF_MAX_NDIM {
		return a.fitsAtAll()
	}
	if a.shape == nil {
		return a.element != nil // Of has made it
	}
	count := 1
	for _, extent := range a.shape {
		if uint(extent) >= small || count >= small {
			return a.fitsAtAll()
		}
		count *= extent
	}
	return count == a.length
}

func (a *Array) fitsAtAll() bool {
	shape := a.extents()
	if a.element == nil || len(shape) > C.DLF_MAX_NDIM || a.strided && len(a.strides) != len(shape) || !a.beginsAByte() {
		return false
	}
	count, empty := uint64(1), false
	for _, extent := range shape {
		if extent < 0 {
			return false
		}
		empty = empty || extent == 0
		if !empty {
			var carry uint64
			if carry, count = bits.Mul64(count, uint64(extent)); carry != 0 || int64(count) < 0 {
				return false
			}
		}
	}
	switch {
	case !a.strided:
		return empty && a.length == 0 || !empty && count == uint64(a.length)
	case empty:
		return a.offset >= 0 && a.offset <= a.length
	}
	return a.offset >= 0 && a.offset < a.length && a.reaches()
}

// beginsAByte tells whether the first element does, which one of less than a byte may not.
func (a *Array) beginsAByte() bool { return a.as == 0 || a.offset&7*a.as.width()&7 == 0 }

// flat describes an array that fits.
func (a *Array) flat() Flat {
	dtype, shape := a.dtype(), a.extents()
	f := Flat{Data: a.data, Shape: unsafe.SliceData(shape),
		About: flatSlice | uint64(len(shape))<<8 | uint64(a.flags)<<16 | uint64(dtype)<<32}
	if a.strided {
		f.Strides = unsafe.SliceData(a.strides)
		if a.offset < a.length { // never just beyond the slice, where other memory begins
			f.Data = (*byte)(unsafe.Add(unsafe.Pointer(a.data), a.offset*dtype.width()/8))
		}
	}
	return f
}

// reaches tells whether the first and the last address lie inside the slice, of an array that is not empty.
func (a *Array) reaches() bool {
	before, after := uint64(a.offset), uint64(a.length-1-a.offset) // elements left on either side
	for axis, extent := range a.extents() {
		side, stride := &after, uint64(a.strides[axis])
		if a.strides[axis] < 0 {
			side, stride = &before, -stride
		}
		high, reach := bits.Mul64(uint64(extent-1), stride)
		if high != 0 || reach > *side {
			return false
		}
		*side -= reach
	}
	return true
}

func (a *Array) misfit(name string) error {
	if a.element == nil {
		return errorf(ErrInvalid, "%s: expected a tensor, got an Array that Of has not made", name)
	}
	shape := a.extents()
	if len(shape) > C.DLF_MAX_NDIM {
		return errorf(ErrInvalid, "%s: expected at most %d dimensions, got %d", name, C.DLF_MAX_NDIM, len(shape))
	}
	for axis, extent := range shape {
		if extent < 0 {
			return errorf(ErrInvalid, "%s: expected extents of 0 or more, got %d on axis %d (from 0)", name, extent, axis)
		}
	}
	switch {
	case !a.strided:
		return errorf(ErrInvalid, "%s: expected a slice that shape %s fills, got %d elements", name, list(shape),
			a.length)
	case len(a.strides) != len(shape):
		return errorf(ErrInvalid, "%s: expected %d strides, got %d", name, len(shape), len(a.strides))
	case !a.beginsAByte():
		return errorf(ErrInvalid, "%s: expected a first element that begins a byte, got element %d of %s", name, a.offset, a.as)
	}
	return errorf(ErrInvalid,
		"%s: expected shape %s with strides %s from element %d to lie inside the slice, got %d elements",
		name, list(shape), list(a.strides), a.offset, a.length)
}
