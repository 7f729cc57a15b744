// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlf_is_contiguous
// #cgo nocallback dlf_is_contiguous
// #include "bridge.h"
import "C"

import (
	"iter"
	"reflect"
	"runtime"
	"slices"
	"unsafe"
)

// Elements is a typed look at a tensor's elements in place, whatever its strides. It keeps the tensor from the garbage
// collector. Those of a [View] panic after the tensor's Close, which must not come while another goroutine is looking:
// an element would cost several times as much if that were guarded. Those of [With] need no such care.
type Elements[T Element] struct {
	tensor         *Tensor
	data           unsafe.Pointer // first element
	shape, strides []int          // lent by the tensor
	held           bool           // by With
}

// With looks at the elements of a tensor, as [View] does, for as long as a function runs, and returns its error.
//
// Until the function returns, the tensor stays, whether the garbage collector finds it or another goroutine closes it:
// so do the Elements and their Slice, which must not leave the function.
//
//	err := dlferry.With(t, func(e dlferry.Elements[float32]) error {
//		samples, err := e.Slice()
//		...
//	})
//
// It fails as View does.
//
// C: dlf_dltensor
func With[T Element](t *Tensor, look func(Elements[T]) error) error {
	if _, err := t.open("view"); err != nil {
		return err
	}
	defer t.done()
	v, err := viewOpen[T](t)
	if err != nil {
		return err
	}
	v.held = true
	return look(v)
}

// View looks at the elements of a tensor as Go values, without copying. [With] guards them as well.
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
	return viewOpen[T](t)
}

// viewOpen is View of a tensor that is in use.
func viewOpen[T Element](t *Tensor) (Elements[T], error) {
	var element T
	if got, want := dtypeOfC(&t.dl.dtype), DTypeOf[T](); got != want {
		return Elements[T]{}, errorf(ErrDtype, "view: expected dtype %s, got %s", want, got)
	}
	if device := deviceOfC(&t.dl.device); device.Type != DeviceCPU && !device.IsCPUAccessible() {
		return Elements[T]{}, errorf(ErrDevice, "view: expected a device that the processor can reach, got %s", device)
	}
	v := Elements[T]{tensor: t, shape: lent(t.dl.shape, t.dl.ndim), strides: lent(t.dl.strides, t.dl.ndim)}
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

// At returns one element; there is an index for each axis, from 0. A bool is true unless its byte is 0.
//
// Like indexing a slice it panics, with an ErrBounds, when there is no such element.
func (v Elements[T]) At(index ...int) T {
	defer runtime.KeepAlive(v.tensor)
	return load[T](v.at(index))
}

// Set writes one element. It panics as At does, and with an ErrReadOnly when the tensor is read-only.
func (v Elements[T]) Set(value T, index ...int) {
	element := v.at(index)
	if v.tensor.flags&readOnly != 0 {
		panic(errorf(ErrReadOnly, "set: expected a writable tensor, got a read-only one"))
	}
	*(*T)(element) = value
	runtime.KeepAlive(v.tensor)
}

func (v Elements[T]) at(index []int) unsafe.Pointer {
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
	return unsafe.Add(v.data, offset*int(unsafe.Sizeof(*new(T))))
}

// load reads an element. Other languages leave any byte where a bool is, and Go's must be 0 or 1.
func load[T Element](element unsafe.Pointer) T {
	if unsafe.Sizeof(*new(T)) == 1 { // known to the compiler
		if b := *(*byte)(element); b > 1 && isBool[T]() {
			b = 1
			return *(*T)(unsafe.Pointer(&b))
		}
	}
	return *(*T)(element)
}

func isBool[T Element]() bool { return reflect.TypeFor[T]().Kind() == reflect.Bool }

// Slice lends the elements of a row-major tensor as a slice.
//
// It is memory of the tensor's, which the slice does not keep: call it inside of [With] and do not let the slice out. Of
// a [View] it is good until the tensor is closed or the garbage collector finds that nothing uses the tensor any more,
// which may be right after this call: there, end the use of the slice with runtime.KeepAlive(t), or `defer t.Close()`,
// and Close no sooner.
//
// Do not write to it when the tensor is read-only. It fails with ErrLayout when the elements do not lie in row-major
// order without gaps, and with ErrDtype for bool, which in memory of other languages may be neither true nor false:
// look at them as [Bool8].
//
// C: dlf_is_contiguous
func (v Elements[T]) Slice() ([]T, error) {
	if !v.held {
		if _, err := v.tensor.open("slice"); err != nil {
			return nil, err
		}
		defer v.tensor.done()
	}
	if isBool[T]() {
		return nil, errorf(ErrDtype, "slice: expected a dtype other than bool, got bool")
	}
	if !C.dlf_is_contiguous(v.tensor.dl, C.DLF_ROW_MAJOR) {
		return nil, errorf(ErrLayout, "slice: expected a row-major tensor, got %s", printed(v.tensor.describe))
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

// All yields the elements with the last index running fastest, whatever their order in memory. A Close waits for the
// loop.
func (v Elements[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		v.mustBeOpen()
		if !v.held {
			if !v.tensor.use() {
				v.mustBeOpen()
			}
			defer v.tensor.done()
			v.held = true
		}
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

// mustBeOpen lets those look who hold the tensor, though another goroutine has closed it.
func (v *Elements[T]) mustBeOpen() {
	if !v.tensor.isOpen() && !(v.held && v.tensor.users.isUsed()) {
		panic(errorf(ErrInvalid, "view: expected an open tensor, got a closed one"))
	}
}
