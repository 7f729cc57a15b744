// SPDX-License-Identifier: Apache-2.0

package arrow

import (
	"github.com/apache/arrow-go/v18/arrow"
	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// DType returns the dtype of a type's elements: numbers have their own, and dates, times, timestamps and durations that
// of the integers which count their units.
//
// It fails with ErrDtype for types without one, such as bool, whose elements are bits, and decimals.
func DType(kind arrow.DataType) (dlferry.DType, error) {
	if kind == nil {
		return 0, errorf(dlferry.ErrInvalid, "dtype: expected a data type, got nil")
	}
	switch kind.ID() {
	case arrow.INT8:
		return dlferry.DTypeOf[int8](), nil
	case arrow.INT16:
		return dlferry.DTypeOf[int16](), nil
	case arrow.INT32, arrow.DATE32, arrow.TIME32:
		return dlferry.DTypeOf[int32](), nil
	case arrow.INT64, arrow.DATE64, arrow.TIME64, arrow.TIMESTAMP, arrow.DURATION:
		return dlferry.DTypeOf[int64](), nil
	case arrow.UINT8:
		return dlferry.DTypeOf[uint8](), nil
	case arrow.UINT16:
		return dlferry.DTypeOf[uint16](), nil
	case arrow.UINT32:
		return dlferry.DTypeOf[uint32](), nil
	case arrow.UINT64:
		return dlferry.DTypeOf[uint64](), nil
	case arrow.FLOAT16:
		return float16DType, nil
	case arrow.FLOAT32:
		return dlferry.DTypeOf[float32](), nil
	case arrow.FLOAT64:
		return dlferry.DTypeOf[float64](), nil
	}
	return 0, errorf(dlferry.ErrDtype, "dtype: expected a type of numbers or times, got %s", kind)
}

// DataType returns Arrow's type of numbers for a dtype. It fails with ErrDtype if there is none.
func DataType(dtype dlferry.DType) (arrow.DataType, error) {
	for _, kind := range numbers {
		if own, _ := DType(kind); own == dtype {
			return kind, nil
		}
	}
	return nil, errorf(dlferry.ErrDtype, "data_type: expected a dtype of Arrow's, got %s", dtype)
}

var (
	float16DType = must(dlferry.ParseDType("float16"))
	numbers      = []arrow.DataType{arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int8,
		arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint8,
		arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.FixedWidthTypes.Float16}
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// width returns the bytes of a number.
func width(kind arrow.DataType) int { return kind.(arrow.FixedWidthDataType).Bytes() }
