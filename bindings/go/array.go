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
	data     unsafe.Pointer
	length   int // elements of the slice
	shape    []int
	element  any     // nil pointer to the element type
	layout   *layout // nil: row-major
	readOnly bool
}

type layout struct {
	offset  int // elements before the first one
	strides []int
}

// Of sees a slice as a row-major tensor of this shape; without one, as a tensor of a single element.
//
// The extents must multiply to the length of the slice, which is checked when the Array is used. The memory is
// borrowed: a call uses it until it returns, and allocates nothing.
func Of[T Element](slice []T, shape ...int) *Array {
	// Small enough to be inlined: only then the Array stays on the caller's stack.
	return &Array{data: unsafe.Pointer(unsafe.SliceData(slice)), length: len(slice), shape: shape, element: (*T)(nil)}
}

// Strided gives the array strides, in elements, and a first element other than the slice's. Strides may be negative.
//
// All elements must lie inside the slice, which is checked when the Array is used. Returns the array itself.
func (a *Array) Strided(offset int, strides ...int) *Array {
	a.layout = &layout{offset, strides}
	return a
}

// ReadOnly forbids every user of the array to write to it. Returns the array itself.
func (a *Array) ReadOnly() *Array {
	a.readOnly = true
	return a
}

// Wrap puts a handle around the slice, which stays pinned until the last user of its memory is gone.
//
// It fails with ErrInvalid when the shape or the strides do not fit the slice.
//
// C: dlf_wrap_queued
func (a *Array) Wrap() (*Tensor, error) {
	flat, err := a.flat("wrap")
	if err != nil {
		return nil, err
	}
	return wrap(flat, a.data)
}

// ToDLPack exports the slice without a Tensor between, as a DLManagedTensorVersioned * that keeps it pinned.
//
// The caller must hand it on or release it. It fails with ErrInvalid when the shape or the strides do not fit the
// slice.
//
// C: dlf_to_dlpack
func (a *Array) ToDLPack() (unsafe.Pointer, error) {
	flat, err := a.flat("to_dlpack")
	if err != nil {
		return nil, err
	}
	return export(flat, a.data)
}

// flat describes the array to C. Only here is the length of the slice known: that everything lies inside it is checked.
// The name opens the message.
func (a *Array) flat(name string) (Flat, error) {
	if a == nil {
		return Flat{}, errorf(ErrInvalid, "%s: expected a tensor, got nil", name)
	}
	if !a.fits() {
		return Flat{}, a.misfit(name)
	}
	f := Flat{
		data:   (*byte)(a.data),
		shape:  unsafe.SliceData(a.shape),
		dtype:  dtypeOfPointer(a.element),
		ndim:   int32(len(a.shape)),
		device: Device{Type: DeviceCPU},
	}
	if a.layout != nil {
		f.strides = unsafe.SliceData(a.layout.strides)
		f.byteOffset = uint64(a.layout.offset) * uint64(f.dtype.Bits()/8)
	}
	if a.readOnly {
		f.flags = readOnly
	}
	return f, nil
}

func (a *Array) fits() bool {
	if len(a.shape) > C.DLF_MAX_NDIM || a.layout != nil && len(a.layout.strides) != len(a.shape) {
		return false
	}
	count, empty := uint64(1), false
	for _, extent := range a.shape {
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
	case a.layout == nil:
		return empty && a.length == 0 || !empty && count == uint64(a.length)
	case empty:
		return a.layout.offset >= 0 && a.layout.offset <= a.length
	}
	return a.layout.offset >= 0 && a.layout.offset < a.length && a.reaches()
}

// reaches tells whether the first and the last address lie inside the slice, of an array that is not empty.
func (a *Array) reaches() bool {
	l := a.layout
	before, after := uint64(l.offset), uint64(a.length-1-l.offset) // elements left on either side
	for axis, extent := range a.shape {
		side, stride := &after, uint64(l.strides[axis])
		if l.strides[axis] < 0 {
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
	if len(a.shape) > C.DLF_MAX_NDIM {
		return errorf(ErrInvalid, "%s: expected at most %d dimensions, got %d", name, C.DLF_MAX_NDIM, len(a.shape))
	}
	for axis, extent := range a.shape {
		if extent < 0 {
			return errorf(ErrInvalid, "%s: expected extents of 0 or more, got %d on axis %d (from 0)", name, extent, axis)
		}
	}
	switch {
	case a.layout == nil:
		return errorf(ErrInvalid, "%s: expected a slice that shape %s fills, got %d elements", name, list(a.shape), a.length)
	case len(a.layout.strides) != len(a.shape):
		return errorf(ErrInvalid, "%s: expected %d strides, got %d", name, len(a.shape), len(a.layout.strides))
	}
	return errorf(ErrInvalid,
		"%s: expected shape %s with strides %s from element %d to lie inside the slice, got %d elements",
		name, list(a.shape), list(a.layout.strides), a.layout.offset, a.length)
}
