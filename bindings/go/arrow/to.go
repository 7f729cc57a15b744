// SPDX-License-Identifier: Apache-2.0

package arrow

import (
	"math"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/arrow/tensor"
	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// ToArray makes an array on a tensor's memory: of numbers for one axis, with a level of FixedSizeList for each other
// axis. It keeps the tensor until its last Release. Others must not write to the elements while the array is used.
//
// It fails with ErrInvalid for nil and a closed tensor, ErrLayout unless the elements are row-major without gaps and
// aligned, ErrShape for no axes and for lists of no elements, ErrDevice if the processor cannot reach the elements, and
// ErrDtype if Arrow does not have their dtype.
func ToArray(t *dlferry.Tensor) (arrow.Array, error) { return ToArrayAs(t, nil) }

// ToArrayAs is [ToArray] with another type for the elements, such as a timestamp for int64, or a date for int32. nil is
// the type of their dtype. It fails with ErrDtype unless the type counts in the tensor's dtype.
func ToArrayAs(t *dlferry.Tensor, kind arrow.DataType) (arrow.Array, error) {
	kind, err := typeFor(t, kind)
	if err != nil {
		return nil, err
	}
	var made arrow.Array
	shape := t.Shape()
	err = t.WithBytes(false, func(bytes []byte) error {
		if len(shape) == 0 {
			return errorf(dlferry.ErrShape, "to_array: expected a tensor with axes, got one without")
		}
		for _, extent := range shape[1:] {
			if extent < 1 || extent > math.MaxInt32 {
				return errorf(dlferry.ErrShape, "to_array: expected lists of 1 to %d elements, got shape %d", math.MaxInt32, shape)
			}
		}
		data, err := own(t, "to_array", kind, bytes, product(shape))
		if err != nil {
			return err
		}
		for axis := len(shape) - 1; axis > 0; axis-- {
			kind = arrow.FixedSizeListOfNonNullable(int32(shape[axis]), kind)
			list := array.NewData(kind, product(shape[:axis]), []*memory.Buffer{nil}, []arrow.ArrayData{data}, 0, 0)
			data.Release() // the list has it
			data = list
		}
		made = array.MakeFromData(data)
		data.Release()
		return nil
	})
	return made, err
}

// ToTensor makes one of Arrow's tensors on a tensor's memory, with its strides, and with names of its axes if there are
// any. It keeps the tensor until its last Release. Others must not write to the elements while it is used.
//
// It fails with ErrInvalid for nil and a closed tensor, ErrLayout for negative strides and elements that are not
// aligned, ErrShape for another number of names, ErrDevice if the processor cannot reach the elements, and ErrDtype if
// Arrow's tensors do not have their dtype.
func ToTensor(t *dlferry.Tensor, names ...string) (tensor.Interface, error) {
	kind, err := typeFor(t, nil)
	if err != nil {
		return nil, err
	}
	if kind.ID() == arrow.FLOAT16 {
		return nil, errorf(dlferry.ErrDtype, "to_tensor: expected a dtype of Arrow's tensors, got float16")
	}
	var made tensor.Interface
	extents, steps := t.Shape(), t.Strides()
	err = t.WithSpan(false, func(bytes []byte, first int) error {
		if first != 0 {
			return errorf(dlferry.ErrLayout, "to_tensor: expected strides above 0, got %d", steps)
		}
		if len(names) != 0 && len(names) != len(extents) {
			return errorf(dlferry.ErrShape, "to_tensor: expected %d names, one for each axis, got %d", len(extents), len(names))
		}
		shape, strides := make([]int64, len(extents)), make([]int64, len(extents))
		for axis := range extents {
			shape[axis], strides[axis] = int64(extents[axis]), int64(steps[axis]*width(kind))
		}
		labels := slices.Clone(names)
		if labels == nil {
			labels = make([]string, len(extents))
		}
		data, err := own(t, "to_tensor", kind, bytes, len(bytes)/width(kind))
		if err != nil {
			return err
		}
		made = tensor.New(data, shape, strides, labels)
		data.Release()
		return nil
	})
	return made, err
}

// typeFor returns a type for the tensor's elements: that of their dtype, or kind if that counts in the same dtype.
func typeFor(t *dlferry.Tensor, kind arrow.DataType) (arrow.DataType, error) {
	if _, _, err := t.ByteRange(); err != nil { // nil or closed
		return nil, err
	}
	if kind == nil {
		return DataType(t.DType())
	}
	dtype, err := DType(kind)
	if err == nil && dtype != t.DType() {
		err = errorf(dlferry.ErrDtype, "to_array: expected elements of %s for %s, got %s", dtype, kind, t.DType())
	}
	return kind, err
}

// own makes the data of an array that keeps the tensor, whose memory this is, until its last Release.
func own(t *dlferry.Tensor, name string, kind arrow.DataType, bytes []byte, count int) (arrow.ArrayData, error) {
	if size := uintptr(width(kind)); uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))%size != 0 {
		return nil, errorf(dlferry.ErrLayout, "%s: expected an address that is a multiple of %d, got %p", name, size, bytes)
	}
	exported, err := t.ToDLPack()
	if err != nil {
		return nil, err
	}
	buffer := memory.NewBufferWithAllocator(bytes, &owner{exported})
	defer buffer.Release() // the data has it
	return array.NewData(kind, count, []*memory.Buffer{nil, buffer}, nil, 0, 0), nil
}

// An owner frees a buffer: by releasing the tensor that has the memory. Such a buffer cannot grow.
type owner struct{ exported unsafe.Pointer }

func (*owner) Allocate(int) []byte           { panic(refusal) }
func (*owner) Reallocate(int, []byte) []byte { panic(refusal) }
func (o *owner) Free([]byte)                 { dlferry.ReleaseDLPack(o.exported) }

var refusal = errorf(dlferry.ErrUnsupported, "to_array: expected a use of the tensor's memory as it is, got a larger size")
