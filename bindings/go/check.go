// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlf_check
// #cgo nocallback dlf_check
// #include "bridge.h"
import "C"

import "unsafe"

// CheckLevel is how much Check asks.
type CheckLevel int32

const (
	// CheckStructure looks at pointers, extents, sizes, dtype and device: without this nothing else is safe.
	CheckStructure CheckLevel = C.DLF_CHECK_STRUCTURE
	// CheckStrict asks for the letter of DLPack 1.3 too: strides, NULL data when empty, alignment to 256 bytes.
	CheckStrict CheckLevel = C.DLF_CHECK_STRICT
)

// Check checks a tensor that came from outside, a DLTensor *, which it borrows.
//
// It fails with ErrInvalid, ErrOverflow, ErrDtype or ErrDevice. Dtype and device codes that have no name pass.
//
// C: dlf_check
func Check(tensor unsafe.Pointer, level CheckLevel) error {
	var e C.dlf_error
	status := C.dlf_check((*C.DLTensor)(tensor), C.dlf_check_level(level), &e)
	return failed(status, &e)
}

// Check checks the tensor; every Tensor passes CheckStructure.
//
// C: dlf_check
func (t *Tensor) Check(level CheckLevel) error {
	if _, err := t.open("check"); err != nil {
		return err
	}
	defer t.done()
	return Check(unsafe.Pointer(t.dl), level)
}
