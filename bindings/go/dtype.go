// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlf_dtype_parse
// #cgo nocallback dlf_dtype_parse
// #cgo nocallback dlf_dtype_size
// #cgo noescape dlf_dtype_format_short
// #cgo nocallback dlf_dtype_format_short
// #cgo noescape dlf_dtype_format
// #cgo nocallback dlf_dtype_format
// #include "bridge.h"
import "C"

import "unsafe"

// DType is the type of an element: a code and a number of bits and lanes. Values without a name here are data too.
type DType uint32

// NewDType makes a dtype from DLPack's code, bits and lanes.
func NewDType(code, bits uint8, lanes uint16) DType {
	return DType(code) | DType(bits)<<8 | DType(lanes)<<16
}

const oneLane = 1 << 16

// The usual dtypes, with DLPack's codes. Complex64 is two Float32. Those of fewer than 16 bits stand in float.go.
const (
	Int8       DType = 0 | 8<<8 | oneLane
	Int16      DType = 0 | 16<<8 | oneLane
	Int32      DType = 0 | 32<<8 | oneLane
	Int64      DType = 0 | 64<<8 | oneLane
	Uint8      DType = 1 | 8<<8 | oneLane
	Uint16     DType = 1 | 16<<8 | oneLane
	Uint32     DType = 1 | 32<<8 | oneLane
	Uint64     DType = 1 | 64<<8 | oneLane
	Float16    DType = 2 | 16<<8 | oneLane
	Float32    DType = 2 | 32<<8 | oneLane
	Float64    DType = 2 | 64<<8 | oneLane
	BFloat16   DType = 4 | 16<<8 | oneLane
	Complex64  DType = 5 | 64<<8 | oneLane
	Complex128 DType = 5 | 128<<8 | oneLane
	Bool       DType = 6 | 8<<8 | oneLane
)

// Code returns DLPack's number for the kind of element.
func (d DType) Code() uint8 { return uint8(d) }

// Bits returns the bits of one lane.
func (d DType) Bits() uint8 { return uint8(d >> 8) }

// Lanes returns how many numbers one element holds, 1 for a scalar.
func (d DType) Lanes() uint16 { return uint16(d >> 16) }

// Size counts the bytes of one element with all lanes, rounded up. Packed sub-byte elements share bytes: see
// [Tensor.ByteSize].
//
// C: dlf_dtype_size
func (d DType) Size() int { return int(C.dlf_dtype_size(d.c())) }

// ParseDType reads a dtype from its name.
//
// It accepts the usual names ("float32", "uint8x4"), the short ones of contracts ("f32") and "dtype(code, bits)" for
// codes without a name. It fails with ErrDtype.
//
// C: dlf_dtype_parse
func ParseDType(name string) (DType, error) {
	var out C.DLDataType
	var e C.dlf_error
	spelled, err := terminate(new([64]byte), "dtype_parse", name)
	if err != nil {
		return 0, err
	}
	if status := C.dlf_dtype_parse((*C.char)(unsafe.Pointer(spelled)), &out, &e); status != 0 {
		return 0, failed(status, &e)
	}
	return dtypeOfC(&out), nil
}

// String writes the usual name of a dtype, such as "float32" or "uint8x4".
//
// C: dlf_dtype_format
func (d DType) String() string {
	var name [C.DLF_NAME_CAPACITY]C.char
	C.dlf_dtype_format(d.c(), &name[0], C.DLF_NAME_CAPACITY)
	return text(&name[0], len(name))
}

// Short writes the name of a dtype in contracts, such as "f32" or "u8_x4".
//
// C: dlf_dtype_format_short
func (d DType) Short() string {
	var name [C.DLF_NAME_CAPACITY]C.char
	C.dlf_dtype_format_short(d.c(), &name[0], C.DLF_NAME_CAPACITY)
	return text(&name[0], len(name))
}

// MarshalText is String, for JSON and flags.
func (d DType) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is [ParseDType].
func (d *DType) UnmarshalText(name []byte) (err error) {
	*d, err = ParseDType(string(name))
	return err
}

// width returns the bits of an element.
func (d DType) width() int { return int(d.Bits()) * int(d.Lanes()) }

// whole returns the bytes of an element that has bytes of its own.
func (d DType) whole() int { return (d.width() + 7) / 8 }

func (d DType) c() C.DLDataType {
	return C.DLDataType{code: C.uint8_t(d.Code()), bits: C.uint8_t(d.Bits()), lanes: C.uint16_t(d.Lanes())}
}

func dtypeOfC(d *C.DLDataType) DType { return NewDType(uint8(d.code), uint8(d.bits), uint16(d.lanes)) }
