// SPDX-License-Identifier: Apache-2.0

// Package helper is C for the tests, whose own files must not use cgo.
package helper

// #cgo CFLAGS: -std=c11 -I${SRCDIR}/../../../../core/include -I${SRCDIR}/../../../../tests/cases
// #cgo LDFLAGS: -lpthread
// #include <stdlib.h>
// #include "helper.h"
import "C"

import (
	"sync/atomic"
	"unsafe"
)

// Spec describes a managed tensor; see helper.h.
type Spec struct {
	Code, Bits     uint8
	Lanes          uint16
	Shape, Strides []int // strides in elements; nil: row-major
	DeviceType     int32
	DeviceID       int32
	Flags          uint64
	Skew           int
	Address        uintptr // of its elements, instead of memory of its own
	EntersGo       bool
}

// Make makes a managed tensor, a DLManagedTensorVersioned *, of memory that Go does not own.
func Make(s Spec) unsafe.Pointer {
	var c C.helper_spec
	elements := 1
	for axis := len(s.Shape) - 1; axis >= 0; axis-- {
		c.shape[axis], c.strides[axis] = C.int64_t(s.Shape[axis]), C.int64_t(elements)
		elements *= s.Shape[axis]
	}
	if s.Strides != nil {
		elements = 1
		for axis, stride := range s.Strides {
			c.strides[axis] = C.int64_t(stride)
			elements += max(s.Shape[axis]-1, 0) * stride
		}
	}
	c.bytes = C.uint64_t(max(elements, 0) * (int(s.Bits)*int(s.Lanes) + 7) / 8)
	c.ndim, c.device_type, c.device_id = C.int32_t(len(s.Shape)), C.int32_t(s.DeviceType), C.int32_t(s.DeviceID)
	c.code, c.bits, c.lanes = C.uint8_t(s.Code), C.uint8_t(s.Bits), C.uint16_t(s.Lanes)
	c.flags, c.skew, c.address = C.uint64_t(s.Flags), C.uint64_t(s.Skew), C.uintptr_t(s.Address)
	if s.EntersGo {
		c.enters_go = 1
	}
	return unsafe.Pointer(C.helper_make(&c))
}

// Deleted counts the deleters of Make's tensors that have run.
func Deleted() int64 { return int64(C.helper_deleted()) }

// DeletedInGo counts the deleters that entered Go.
var DeletedInGo atomic.Int64

// InDeleter runs in the next deleter that enters Go, unless it is nil.
var InDeleter atomic.Pointer[func()]

//export helperDeleted
func helperDeleted() {
	if do := InDeleter.Swap(nil); do != nil {
		(*do)()
	}
	DeletedInGo.Add(1)
}

// DeleteOnThreads calls deleters on a fresh POSIX thread each, all at once, and waits for them; 64 at most.
func DeleteOnThreads(owned ...unsafe.Pointer) int {
	list := (*[64]unsafe.Pointer)(C.calloc(64, 8))
	defer C.free(unsafe.Pointer(list))
	copy(list[:], owned)
	return int(C.helper_delete_on_threads(&list[0], C.int32_t(len(owned))))
}

// DeleteLater calls a deleter on a fresh POSIX thread and does not wait for it.
func DeleteLater(owned unsafe.Pointer) int { return int(C.helper_delete_later(owned)) }

// Delete calls a deleter on this thread.
func Delete(owned unsafe.Pointer) { C.helper_delete(owned) }

// DeleteLegacy calls the deleter of a legacy tensor on this thread.
func DeleteLegacy(owned unsafe.Pointer) { C.helper_delete_legacy(owned) }

// Malformed makes a managed tensor of malformed.h by name; nil when there is none.
func Malformed(name string, legacy bool) unsafe.Pointer {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	if legacy {
		return unsafe.Pointer(C.malformed_make_legacy(c))
	}
	return unsafe.Pointer(C.malformed_make(c))
}

// Made makes a managed tensor from its text, as made.h reads it; nil if it is none.
func Made(text string) unsafe.Pointer {
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	return unsafe.Pointer(C.made_tensor(c))
}

// MadeDeleted counts the deleters of Made's tensors that have run.
func MadeDeleted() int64 { return int64(C.made_deleted()) }

// MalformedDeleted counts the deleters of Malformed's tensors that have run.
func MalformedDeleted() int64 { return int64(C.malformed_deleted()) }

// Managed holds the fields of a managed tensor, read without taking it.
type Managed struct {
	Major, Minor uint32
	Flags        uint64
	Data         uintptr
	ByteOffset   uint64
	NDim         int
}

// Look reads a DLManagedTensorVersioned *.
func Look(managed unsafe.Pointer) Managed {
	m := (*C.DLManagedTensorVersioned)(managed)
	return Managed{uint32(m.version.major), uint32(m.version.minor), uint64(m.flags), uintptr(m.dl_tensor.data),
		uint64(m.dl_tensor.byte_offset), int(m.dl_tensor.ndim)}
}
