// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import "unsafe"

// WithBytes gives a function the memory of a row-major tensor of any dtype, and returns its error. The tensor is filled
// from a file or a connection, or sent to one, without another buffer:
//
//	err := t.WithBytes(true, func(memory []byte) error {
//		_, err := io.ReadFull(request.Body, memory)
//		return err
//	})
//
// Until the function returns, the tensor stays alive, even if another goroutine closes it. The bytes must not leave the
// function, which must not write to them unless write is true.
//
// It fails with ErrReadOnly if write is true and the tensor is read-only, ErrLayout unless the elements are row-major
// without gaps, ErrDevice if the processor cannot reach them, and ErrUnsupported for elements that are not whole bytes.
//
// C: dlf_look
func (t *Tensor) WithBytes(write bool, use func(memory []byte) error) error {
	if _, err := t.open("elements"); err != nil {
		return err
	}
	defer t.done()
	if use == nil {
		return errorf(ErrInvalid, "elements: expected a function, got nil")
	}
	how := C.uint32_t(C.DLF_LOOK_ROW_MAJOR)
	if write {
		how |= C.DLF_LOOK_WRITE
	}
	if err := t.look(0, how); err != nil {
		return err
	}
	size := dtypeOfC(&t.dl.dtype).width() / 8
	for _, extent := range lent(t.dl.shape, t.dl.ndim) {
		size *= extent // cannot overflow: dlf_look has multiplied them
	}
	if size == 0 {
		return use(nil)
	}
	return use(unsafe.Slice((*byte)(unsafe.Add(t.dl.data, int(t.dl.byte_offset))), size))
}

// WithSpan gives a function the memory that a tensor's elements touch, with any strides, and returns its error. The
// first element begins at memory[first]; first is not 0 for negative strides. Gaps between the elements belong to the
// span, but not to the tensor.
//
// Until the function returns, the tensor stays alive, even if another goroutine closes it. The bytes must not leave the
// function, which must not write to them unless write is true.
//
// It fails with ErrReadOnly if write is true and the tensor is read-only, ErrDevice if the processor cannot reach the
// elements, and ErrUnsupported for elements that are not whole bytes.
//
// C: dlf_look, dlf_byte_range
func (t *Tensor) WithSpan(write bool, use func(memory []byte, first int) error) error {
	if _, err := t.open("elements"); err != nil {
		return err
	}
	defer t.done()
	if use == nil {
		return errorf(ErrInvalid, "elements: expected a function, got nil")
	}
	how := C.uint32_t(0)
	if write {
		how |= C.DLF_LOOK_WRITE
	}
	if err := t.look(0, how); err != nil {
		return err
	}
	var low, high C.int64_t
	var e C.dlf_error
	if status := C.dlf_byte_range(t.dl, C.uint64_t(t.flags), &low, &high, &e); status != 0 {
		return failed(status, &e)
	}
	if low == high {
		return use(nil, 0)
	}
	begin := unsafe.Add(t.dl.data, int(t.dl.byte_offset)+int(low))
	return use(unsafe.Slice((*byte)(begin), int(high-low)), int(-low))
}
