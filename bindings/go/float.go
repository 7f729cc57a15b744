// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// Reals of 16 bits and fewer. C converts them; tables of what it says make reading fast.

// #cgo noescape dlfgo_float_decode
// #cgo nocallback dlfgo_float_decode
// #cgo noescape dlfgo_float_encode
// #cgo nocallback dlfgo_float_encode
// #include "bridge.h"
import "C"

import (
	"strconv"
	"sync"
)

// The bits of reals that Go has no type for, as DLPack stores them. [Narrow] makes them; they convert by Float32, which
// is exact, and print as numbers. Reals of 6 and 4 bits have a byte each, whose upper bits are not used: tensors of them
// are padded, like those of [Tensor.CopyPadded].
//
// C: dlf_float_decode
type (
	F16           uint16 // IEEE 754 half precision
	BF16          uint16 // upper half of a float32
	F8E3M4        uint8
	F8E4M3        uint8
	F8E4M3B11FNUZ uint8
	F8E4M3FN      uint8
	F8E4M3FNUZ    uint8
	F8E5M2        uint8
	F8E5M2FNUZ    uint8
	F8E8M0FNU     uint8 // a power of two
	F6E2M3FN      uint8 // a byte each: padded, the upper two bits unused
	F6E3M2FN      uint8 // likewise
	F4E2M1FN      uint8 // likewise, the upper four bits unused
)

// Their dtypes, with DLPack's codes.
const (
	Float8E3M4        DType = 7 | 8<<8 | oneLane
	Float8E4M3        DType = 8 | 8<<8 | oneLane
	Float8E4M3B11FNUZ DType = 9 | 8<<8 | oneLane
	Float8E4M3FN      DType = 10 | 8<<8 | oneLane
	Float8E4M3FNUZ    DType = 11 | 8<<8 | oneLane
	Float8E5M2        DType = 12 | 8<<8 | oneLane
	Float8E5M2FNUZ    DType = 13 | 8<<8 | oneLane
	Float8E8M0FNU     DType = 14 | 8<<8 | oneLane
	Float6E2M3FN      DType = 15 | 6<<8 | oneLane
	Float6E3M2FN      DType = 16 | 6<<8 | oneLane
	Float4E2M1FN      DType = 17 | 4<<8 | oneLane
)

// dtypeOfSmall is 0 for another type.
func dtypeOfSmall(pointer any) DType {
	switch pointer.(type) {
	case *F16:
		return Float16
	case *BF16:
		return BFloat16
	case *F8E3M4:
		return Float8E3M4
	case *F8E4M3:
		return Float8E4M3
	case *F8E4M3B11FNUZ:
		return Float8E4M3B11FNUZ
	case *F8E4M3FN:
		return Float8E4M3FN
	case *F8E4M3FNUZ:
		return Float8E4M3FNUZ
	case *F8E5M2:
		return Float8E5M2
	case *F8E5M2FNUZ:
		return Float8E5M2FNUZ
	case *F8E8M0FNU:
		return Float8E8M0FNU
	case *F6E2M3FN:
		return Float6E2M3FN
	case *F6E3M2FN:
		return Float6E3M2FN
	case *F4E2M1FN:
		return Float4E2M1FN
	}
	return 0
}

// SmallFloat is one of these types.
type SmallFloat interface {
	F16 | BF16 | F8E3M4 | F8E4M3 | F8E4M3B11FNUZ | F8E4M3FN | F8E4M3FNUZ | F8E5M2 |
		F8E5M2FNUZ | F8E8M0FNU | F6E2M3FN | F6E3M2FN | F4E2M1FN
}

// Narrow rounds a number to a small real: to nearest, ties to even, as NumPy and ml_dtypes do.
//
// A number too large becomes infinity, or else NaN, or else the largest one; see dlf_float_encode in dlferry.h.
//
//	half := dlferry.Narrow[dlferry.F16](1.5)
//
// C: dlf_float_encode
func Narrow[T SmallFloat](value float64) T {
	return T(C.dlfgo_float_encode(C.uint32_t(dtypeOfSmall((*T)(nil))), C.double(value)))
}

// table has what C says of all values of one dtype.
type table struct {
	dtype DType
	once  sync.Once
	reals []float32
}

func (t *table) read(bits uint16) float32 {
	t.once.Do(t.fill)
	return t.reals[int(bits)&(len(t.reals)-1)]
}

func (t *table) fill() {
	t.reals = make([]float32, 1<<t.dtype.Bits())
	C.dlfgo_float_decode(C.uint32_t(t.dtype), (*C.float)(&t.reals[0]), C.int64_t(len(t.reals)))
}

var (
	f16s           = table{dtype: Float16}
	bf16s          = table{dtype: BFloat16}
	f8e3m4s        = table{dtype: Float8E3M4}
	f8e4m3s        = table{dtype: Float8E4M3}
	f8e4m3b11fnuzs = table{dtype: Float8E4M3B11FNUZ}
	f8e4m3fns      = table{dtype: Float8E4M3FN}
	f8e4m3fnuzs    = table{dtype: Float8E4M3FNUZ}
	f8e5m2s        = table{dtype: Float8E5M2}
	f8e5m2fnuzs    = table{dtype: Float8E5M2FNUZ}
	f8e8m0fnus     = table{dtype: Float8E8M0FNU}
	f6e2m3fns      = table{dtype: Float6E2M3FN}
	f6e3m2fns      = table{dtype: Float6E3M2FN}
	f4e2m1fns      = table{dtype: Float4E2M1FN}
)

// Float32 returns the number.
func (x F16) Float32() float32 { return f16s.read(uint16(x)) }

// Float32 returns the number.
func (x BF16) Float32() float32 { return bf16s.read(uint16(x)) }

// Float32 returns the number.
func (x F8E3M4) Float32() float32 { return f8e3m4s.read(uint16(x)) }

// Float32 returns the number.
func (x F8E4M3) Float32() float32 { return f8e4m3s.read(uint16(x)) }

// Float32 returns the number.
func (x F8E4M3B11FNUZ) Float32() float32 { return f8e4m3b11fnuzs.read(uint16(x)) }

// Float32 returns the number.
func (x F8E4M3FN) Float32() float32 { return f8e4m3fns.read(uint16(x)) }

// Float32 returns the number.
func (x F8E4M3FNUZ) Float32() float32 { return f8e4m3fnuzs.read(uint16(x)) }

// Float32 returns the number.
func (x F8E5M2) Float32() float32 { return f8e5m2s.read(uint16(x)) }

// Float32 returns the number.
func (x F8E5M2FNUZ) Float32() float32 { return f8e5m2fnuzs.read(uint16(x)) }

// Float32 returns the number.
func (x F8E8M0FNU) Float32() float32 { return f8e8m0fnus.read(uint16(x)) }

// Float32 returns the number.
func (x F6E2M3FN) Float32() float32 { return f6e2m3fns.read(uint16(x)) }

// Float32 returns the number.
func (x F6E3M2FN) Float32() float32 { return f6e3m2fns.read(uint16(x)) }

// Float32 returns the number.
func (x F4E2M1FN) Float32() float32 { return f4e2m1fns.read(uint16(x)) }

// Float64 returns the number.
func (x F16) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x BF16) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F8E3M4) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F8E4M3) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F8E4M3B11FNUZ) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F8E4M3FN) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F8E4M3FNUZ) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F8E5M2) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F8E5M2FNUZ) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F8E8M0FNU) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F6E2M3FN) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F6E3M2FN) Float64() float64 { return float64(x.Float32()) }

// Float64 returns the number.
func (x F4E2M1FN) Float64() float64 { return float64(x.Float32()) }

// String writes the number.
func (x F16) String() string { return spell(x.Float32()) }

// String writes the number.
func (x BF16) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F8E3M4) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F8E4M3) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F8E4M3B11FNUZ) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F8E4M3FN) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F8E4M3FNUZ) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F8E5M2) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F8E5M2FNUZ) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F8E8M0FNU) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F6E2M3FN) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F6E3M2FN) String() string { return spell(x.Float32()) }

// String writes the number.
func (x F4E2M1FN) String() string { return spell(x.Float32()) }

func spell(value float32) string { return strconv.FormatFloat(float64(value), 'g', -1, 32) }
