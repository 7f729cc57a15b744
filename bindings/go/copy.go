// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_contiguous
// #cgo nocallback dlfgo_contiguous
// #include "bridge.h"
import "C"

// Copy copies the elements into a new, writable row-major tensor.
//
// It fails with ErrDevice if the processor cannot reach the data, ErrUnsupported for unknown flags, or ErrNoMemory.
//
// C: dlf_copy
func (t *Tensor) Copy() (*Tensor, error) {
	return t.view("copy", C.dlfgo_plain(C.dlf_copy))
}

// CopyPadded copies like Copy, and gives each packed sub-byte element whole bytes of its own, as NumPy has them.
//
// It fails with ErrDevice, ErrUnsupported for packed lanes and elements above 64 bits, or ErrNoMemory.
//
// C: dlf_copy_padded
func (t *Tensor) CopyPadded() (*Tensor, error) {
	return t.view("copy_padded", C.dlfgo_plain(C.dlf_copy_padded))
}

// Contiguous returns a row-major tensor without gaps: another handle on the same memory if it is one, else a copy.
//
// It fails like Copy.
//
// C: dlf_is_contiguous, dlf_copy
func (t *Tensor) Contiguous() (*Tensor, error) {
	handle, err := t.open("copy")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_contiguous(handle, &h, &e)
	return adopt(status, &h, &e)
}
