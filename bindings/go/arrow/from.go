// SPDX-License-Identifier: Apache-2.0

package arrow

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/tensor"
	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// FromArray makes a read-only tensor on an array's memory: with one axis for numbers and times, with another axis for
// each level of a FixedSizeList, and with an axis of bytes for FixedSizeBinary. A slice of an array is one of its memory.
//
// The tensor retains the array's data until its last user is gone. It fails with ErrInvalid for nil, ErrUnsupported if
// elements are null, and ErrDtype for other types.
func FromArray(a arrow.Array) (*dlferry.Tensor, error) {
	if a == nil {
		return nil, errorf(dlferry.ErrInvalid, "from_array: expected an array, got nil")
	}
	shape, kind, first := []int{a.Len()}, a.DataType(), a.Data().Offset()
	data := a.Data()
	for {
		list, is := kind.(*arrow.FixedSizeListType)
		if err := checkNulls(data, first, product(shape)); err != nil {
			return nil, err
		}
		if !is {
			break
		}
		data, kind = data.Children()[0], list.Elem()
		shape = append(shape, int(list.Len()))
		first = first*int(list.Len()) + data.Offset()
	}
	count, size := product(shape), 1
	dtype := dlferry.DTypeOf[uint8]()
	if binary, is := kind.(*arrow.FixedSizeBinaryType); is {
		shape = append(shape, binary.ByteWidth)
		size = binary.ByteWidth
	} else {
		found, err := DType(kind)
		if err != nil {
			return nil, err
		}
		dtype, size = found, width(kind)
	}
	return keep(a.Data(), dlferry.Of(part(data, first*size, count*size), shape...).As(dtype))
}

// checkNulls refuses null elements in a range of an array; lists may have others elsewhere.
func checkNulls(data arrow.ArrayData, first, count int) error {
	bits := data.Buffers()[0]
	if data.NullN() == 0 || bits == nil || count == 0 {
		return nil
	}
	for i := first; i < first+count; i++ {
		if bits.Bytes()[i/8]>>(i%8)&1 == 0 {
			return errorf(dlferry.ErrUnsupported, "from_array: expected elements that are not null, got null at %d", i-first)
		}
	}
	return nil
}

// FromTensor makes a read-only tensor on the memory of one of Arrow's, with its strides.
//
// It retains that tensor's data until its last user is gone. It fails with ErrInvalid for nil, ErrLayout for strides
// that are no multiples of an element, and ErrDtype for other types.
func FromTensor(t tensor.Interface) (*dlferry.Tensor, error) {
	if t == nil {
		return nil, errorf(dlferry.ErrInvalid, "from_tensor: expected a tensor, got nil")
	}
	dtype, err := DType(t.DataType())
	if err != nil {
		return nil, err
	}
	data, size := t.Data(), width(t.DataType())
	shape, strides := make([]int, t.NumDims()), make([]int, t.NumDims())
	for axis, extent := range t.Shape() {
		stride := int(t.Strides()[axis])
		if stride%size != 0 {
			return nil, errorf(dlferry.ErrLayout, "from_tensor: expected strides of whole elements of %d bytes, got %d", size,
				t.Strides())
		}
		shape[axis], strides[axis] = int(extent), stride/size
	}
	memory := dlferry.Of(part(data, data.Offset()*size, data.Len()*size), shape...).As(dtype)
	if product(shape) > 0 && len(shape) > 0 {
		memory = memory.Strided(0, strides...)
	}
	return keep(data, memory)
}

// keep makes the tensor, which releases the data once.
func keep(data arrow.ArrayData, memory *dlferry.Array) (*dlferry.Tensor, error) {
	data.Retain()
	t, err := memory.ReadOnly().WrapOwned(data.Release)
	if err != nil {
		data.Release()
	}
	return t, err
}

// part returns bytes of an array's values, whose buffer may be longer, or absent if there are none.
func part(data arrow.ArrayData, begin, size int) []byte {
	if size == 0 {
		return nil
	}
	return data.Buffers()[1].Bytes()[begin : begin+size : begin+size]
}

func product(shape []int) int {
	count := 1
	for _, extent := range shape {
		count *= extent
	}
	return count
}
