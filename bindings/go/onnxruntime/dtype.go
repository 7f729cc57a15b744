// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	dlferry "github.com/dlferry/dlferry/bindings/go"
	ort "github.com/yalue/onnxruntime_go"
)

// ONNX Runtime makes no tensors of complex numbers, and those of half bytes have no place in an [ort.Value] of bytes.
var elementTypes = map[dlferry.DType]ort.TensorElementDataType{
	dlferry.Int8:           ort.TensorElementDataTypeInt8,
	dlferry.Int16:          ort.TensorElementDataTypeInt16,
	dlferry.Int32:          ort.TensorElementDataTypeInt32,
	dlferry.Int64:          ort.TensorElementDataTypeInt64,
	dlferry.Uint8:          ort.TensorElementDataTypeUint8,
	dlferry.Uint16:         ort.TensorElementDataTypeUint16,
	dlferry.Uint32:         ort.TensorElementDataTypeUint32,
	dlferry.Uint64:         ort.TensorElementDataTypeUint64,
	dlferry.Float16:        ort.TensorElementDataTypeFloat16,
	dlferry.Float32:        ort.TensorElementDataTypeFloat,
	dlferry.Float64:        ort.TensorElementDataTypeDouble,
	dlferry.BFloat16:       ort.TensorElementDataTypeBFloat16,
	dlferry.Bool:           ort.TensorElementDataTypeBool,
	dlferry.Float8E4M3FN:   ort.TensorElementDataTypeFloat8E4M3FN,
	dlferry.Float8E4M3FNUZ: ort.TensorElementDataTypeFloat8E4M3FNUZ,
	dlferry.Float8E5M2:     ort.TensorElementDataTypeFloat8E5M2,
	dlferry.Float8E5M2FNUZ: ort.TensorElementDataTypeFloat8E5M2FNUZ,
}

var dtypes = func() map[ort.TensorElementDataType]dlferry.DType {
	inverse := make(map[ort.TensorElementDataType]dlferry.DType, len(elementTypes))
	for dtype, element := range elementTypes {
		inverse[element] = dtype
	}
	return inverse
}()

// ElementType returns ONNX Runtime's name of a dtype.
//
// It fails with ErrDtype for one without a name.
func ElementType(dtype dlferry.DType) (ort.TensorElementDataType, error) {
	if element, ok := elementTypes[dtype]; ok {
		return element, nil
	}
	return 0, errorf(dlferry.ErrDtype, "element_type: expected a dtype that ONNX Runtime has, got %s", dtype)
}

// DTypeOf returns the dtype of ONNX Runtime's element type, such as that of an [ort.InputOutputInfo].
//
// It fails with ErrDtype for one without a dtype, such as text.
func DTypeOf(element ort.TensorElementDataType) (dlferry.DType, error) {
	if dtype, ok := dtypes[element]; ok {
		return dtype, nil
	}
	return 0, errorf(dlferry.ErrDtype, "dtype_of: expected an element type that has a dtype, got %s", element)
}
