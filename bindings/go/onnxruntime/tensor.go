// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"reflect"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	ort "github.com/yalue/onnxruntime_go"
)

// Tensor makes a tensor from an [ort.Value], without a copy; later writes to either are seen by both.
//
// From a [Value] it gives another handle on the tensor that the Value was made from. From an [ort.Tensor] or an
// [ort.CustomDataTensor] it wraps the slice of Go memory that these lie in, which may then be destroyed.
//
// It fails with ErrInvalid for nil and a destroyed value, with ErrUnsupported for one that has no memory to lend:
// ort.Scalar, text, a sequence or a map, and with ErrDtype for elements that have no dtype.
func Tensor(v ort.Value) (*dlferry.Tensor, error) {
	if held := reflect.ValueOf(v); !held.IsValid() || held.Kind() == reflect.Pointer && held.IsNil() {
		return nil, errorf(dlferry.ErrInvalid, "tensor: expected an ort.Value, got nil")
	}
	switch v := v.(type) {
	case *Value:
		return v.handle()
	case *ort.CustomDataTensor:
		shape, err := extents(v)
		if err != nil {
			return nil, err
		}
		dtype, err := DTypeOf(ort.TensorElementDataType(v.DataType()))
		if err != nil {
			return nil, err
		}
		return dlferry.Of(v.GetData(), shape...).As(dtype).Wrap()
	case holder[bool]:
		return wrap(v)
	case holder[int8]:
		return wrap(v)
	case holder[int16]:
		return wrap(v)
	case holder[int32]:
		return wrap(v)
	case holder[int64]:
		return wrap(v)
	case holder[uint8]:
		return wrap(v)
	case holder[uint16]:
		return wrap(v)
	case holder[uint32]:
		return wrap(v)
	case holder[uint64]:
		return wrap(v)
	case holder[float32]:
		return wrap(v)
	case holder[float64]:
		return wrap(v)
	}
	return nil, errorf(dlferry.ErrUnsupported, "tensor: expected an ort.Tensor or ort.CustomDataTensor, got %T", v)
}

// A holder is an ort.Tensor.
type holder[T dlferry.Element] interface {
	ort.Value
	GetData() []T
}

func wrap[T dlferry.Element](v holder[T]) (*dlferry.Tensor, error) {
	shape, err := extents(v)
	if err != nil {
		return nil, err
	}
	return dlferry.Wrap(v.GetData(), shape...)
}

func extents(v ort.Value) ([]int, error) {
	shape := v.GetShape()
	if len(shape) == 0 { // they all have an axis
		return nil, errorf(dlferry.ErrInvalid, "tensor: expected an ort.Value, got a destroyed one")
	}
	extents := make([]int, len(shape))
	for axis, extent := range shape {
		extents[axis] = int(extent)
	}
	return extents, nil
}

func (v *Value) handle() (*dlferry.Tensor, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.exported == nil {
		return nil, errorf(dlferry.ErrInvalid, "tensor: expected an ort.Value, got a destroyed one")
	}
	return newHandle(v.tensor)
}

// newHandle makes one more handle on a tensor, or the first one on a slice.
func newHandle(t dlferry.Arg) (*dlferry.Tensor, error) {
	exporter, ok := t.(interface {
		ToDLPack() (unsafe.Pointer, error)
	})
	if !ok { // a struct around a tensor has the method too
		return nil, errorf(dlferry.ErrInvalid, "value: expected a tensor, got nil")
	}
	exported, err := exporter.ToDLPack()
	if err != nil {
		return nil, err
	}
	return dlferry.FromDLPack(exported)
}
