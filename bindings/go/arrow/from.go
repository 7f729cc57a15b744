// SPDX-License-Identifier: Apache-2.0

package arrow

import (
	"reflect"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/tensor"
	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// FromArray makes a read-only tensor on an array's memory: with one axis for numbers and times, with another axis for
// each level of a FixedSizeList, and with an axis of bytes for FixedSizeBinary. A slice of an array is one of its memory.
//
// The tensor retains the array's data until its last user is gone. It fails with ErrInvalid for nil, a released array and
// one whose buffers are too short, ErrUnsupported if elements are null, and ErrDtype for other types.
func FromArray(a arrow.Array) (*dlferry.Tensor, error) {
	if isNil(a) {
		return nil, errorf(dlferry.ErrInvalid, "from_array: expected an array, got nil")
	}
	data := a.Data()
	if isNil(data) {
		return nil, errorf(dlferry.ErrInvalid, "from_array: expected an array, got a released one")
	}
	shape, kind, first := []int{data.Len()}, data.DataType(), data.Offset()
	for {
		list, is := kind.(*arrow.FixedSizeListType)
		if err := checkNulls(data, first, product(shape)); err != nil {
			return nil, err
		}
		if !is {
			break
		}
		if len(data.Children()) != 1 {
			return nil, errorf(dlferry.ErrInvalid, "from_array: expected a list of one child, got %d", len(data.Children()))
		}
		data = data.Children()[0]
		kind = data.DataType() // which says how its memory is to be read
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
	memory, err := part("from_array", data, first*size, count*size)
	if err != nil {
		return nil, err
	}
	return keep(a.Data(), dlferry.Of(memory, shape...).As(dtype))
}

// isNil is true for nil in an interface too: what a released array has, for one.
func isNil(x any) bool {
	value := reflect.ValueOf(x)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

// checkNulls refuses null elements in a range of an array; lists may have others elsewhere.
func checkNulls(data arrow.ArrayData, first, count int) error {
	if data.NullN() == 0 || len(data.Buffers()) == 0 || data.Buffers()[0] == nil || count <= 0 {
		return nil
	}
	bits := data.Buffers()[0].Bytes()
	if has := 8 * len(bits); first < 0 || count > has || first > has-count {
		return errorf(dlferry.ErrInvalid, "from_array: expected a bit for each of %d elements from %d on, got %d bytes", count,
			first, len(bits))
	}
	for i := first; i < first+count; i++ {
		if bits[i/8]>>(i%8)&1 == 0 {
			return errorf(dlferry.ErrUnsupported, "from_array: expected elements that are not null, got null at %d", i-first)
		}
	}
	return nil
}

// FromTensor makes a read-only tensor on the memory of one of Arrow's, with its strides.
//
// It retains that tensor's data until its last user is gone. It fails with ErrInvalid for nil, a released tensor and one
// whose buffer is too short, ErrLayout for strides that are no multiples of an element, and ErrDtype for other types.
func FromTensor(t tensor.Interface) (*dlferry.Tensor, error) {
	if isNil(t) {
		return nil, errorf(dlferry.ErrInvalid, "from_tensor: expected a tensor, got nil")
	}
	if isNil(t.Data()) {
		return nil, errorf(dlferry.ErrInvalid, "from_tensor: expected a tensor, got a released one")
	}
	if len(t.Shape()) != len(t.Strides()) {
		return nil, errorf(dlferry.ErrInvalid, "from_tensor: expected strides for %d axes, got %d", len(t.Shape()),
			len(t.Strides()))
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
	bytes, err := part("from_tensor", data, data.Offset()*size, data.Len()*size)
	if err != nil {
		return nil, err
	}
	memory := dlferry.Of(bytes, shape...).As(dtype)
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
func part(name string, data arrow.ArrayData, begin, size int) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	var all []byte
	if buffers := data.Buffers(); len(buffers) > 1 && buffers[1] != nil {
		all = buffers[1].Bytes()
	}
	if begin < 0 || size < 0 || begin > len(all) || size > len(all)-begin {
		return nil, errorf(dlferry.ErrInvalid, "%s: expected %d bytes of values from %d on, got %d", name, size, begin, len(all))
	}
	return all[begin : begin+size : begin+size], nil
}

func product(shape []int) int {
	count := 1
	for _, extent := range shape {
		count *= extent
	}
	return count
}
