// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// Exports of slices without a Tensor.

// #cgo noescape dlfgo_export
// #cgo nocallback dlfgo_export
// #include "bridge.h"
import "C"

import "unsafe"

// exportArray pins the data. It is a separate parameter so that the compiler may leave shape and strides on the stack.
func exportArray(a *Array, data unsafe.Pointer) (unsafe.Pointer, error) {
	fits := a.fits()
	if !fits {
		if err := a.checkWindow("to_dlpack"); err != nil {
			return nil, err
		}
	}
	drain()
	s, err := pin(data)
	if err != nil {
		return nil, err
	}
	if dtype := a.dtype(); fits && a.isPlain(dtype) {
		return s.export(a, dtype), nil
	}
	var out C.uintptr_t
	var taken C.bool
	var e C.dlf_error
	status := C.dlfgo_export(passed(a.flat()), s.owner(), &out, &taken, &e)
	if !taken {
		s.end()
	}
	return pointer(&out), failed(status, &e)
}

// isPlain is true if a fitting array's export follows from its fields: C decides about those without elements or axes,
// with many axes, and with dtypes that Go has no type for.
func (a *Array) isPlain(dtype DType) bool {
	return a.length != 0 && a.as == 0 && len(a.shape) <= C.DLFGO_SLOT_NDIM && (a.shape == nil || len(a.shape) != 0) &&
		dtype.width()&7 == 0
}

// export writes the managed tensor of a plain array, which fits, into the slot's block: as words, since the compiler would
// look at the old values of pointers, which may be addresses of Go memory that is gone.
//
//go:norace
func (s *slot) export(a *Array, dtype DType) unsafe.Pointer {
	shape := a.extents()
	m, extents := &s.block.managed, &s.block.extents
	stride := 1
	for axis := len(shape) - 1; axis >= 0; axis-- {
		extents[axis] = C.int64_t(shape[axis])
		if a.strided {
			stride = a.strides[axis]
		}
		extents[len(shape)+axis] = C.int64_t(stride)
		stride *= shape[axis]
	}
	m.version = C.DLPackVersion{C.DLF_DLPACK_MAJOR, C.DLF_DLPACK_MINOR}
	*word(&m.manager_ctx) = uintptr(unsafe.Pointer(s.block))
	*word(&m.deleter) = slotDeleter
	m.flags = C.uint64_t(a.flags)
	*word(&m.dl_tensor.data) = uintptr(unsafe.Pointer(a.data)) + uintptr(a.offset*dtype.whole())
	m.dl_tensor.device = C.DLDevice{C.kDLCPU, 0}
	m.dl_tensor.ndim = C.int32_t(len(shape))
	m.dl_tensor.dtype = dtype.c()
	*word(&m.dl_tensor.shape) = uintptr(unsafe.Pointer(&extents[0]))
	*word(&m.dl_tensor.strides) = uintptr(unsafe.Pointer(&extents[len(shape)]))
	m.dl_tensor.byte_offset = 0
	s.exported = true
	return unsafe.Pointer(m)
}

// exportedSlot returns the number of the slot whose export this is, or 0. All that its deleter would do is to hand that
// number to Go.
func exportedSlot(owned unsafe.Pointer) C.uintptr_t {
	if owned == nil || *word(&(*C.DLManagedTensorVersioned)(owned).deleter) != slotDeleter {
		return 0
	}
	return (*C.dlfgo_slot)(owned).number
}

var slotDeleter = uintptr(C.dlfgo_slot_delete)

func word[P any](field *P) *uintptr { return (*uintptr)(unsafe.Pointer(field)) }
