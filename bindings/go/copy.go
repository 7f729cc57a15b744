// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_copy
// #cgo nocallback dlfgo_copy
// #include "bridge.h"
import "C"

// Copy copies the elements into a new, writable row-major tensor.
//
// It fails with ErrDevice if the processor cannot reach the data, ErrUnsupported for packed sub-byte elements that
// are not row-major, or ErrNoMemory.
//
// C: dlf_copy
func (t *Tensor) Copy() (*Tensor, error) {
	handle, err := t.open("copy")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_copy(handle, &h, &e)
	return adopt(status, &h, &e)
}
