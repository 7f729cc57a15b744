// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_wrap
// #cgo nocallback dlfgo_wrap
// #include "bridge.h"
import "C"

import "unsafe"

// Wrap makes a tensor around a slice: row-major, of this shape. [Array.Wrap] also takes strides or read-only.
//
// The slice stays pinned until the last user of its memory is gone. It fails with ErrShape unless the extents multiply
// to the length of the slice.
//
// C: dlf_wrap
func Wrap[T Element](slice []T, shape ...int) (*Tensor, error) {
	a := Of(slice, shape...)
	if err := a.check("wrap"); err != nil {
		return nil, err
	}
	return wrap(a.flat(), unsafe.Pointer(unsafe.SliceData(slice)))
}

// Wrap makes a tensor around the slice, which stays pinned until the last user of its memory is gone.
//
// It fails with ErrShape unless the extents multiply to the length of the slice, with ErrBounds if strides lead out of
// it, and with ErrInvalid for impossible extents and strides.
//
// C: dlf_wrap_queued, dlf_check_window
func (a *Array) Wrap() (*Tensor, error) {
	if err := a.check("wrap"); err != nil {
		return nil, err
	}
	return wrap(a.flat(), unsafe.Pointer(a.data))
}

// wrap pins the data. It is a separate parameter so that the compiler may leave shape and strides on the stack.
func wrap(flat Flat, data unsafe.Pointer) (*Tensor, error) {
	drain()
	owner, err := pin(data)
	if err != nil {
		return nil, err
	}
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_wrap(flat.c(), C.uintptr_t(owner), &h, &e)
	if status != 0 {
		unpin(owner)
	}
	return adopt(status, &h, &e)
}
