// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_contiguous
// #cgo nocallback dlfgo_contiguous
// #cgo noescape dlfgo_copy_into
// #cgo nocallback dlfgo_copy_into
// #include "bridge.h"
import "C"

import "github.com/dlferry/dlferry/bindings/go/internal/plumb"

// Copy copies the elements into a new, writable row-major tensor.
//
// It fails with ErrDevice if the processor cannot reach the data, ErrUnsupported for unknown flags, or ErrNoMemory.
//
// C: dlf_copy
func (t *Tensor) Copy() (*Tensor, error) {
	return t.view("copy", C.dlfgo_plain(C.dlf_copy))
}

// CopyPadded copies like Copy, and gives each packed sub-byte element whole bytes of its own, as NumPy has them.
//
// It fails with ErrDevice, ErrUnsupported for packed lanes and elements above 64 bits, or ErrNoMemory.
//
// C: dlf_copy_padded
func (t *Tensor) CopyPadded() (*Tensor, error) {
	return t.view("copy_padded", C.dlfgo_plain(C.dlf_copy_padded))
}

// Contiguous returns another handle on the same memory if the elements have this order without gaps, else a copy, which is
// row-major for [Dense].
//
// It fails like Copy, and with ErrInvalid for no order.
//
// C: dlf_contiguous
func (t *Tensor) Contiguous(order Order) (*Tensor, error) {
	handle, err := t.open("contiguous")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_contiguous(handle, C.int32_t(order), &h, &e)
	return adopt(status, &h, &e)
}

// CopyInto copies the elements into existing memory of the same dtype and shape, with any strides on both sides. Each side
// is a *Tensor, or a slice as [Of] describes it. Either may be packed and the other one padded.
//
// Both sides may share memory if their strides are equal: the destination then gets what the source had before. Bytes of bools
// are copied as they are, so a []bool must not get those of another language: use a [Bool8] slice.
//
// It fails with ErrDtype for another dtype, which [CastInto] converts, ErrShape, ErrReadOnly, ErrLayout if elements of the
// destination lie above or between each other or share memory with a source of other strides, ErrDevice if the processor
// cannot reach the data, ErrUnsupported for unknown flags and like [Tensor.CopyPadded], ErrInvalid for a nil or closed
// tensor, ErrNoMemory, and like [Array.Wrap]. Nothing is written then.
//
// C: dlf_copy_into
func CopyInto(source, destination Arg) error {
	p, err := openPair("copy_into", source, destination)
	if err != nil {
		return err
	}
	defer p.done()
	var e C.dlf_error
	status := C.dlfgo_copy_into(passed(p.from), handleOf(source), passed(p.to), handleOf(destination), &e)
	return failed(status, &e)
}

// pair is a source and a destination, in use until done.
type pair struct {
	source, destination Arg
	from, to            plumb.Flat
}

func openPair(name string, source, destination Arg) (pair, error) {
	from, err := flatten(name, source)
	if err != nil {
		return pair{}, err
	}
	to, err := flatten(name, destination)
	if err != nil {
		finish(source)
		return pair{}, err
	}
	return pair{source, destination, from, to}, nil
}

func (p *pair) done() {
	finish(p.destination)
	finish(p.source)
}

// handleOf returns the handle of a tensor in use; 0 for a slice.
func handleOf(argument Arg) C.uintptr_t {
	if t, ok := argument.(*Tensor); ok {
		return t.handle
	}
	return 0
}
