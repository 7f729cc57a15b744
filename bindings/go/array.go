// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_check_window
// #cgo nocallback dlfgo_check_window
// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/dlferry/dlferry/bindings/go/internal/plumb"
)

// Array is a Go slice used as a tensor: [Of] makes it for a call or for [Wrap]. It owns nothing.
type Array struct {
	data    *byte
	shape   []int // nil for one axis of this length
	strides []int
	length  int   // elements of the slice
	size    int   // its bytes, if As gave another dtype
	offset  int   // elements before the first one
	element any   // nil pointer to the element type
	as      DType // replaces that type's, unless 0
	strided bool
	flags   uint16
}

// Of makes a row-major tensor of this shape from a slice; without a shape, a tensor of one axis. [Scalar] makes one
// without axes, like an empty shape that is not nil: you can pass the result of [Tensor.Shape].
//
// The extents must multiply to the length of the slice, which is checked when the Array is used. The memory is
// borrowed: a call uses it until it returns, and allocates nothing.
func Of[T Element](slice []T, shape ...int) *Array {
	// Small enough to be inlined: only then the Array stays on the caller's stack. A call of DTypeOf would be too large.
	return &Array{data: (*byte)(unsafe.Pointer(unsafe.SliceData(slice))), shape: shape, length: len(slice),
		element: (*T)(nil)}
}

// Scalar makes a tensor without axes, with one element, from a variable.
func Scalar[T Element](variable *T) *Array {
	length := 1
	if variable == nil {
		length = 0 // refused when the Array is used
	}
	return &Array{data: (*byte)(unsafe.Pointer(variable)), shape: []int{}, length: length, element: (*T)(nil)}
}

// Strided returns the array with strides, in elements, and another first element. Strides may be negative.
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

// ReadOnly returns the array with a flag that forbids all writes.
func (a *Array) ReadOnly() *Array {
	if a == nil {
		return nil
	}
	b := *a
	b.flags = readOnly
	return &b
}

// As returns the array with another dtype for its bytes, such as one without a Go type: lanes, half bytes.
//
// The shape, strides and offset count elements of that dtype; a rest of the bytes at the end is not used.
func (a *Array) As(dtype DType) *Array {
	if a == nil || a.element == nil {
		return nil
	}
	b := *a
	b.as, b.length, b.size = dtype, 0, a.bytes()
	if width := dtype.width(); width != 0 {
		b.length = 8 * b.size / width
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

// check ensures that all elements lie inside the slice. The name opens the error text.
func (a *Array) check(name string) error {
	if a.fits() {
		return nil
	}
	return a.checkWindow(name)
}

const small = 1 << 31 // a product of two such numbers does not overflow

// fits is true for most arrays whose elements all lie inside the slice, without a call of C. C decides about others.
func (a *Array) fits() bool {
	if a == nil || a.as != 0 && (a.as.width() == 0 || a.as.width()&7 != 0) || len(a.shape) > C.DLF_MAX_NDIM {
		return false
	}
	if a.strided {
		return a.reaches()
	}
	if a.shape == nil {
		return a.element != nil // Of has made it
	}
	count := 1
	for _, extent := range a.shape {
		if uint(extent) >= small || count >= small {
			return false
		}
		count *= extent
	}
	return count == a.length
}

// reaches is fits for arrays with strides.
func (a *Array) reaches() bool {
	shape := a.extents()
	if len(a.strides) != len(shape) || uint(a.offset) >= uint(a.length) {
		return false
	}
	before, after := a.offset, a.length-1-a.offset // elements left on each side
	for axis, extent := range shape {
		stride := a.strides[axis]
		if uint(extent-1) >= small || stride >= small || stride <= -small {
			return false
		}
		if stride < 0 {
			before += (extent - 1) * stride
		} else {
			after -= (extent - 1) * stride
		}
		if before < 0 || after < 0 {
			return false
		}
	}
	return true
}

// checkWindow asks C.
func (a *Array) checkWindow(name string) error {
	if a == nil {
		return errorf(ErrInvalid, "%s: expected a tensor, got nil", name)
	}
	if a.element == nil {
		return errorf(ErrInvalid, "%s: expected a tensor, got an Array that Of has not made", name)
	}
	opening, err := terminate(new([64]byte), "check_window", name)
	if err != nil {
		return err
	}
	shape := a.extents()
	w := C.dlfgo_extent{size: C.int64_t(a.bytes()), whole: C.bool(!a.strided), start: C.int64_t(a.offset),
		ndim: C.int64_t(len(shape)), stride_count: C.int64_t(len(a.strides)), flags: C.uint64_t(a.flagsOf(a.dtype())),
		dtype: C.uint32_t(a.dtype())}
	strides := a.strides
	if a.strided && len(strides) == 0 {
		strides = []int{0} // NULL would mean row-major
	}
	var e C.dlf_error
	status := C.dlfgo_check_window((*C.char)(unsafe.Pointer(opening)), &w, unsafe.Pointer(a.data), extents(shape),
		extents(strides), &e)
	return failed(status, &e)
}

// bytes returns the size of the slice.
func (a *Array) bytes() int {
	if a.as != 0 {
		return a.size
	}
	return a.length * a.dtype().whole()
}

// flagsOf returns the flags: Go's own sub-byte elements have a byte each.
func (a *Array) flagsOf(dtype DType) uint16 {
	if a.as == 0 && dtype.width()&7 != 0 {
		return a.flags | padded
	}
	return a.flags
}

// before returns the bytes before the first element.
func (a *Array) before(dtype DType) int {
	if a.as == 0 {
		return a.offset * dtype.whole()
	}
	return a.offset * dtype.width() / 8
}

// flat describes an array that fits.
func (a *Array) flat() plumb.Flat {
	dtype, shape := a.dtype(), a.extents()
	f := plumb.Flat{Data: a.data, Shape: unsafe.SliceData(shape),
		About: flatSlice | uint64(len(shape))<<8 | uint64(a.flagsOf(dtype))<<16 | uint64(dtype)<<32}
	if a.strided {
		f.Strides = unsafe.SliceData(a.strides)
		if a.offset < a.length { // never at the end of the slice, where other memory begins
			f.Data = (*byte)(unsafe.Add(unsafe.Pointer(a.data), a.before(dtype)))
		}
	}
	return f
}
