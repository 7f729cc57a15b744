// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/binary"

	ort "github.com/yalue/onnxruntime_go"
)

// runCopying is what model.run replaces: bytes are decoded to numbers, onnxruntime_go makes the result, and its numbers
// are encoded to bytes. The buffers are used again here too, but for the result, of which onnxruntime_go makes a slice.
func (m *model) runCopying(ctx context.Context, s *slot, shape []int) ([]byte, []int, error) {
	if count := len(s.body) / 4; cap(s.pixels) < count {
		s.pixels = make([]float32, count)
	} else {
		s.pixels = s.pixels[:count]
	}
	if _, err := binary.Decode(s.body, binary.LittleEndian, s.pixels); err != nil {
		return nil, nil, err
	}
	extents := make([]int64, len(shape))
	for axis, extent := range shape {
		extents[axis] = int64(extent)
	}
	input, err := ort.NewTensor(extents, s.pixels)
	if err != nil {
		return nil, nil, err
	}
	defer input.Destroy()
	outputs := []ort.Value{nil}
	if err := m.runValues(ctx, []ort.Value{input}, outputs); err != nil {
		return nil, nil, err
	}
	defer outputs[0].Destroy()
	result, err := binary.Append(s.result[:0], binary.LittleEndian, outputs[0].(*ort.Tensor[float32]).GetData())
	return result, []int{shape[0], 1, shape[2], shape[3]}, err
}

// runValues is onnxruntime.Run without dlferry.
func (m *model) runValues(ctx context.Context, inputs, outputs []ort.Value) error {
	options, err := ort.NewRunOptions()
	if err != nil {
		return err
	}
	defer options.Destroy()
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		options.Terminate()
	})
	err = m.session.RunWithOptions(inputs, outputs, options)
	if !stop() {
		<-ended
		if err != nil {
			return context.Cause(ctx)
		}
	}
	return err
}
