// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/onnxruntime"
	ort "github.com/yalue/onnxruntime_go"
)

// What the models take and give. The hub checks each request against it before the body is read, and its text tells the
// client what is wrong.
const contract = "image: f32[n, 3, h, w]; result: f32[n, 1, h, w]; n in 1..16; h in 1..8192; w in 1..8192"

type model struct {
	session  *ort.DynamicAdvancedSession
	contract *dlferry.Contract
}

// openModel also runs the model once, so that a wrong file fails here.
func openModel(library, file string) (*model, error) {
	c, err := dlferry.CompileContract(contract, "run", dlferry.Parameter{Name: "image", Kind: dlferry.ParameterInput},
		dlferry.Parameter{Name: "result", Kind: dlferry.ParameterOutput})
	if err != nil {
		return nil, err
	}
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(); err != nil {
		return nil, err
	}
	m := &model{contract: c}
	if err := m.open(file); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *model) open(file string) error {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return err
	}
	defer options.Destroy()
	// One thread a run: requests are what runs at once.
	for _, err := range []error{options.SetIntraOpNumThreads(1), options.SetInterOpNumThreads(1)} {
		if err != nil {
			return err
		}
	}
	if m.session, err = ort.NewDynamicAdvancedSession(file, []string{"image"}, []string{"result"}, options); err != nil {
		return err
	}
	_, _, err = m.run(context.Background(), dlferry.Of(make([]float32, 3*8*8), 1, 3, 8, 8), nil)
	return err
}

func (m *model) close() {
	if m.session != nil {
		m.session.Destroy()
	}
	ort.DestroyEnvironment()
}

// run runs the model where the image lies. It returns the result's bytes, in the memory of buffer if they fit, and its
// shape.
func (m *model) run(ctx context.Context, image *dlferry.Array, buffer []byte) ([]byte, []int, error) {
	result, err := m.contract.Infer("result", image, nil)
	if err != nil {
		return nil, nil, err
	}
	size := result.DType.Size()
	for _, extent := range result.Shape {
		size *= extent // cannot overflow: a third of the image's size
	}
	buffer = sized(buffer, size)
	output := dlferry.Of(buffer, result.Shape...).As(result.DType)
	err = onnxruntime.Run(ctx, m.session, []*dlferry.Array{image}, []*dlferry.Array{output})
	return buffer, result.Shape, err
}

// sized returns a buffer of this size, the same one if it is long enough.
func sized(buffer []byte, size int) []byte {
	if cap(buffer) < size {
		return make([]byte, size)
	}
	return buffer[:size]
}
