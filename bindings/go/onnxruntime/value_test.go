// SPDX-License-Identifier: Apache-2.0

package onnxruntime_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/onnxruntime"
	ort "github.com/yalue/onnxruntime_go"
)

const float = ort.TensorElementDataTypeFloat

func wants(t *testing.T, err error, status dlferry.Status, text string) {
	t.Helper()
	var e *dlferry.Error
	if !errors.As(err, &e) || e.Status != status || !strings.Contains(e.Message, text) {
		t.Errorf("expected %s with %q, got %v", status, text, err)
	}
}

// ONNX Runtime reads what the slice holds when the model runs, and writes into the other slice.
func TestValue_IsTheMemory(t *testing.T) {
	session := adding()
	defer session.Destroy()
	a, b, y := []float32{1, 2, 3, 4, 5, 6}, []float32{10, 20, 30, 40, 50, 60}, make([]float32, 6)
	var values []ort.Value
	for i, slice := range [][]float32{a, b, y} {
		tensor := must(dlferry.Wrap(slice, 2, 3))
		of := onnxruntime.Input
		if i == 2 {
			of = onnxruntime.Output
		}
		value := must(of(tensor))
		defer value.Destroy()
		tensor.Close() // the value keeps the memory
		values = append(values, value)
	}
	runtime.GC()
	a[5] = 600
	check(session.Run(values[:2], values[2:]))
	if y[0] != 11 || y[5] != 660 {
		t.Errorf("the sum is %v", y)
	}
	if shape := values[2].GetShape(); !shape.Equals(ort.Shape{2, 3}) {
		t.Errorf("the shape is %v", shape)
	}
}

func TestValue_KeepsTheMemory(t *testing.T) {
	before := dlferry.Live()
	tensor := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2))
	value := must(onnxruntime.Input(tensor))
	tensor.Close()
	if live := dlferry.Live() - before; live != 1 {
		t.Errorf("expected 1 alive beside the value, got %d", live)
	}
	for range 2 {
		check(value.Destroy())
	}
	if live := dlferry.Live() - before; live != 0 {
		t.Errorf("expected 0 alive after Destroy, got %d", live)
	}
	check((*onnxruntime.Value)(nil).Destroy())
}

// A session of onnxruntime_go keeps only C's pointers, so that the garbage collector finds the Value unused.
func TestValue_ForgottenOneStays(t *testing.T) {
	before := dlferry.Live()
	x, y := []float32{1, 2}, []float32{0, 0}
	session := func() *ort.AdvancedSession {
		var values []ort.Value
		for _, slice := range [][]float32{x, y} {
			tensor := must(dlferry.Wrap(slice, 2))
			values = append(values, must(onnxruntime.Output(tensor)))
			tensor.Close()
		}
		return must(ort.NewAdvancedSessionWithONNXData(model(node("Neg", "x", "y"), variable(11, "x", float, 2),
			variable(12, "y", float, 2)), []string{"x"}, []string{"y"}, values[:1], values[1:], nil))
	}()
	defer session.Destroy()
	for range 5 {
		runtime.GC()
	}
	check(session.Run())
	if y[1] != -2 || dlferry.Live()-before != 2 {
		t.Errorf("the result is %v, %d alive", y, dlferry.Live()-before)
	}
	forgotten += 2
}

func TestValue_Refuses(t *testing.T) {
	closed := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 1))
	closed.Close()
	tensors := map[string]*dlferry.Tensor{
		"strided":  must(dlferry.Of([]float32{1, 2, 3, 4}, 2, 2).Strided(0, 1, 2).Wrap()),
		"readOnly": must(dlferry.Of([]float32{1, 2}, 2).ReadOnly().Wrap()),
		"complex":  must(dlferry.Wrap([]complex64{1}, 1)),
		"nibbles":  must(dlferry.Create(dlferry.NewDType(0, 4, 1), dlferry.CPU, 2)),
		"scalar":   must(dlferry.Scalar(new(float32)).Wrap()),
		"cuda":     onCUDA(),
	}
	for _, tensor := range tensors {
		defer tensor.Close()
	}
	before := dlferry.Live()
	for _, c := range []struct {
		tensor *dlferry.Tensor
		status dlferry.Status
		text   string
	}{
		{nil, dlferry.ErrInvalid, "expected a tensor, got nil"},
		{closed, dlferry.ErrInvalid, "expected an open tensor, got a closed one"},
		{tensors["strided"], dlferry.ErrLayout, "elements: expected row-major elements, got shape [2, 2] with strides [1, 2]: pass a row-major copy"},
		{tensors["complex"], dlferry.ErrDtype, "element_type: expected a dtype that ONNX Runtime has, got complex64"},
		{tensors["nibbles"], dlferry.ErrUnsupported, "elements: expected elements of whole bytes, got int4"},
		{tensors["scalar"], dlferry.ErrUnsupported, "value: expected a tensor with an axis, got float32 without one"},
		{tensors["cuda"], dlferry.ErrDevice, "cuda:0"},
	} {
		for _, of := range []func(dlferry.Arg) (*onnxruntime.Value, error){onnxruntime.Input, onnxruntime.Output} {
			value, err := of(c.tensor)
			if value != nil {
				t.Errorf("expected no value beside %v", err)
			}
			wants(t, err, c.status, c.text)
		}
	}
	_, err := onnxruntime.Output(tensors["readOnly"])
	wants(t, err, dlferry.ErrReadOnly, "elements: expected writable data, got read-only")
	check(must(onnxruntime.Input(tensors["readOnly"])).Destroy())
	if live := dlferry.Live(); live != before {
		t.Errorf("refusals left %d alive", live-before)
	}
}

// onCUDA changes the device in an export: DLManagedTensorVersioned has its DLTensor at byte 32, whose device is at 8.
func onCUDA() *dlferry.Tensor {
	tensor := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 4))
	defer tensor.Close()
	exported := must(tensor.ToDLPack())
	*(*int32)(unsafe.Add(exported, 32+8)) = 2
	return must(dlferry.FromDLPack(exported))
}

func TestValue_ZeroContents(t *testing.T) {
	data := []uint16{1, 2}
	tensor := must(dlferry.Wrap(data, 2))
	value := must(onnxruntime.Output(tensor))
	value.ZeroContents()
	if data[0] != 0 || data[1] != 0 {
		t.Errorf("the contents are %v", data)
	}
	value.Destroy()
	tensor.Close()
	tensor = must(dlferry.Of(data, 2).ReadOnly().Wrap())
	defer tensor.Close()
	value = must(onnxruntime.Input(tensor))
	defer value.Destroy()
	defer func() { wants(t, recover().(error), dlferry.ErrReadOnly, "got read-only") }()
	value.ZeroContents()
}

func TestValue_OutlivesTheEnvironment(t *testing.T) {
	before := dlferry.Live()
	tensor := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2))
	defer tensor.Close()
	value := must(onnxruntime.Input(tensor))
	check(ort.DestroyEnvironment())
	_, err := onnxruntime.Input(tensor)
	wants(t, err, dlferry.ErrForeign, "InitializeRuntime")
	err = onnxruntime.Run(context.Background(), new(ort.DynamicAdvancedSession), []*dlferry.Tensor{tensor},
		[]*dlferry.Tensor{tensor})
	wants(t, err, dlferry.ErrForeign, "InitializeRuntime")
	check(value.Destroy())
	check(ort.InitializeEnvironment())
	if live := dlferry.Live() - before; live != 1 {
		t.Errorf("expected the tensor alive, got %d", live)
	}
}
