// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlf_check
// #cgo nocallback dlf_check
// #include "bridge.h"
import "C"

import "unsafe"

// CheckLevel is the level of Check.
type CheckLevel int32

const (
	// CheckStructure checks pointers, extents, sizes, dtype and device: without it nothing else is safe.
	CheckStructure CheckLevel = C.DLF_CHECK_STRUCTURE
	// CheckStrict also checks the letter of DLPack 1.3: strides, NULL data when empty, alignment to 256 bytes.
	CheckStrict CheckLevel = C.DLF_CHECK_STRICT
)

// Check checks a foreign tensor, a DLTensor *, which it borrows, and the flags that came with it, if any.
//
// It fails with ErrInvalid, ErrOverflow, ErrDtype or ErrDevice. Unknown dtype and device codes are accepted.
//
// C: dlf_check
func Check(tensor unsafe.Pointer, flags uint64, level CheckLevel) error {
	var e C.dlf_error
	status := C.dlf_check((*C.DLTensor)(tensor), C.uint64_t(flags), C.int32_t(level), &e)
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
	return Check(unsafe.Pointer(t.dl), t.flags, level)
}
