// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlf_count
// #cgo nocallback dlf_count
// #cgo noescape dlf_byte_size
// #cgo nocallback dlf_byte_size
// #cgo noescape dlf_byte_range
// #cgo nocallback dlf_byte_range
// #cgo noescape dlf_is_contiguous
// #cgo nocallback dlf_is_contiguous
// #cgo noescape dlf_compact_strides
// #cgo nocallback dlf_compact_strides
// #cgo noescape dlf_alignment
// #cgo nocallback dlf_alignment
// #cgo noescape dlfgo_overlap
// #cgo nocallback dlfgo_overlap
// #cgo noescape dlf_is_reachable
// #cgo nocallback dlf_is_reachable
// #cgo nocallback dlf_is_unique
// #include "bridge.h"
import "C"

// Order is an order of axes in memory. An axis of extent 1 and an empty tensor fit every order.
//
// C: dlf_order
type Order int32

const (
	// RowMajor is C's order: the last axis varies fastest.
	RowMajor Order = C.DLF_ROW_MAJOR
	// ColumnMajor is Fortran's and Julia's: the first axis varies fastest.
	ColumnMajor Order = C.DLF_COLUMN_MAJOR
	// Dense is any order of axes without gaps and negative strides.
	Dense Order = C.DLF_DENSE
)

// CompactStrides computes the strides, in elements, of this shape without gaps, [RowMajor] or [ColumnMajor].
//
// It fails with ErrOverflow or ErrInvalid.
//
// C: dlf_compact_strides
func CompactStrides(order Order, shape ...int) ([]int, error) {
	strides := make([]int, len(shape))
	var e C.dlf_error
	status := C.dlf_compact_strides(C.int64_t(len(shape)), extents(shape), C.int32_t(order), extents(strides), &e)
	if status != 0 {
		return nil, failed(status, &e)
	}
	return strides, nil
}

// Count counts the elements.
//
// It fails with ErrOverflow, which strides of 0 can cause.
//
// C: dlf_count
func (t *Tensor) Count() (int, error) {
	if _, err := t.open("count"); err != nil {
		return 0, err
	}
	defer t.done()
	var count C.int64_t
	var e C.dlf_error
	status := C.dlf_count(t.dl, &count, &e)
	return int(count), failed(status, &e)
}

// ByteSize computes the bytes that the elements take without gaps. Sub-byte elements count packed, unless the flags say
// that each has bytes of its own.
//
// It fails with ErrOverflow.
//
// C: dlf_byte_size
func (t *Tensor) ByteSize() (int, error) {
	if _, err := t.open("byte_size"); err != nil {
		return 0, err
	}
	defer t.done()
	var size C.int64_t
	var e C.dlf_error
	status := C.dlf_byte_size(t.dl, C.uint64_t(t.flags), &size, &e)
	return int(size), failed(status, &e)
}

// ByteRange computes the touched bytes, low to high - 1, relative to the first element. low is negative for negative
// strides; both are 0 without elements.
//
// It fails with ErrOverflow.
//
// C: dlf_byte_range
func (t *Tensor) ByteRange() (low, high int, err error) {
	if _, err := t.open("byte_range"); err != nil {
		return 0, 0, err
	}
	defer t.done()
	var from, to C.int64_t
	var e C.dlf_error
	status := C.dlf_byte_range(t.dl, C.uint64_t(t.flags), &from, &to, &e)
	return int(from), int(to), failed(status, &e)
}

// IsContiguous tells whether the elements have this order without gaps.
//
// C: dlf_is_contiguous
func (t *Tensor) IsContiguous(order Order) bool {
	if !t.use() {
		return false
	}
	defer t.done()
	return bool(C.dlf_is_contiguous(t.dl, C.int32_t(order)))
}

// Alignment returns the highest power of two that divides the first element's address; 1 << 62 without elements.
//
// C: dlf_alignment
func (t *Tensor) Alignment() int {
	if !t.use() {
		return 0
	}
	defer t.done()
	return int(C.dlf_alignment(t.dl))
}

// Overlap tells whether the byte ranges of two tensors share a byte; true if that is unknown.
//
// It fails with ErrInvalid for a nil or closed tensor, and like [Array.Wrap].
//
// C: dlf_overlap
func (t *Tensor) Overlap(other Arg) (bool, error) {
	flat, err := t.beside("overlap", other)
	if err != nil {
		return false, err
	}
	defer t.doneBeside(other)
	return bool(C.dlfgo_overlap(t.number(), C.uint64_t(t.flags), passed(flat))), nil
}

// IsReachable tells whether the processor may use the elements in place.
//
// C: dlf_is_reachable
func (t *Tensor) IsReachable() bool {
	if !t.use() {
		return false
	}
	defer t.done()
	return bool(C.dlf_is_reachable(t.dl))
}

// IsUnique tells whether no other handle, view or export of the elements exists. Users that this library does not know
// do not count, such as a slice that [Wrap] was given.
//
// C: dlf_is_unique
func (t *Tensor) IsUnique() bool {
	if !t.use() {
		return false
	}
	defer t.done()
	return bool(C.dlf_is_unique(t.tensor()))
}
