// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// Values passed to C, and results passed back as numbers.

// #include "bridge.h"
import "C"

import (
	"strings"
	"unsafe"

	"github.com/dlferry/dlferry/bindings/go/internal/plumb"
)

const (
	readOnly = C.DLPACK_FLAG_BITMASK_READ_ONLY
	padded   = C.DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
)

const (
	flatTensor  = 1
	flatSlice   = 2
	flatFlagged = 3 // a Tensor with flags above the lowest 56: unknown ones, which C must see to refuse them
)

func passed(f plumb.Flat) C.dlfgo_flat {
	return C.dlfgo_flat{(*C.uint8_t)(f.Data), (*C.int64_t)(unsafe.Pointer(f.Shape)), (*C.int64_t)(unsafe.Pointer(f.Strides)),
		C.uint64_t(f.About)}
}

// terminate lends a text to C with a NUL at its end, in Go memory: in room, which may be on the stack, if it is short.
// The name opens the error text.
//
// It fails with ErrInvalid if the text contains a NUL, where C would end it.
func terminate(room *[64]byte, name, text string) (*byte, error) {
	if err := checkText(name, text); err != nil {
		return nil, err
	}
	return &append(append(room[:0], text...), 0)[0], nil
}

// checkText refuses a text with a NUL, where C would end it. The name opens the error text.
func checkText(name, text string) error {
	if strings.IndexByte(text, 0) >= 0 {
		return errorf(ErrInvalid, "%s: expected a text without NUL, got one", name)
	}
	return nil
}

func extents(shape []int) *C.int64_t { return (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(shape))) }

// pointer reads an address that C wrote as a number.
func pointer(number *C.uintptr_t) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(number)) }
