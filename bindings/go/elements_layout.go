// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_look
// #cgo nocallback dlfgo_look
// #include "bridge.h"
import "C"

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// layout is a tensor's elements as Go reads them: counted in bytes, checked once. The tensor's release empties it, so
// that every later access fails its check of bounds.
type layout struct {
	tensor         *Tensor        // kept from the collector
	data           unsafe.Pointer // first element
	x0             uint           // extents for At1, At2 and At3: 0 unless the tensor has so many axes
	y0, y1         uint
	z0, z1, z2     uint
	wx, wy, wz     uint // the first ones for Set1, Set2 and Set3: 0 also if the tensor is read-only
	s0, s1, s2     int  // their strides
	readOnly, shut bool
	isBool         bool    // a byte that is neither 0 nor 1 is read as 1, since others may store any
	asBool         *layout // of the dtype bool: the same for Go's bool
	dtype          DType
	width, count   int
	shape, strides []int     // of all axes; strides in bytes
	runs, steps    []int     // the same elements in the fewest axes
	room           [4][4]int // of the lists
}

const knownFlags = C.DLPACK_FLAG_BITMASK_READ_ONLY | C.DLPACK_FLAG_BITMASK_IS_COPIED |
	C.DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED

// newLayout checks that a tensor in use has elements of the dtype here, and describes them. C decides about all but
// plain tensors.
func (t *Tensor) newLayout(dtype DType) (*layout, error) {
	shape, strides := lent(t.dl.shape, t.dl.ndim), lent(t.dl.strides, t.dl.ndim)
	width := dtype.whole()
	plain := dtypeOfC(&t.dl.dtype) == dtype && dtype.width()%8 == 0 && t.dl.device.device_type == C.kDLCPU &&
		t.flags&^knownFlags == 0 && address(t.dl)%16 == 0
	count := 1
	for _, extent := range shape {
		plain = plain && uint(extent) < small && count < small
		count *= extent
	}
	if !plain {
		if err := t.look(dtype, 0); err != nil {
			return nil, err
		}
	}
	if slices.Contains(shape, 0) {
		count = 0 // other extents may have a product that does not fit
	}
	l := &layout{tensor: t, readOnly: t.flags&readOnly != 0, dtype: dtype, width: width, count: count}
	l.shape, l.strides = append(l.room[0][:0], shape...), append(l.room[1][:0], strides...)
	for axis := range strides {
		l.strides[axis] *= width
	}
	// An empty tensor may have any address: Rust's empty Vec has 4, and Go cannot move a stack with such a pointer.
	if count != 0 {
		l.data = unsafe.Add(t.dl.data, int(t.dl.byte_offset))
	}
	l.open()
	if dtype == Bool {
		asBool := *l // its lists are in the room of l
		asBool.isBool = true
		l.asBool = &asBool
	}
	if !atomic.CompareAndSwapPointer(t.layoutWord(), nil, unsafe.Pointer(l)) {
		return (*layout)(atomic.LoadPointer(t.layoutWord())), nil
	}
	return l, nil
}

// look asks C about a tensor that is in use.
func (t *Tensor) look(dtype DType, how C.uint32_t) error {
	var e C.dlf_error
	status := C.dlfgo_look(t.number(), C.uint64_t(t.flags), C.uint32_t(dtype), how, &e)
	return failed(status, &e)
}

func (t *Tensor) layoutWord() *unsafe.Pointer { return (*unsafe.Pointer)(unsafe.Pointer(&t.layout)) }

// open lets elements be used. Extents of 0 refuse every index.
func (l *layout) open() {
	switch len(l.shape) {
	case 1:
		l.x0 = uint(l.shape[0])
		l.s0 = l.strides[0]
	case 2:
		l.y0, l.y1 = uint(l.shape[0]), uint(l.shape[1])
		l.s0, l.s1 = l.strides[0], l.strides[1]
	case 3:
		l.z0, l.z1, l.z2 = uint(l.shape[0]), uint(l.shape[1]), uint(l.shape[2])
		l.s0, l.s1, l.s2 = l.strides[0], l.strides[1], l.strides[2]
	}
	if !l.readOnly {
		l.wx, l.wy, l.wz = l.x0, l.y0, l.z0
	}
	l.merge()
}

// merge describes the elements in the fewest axes, the last one innermost: one for all elements of a dense tensor.
func (l *layout) merge() {
	l.runs, l.steps = append(l.room[2][:0], 1), append(l.room[3][:0], l.width)
	for axis := len(l.shape) - 1; axis >= 0; axis-- {
		extent, stride, outer := l.shape[axis], l.strides[axis], len(l.runs)-1
		switch {
		case extent == 1:
		case l.runs[outer] == 1:
			l.runs[outer], l.steps[outer] = extent, stride
		case stride == l.runs[outer]*l.steps[outer]:
			l.runs[outer] *= extent
		default:
			l.runs, l.steps = append(l.runs, extent), append(l.steps, stride)
		}
	}
	slices.Reverse(l.runs)
	slices.Reverse(l.steps)
}

// close refuses all elements from now on.
func (l *layout) close() {
	l.shut, l.data, l.count = true, nil, 0
	l.x0, l.y0, l.y1, l.z0, l.z1, l.z2 = 0, 0, 0, 0, 0, 0
	l.wx, l.wy, l.wz = 0, 0, 0
	if l.asBool != nil {
		l.asBool.close()
	}
}

// isHeld is true inside With, even if the tensor has been closed meanwhile.
func (l *layout) isHeld() bool { return !l.shut && l.tensor.users.isUsed() }

func (l *layout) mustBeOpen() {
	if l == nil {
		panic(errorf(ErrInvalid, "elements: expected a tensor, got nil"))
	}
	if !l.tensor.isOpen() && !l.isHeld() {
		panic(errorf(ErrInvalid, "elements: expected an open tensor, got a closed one"))
	}
}
