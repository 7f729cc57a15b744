// SPDX-License-Identifier: Apache-2.0

// Package plumb has what the package dlferry and the package generated share.
package plumb

import "unsafe"

// Key opens the plumbing of the package dlferry to package generated alone.
type Key struct{}

// Flat is an argument passed to C by value: pointers to numbers, none of them inside Go memory passed to C.
type Flat struct { // four words: with more the compiler copies through memory
	Data           *byte  // first element of a slice; for a Tensor the DLTensor, in C memory
	Shape, Strides *int   // of a slice; Strides is nil if row-major; Shape points to flags that About has no room for
	About          uint64 // from the lowest byte up; 0: absent; 1, 3: a Tensor, 56 flags; 2: a slice, 8 ndim, 16 flags, 32 dtype
}

// Kept is an argument that C keeps after the call.
type Kept interface {
	Handle() uintptr // a dlf_tensor *
	Done()           // ends the use of the argument
}

// List is a list of arguments in one block of memory.
type List interface {
	First() unsafe.Pointer // of a Flat
	Len() int
	Close() // ends the use of the arguments
}
