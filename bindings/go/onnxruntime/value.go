// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"sync"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	ort "github.com/yalue/onnxruntime_go"
)

type value = ort.Value // whose name would else be exported

// Value is an [ort.Value] whose memory is a tensor's. Destroy it after its last use.
type Value struct {
	value
	mutex    sync.Mutex
	tensor   *dlferry.Tensor // of its own
	exported unsafe.Pointer  // the same tensor: unlike the one above, it outlives a Value that was forgotten
}

// Input makes a [Value] from a tensor, or from a slice given by [dlferry.Of], that ONNX Runtime reads; it may be
// read-only. The memory stays alive until Destroy, even if the tensor is closed before.
//
// It fails with ErrInvalid for nil and a closed tensor, ErrLayout unless the elements are row-major without gaps,
// ErrDevice if the processor cannot reach them, ErrDtype if ONNX Runtime does not have their dtype, ErrUnsupported for a
// tensor without axes, and ErrForeign for what ONNX Runtime refuses, such as any call before InitializeEnvironment.
func Input(t dlferry.Arg) (*Value, error) { return newValue(t, false) }

// Output makes a [Value] from a tensor or a slice that ONNX Runtime writes. It is like [Input], but fails with
// ErrReadOnly for read-only memory.
func Output(t dlferry.Arg) (*Value, error) { return newValue(t, true) }

func newValue(t dlferry.Arg, write bool) (*Value, error) {
	own, err := newHandle(t)
	if err != nil {
		return nil, err
	}
	exported, err := own.ToDLPack()
	if err != nil {
		own.Close()
		return nil, err
	}
	v := &Value{tensor: own, exported: exported}
	if err := own.WithBytes(write, v.borrow); err != nil {
		v.release()
		return nil, err
	}
	return v, nil
}

// borrow makes ONNX Runtime's tensor on the memory.
func (v *Value) borrow(memory []byte) error {
	element, err := ElementType(v.tensor.DType())
	if err != nil {
		return err
	}
	shape := make(ort.Shape, v.tensor.NDim())
	if len(shape) == 0 {
		return errorf(dlferry.ErrUnsupported, "value: expected a tensor with an axis, got %s without one", v.tensor.DType())
	}
	for axis := range shape {
		shape[axis] = int64(v.tensor.Dim(axis))
	}
	if len(memory) == 0 {
		memory = make([]byte, 1) // onnxruntime_go wants an address; no element lies there
	}
	custom, err := ort.NewCustomDataTensor(shape, memory, element)
	v.value = custom
	return foreign("value", err)
}

// Destroy releases ONNX Runtime's tensor, then its hold on the memory. Destroying again, or nil, does nothing.
func (v *Value) Destroy() error {
	if v == nil {
		return nil
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.exported == nil {
		return nil
	}
	var err error
	if ort.IsInitialized() { // else the library that would release it is no longer loaded
		err = v.value.Destroy()
	}
	v.release()
	return foreign("destroy", err)
}

func (v *Value) release() {
	v.tensor.Close()
	dlferry.ReleaseDLPack(v.exported)
	v.exported = nil
}

// ZeroContents sets all bytes to 0. Like a write to a tensor's elements it panics with an ErrReadOnly if the tensor is
// read-only.
func (v *Value) ZeroContents() {
	err := v.tensor.WithBytes(true, func(memory []byte) error {
		clear(memory)
		return nil
	})
	if err != nil {
		panic(err)
	}
}
