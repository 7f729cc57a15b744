// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlf_is_contiguous
// #cgo nocallback dlf_is_contiguous
// #include "bridge.h"
import "C"

import (
	"iter"
	"runtime"
	"slices"
	"unsafe"
)

// Elements is a typed look at a tensor's elements in place, whatever its strides. It keeps the tensor from the garbage
// collector; after the tensor's Close it panics. Do not Close while another goroutine is looking: an element would cost
// several times as much if that were guarded.
type Elements[T Element] struct {
	tensor         *Tensor
	data           unsafe.Pointer // first element
	shape, strides []int          // lent by the tensor
}

// View looks at the elements of a tensor as Go values, without copying.
//
// It fails with ErrDtype when T is not the tensor's dtype, ErrDevice when the processor cannot reach the data, and
// ErrLayout when the address is not aligned for T.
//
// C: dlf_dltensor
func View[T Element](t *Tensor) (Elements[T], error) {
	if _, err := t.open("view"); err != nil {
		return Elements[T]{}, err
	}
	defer t.done()
	var element T
	if got, want := dtypeOfC(&t.dl.dtype), DTypeOf[T](); got != want {
		return Elements[T]{}, errorf(ErrDtype, "view: expected dtype %s, got %s", want, got)
	}
	if device := deviceOfC(&t.dl.device); device.Type != DeviceCPU && !device.IsCPUAccessible() {
		return Elements[T]{}, errorf(ErrDevice, "view: expected a device that the processor can reach, got %s", device)
	}
	v := Elements[T]{t, nil, lent(t.dl.shape, t.dl.ndim), lent(t.dl.strides, t.dl.ndim)}
	if slices.Contains(v.shape, 0) { // of any address: an empty Vec of Rust has 4, and Go moves no stack with such a pointer
		return v, nil
	}
	if address := address(t.dl); address%unsafe.Alignof(element) != 0 {
		return Elements[T]{}, errorf(ErrLayout, "view: expected an address aligned to %d bytes, got %#x",
			unsafe.Alignof(element), address)
	}
	v.data = unsafe.Add(t.dl.data, int(t.dl.byte_offset))
	return v, nil
}

// At returns one element; there is an index for each axis, from 0.
//
// Like indexing a slice it panics, with an ErrBounds, when there is no such element.
func (v Elements[T]) At(index ...int) T {
	defer runtime.KeepAlive(v.tensor)
	return *v.at(index)
}

// Set writes one element. It panics as At does, and with an ErrReadOnly when the tensor is read-only.
func (v Elements[T]) Set(value T, index ...int) {
	element := v.at(index)
	if v.tensor.flags&readOnly != 0 {
		panic(errorf(ErrReadOnly, "set: expected a writable tensor, got a read-only one"))
	}
	*element = value
	runtime.KeepAlive(v.tensor)
}

func (v Elements[T]) at(index []int) *T {
	v.mustBeOpen()
	if len(index) != len(v.shape) {
		panic(errorf(ErrBounds, "at: expected %d indices, got %d", len(v.shape), len(index)))
	}
	offset := 0
	for axis, i := range index {
		if uint(i) >= uint(v.shape[axis]) {
			panic(errorf(ErrBounds, "at: expected an index below %d on axis %d (from 0), got %d", v.shape[axis], axis, i))
		}
		offset += i * v.strides[axis] // cannot overflow: the hub has checked the byte range
	}
	return (*T)(unsafe.Add(v.data, offset*int(unsafe.Sizeof(*new(T)))))
}

// Slice lends the elements of a row-major tensor as a slice, until the tensor is closed.
//
// The slice does not keep the tensor from the garbage collector: `defer t.Close()` does. Do not write to it when the
// tensor is read-only. It fails with ErrLayout when the elements do not lie in row-major order without gaps.
//
// C: dlf_is_contiguous
func (v Elements[T]) Slice() ([]T, error) {
	if _, err := v.tensor.open("slice"); err != nil {
		return nil, err
	}
	defer v.tensor.done()
	if !C.dlf_is_contiguous(v.tensor.dl, C.DLF_ROW_MAJOR) {
		return nil, errorf(ErrLayout, "slice: expected a row-major tensor, got %s", v.tensor.Describe())
	}
	return unsafe.Slice((*T)(v.data), v.Len()), nil
}

// Len counts the elements.
func (v Elements[T]) Len() int {
	v.mustBeOpen()
	count := 1
	for _, extent := range v.shape {
		count *= extent // cannot overflow: the hub has counted
	}
	return count
}

// All yields the elements with the last index running fastest, whatever their order in memory.
func (v Elements[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		index := make([]int, len(v.shape))
		for range v.Len() {
			if !yield(v.At(index...)) {
				return
			}
			for axis := len(index) - 1; axis >= 0; axis-- {
				if index[axis]++; index[axis] < v.shape[axis] {
					break
				}
				index[axis] = 0
			}
		}
	}
}

func (v Elements[T]) mustBeOpen() {
	if !v.tensor.isOpen() {
		panic(errorf(ErrInvalid, "view: expected an open tensor, got a closed one"))
	}
}
