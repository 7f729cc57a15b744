// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"iter"
	"runtime"
	"unsafe"
)

// Len counts the elements.
func (e Elements[T]) Len() int {
	e.layout.mustBeOpen()
	return e.layout.count
}

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
func (e Elements[T]) Slice() ([]T, error) {
	l := e.layout
	if l == nil {
		return nil, (*Tensor)(nil).misuse("slice")
	}
	if l.tensor.use() {
		defer l.tensor.done()
	} else if !l.isHeld() {
		return nil, l.tensor.misuse("slice")
	}
	if l.isBool {
		return nil, errorf(ErrDtype, "slice: expected a dtype other than bool, got bool")
	}
	if len(l.runs) != 1 || l.count > 1 && l.steps[0] != l.width { // also when empty: the text is C's
		if err := l.tensor.look(l.dtype, C.DLF_LOOK_ROW_MAJOR); err != nil {
			return nil, err
		}
	}
	return unsafe.Slice((*T)(l.data), l.count), nil
}

// Row lends the elements along the last axis as a slice. There is an index for each of the other axes.
//
// The slice is the tensor's memory, like that of [Elements.Slice]. It panics like At, with an ErrLayout if the last
// axis has gaps, and with an ErrDtype for bool.
func (e Elements[T]) Row(index ...int) []T {
	l := e.layout
	length := e.mustHaveRows()
	if len(index) != max(len(l.shape)-1, 0) {
		panic(errorf(ErrBounds, "row: expected %d indices, got %d", max(len(l.shape)-1, 0), len(index)))
	}
	offset := 0
	for axis, i := range index {
		if uint(i) >= uint(l.shape[axis]) {
			panic(errorf(ErrBounds, "row: expected index below %d of axis %d (from 0), got %d", l.shape[axis], axis, i))
		}
		offset += i * l.strides[axis]
	}
	if l.count == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Add(l.data, offset)), length)
}

// Rows yields the slices of [Elements.Row] with their numbers, the last index varying fastest.
//
// It panics like Row, also if the loop's body closes the tensor and goes on.
func (e Elements[T]) Rows() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		length := e.mustHaveRows()
		axes := max(len(e.layout.shape)-1, 0)
		w := walk{shape: e.layout.shape[:axes], strides: e.layout.strides[:axes]}
		for i := 0; w.next(e.layout); i++ {
			if !yield(i, unsafe.Slice((*T)(w.at), length)) {
				break
			}
		}
		runtime.KeepAlive(e.layout)
	}
}

// mustHaveRows returns their length.
func (e Elements[T]) mustHaveRows() int {
	l := e.layout
	l.mustBeOpen()
	if l.isBool {
		panic(errorf(ErrDtype, "row: expected a dtype other than bool, got bool"))
	}
	last := len(l.shape) - 1
	if last < 0 {
		return 1
	}
	if l.shape[last] > 1 && l.strides[last] != l.width {
		panic(errorf(ErrLayout, "row: expected a last axis without gaps, got stride %d", l.strides[last]/l.width))
	}
	return l.shape[last]
}

// All yields the elements with the last index varying fastest, independent of their order in memory.
//
// It panics, like At, if the loop's body closes the tensor and goes on.
func (e Elements[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		// The compiler inlines this, and the loop's body, if there is one call of yield and no defer.
		l := e.layout
		l.mustBeOpen()
		outer, isBool := len(l.runs)-1, l.isBool
		count, step := l.runs[outer], l.steps[outer]
		w := walk{shape: l.runs[:outer], strides: l.steps[:outer]}
	runs:
		for w.next(l) {
			at, offset := w.at, 0 // no pointer that moves: it would leave the memory after the last element
			for range count {
				p := unsafe.Add(at, offset)
				if isBool && *(*byte)(p) > 1 {
					p = truth
				}
				if !yield(*(*T)(p)) {
					break runs
				}
				if l.shut {
					l.mustBeOpen()
				}
				offset += step
			}
		}
		runtime.KeepAlive(l)
	}
}

// walk visits the elements at all indices of some axes.
type walk struct {
	shape, strides []int // in bytes
	at             unsafe.Pointer
	offset         int
	begun          bool
	room           [4]int
	index          []int
}

// next goes to the next element, from before the first one.
func (w *walk) next(l *layout) bool {
	if !w.begun {
		return w.begin(l)
	}
	if l.shut {
		l.mustBeOpen()
	}
	for axis := len(w.shape) - 1; axis >= 0; axis-- {
		w.offset += w.strides[axis]
		if w.index[axis]++; w.index[axis] < w.shape[axis] {
			w.at = unsafe.Add(l.data, w.offset)
			return true
		}
		w.offset -= w.shape[axis] * w.strides[axis]
		w.index[axis] = 0
	}
	return false
}

func (w *walk) begin(l *layout) bool {
	w.begun = true
	if w.index = w.room[:0]; len(w.shape) <= len(w.room) {
		w.index = w.room[:len(w.shape)]
	} else {
		w.index = make([]int, len(w.shape))
	}
	w.at = l.data
	return l.count != 0
}
