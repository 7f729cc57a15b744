// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_compare
// #cgo nocallback dlfgo_compare
// #cgo noescape dlfgo_all_close
// #cgo nocallback dlfgo_all_close
// #include "bridge.h"
import "C"

// Identical tells whether two tensors have the same dtype, shape and bits of every element.
//
// The other one may be a slice, see [Of]. It fails with ErrDevice, ErrUnsupported for unknown flags, ErrInvalid for a
// nil or closed tensor, and like [Array.Wrap].
//
// C: dlf_identical
func (t *Tensor) Identical(other Arg) (bool, error) {
	flat, err := t.beside("identical", other)
	if err != nil {
		return false, err
	}
	defer t.doneBeside(other)
	var same C.bool
	var e C.dlf_error
	status := C.dlfgo_compare(C.dlfgo_comparison(C.dlf_identical), t.number(), C.uint64_t(t.flags), passed(flat), &same, &e)
	return bool(same), failed(status, &e)
}

// Equal tells whether two tensors have the same shape and equal numbers, for any dtypes. NaN equals nothing.
//
// The other one may be a slice, see [Of]. It fails like [Tensor.Identical], and with ErrUnsupported for dtypes without
// arithmetic.
//
// C: dlf_equal
func (t *Tensor) Equal(other Arg) (bool, error) {
	flat, err := t.beside("equal", other)
	if err != nil {
		return false, err
	}
	defer t.doneBeside(other)
	var same C.bool
	var e C.dlf_error
	status := C.dlfgo_compare(C.dlfgo_comparison(C.dlf_equal), t.number(), C.uint64_t(t.flags), passed(flat), &same, &e)
	return bool(same), failed(status, &e)
}

// AllClose tells whether two tensors have the same shape and |a - b| <= atol + rtol |b| for every element, in float64.
// NaN is close to NaN if equalNaN. NumPy takes 1e-5 and 1e-8.
//
// The other one, b, may be a slice, see [Of]. It fails with ErrInvalid for a negative tolerance, and like
// [Tensor.Equal].
//
// C: dlf_all_close
func (t *Tensor) AllClose(other Arg, rtol, atol float64, equalNaN bool) (bool, error) {
	flat, err := t.beside("all_close", other)
	if err != nil {
		return false, err
	}
	defer t.doneBeside(other)
	var areClose C.bool
	var e C.dlf_error
	status := C.dlfgo_all_close(t.number(), C.uint64_t(t.flags), passed(flat), C.double(rtol), C.double(atol),
		C.bool(equalNaN), &areClose, &e)
	return bool(areClose), failed(status, &e)
}
