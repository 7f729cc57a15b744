// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_look
// #cgo nocallback dlfgo_look
// #include "bridge.h"
import "C"

import (
	"iter"
	"reflect"
	"runtime"
	"slices"
	"unsafe"
)

// Elements gives typed access to a tensor's elements in place, with any strides. It keeps the tensor from the garbage
// collector. Elements of a [Look] panic after the tensor's Close, which must not run while another goroutine uses them:
// a guard would make each access several times slower. Elements of [With] need no such care.
type Elements[T Element] struct {
	tensor         *Tensor
	data           unsafe.Pointer // first element
	shape, strides []int          // lent by the tensor
	held           bool           // by With
}

// With gives a function access to the elements of a tensor, like [Look], and returns its error.
//
// Until the function returns, the tensor stays alive, even if the garbage collector finds it or another goroutine
// closes it. So do the Elements and their Slice, which must not leave the function.
//
//	err := dlferry.With(t, func(e dlferry.Elements[float32]) error {
//		samples, err := e.Slice()
//		...
//	})
//
// It fails like Look.
//
// C: dlf_look
func With[T Element](t *Tensor, look func(Elements[T]) error) error {
	if _, err := t.open("look"); err != nil {
		return err
	}
	defer t.done()
	v, err := lookOpen[T](t)
	if err != nil {
		return err
	}
	v.held = true
	return look(v)
}

// Look returns the elements of a tensor as Go values, without copying. [With] also guards them.
//
// It fails with ErrDtype if T is not the tensor's dtype, ErrDevice if the processor cannot reach the data, ErrLayout if
// the address is not aligned for T, ErrOverflow if strides of 0 make too many elements to count, and ErrUnsupported for
// flags that DLPack 1.3 does not name.
//
// C: dlf_look
func Look[T Element](t *Tensor) (Elements[T], error) {
	if _, err := t.open("look"); err != nil {
		return Elements[T]{}, err
	}
	defer t.done()
	return lookOpen[T](t)
}

// lookOpen is Look of a tensor that is in use. C decides about all but plain ones.
func lookOpen[T Element](t *Tensor) (Elements[T], error) {
	v := Elements[T]{tensor: t, shape: lent(t.dl.shape, t.dl.ndim), strides: lent(t.dl.strides, t.dl.ndim)}
	count, dtype := 1, DTypeOf[T]()
	for _, extent := range v.shape {
		if uint(extent) >= small || count >= small {
			count = -1 // unknown
			break
		}
		count *= extent
	}
	plain := count >= 0 && dtypeOfC(&t.dl.dtype) == dtype && t.dl.device.device_type == C.kDLCPU &&
		t.flags&^knownFlags == 0 && (count == 0 || address(t.dl)%unsafe.Alignof(*new(T)) == 0)
	if !plain {
		if err := t.look(dtype, 0); err != nil {
			return Elements[T]{}, err
		}
	}
	// An empty tensor may have any address: Rust's empty Vec has 4, and Go cannot move a stack with such a pointer.
	if count != 0 && !slices.Contains(v.shape, 0) {
		v.data = unsafe.Add(t.dl.data, int(t.dl.byte_offset))
	}
	return v, nil
}

const knownFlags = C.DLPACK_FLAG_BITMASK_READ_ONLY | C.DLPACK_FLAG_BITMASK_IS_COPIED |
	C.DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED

// look asks C about a tensor that is in use.
func (t *Tensor) look(dtype DType, how C.uint32_t) error {
	var e C.dlf_error
	status := C.dlfgo_look(C.uintptr_t(uintptr(unsafe.Pointer(t.dl))), C.uint64_t(t.flags), C.uint32_t(dtype), how, &e)
	return failed(status, &e)
}

// At returns one element; there is an index for each axis, from 0. A bool is true unless its byte is 0.
//
// Like indexing a slice it panics, with an ErrBounds, if there is no such element.
func (v Elements[T]) At(index ...int) T {
	defer runtime.KeepAlive(v.tensor)
	return load[T](v.at(index))
}

// Set writes one element. It panics like At, and with an ErrReadOnly if the tensor is read-only.
func (v Elements[T]) Set(value T, index ...int) {
	element := v.at(index)
	if v.tensor.flags&readOnly != 0 {
		panic(v.tensor.look(0, C.DLF_LOOK_WRITE))
	}
	*(*T)(element) = value
	runtime.KeepAlive(v.tensor)
}

func (v Elements[T]) at(index []int) unsafe.Pointer {
	v.mustBeOpen()
	if len(index) != len(v.shape) {
		panic(errorf(ErrBounds, "at: expected %d indices, got %d", len(v.shape), len(index)))
	}
	offset := 0
	for axis, i := range index {
		if uint(i) >= uint(v.shape[axis]) {
			panic(errorf(ErrBounds, "at: expected an index below %d on axis %d (from 0), got %d", v.shape[axis], axis, i))
		}
		offset += i * v.strides[axis] // cannot overflow: the hub has checked the byte range
	}
	return unsafe.Add(v.data, offset*int(unsafe.Sizeof(*new(T))))
}

// load reads an element. Other languages may store any byte in a bool, and Go's must be 0 or 1.
func load[T Element](element unsafe.Pointer) T {
	if unsafe.Sizeof(*new(T)) == 1 { // known to the compiler
		if b := *(*byte)(element); b > 1 && isBool[T]() {
			b = 1
			return *(*T)(unsafe.Pointer(&b))
		}
	}
	return *(*T)(element)
}

func isBool[T Element]() bool { return reflect.TypeFor[T]().Kind() == reflect.Bool }

// Slice lends the elements of a row-major tensor as a slice.
//
// The slice is the tensor's memory and does not keep it: call Slice inside [With] and do not let the slice out. The
// slice of a [Look] is valid until the tensor is closed or the garbage collector finds it unused, perhaps right after
// this call: end the use of the slice with runtime.KeepAlive(t), or `defer t.Close()`, and do not Close earlier.
//
// Do not write to it if the tensor is read-only. It fails with ErrLayout unless the elements are row-major without
// gaps, and with ErrDtype for bool, since other languages may store bytes that are neither true nor false: use [Bool8].
//
// C: dlf_look
func (v Elements[T]) Slice() ([]T, error) {
	if v.tensor.use() {
		defer v.tensor.done()
	} else if !v.isHeld() {
		return nil, v.tensor.misuse("slice")
	}
	if isBool[T]() {
		return nil, errorf(ErrDtype, "slice: expected a dtype other than bool, got bool")
	}
	if err := v.tensor.look(DTypeOf[T](), C.DLF_LOOK_ROW_MAJOR); err != nil {
		return nil, err
	}
	return unsafe.Slice((*T)(v.data), v.Len()), nil
}

// Len counts the elements.
func (v Elements[T]) Len() int {
	v.mustBeOpen()
	count := 1
	for _, extent := range v.shape {
		count *= extent // cannot overflow: Look has counted
	}
	return count
}

// All yields the elements with the last index varying fastest, independent of their order in memory. A Close waits for
// the loop.
func (v Elements[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		if v.tensor.use() {
			defer v.tensor.done()
			v.held = true
		}
		v.mustBeOpen()
		index := make([]int, len(v.shape))
		for range v.Len() {
			if !yield(v.At(index...)) {
				return
			}
			for axis := len(index) - 1; axis >= 0; axis-- {
				if index[axis]++; index[axis] < v.shape[axis] {
					break
				}
				index[axis] = 0
			}
		}
	}
}

// mustBeOpen also lets Elements of With continue if another goroutine closed the tensor.
func (v *Elements[T]) mustBeOpen() {
	if !v.tensor.isOpen() && !v.isHeld() {
		panic(errorf(ErrInvalid, "look: expected an open tensor, got a closed one"))
	}
}

// isHeld is false for Elements that left their With, which no longer hold the tensor.
func (v *Elements[T]) isHeld() bool { return v.held && v.tensor.users.isUsed() }
