// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

import (
	"runtime"
	"unsafe"
)

// Access to single elements. At1 and the like are small enough to be inlined, so they panic with an outside, whose text
// is made when it is read. They do not ask whether a layout is nil, which takes a tenth of their time: the extents lie at
// its start, so that Go itself panics there.

// At returns one element; there is an index for each axis, from 0. A bool is true unless its byte is 0.
//
// In a loop use [Elements.At1], [Elements.At2] or [Elements.At3], which take hardly longer than a slice: Go does not
// inline a function of any number of indices, so At takes three to four times as long.
//
// Like indexing a slice it panics, with an ErrBounds, if there is no such element.
func (e Elements[T]) At(index ...int) T {
	// Inlined, so that the rest is no generic function, which would need a dictionary.
	l := e.layout
	value := *(*T)(l.at(index))
	runtime.KeepAlive(l)
	return value
}

// At1 is At of a tensor with one axis, at the speed of a slice. The zero value of Elements is a nil pointer to At1 and
// the like.
func (e Elements[T]) At1(i int) T {
	l := e.layout
	if uint(i) >= l.x0 {
		panic(outside{l, 1, i, 0, 0})
	}
	p := unsafe.Add(e.data, i*e.s0)
	if unsafe.Sizeof(*new(T)) == 1 && l.isBool && *(*byte)(p) > 1 { // the compiler knows the size
		p = truth
	}
	value := *(*T)(p)
	runtime.KeepAlive(l)
	return value
}

// At2 is At of a tensor with two axes, at the speed of a slice.
func (e Elements[T]) At2(i, j int) T {
	l := e.layout
	if uint(i) >= l.y0 || uint(j) >= l.y1 {
		panic(outside{l, 2, i, j, 0})
	}
	p := unsafe.Add(e.data, i*e.s0+j*e.s1)
	if unsafe.Sizeof(*new(T)) == 1 && l.isBool && *(*byte)(p) > 1 { // the compiler knows the size
		p = truth
	}
	value := *(*T)(p)
	runtime.KeepAlive(l)
	return value
}

// At3 is At of a tensor with three axes, at the speed of a slice.
func (e Elements[T]) At3(i, j, k int) (value T) {
	l := e.layout
	if uint(i) >= l.z0 || uint(j) >= l.z1 || uint(k) >= l.z2 {
		panic(outside3{l, i, j, k})
	}
	p := unsafe.Add(e.data, i*e.s0+j*e.s1+k*l.s2)
	if l.isBool && *(*byte)(p) > 1 {
		p = truth
	}
	value = *(*T)(p)
	runtime.KeepAlive(l)
	return
}

// Set writes one element. In a loop use Set1, Set2 or Set3, as for At. It panics like At, and with an ErrReadOnly if the tensor is read-only.
func (e Elements[T]) Set(value T, index ...int) {
	l := e.layout
	element := l.place(index)
	if l.readOnly {
		panic(notWritable())
	}
	*(*T)(element) = value
	runtime.KeepAlive(l)
}

// Set1 is Set of a tensor with one axis, at the speed of a slice.
func (e Elements[T]) Set1(value T, i int) {
	l := e.layout
	if uint(i) >= l.wx {
		panic(outside{l, 1, i, 0, 0})
	}
	*(*T)(unsafe.Add(e.data, i*e.s0)) = value
	runtime.KeepAlive(l)
}

// Set2 is Set of a tensor with two axes, at the speed of a slice.
func (e Elements[T]) Set2(value T, i, j int) {
	l := e.layout
	if uint(i) >= l.wy || uint(j) >= l.y1 {
		panic(outside{l, 2, i, j, 0})
	}
	*(*T)(unsafe.Add(e.data, i*e.s0+j*e.s1)) = value
	runtime.KeepAlive(l)
}

// Set3 is Set of a tensor with three axes, at the speed of a slice.
func (e Elements[T]) Set3(value T, i, j, k int) {
	l := e.layout
	if uint(i) >= l.wz || uint(j) >= l.z1 || uint(k) >= l.z2 {
		panic(outside3{l, i, j, k})
	}
	*(*T)(unsafe.Add(e.data, i*e.s0+j*e.s1+k*l.s2)) = value
	runtime.KeepAlive(l)
}

// truth stands for a bool's byte that is neither 0 nor 1: other languages may store any, and Go must not see it.
var truth = unsafe.Pointer(&[]byte{1}[0])

// at is place for reading.
func (l *layout) at(index []int) unsafe.Pointer {
	if l != nil && len(index) == 2 && !l.isBool && uint(index[0]) < l.y0 && uint(index[1]) < l.y1 {
		return unsafe.Add(l.data, index[0]*l.s0+index[1]*l.s1)
	}
	return l.atAny(index)
}

func (l *layout) atAny(index []int) unsafe.Pointer {
	p := l.place(index)
	if l.isBool && *(*byte)(p) > 1 {
		p = truth
	}
	return p
}

// place returns an element's address.
func (l *layout) place(index []int) unsafe.Pointer {
	l.mustBeOpen()
	if len(index) != len(l.shape) {
		panic(errorf(ErrBounds, "at: expected %d indices, got %d", len(l.shape), len(index)))
	}
	offset := 0
	for axis, i := range index {
		if uint(i) >= uint(l.shape[axis]) {
			panic(outsideAxis(l.shape, axis, i))
		}
		offset += i * l.strides[axis] // cannot overflow: the hub has checked the byte range
	}
	return unsafe.Add(l.data, offset)
}

func outsideAxis(shape []int, axis, i int) error {
	return errorf(ErrBounds, "at: expected index below %d of axis %d (from 0), got %d", shape[axis], axis, i)
}

func notWritable() error {
	return errorf(ErrReadOnly, "elements: expected writable data, got read-only")
}

// outside is the panic of an access that is not possible. It is an error, and finds its reason when it is read.
type outside struct {
	layout  *layout
	axes    int // number of indices
	i, j, k int
}

// Error returns the text of the [*Error] that Unwrap returns.
func (o outside) Error() string { return o.Unwrap().Error() }

// Unwrap returns an *Error. A tensor that was closed meanwhile has kept its shape.
func (o outside) Unwrap() error {
	l, index := o.layout, [...]int{o.i, o.j, o.k}
	if len(l.shape) != o.axes {
		return errorf(ErrBounds, "at: expected %d indices, got %d", len(l.shape), o.axes)
	}
	for axis, i := range index[:o.axes] {
		if uint(i) >= uint(l.shape[axis]) {
			return outsideAxis(l.shape, axis, i)
		}
	}
	if l.readOnly {
		return notWritable()
	}
	return errorf(ErrInvalid, "elements: expected an open tensor, got a closed one")
}

// outside3 is outside with three indices: a field fewer, so that At3 can be inlined.
type outside3 struct {
	layout  *layout
	i, j, k int
}

func (o outside3) Error() string { return o.Unwrap().Error() }
func (o outside3) Unwrap() error { return outside{o.layout, 3, o.i, o.j, o.k}.Unwrap() }
