// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlf_format
// #cgo nocallback dlf_format
// #cgo noescape dlf_describe_json
// #cgo nocallback dlf_describe_json
// #cgo noescape dlf_describe
// #cgo nocallback dlf_describe
// #include "bridge.h"
import "C"

import (
	"fmt"
	"io"
	"unsafe"
)

// String prints the elements as NumPy does, after one line of description.
//
// More than a thousand elements are summarised.
//
// C: dlf_format
func (t *Tensor) String() string {
	return t.print(func(buffer *C.char, capacity C.int64_t) C.int64_t {
		return C.dlf_format(t.dl, C.uint64_t(t.flags), buffer, capacity)
	})
}

// Describe describes the tensor in one line, such as "float32[2, 3] strides [3, 1] cpu read-only".
//
// C: dlf_describe
func (t *Tensor) Describe() string {
	return t.print(func(buffer *C.char, capacity C.int64_t) C.int64_t {
		return C.dlf_describe(t.dl, C.uint64_t(t.flags), buffer, capacity)
	})
}

// DescribeJSON describes the tensor as one JSON object with the keys dtype, shape, strides, device, flags, version,
// address and owner_known; null for a nil or closed one.
//
// C: dlf_describe_json
func (t *Tensor) DescribeJSON() []byte {
	if !t.isOpen() {
		return []byte("null")
	}
	return []byte(t.print(func(buffer *C.char, capacity C.int64_t) C.int64_t {
		return C.dlf_describe_json(t.tensor(), buffer, capacity)
	}))
}

// Format implements fmt.Formatter: %v prints the elements, %s the one line of description.
//
// C: dlf_format
func (t *Tensor) Format(state fmt.State, verb rune) {
	switch verb {
	case 'v':
		io.WriteString(state, t.String())
	case 's':
		io.WriteString(state, t.Describe())
	default:
		fmt.Fprintf(state, "%%!%c(*dlferry.Tensor=%s)", verb, t.Describe())
	}
}

// print calls again with room for the whole text if it outgrows the first buffer. If others write the elements
// meanwhile, it may grow again and is cut.
func (t *Tensor) print(write func(buffer *C.char, capacity C.int64_t) C.int64_t) string {
	if !t.use() {
		if t == nil {
			return "nil tensor"
		}
		return "closed tensor"
	}
	defer t.done()
	buffer := make([]byte, 512)
	for range 2 {
		length := int(write((*C.char)(unsafe.Pointer(&buffer[0])), C.int64_t(len(buffer))))
		if length < len(buffer) {
			return string(buffer[:length])
		}
		buffer = make([]byte, length+1)
	}
	return text((*C.char)(unsafe.Pointer(&buffer[0])), len(buffer))
}
