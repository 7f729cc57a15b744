// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_fill_with
// #cgo nocallback dlfgo_fill_with
// #include "bridge.h"
import "C"

// Fill sets every element, or lane of one, to a number: any of Go's, a bool, or one of this package's. The destination is a
// *Tensor of any dtype with arithmetic, packed or padded, with any strides, or a slice as [Of] describes it.
//
// A real is rounded to nearest, ties to even, and a bool becomes 0 or 1. It fails with ErrInvalid for another value, for a
// number that a dtype of integers or bool does not have, for an imaginary part that the dtype has no place for, and for a nil
// or closed tensor, ErrReadOnly, ErrLayout if elements lie above or between each other, ErrDevice if the processor cannot
// reach them, ErrUnsupported for unknown flags, dtypes without arithmetic and padded lanes, ErrNoMemory, and like
// [Array.Wrap]. Nothing is written then.
//
// C: dlf_fill
func Fill(destination Arg, number any) error {
	value, ok := numberOf(number)
	if !ok {
		return errorf(ErrInvalid, "fill: expected a number, got %T", number)
	}
	to, err := flatten("fill", destination)
	if err != nil {
		return err
	}
	defer finish(destination)
	var e C.dlf_error
	status := C.dlfgo_fill_with(passed(to), handleOf(destination), &value, &e)
	return failed(status, &e)
}
