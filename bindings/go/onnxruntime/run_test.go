// SPDX-License-Identifier: Apache-2.0

package onnxruntime_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/onnxruntime"
	ort "github.com/yalue/onnxruntime_go"
)

type tensors = []*dlferry.Tensor

// Each dtype through a model that casts it to float32: the bytes are what ONNX Runtime takes them for.
func TestRun_EachDType(t *testing.T) {
	for _, c := range []struct {
		dtype   dlferry.DType
		element ort.TensorElementDataType
		bytes   []byte // of -1.5 or 1, and 2
		first   float32
	}{
		{dlferry.Int8, ort.TensorElementDataTypeInt8, []byte{255, 2}, -1},
		{dlferry.Int16, ort.TensorElementDataTypeInt16, []byte{255, 255, 2, 0}, -1},
		{dlferry.Int32, ort.TensorElementDataTypeInt32, []byte{255, 255, 255, 255, 2, 0, 0, 0}, -1},
		{dlferry.Int64, ort.TensorElementDataTypeInt64, []byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}, 1},
		{dlferry.Uint8, ort.TensorElementDataTypeUint8, []byte{255, 2}, 255},
		{dlferry.Uint16, ort.TensorElementDataTypeUint16, []byte{0, 1, 2, 0}, 256},
		{dlferry.Uint32, ort.TensorElementDataTypeUint32, []byte{0, 1, 0, 0, 2, 0, 0, 0}, 256},
		{dlferry.Uint64, ort.TensorElementDataTypeUint64, []byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}, 1},
		{dlferry.Float16, ort.TensorElementDataTypeFloat16, []byte{0, 0xbe, 0, 0x40}, -1.5},
		{dlferry.BFloat16, ort.TensorElementDataTypeBFloat16, []byte{0xc0, 0xbf, 0, 0x40}, -1.5},
		{dlferry.Float32, float, []byte{0, 0, 0xc0, 0xbf, 0, 0, 0, 0x40}, -1.5},
		{dlferry.Float64, ort.TensorElementDataTypeDouble, []byte{0, 0, 0, 0, 0, 0, 0xf8, 0xbf, 0, 0, 0, 0, 0, 0, 0, 0x40},
			-1.5},
		{dlferry.Bool, ort.TensorElementDataTypeBool, []byte{1, 0}, 1},
		{dlferry.Float8E4M3FN, ort.TensorElementDataTypeFloat8E4M3FN, []byte{0xbc, 0x40}, -1.5},
		{dlferry.Float8E4M3FNUZ, ort.TensorElementDataTypeFloat8E4M3FNUZ, []byte{0xc4, 0x48}, -1.5},
		{dlferry.Float8E5M2, ort.TensorElementDataTypeFloat8E5M2, []byte{0xbe, 0x40}, -1.5},
		{dlferry.Float8E5M2FNUZ, ort.TensorElementDataTypeFloat8E5M2FNUZ, []byte{0xc2, 0x44}, -1.5},
	} {
		if element := must(onnxruntime.ElementType(c.dtype)); element != c.element {
			t.Errorf("%s is called %s", c.dtype, element)
		}
		if dtype := must(onnxruntime.DTypeOf(c.element)); dtype != c.dtype {
			t.Errorf("%s is called %s", c.element, dtype)
		}
		session := open(model(node("Cast", "x", "y", toType(float)), variable(11, "x", c.element, 2),
			variable(12, "y", float, 2)), "x", "y")
		y := make([]float32, 2)
		in, out := must(dlferry.Of(c.bytes, 2).As(c.dtype).ReadOnly().Wrap()), must(dlferry.Wrap(y, 2))
		err := onnxruntime.Run(context.Background(), session, tensors{in}, tensors{out})
		second := float32(2)
		if c.dtype == dlferry.Bool {
			second = 0
		}
		if err != nil || y[0] != c.first || y[1] != second {
			t.Errorf("%s: expected %v and %v, got %v, %v", c.dtype, c.first, second, y, err)
		}
		in.Close()
		out.Close()
		session.Destroy()
	}
}

// Slices need no tensor; a list may have both.
func TestRun_OfSlices(t *testing.T) {
	session := adding()
	defer session.Destroy()
	a, y := []float32{1, 2}, make([]float32, 2)
	b := must(dlferry.Wrap([]float32{10, 20}, 1, 2))
	defer b.Close()
	ctx := context.Background()
	before := dlferry.Live()
	err := onnxruntime.Run(ctx, session, []dlferry.Arg{dlferry.Of(a, 1, 2), b}, []*dlferry.Array{dlferry.Of(y, 1, 2)})
	if err != nil || y[1] != 22 || dlferry.Live() != before {
		t.Errorf("the sum is %v, %v", y, err)
	}
	short := []*dlferry.Array{dlferry.Of(y, 1, 3)}
	err = onnxruntime.Run(ctx, session, []*dlferry.Array{dlferry.Of(a, 1, 2), dlferry.Of(a, 2, 1)}, short)
	wants(t, err, dlferry.ErrShape, "expected 3 elements for shape [1, 3], got 2")
	err = onnxruntime.Run(ctx, session, []dlferry.Arg{b, nil}, short)
	wants(t, err, dlferry.ErrInvalid, "value: expected a tensor, got nil")
	err = onnxruntime.Run(ctx, session, []*dlferry.Array{nil, nil}, short)
	wants(t, err, dlferry.ErrInvalid, "expected a tensor, got nil")
	err = onnxruntime.Run(ctx, session, []dlferry.Arg{b, b}, []dlferry.Arg{dlferry.Of(y, 1, 2).ReadOnly()})
	wants(t, err, dlferry.ErrReadOnly, "elements: expected writable data, got read-only")
}

func TestRun_EmptyTensors(t *testing.T) {
	session := adding()
	defer session.Destroy()
	for _, shape := range [][]int{{0, 3}, {2, 0}} {
		empty := must(dlferry.Create(dlferry.Float32, dlferry.CPU, shape...))
		check(onnxruntime.Run(context.Background(), session, tensors{empty, empty}, tensors{empty}))
		empty.Close()
	}
}

// What ONNX Runtime refuses is an error with its text, and leaves nothing behind.
func TestRun_Refuses(t *testing.T) {
	session := adding()
	defer session.Destroy()
	fixed := open(model(node("Neg", "x", "y"), variable(11, "x", float, 2, 3), variable(12, "y", float, 2, 3)), "x", "y")
	defer fixed.Destroy()
	floats := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2, 3))
	more := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2, 3))
	doubles := must(dlferry.Create(dlferry.Float64, dlferry.CPU, 2, 3))
	small := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2, 2))
	transposed := must(dlferry.Of(make([]float32, 4), 2, 2).Strided(0, 1, 2).Wrap())
	readOnly := must(dlferry.Of(make([]float32, 6), 2, 3).ReadOnly().Wrap())
	for _, tensor := range (tensors{floats, more, doubles, small, transposed, readOnly}) {
		defer tensor.Close()
	}
	before := dlferry.Live()
	for _, c := range []struct {
		session         *ort.DynamicAdvancedSession
		inputs, outputs tensors
		status          dlferry.Status
		text            string
	}{
		{nil, tensors{floats}, tensors{more}, dlferry.ErrInvalid, "run: expected a session, got nil"},
		{session, nil, tensors{floats}, dlferry.ErrInvalid, "run: expected inputs and outputs, got 0 and 1"},
		{session, tensors{floats}, tensors{more}, dlferry.ErrForeign, "2 input names"},
		{session, tensors{floats, floats}, tensors{more, small}, dlferry.ErrForeign, "1 output names"},
		{session, tensors{floats, doubles}, tensors{more}, dlferry.ErrForeign, "Unexpected input data type"},
		{session, tensors{floats, floats}, tensors{doubles}, dlferry.ErrForeign, "run: "},
		{session, tensors{floats, floats}, tensors{small}, dlferry.ErrForeign, "shape"},
		{fixed, tensors{small}, tensors{more}, dlferry.ErrForeign, "invalid dimensions"},
		{session, tensors{floats, nil}, tensors{more}, dlferry.ErrInvalid, "expected a tensor, got nil"},
		{session, tensors{floats, floats}, tensors{nil}, dlferry.ErrInvalid, "expected a tensor, got nil"},
		{session, tensors{small, transposed}, tensors{small}, dlferry.ErrLayout, "with strides [1, 2]"},
		{session, tensors{floats, floats}, tensors{readOnly}, dlferry.ErrReadOnly, "expected writable data"},
		{session, tensors{more, floats}, tensors{floats}, dlferry.ErrInvalid,
			"run: expected memory of its own for output 0, got that of input 1"},
		{session, tensors{floats, floats}, tensors{more, more}, dlferry.ErrInvalid,
			"run: expected memory of its own for output 1, got that of output 0"},
	} {
		wants(t, onnxruntime.Run(context.Background(), c.session, c.inputs, c.outputs), c.status, c.text)
	}
	if live := dlferry.Live(); live != before {
		t.Errorf("refusals left %d alive", live-before)
	}
}

// slow multiplies a 384 x 384 matrix by itself, a thousand times: seconds.
func slow() *ort.DynamicAdvancedSession {
	parts := [][]byte{variable(11, "x", float, 384, 384), variable(12, "y", float, 384, 384)}
	last := "x"
	for i := range 1000 {
		name := string(rune(0x4e00 + i))
		if i == 999 {
			name = "y"
		}
		parts = append(parts, node("MatMul", last+"x", name))
		last = name
	}
	return open(model(parts...), "x", "y")
}

func TestRun_StopsWithItsContext(t *testing.T) {
	session := slow()
	defer session.Destroy()
	x, y := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 384, 384)), make([]float32, 384*384)
	defer x.Close()
	y[0] = 7
	out := must(dlferry.Wrap(y, 384, 384))
	defer out.Close()
	before := dlferry.Live()
	reason := errors.New("the client has left")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(20*time.Millisecond, func() { cancel(reason) })
	if err := onnxruntime.Run(ctx, session, tensors{x}, tensors{out}); !errors.Is(err, reason) {
		t.Errorf("expected the context's cause, got %v", err)
	}
	if err := onnxruntime.Run(ctx, session, tensors{x}, tensors{out}); !errors.Is(err, reason) {
		t.Errorf("expected the context's cause, got %v", err)
	}
	if y[0] != 7 || dlferry.Live() != before {
		t.Errorf("the last node has run: %v, or %d alive", y[0], dlferry.Live()-before)
	}
	ctx, cancelled := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancelled()
	if err := onnxruntime.Run(ctx, session, tensors{x}, tensors{out}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("expected DeadlineExceeded, got %v", err)
	}
}

// Goroutines share a session; other goroutines close their tensors and end some of their contexts while it runs.
func TestRun_FromManyGoroutines(t *testing.T) {
	session := adding()
	defer session.Destroy()
	var group sync.WaitGroup
	errs := make(chan error, 8)
	for worker := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for round := range 100 {
				if err := addsUp(session, float32(worker*round)); err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	group.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

// addsUp runs while its tensors are closed and, each third time, its context ends; either may come first.
func addsUp(session *ort.DynamicAdvancedSession, value float32) error {
	y := make([]float32, 4)
	a, b := must(dlferry.Wrap([]float32{value, 1, 1, 1}, 2, 2)), must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2, 2))
	out := must(dlferry.Wrap(y, 2, 2))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, tensor := range (tensors{a, b, out}) {
			tensor.Close()
		}
		if int(value)%3 == 0 {
			cancel()
		}
	}()
	err := onnxruntime.Run(ctx, session, tensors{a, b}, tensors{out})
	<-ended
	if err == nil && (y[0] != value || y[3] != 1) {
		return fmt.Errorf("expected %v and 1, got %v", value, y)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, dlferry.ErrInvalid) {
		return nil
	}
	return err
}
