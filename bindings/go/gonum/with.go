// SPDX-License-Identifier: Apache-2.0

package gonum

import (
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// with gives the memory of a float64 tensor with this number of axes and no negative strides, which may be written.
func with(t *dlferry.Tensor, name string, axes int, use func(data []float64, shape, strides []int) error) error {
	return dlferry.With(t, func(dlferry.Elements[float64]) error { // checks dtype, device and alignment
		shape, strides := t.Shape(), t.Strides()
		if len(shape) != axes {
			return errorf(dlferry.ErrShape, "%s: expected a tensor with %d axes, got %d", name, axes, len(shape))
		}
		return t.WithSpan(true, func(memory []byte, first int) error {
			if first != 0 {
				return errorf(dlferry.ErrLayout, "%s: expected strides above 0, got %d", name, strides)
			}
			var data []float64
			if len(memory) > 0 {
				data = unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/8)
			}
			return use(data, shape, strides)
		})
	})
}
