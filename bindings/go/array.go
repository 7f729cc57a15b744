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
	flat    Flat
	length  int // elements of the slice
	element any // nil pointer to the element type
	offset  int // elements before the first one
	strides int // how many were given; -1: none, row-major
}

// Of sees a slice as a row-major tensor of this shape; without one, as a tensor of a single element.
//
// The extents must multiply to the length of the slice, which is checked when the Array is used. The memory is
// borrowed: a call uses it until it returns, and allocates nothing.
func Of[T Element](slice []T, shape ...int) *Array {
	// Small enough to be inlined: only then the Array stays on the caller's stack. A call to DTypeOf would be too much.
	return &Array{flat: Flat{data: (*byte)(unsafe.Pointer(unsafe.SliceData(slice))), shape: unsafe.SliceData(shape),
		ndim: int32(len(shape)), device: Device{Type: DeviceCPU}}, length: len(slice), element: (*T)(nil), strides: -1}
}

// Strided gives the array strides, in elements, and a first element other than the slice's. Strides may be negative.
//
// All elements must lie inside the slice, which is checked when the Array is used. Returns the array itself.
func (a *Array) Strided(offset int, strides ...int) *Array {
	a.offset, a.strides, a.flat.strides = offset, len(strides), unsafe.SliceData(strides)
	a.flat.byteOffset = uint64(offset) * uint64(a.dtype().Bits()/8)
	return a
}

// ReadOnly forbids every user of the array to write to it. Returns the array itself.
func (a *Array) ReadOnly() *Array {
	a.flat.flags = readOnly
	return a
}

func (a *Array) dtype() DType { return dtypeOfPointer(a.element) }

// Wrap puts a handle around the slice, which stays pinned until the last user of its memory is gone.
//
// It fails with ErrInvalid when the shape or the strides do not fit the slice.
//
// C: dlf_wrap_queued
func (a *Array) Wrap() (*Tensor, error) {
	if err := a.check("wrap"); err != nil {
		return nil, err
	}
	return wrap(&a.flat, a.dtype(), unsafe.Pointer(a.flat.data))
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
	return export(&a.flat, a.dtype(), unsafe.Pointer(a.flat.data))
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

func (a *Array) fits() bool {
	if a.flat.ndim > C.DLF_MAX_NDIM || a.strides >= 0 && a.strides != int(a.flat.ndim) {
		return false
	}
	count, empty := uint64(1), false
	for _, extent := range a.shape() {
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
	case a.strides < 0:
		return empty && a.length == 0 || !empty && count == uint64(a.length)
	case empty:
		return a.offset >= 0 && a.offset <= a.length
	}
	return a.offset >= 0 && a.offset < a.length && a.reaches()
}

// reaches tells whether the first and the last address lie inside the slice, of an array that is not empty.
func (a *Array) reaches() bool {
	strides := unsafe.Slice(a.flat.strides, a.strides)
	before, after := uint64(a.offset), uint64(a.length-1-a.offset) // elements left on either side
	for axis, extent := range a.shape() {
		side, stride := &after, uint64(strides[axis])
		if strides[axis] < 0 {
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

func (a *Array) shape() []int { return unsafe.Slice(a.flat.shape, a.flat.ndim) }

func (a *Array) misfit(name string) error {
	if a.flat.ndim > C.DLF_MAX_NDIM {
		return errorf(ErrInvalid, "%s: expected at most %d dimensions, got %d", name, C.DLF_MAX_NDIM, a.flat.ndim)
	}
	for axis, extent := range a.shape() {
		if extent < 0 {
			return errorf(ErrInvalid, "%s: expected extents of 0 or more, got %d on axis %d (from 0)", name, extent, axis)
		}
	}
	switch {
	case a.strides < 0:
		return errorf(ErrInvalid, "%s: expected a slice that shape %s fills, got %d elements", name, list(a.shape()),
			a.length)
	case a.strides != int(a.flat.ndim):
		return errorf(ErrInvalid, "%s: expected %d strides, got %d", name, a.flat.ndim, a.strides)
	}
	return errorf(ErrInvalid,
		"%s: expected shape %s with strides %s from element %d to lie inside the slice, got %d elements",
		name, list(a.shape()), list(unsafe.Slice(a.flat.strides, a.strides)), a.offset, a.length)
}
