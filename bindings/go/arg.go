// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import "unsafe"

// Arg is what a generated function takes for a tensor: a [*Tensor], or an [*Array] that [Of] made of a slice.
type Arg interface {
	// argument keeps others out: C must be able to trust what it gets.
	argument()
}

func (*Tensor) argument() {}
func (*Array) argument()  {}

// Flat is an [Arg] as C takes it, by value: pointers to numbers, none of them inside Go memory that C is given.
// Generated packages have a C structure of this layout. It is valid as long as its Arg is kept alive.
type Flat struct {
	data           *byte
	shape, strides *int
	byteOffset     uint64
	flags          uint64
	dtype          DType // 0 in a slice's, where it is told beside
	ndim           int32 // -1 for an absent optional tensor
	device         Device
}

var _ [0]struct{} = [unsafe.Sizeof(Flat{}) - unsafe.Sizeof(C.dlfgo_flat{})]struct{}{}

var absent = Flat{ndim: -1}

func (f *Flat) c(dtype DType) C.dlfgo_flat {
	c := *(*C.dlfgo_flat)(unsafe.Pointer(f))
	c.dtype = C.uint32_t(dtype)
	return c
}

// Flatten describes an argument to C: all but its dtype, and that. The name, such as "blur: image", opens the message
// of a failure. It is for generated packages.
//
// It fails with ErrInvalid for nil, a closed tensor, or a shape that does not fit its slice.
func Flatten(name string, argument Arg) (*Flat, DType, error) {
	switch a := argument.(type) {
	case *Tensor:
		if a.isOpen() {
			drain()
			return &a.flat, a.flat.dtype, nil
		}
		_, err := a.open(name)
		return nil, 0, err
	case *Array:
		if err := a.check(name); err != nil {
			return nil, 0, err
		}
		drain()
		return &a.flat, a.dtype(), nil
	}
	return nil, 0, errorf(ErrInvalid, "%s: expected a tensor, got nil", name)
}

// FlattenOptional is Flatten for a tensor that may be absent: nil.
func FlattenOptional(name string, argument Arg) (*Flat, DType, error) {
	tensor, isTensor := argument.(*Tensor)
	array, isArray := argument.(*Array)
	if argument == nil || isTensor && tensor == nil || isArray && array == nil {
		return &absent, 0, nil
	}
	return Flatten(name, argument)
}

// Terminate lends a text to C with a NUL at its end, in Go memory. The name opens the message of a failure. It is for
// generated packages.
//
// It fails with ErrInvalid when the text has a NUL in it, where C would end it.
func Terminate(name, text string) (*byte, error) {
	c, err := cString(name, text)
	return (*byte)(unsafe.Pointer(c)), err
}
