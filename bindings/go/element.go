// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

import "reflect"

// Bool8 is a bool that other languages may have written: any byte but 0 is true.
type Bool8 uint8

// Bool tells whether it is true.
func (b Bool8) Bool() bool { return b != 0 }

// Element is a Go type that is one element of a tensor. Your own types, such as `type Meters float32`, count as their
// underlying type: a half precision type of another module is 16 unsigned bits, which [Array.As] calls Float16.
type Element interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | // F16 and others too
		~float32 | ~float64 | ~complex64 | ~complex128
}

// DTypeOf returns the dtype of a Go type.
func DTypeOf[T Element]() DType { return dtypeOfPointer((*T)(nil)) }

func dtypeOfPointer(pointer any) DType {
	switch pointer.(type) {
	case *bool, *Bool8:
		return Bool
	case *int8:
		return Int8
	case *int16:
		return Int16
	case *int32:
		return Int32
	case *int, *int64:
		return Int64
	case *uint8:
		return Uint8
	case *uint16:
		return Uint16
	case *uint32:
		return Uint32
	case *uint, *uint64:
		return Uint64
	case *float32:
		return Float32
	case *float64:
		return Float64
	case *complex64:
		return Complex64
	case *complex128:
		return Complex128
	}
	if small := dtypeOfSmall(pointer); small != 0 {
		return small
	}
	return dtypeOfKind(reflect.TypeOf(pointer).Elem())
}

// dtypeOfKind is for named types.
func dtypeOfKind(named reflect.Type) DType {
	kind, bits := named.Kind(), DType(8*named.Size())<<8|oneLane
	switch {
	case kind == reflect.Bool:
		return Bool
	case kind <= reflect.Int64:
		return Int8&0xff | bits
	case kind <= reflect.Uint64:
		return Uint8&0xff | bits
	case kind <= reflect.Float64:
		return Float32&0xff | bits
	}
	return Complex64&0xff | bits
}
