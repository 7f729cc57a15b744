// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_wrap
// #cgo nocallback dlfgo_wrap
// #cgo noescape dlfgo_keep
// #cgo nocallback dlfgo_keep
// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/dlferry/dlferry/bindings/go/internal/plumb"
)

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
// C: dlf_wrap, dlf_check_window
func (a *Array) Wrap() (*Tensor, error) {
	if err := a.check("wrap"); err != nil {
		return nil, err
	}
	return wrap(a.flat(), unsafe.Pointer(a.data))
}

// WrapOwned is [Array.Wrap] for memory with an owner, such as a mapped file or another library's buffer: release runs
// once, after the last user of the memory is gone.
//
// It runs on any goroutine that calls this package, or on one of its own, so it must not wait for a lock that such a
// goroutine may hold; if it panics, the program ends. After a failure it does not run. It fails like Wrap.
//
// C: dlf_wrap
func (a *Array) WrapOwned(release func()) (*Tensor, error) {
	if err := a.check("wrap"); err != nil {
		return nil, err
	}
	return wrapFor(a.flat(), unsafe.Pointer(a.data), release)
}

// wrap pins the data. It is a separate parameter so that the compiler may leave shape and strides on the stack.
func wrap(flat plumb.Flat, data unsafe.Pointer) (*Tensor, error) { return wrapFor(flat, data, nil) }

func wrapFor(flat plumb.Flat, data unsafe.Pointer, release func()) (*Tensor, error) {
	drain()
	s, err := pin(data)
	if err != nil {
		return nil, err
	}
	if release != nil {
		s.onEnd(release)
	}
	var h C.dlfgo_handle
	if failure := C.dlfgo_wrap(passed(flat), s.owner(), &h); failure != 0 {
		s.end()
		return nil, failedAt(uintptr(failure))
	}
	return newTensor(&h), nil
}

// inSlot makes a tensor of the same elements that a slot owns: the slot keeps the handle of this one.
func (t *Tensor) inSlot() (*Tensor, error) {
	s, err := pin(nil)
	if err != nil {
		return nil, err
	}
	handle := t.handle
	s.onEnd(func() { release(handle) })
	var h C.dlfgo_handle
	if failure := C.dlfgo_keep(handle, s.owner(), &h); failure != 0 {
		s.end()
		return nil, failedAt(uintptr(failure))
	}
	return newTensor(&h), nil
}
