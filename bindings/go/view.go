// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// Views: the same elements with another shape, without copying.

// #cgo noescape dlfgo_view
// #cgo nocallback dlfgo_view
// #cgo noescape dlfgo_view_on_axis
// #cgo nocallback dlfgo_view_on_axis
// #cgo noescape dlfgo_view_on_list
// #cgo nocallback dlfgo_view_on_list
// #cgo noescape dlfgo_view_index
// #cgo nocallback dlfgo_view_index
// #cgo noescape dlfgo_view_slice
// #cgo nocallback dlfgo_view_slice
// #cgo noescape dlfgo_view_select
// #cgo nocallback dlfgo_view_select
// #cgo noescape dlfgo_view_bitcast
// #cgo nocallback dlfgo_view_bitcast
// #include "bridge.h"
import "C"

import (
	"unsafe"
)

// view makes a tensor by a function of the hub that takes nothing else.
func (t *Tensor) view(name string, f C.dlfgo_plain) (*Tensor, error) {
	handle, err := t.open(name)
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_view(f, handle, &h, &e)
	return adopt(status, &h, &e)
}

// viewOnAxis does so by a function that takes an axis.
func (t *Tensor) viewOnAxis(name string, f C.dlfgo_on_axis, axis int) (*Tensor, error) {
	handle, err := t.open(name)
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_view_on_axis(f, handle, C.int64_t(axis), &h, &e)
	return adopt(status, &h, &e)
}

// viewOnList does so by a function that takes axes or extents.
func (t *Tensor) viewOnList(name string, f C.dlfgo_on_list, list []int) (*Tensor, error) {
	handle, err := t.open(name)
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_view_on_list(f, handle, extents(list), C.int64_t(len(list)), &h, &e)
	return adopt(status, &h, &e)
}

// Item selects along one axis, or adds one: [Range], [One] and [NewAxis] make the items of [Tensor.Index].
//
// C: dlf_index_item
type Item struct { // as in C
	kind, reserved     int32
	start, count, step int
}

// Range takes count indices of the next axis from start, in steps that may be negative.
func Range(start, count, step int) Item {
	return Item{kind: C.DLF_INDEX_RANGE, start: start, count: count, step: step}
}

// One takes one index of the next axis, which disappears.
func One(index int) Item { return Item{kind: C.DLF_INDEX_ONE, start: index} }

// NewAxis adds an axis of extent 1.
func NewAxis() Item { return Item{kind: C.DLF_INDEX_NEW} }

// Index selects along several axes at once, without copying. Each item takes the next axis or adds one; the axes after
// the last item stay whole. The view keeps the memory: the tensor may be closed before it.
//
// It fails with ErrBounds, ErrInvalid, ErrOverflow or ErrLayout, like [Tensor.Slice], [Tensor.Select] and
// [Tensor.Unsqueeze].
//
// C: dlf_index
func (t *Tensor) Index(items ...Item) (*Tensor, error) {
	handle, err := t.open("index")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	first := (*C.dlf_index_item)(unsafe.Pointer(unsafe.SliceData(items)))
	status := C.dlfgo_view_index(handle, first, C.int64_t(len(items)), &h, &e)
	return adopt(status, &h, &e)
}

// Slice selects count indices of an axis from start, in steps that may be negative, without copying.
//
// It fails with ErrBounds, ErrInvalid if step is 0, or ErrLayout if packed sub-byte elements would not start on a byte.
//
// C: dlf_slice
func (t *Tensor) Slice(axis, start, count, step int) (*Tensor, error) {
	handle, err := t.open("slice")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_view_slice(handle, C.int64_t(axis), C.int64_t(start), C.int64_t(count), C.int64_t(step), &h, &e)
	return adopt(status, &h, &e)
}

// Select takes one index of an axis, which disappears, without copying.
//
// It fails with ErrBounds, or ErrLayout if packed sub-byte elements would not start on a byte.
//
// C: dlf_select
func (t *Tensor) Select(axis, index int) (*Tensor, error) {
	handle, err := t.open("select")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_view_select(handle, C.int64_t(axis), C.int64_t(index), &h, &e)
	return adopt(status, &h, &e)
}

// Permute reorders the axes, without copying: axis i of the view is axis axes[i] of the tensor.
//
// It fails with ErrBounds, or ErrInvalid if axes is not a permutation.
//
// C: dlf_permute
func (t *Tensor) Permute(axes ...int) (*Tensor, error) {
	return t.viewOnList("permute", C.dlfgo_on_list(C.dlf_permute), axes)
}

// Reshape regroups the elements, in row-major order of their indices, without copying. One extent may be -1: it is
// computed.
//
// It fails with ErrLayout if no strides can express it, ErrShape if the counts differ, ErrInvalid, or ErrOverflow.
//
// C: dlf_reshape
func (t *Tensor) Reshape(shape ...int) (*Tensor, error) {
	return t.viewOnList("reshape", C.dlfgo_on_list(C.dlf_reshape), shape)
}

// Broadcast repeats axes of extent 1, and adds axes in front, without copying: their stride is 0.
//
// It fails with ErrShape if an extent is neither 1 nor the requested one, ErrInvalid, or ErrOverflow.
//
// C: dlf_broadcast
func (t *Tensor) Broadcast(shape ...int) (*Tensor, error) {
	return t.viewOnList("broadcast", C.dlfgo_on_list(C.dlf_broadcast), shape)
}

// Squeeze drops an axis of extent 1, without copying.
//
// It fails with ErrBounds, or ErrShape for another extent.
//
// C: dlf_squeeze
func (t *Tensor) Squeeze(axis int) (*Tensor, error) {
	return t.viewOnAxis("squeeze", C.dlfgo_on_axis(C.dlf_squeeze), axis)
}

// Unsqueeze adds an axis of extent 1 at this place of the view, without copying.
//
// It fails with ErrBounds, or ErrInvalid if no further axis fits.
//
// C: dlf_unsqueeze
func (t *Tensor) Unsqueeze(axis int) (*Tensor, error) {
	return t.viewOnAxis("unsqueeze", C.dlfgo_on_axis(C.dlf_unsqueeze), axis)
}

// Flip reverses an axis, without copying.
//
// It fails with ErrBounds, or ErrLayout if packed sub-byte elements would not start on a byte.
//
// C: dlf_flip
func (t *Tensor) Flip(axis int) (*Tensor, error) {
	return t.viewOnAxis("flip", C.dlfgo_on_axis(C.dlf_flip), axis)
}

// Bitcast reads the same bytes as another dtype, without copying. If the width differs, the last axis shrinks or grows.
//
// It fails with ErrDtype, ErrLayout if the last axis is not dense or a stride does not divide, ErrShape if its extent
// does not, or ErrOverflow.
//
// C: dlf_bitcast
func (t *Tensor) Bitcast(dtype DType) (*Tensor, error) {
	handle, err := t.open("bitcast")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_view_bitcast(handle, C.uint32_t(dtype), &h, &e)
	return adopt(status, &h, &e)
}

// PackLanes turns the last axis into lanes, float32[n, 4] into float32x4[n], without copying.
//
// It fails with ErrLayout if the last axis is not dense, ErrShape if its extent does not fit lanes, or ErrDtype if
// there are already lanes.
//
// C: dlf_pack_lanes
func (t *Tensor) PackLanes() (*Tensor, error) {
	return t.view("pack_lanes", C.dlfgo_plain(C.dlf_pack_lanes))
}

// UnpackLanes turns lanes into a last axis, float32x4[n] into float32[n, 4], without copying.
//
// It fails with ErrInvalid if no further axis fits, ErrUnsupported for padded sub-byte lanes, or ErrOverflow.
//
// C: dlf_unpack_lanes
func (t *Tensor) UnpackLanes() (*Tensor, error) {
	return t.view("unpack_lanes", C.dlfgo_plain(C.dlf_unpack_lanes))
}
