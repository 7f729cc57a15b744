// SPDX-License-Identifier: Apache-2.0

package onnxruntime_test

import (
	"slices"
	"testing"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/onnxruntime"
	ort "github.com/yalue/onnxruntime_go"
)

// comesBack makes a tensor of an ort.Tensor, destroys that, and uses the tensor.
func comesBack[T interface {
	ort.TensorData
	dlferry.Element
}](t *testing.T, one T) {
	t.Helper()
	data := make([]T, 6)
	theirs := must(ort.NewTensor(ort.NewShape(2, 3), data))
	ours := must(onnxruntime.Tensor(theirs))
	defer ours.Close()
	check(theirs.Destroy())
	data[4] = one
	elements := must(dlferry.Look[T](ours))
	if elements.At(1, 1) != one || ours.DType() != dlferry.DTypeOf[T]() || !slices.Equal(ours.Shape(), []int{2, 3}) {
		t.Errorf("it is %v", ours)
	}
}

func TestTensor_OfEachType(t *testing.T) {
	comesBack(t, true)
	comesBack(t, int8(1))
	comesBack(t, int16(1))
	comesBack(t, int32(1))
	comesBack(t, int64(1))
	comesBack(t, uint8(1))
	comesBack(t, uint16(1))
	comesBack(t, uint32(1))
	comesBack(t, uint64(1))
	comesBack(t, float32(1))
	comesBack(t, float64(1))
	custom := must(ort.NewCustomDataTensor(ort.NewShape(2), []byte{0, 0x3c, 0, 0xbc}, ort.TensorElementDataTypeFloat16))
	ours := must(onnxruntime.Tensor(custom))
	defer ours.Close()
	check(custom.Destroy())
	if got := ours.String(); got != "float16[2] cpu\n[ 1., -1.]" {
		t.Errorf("it is %s", got)
	}
}

func TestTensor_OfAnEmptyOne(t *testing.T) {
	theirs := must(ort.NewEmptyTensor[float32](ort.NewShape(0, 3)))
	defer theirs.Destroy()
	ours := must(onnxruntime.Tensor(theirs))
	defer ours.Close()
	if !slices.Equal(ours.Shape(), []int{0, 3}) {
		t.Errorf("its shape is %v", ours.Shape())
	}
}

func TestTensor_OfAValueIsTheSame(t *testing.T) {
	before := dlferry.Live()
	data := []float64{1, 2}
	one := must(dlferry.Of(data, 2).ReadOnly().Wrap())
	value := must(onnxruntime.Input(one))
	one.Close()
	two := must(onnxruntime.Tensor(value))
	value.Destroy()
	if two.Data() != uintptr(unsafe.Pointer(&data[0])) || !two.ReadOnly() {
		t.Errorf("it is another tensor: %v", two)
	}
	if live := dlferry.Live() - before; live != 1 {
		t.Errorf("expected 1 alive, got %d", live)
	}
	two.Close()
	_, err := onnxruntime.Tensor(value)
	wants(t, err, dlferry.ErrInvalid, "tensor: expected an ort.Value, got a destroyed one")
}

func TestTensor_Refuses(t *testing.T) {
	_, err := onnxruntime.Tensor(nil)
	wants(t, err, dlferry.ErrInvalid, "tensor: expected an ort.Value, got nil")
	for _, none := range []ort.Value{(*onnxruntime.Value)(nil), (*ort.Tensor[float32])(nil), (*ort.CustomDataTensor)(nil)} {
		_, err = onnxruntime.Tensor(none)
		wants(t, err, dlferry.ErrInvalid, "tensor: expected an ort.Value, got nil")
	}
	scalar := must(ort.NewScalar[float32](1))
	defer scalar.Destroy()
	_, err = onnxruntime.Tensor(scalar)
	wants(t, err, dlferry.ErrUnsupported,
		"tensor: expected an ort.Tensor or ort.CustomDataTensor, got *onnxruntime_go.Scalar[float32]")
	words := must(ort.NewStringTensor(ort.NewShape(1)))
	defer words.Destroy()
	_, err = onnxruntime.Tensor(words)
	wants(t, err, dlferry.ErrUnsupported, "got *onnxruntime_go.StringTensor")
	gone := must(ort.NewEmptyTensor[int8](ort.NewShape(1)))
	check(gone.Destroy())
	_, err = onnxruntime.Tensor(gone)
	wants(t, err, dlferry.ErrInvalid, "tensor: expected an ort.Value, got a destroyed one")
	bytes := must(ort.NewCustomDataTensor(ort.NewShape(1), []byte{1}, ort.TensorElementDataTypeUint8))
	check(bytes.Destroy())
	_, err = onnxruntime.Tensor(bytes)
	wants(t, err, dlferry.ErrInvalid, "tensor: expected an ort.Value, got a destroyed one")
	nibbles := must(ort.NewCustomDataTensor(ort.NewShape(2), []byte{1}, ort.TensorElementDataTypeUint4))
	defer nibbles.Destroy()
	_, err = onnxruntime.Tensor(nibbles)
	wants(t, err, dlferry.ErrDtype,
		"dtype_of: expected an element type that has a dtype, got ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4")
}
