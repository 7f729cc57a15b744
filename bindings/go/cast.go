// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_cast
// #cgo nocallback dlfgo_cast
// #cgo noescape dlfgo_cast_into
// #cgo nocallback dlfgo_cast_into
// #include "bridge.h"
import "C"

// Cast converts the elements into a new row-major tensor of another dtype, writable, with one exact rounding.
//
// Integers wrap. A real loses its fraction as an integer; beyond the range it becomes the nearest integer, NaN becomes 0.
// Reals round to nearest, ties to even; one too large for its dtype becomes infinity, else NaN, else the largest value.
// True is what is not 0. Real numbers also become complex ones, but not back. Elements of less than 8 bits are packed:
// [CastTo] gives each a byte, for Go's types.
//
// It fails with ErrDtype from complex numbers to others, for other lanes, and for dtypes without arithmetic and integers of
// less than 8 bits, and like [Tensor.Copy].
//
// C: dlf_cast
func (t *Tensor) Cast(dtype DType) (*Tensor, error) { return t.cast(dtype, false) }

// CastSaturating converts like [Tensor.Cast], but a number beyond the range of the dtype becomes the nearest one that it has:
// integers, and infinities too.
//
// C: dlf_cast
func (t *Tensor) CastSaturating(dtype DType) (*Tensor, error) { return t.cast(dtype, true) }

func (t *Tensor) cast(dtype DType, saturate bool) (*Tensor, error) {
	handle, err := t.open("cast")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_cast(handle, C.uint32_t(dtype), C.bool(saturate), &h, &e)
	return adopt(status, &h, &e)
}

// CastTo converts like [Tensor.Cast], to elements of a Go type: [With] reads them.
//
// C: dlf_cast
func CastTo[T Element](t *Tensor) (*Tensor, error) {
	dtype := DTypeOf[T]()
	cast, err := t.Cast(dtype)
	if err != nil || dtype.width()&7 == 0 {
		return cast, err
	}
	defer cast.Close()
	return cast.CopyPadded()
}

// CastInto converts the elements into existing memory of another dtype and the same shape, as [Tensor.Cast] does, with any
// strides on both sides. Each side is a *Tensor, or a slice as [Of] describes it.
//
// It fails with ErrDtype like Cast, and otherwise like [CopyInto]; both sides may share memory only if their dtypes are equal,
// too. Nothing is written then.
//
// C: dlf_cast_into
func CastInto(source, destination Arg) error { return castInto(source, destination, false) }

// CastIntoSaturating converts like [CastInto], but a number beyond the range of the destination's dtype becomes the nearest
// one that it has.
//
// C: dlf_cast_into
func CastIntoSaturating(source, destination Arg) error { return castInto(source, destination, true) }

func castInto(source, destination Arg, saturate bool) error {
	p, err := openPair("cast_into", source, destination)
	if err != nil {
		return err
	}
	defer p.done()
	var e C.dlf_error
	status := C.dlfgo_cast_into(passed(p.from), handleOf(source), passed(p.to), handleOf(destination), C.bool(saturate), &e)
	return failed(status, &e)
}
