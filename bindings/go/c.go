// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// What C is given by value, and what it gives back as numbers.

// #include "bridge.h"
import "C"

import (
	"strings"
	"unsafe"
)

const readOnly = C.DLPACK_FLAG_BITMASK_READ_ONLY

// Flat is an [Arg] as C takes it, by value: pointers to numbers, none of them inside Go memory that C is given.
// It is for generated packages, and valid until Done is called for its Arg.
type Flat struct { // four words: more of them and the compiler copies through memory
	Data           *byte  // first element of a slice; of a Tensor the DLTensor, in C memory
	Shape, Strides *int   // of a slice; Strides is nil where it is row-major; Shape points to flags where About has no room
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
// The name opens the message of a failure. It is for generated packages.
//
// It fails with ErrInvalid when the text has a NUL in it, where C would end it.
func Terminate(room *[64]byte, name, text string) (*byte, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, errorf(ErrInvalid, "%s: expected a text without NUL, got %q", name, strings.Clone(text))
	}
	return &append(append(room[:0], text...), 0)[0], nil
}

func extents(shape []int) *C.int64_t { return (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(shape))) }

// pointer reads an address that C wrote as a number.
func pointer(number *C.uintptr_t) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(number)) }
