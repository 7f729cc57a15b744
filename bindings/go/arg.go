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
	dtype          DType
	ndim           int32 // -1 for an absent optional tensor
	device         Device
}

var _ [0]struct{} = [unsafe.Sizeof(Flat{}) - unsafe.Sizeof(C.dlfgo_flat{})]struct{}{}

func (f *Flat) c() C.dlfgo_flat { return *(*C.dlfgo_flat)(unsafe.Pointer(f)) }

// Flatten describes an argument to C. The name, such as "blur: image", opens the message of a failure. It is for
// generated packages.
//
// It fails with ErrInvalid for nil, a closed tensor, or a shape that does not fit its slice.
func Flatten(name string, argument Arg) (Flat, error) {
	switch a := argument.(type) {
	case *Tensor:
		if _, err := a.open(name); err != nil {
			return Flat{}, err
		}
		return a.flat(), nil
	case *Array:
		drain()
		return a.flat(name)
	}
	return Flat{}, errorf(ErrInvalid, "%s: expected a tensor, got nil", name)
}

// FlattenOptional is Flatten for a tensor that may be absent: nil.
func FlattenOptional(name string, argument Arg) (Flat, error) {
	tensor, isTensor := argument.(*Tensor)
	array, isArray := argument.(*Array)
	if argument == nil || isTensor && tensor == nil || isArray && array == nil {
		return Flat{ndim: -1}, nil
	}
	return Flatten(name, argument)
}

func (t *Tensor) flat() Flat {
	return Flat{
		data:       (*byte)(t.dl.data),
		shape:      (*int)(unsafe.Pointer(t.dl.shape)),
		strides:    (*int)(unsafe.Pointer(t.dl.strides)),
		byteOffset: uint64(t.dl.byte_offset),
		flags:      t.flags,
		dtype:      dtypeOfC(&t.dl.dtype),
		ndim:       int32(t.dl.ndim),
		device:     deviceOfC(&t.dl.device),
	}
}

// Terminate lends a text to C with a NUL at its end, in Go memory. The name opens the message of a failure. It is for
// generated packages.
//
// It fails with ErrInvalid when the text has a NUL in it, where C would end it.
func Terminate(name, text string) (*byte, error) {
	c, err := cString(name, text)
	return (*byte)(unsafe.Pointer(c)), err
}
