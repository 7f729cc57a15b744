// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// Values passed to C, and results passed back as numbers.

// #include "bridge.h"
import "C"

import (
	"strings"
	"unsafe"
)

const (
	readOnly = C.DLPACK_FLAG_BITMASK_READ_ONLY
	padded   = C.DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
)

// Flat is an [Arg] passed to C by value: pointers to numbers, none of them inside Go memory passed to C. For generated
// packages; valid until Done is called for its Arg.
type Flat struct { // four words: with more the compiler copies through memory
	Data           *byte  // first element of a slice; for a Tensor the DLTensor, in C memory
	Shape, Strides *int   // of a slice; Strides is nil if row-major; Shape points to flags that About has no room for
	About          uint64 // from the lowest byte up; 0: absent; 1, 3: a Tensor, 56 flags; 2: a slice, 8 ndim, 16 flags, 32 dtype
}

const (
	flatTensor  = 1
	flatSlice   = 2
	flatFlagged = 3 // a Tensor with flags above the lowest 56: unknown ones, which C must see to refuse them
)

func (f Flat) c() C.dlfgo_flat {
	return C.dlfgo_flat{(*C.uint8_t)(f.Data), (*C.int64_t)(unsafe.Pointer(f.Shape)), (*C.int64_t)(unsafe.Pointer(f.Strides)),
		C.uint64_t(f.About)}
}

// Terminate lends a text to C with a NUL at its end, in Go memory: in room, which may be on the stack, if it is short.
// The name opens the error text. For generated packages.
//
// It fails with ErrInvalid if the text contains a NUL, where C would end it.
func Terminate(room *[64]byte, name, text string) (*byte, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, errorf(ErrInvalid, "%s: expected a text without NUL, got %q", name, strings.Clone(text))
	}
	return &append(append(room[:0], text...), 0)[0], nil
}

func extents(shape []int) *C.int64_t { return (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(shape))) }

// pointer reads an address that C wrote as a number.
func pointer(number *C.uintptr_t) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(number)) }
