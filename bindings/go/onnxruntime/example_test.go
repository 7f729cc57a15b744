// SPDX-License-Identifier: Apache-2.0

package onnxruntime_test

import (
	"context"
	"fmt"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/onnxruntime"
	ort "github.com/yalue/onnxruntime_go"
)

// Programs begin with ort.SetSharedLibraryPath and ort.InitializeEnvironment. The model here is y = a + b.
func Example() {
	session := adding() // ort.NewDynamicAdvancedSession("adding.onnx", []string{"a", "b"}, []string{"y"}, nil)
	defer session.Destroy()

	samples, result := []float32{1, 2, 3, 4, 5, 6}, make([]float32, 6)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a, y := dlferry.Of(samples, 2, 3), dlferry.Of(result, 2, 3)
	err := onnxruntime.Run(ctx, session, []*dlferry.Array{a, a}, []*dlferry.Array{y})
	fmt.Println(result, err)
	// Output: [2 4 6 8 10 12] <nil>
}

// Tensors of other libraries, such as NumPy, are arguments too.
func ExampleRun() {
	session := adding()
	defer session.Destroy()
	theirs, err := dlferry.ToDLPack([]float32{1, 2}, 1, 2)
	if err != nil {
		panic(err)
	}
	a, err := dlferry.FromDLPack(theirs)
	if err != nil {
		panic(err)
	}
	defer a.Close()
	y, err := dlferry.Create(dlferry.Float32, dlferry.CPU, 1, 2)
	if err != nil {
		panic(err)
	}
	defer y.Close()
	err = onnxruntime.Run(context.Background(), session, []*dlferry.Tensor{a, a}, []*dlferry.Tensor{y})
	fmt.Println(y, err)
	// Output:
	// float32[1, 2] cpu
	// [[2., 4.]] <nil>
}

// A binding of onnxruntime_go takes values; the tensor may be closed before they are destroyed.
func ExampleInput() {
	session := adding()
	defer session.Destroy()
	tensor, err := dlferry.Create(dlferry.Float32, dlferry.CPU, 1, 2)
	if err != nil {
		panic(err)
	}
	input, err := onnxruntime.Input(tensor)
	if err != nil {
		panic(err)
	}
	defer input.Destroy()
	output, err := onnxruntime.Output(tensor)
	if err != nil {
		panic(err)
	}
	defer output.Destroy()
	tensor.Close()
	fmt.Println(session.Run([]ort.Value{input, input}, []ort.Value{output}), output.GetShape())
	// Output: <nil> [1 2]
}

func ExampleOutput() {
	constants, err := dlferry.Of([]float32{1, 2, 3}, 3).ReadOnly().Wrap()
	if err != nil {
		panic(err)
	}
	defer constants.Close()
	_, err = onnxruntime.Output(constants)
	fmt.Println(err)
	// Output: elements: expected writable data, got read-only
}

// ONNX Runtime makes outputs whose shape only the model knows; onnxruntime_go copies them into Go memory, which becomes
// a tensor as it is.
func ExampleTensor() {
	session := adding()
	defer session.Destroy()
	theirs, err := ort.NewTensor(ort.NewShape(1, 2), []float32{3, 4})
	if err != nil {
		panic(err)
	}
	defer theirs.Destroy()
	outputs := []ort.Value{nil}
	if err := session.Run([]ort.Value{theirs, theirs}, outputs); err != nil {
		panic(err)
	}
	tensor, err := onnxruntime.Tensor(outputs[0])
	outputs[0].Destroy()
	if err != nil {
		panic(err)
	}
	defer tensor.Close()
	fmt.Println(tensor)
	// Output:
	// float32[1, 2] cpu
	// [[6., 8.]]
}

func ExampleDTypeOf() {
	fmt.Println(onnxruntime.DTypeOf(ort.TensorElementDataTypeBFloat16))
	// Output: bfloat16 <nil>
}

func ExampleElementType() {
	fmt.Println(onnxruntime.ElementType(dlferry.Float64))
	// Output: ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE <nil>
}
