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
	if _, err := t.open("look"); err != nil {
		return err
	}
	defer t.done()
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
