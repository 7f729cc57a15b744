// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// Functions that may run a foreign deleter are not marked nocallback: the deleter may be Go code of this program.

// #cgo noescape dlfgo_from_dlpack
// #cgo nocallback dlfgo_from_dlpack
// #cgo noescape dlfgo_from_dlpack_legacy
// #cgo nocallback dlfgo_from_dlpack_legacy
// #cgo noescape dlfgo_to_dlpack
// #cgo nocallback dlfgo_to_dlpack
// #cgo noescape dlfgo_to_dlpack_legacy
// #cgo nocallback dlfgo_to_dlpack_legacy
// #include "bridge.h"
import "C"

import "unsafe"

// FromDLPack imports a managed tensor, a DLManagedTensorVersioned *.
//
// It takes owned, even on failure: its deleter runs once, with the last reference. It fails with ErrVersion for another
// major version, and like [Check].
//
// C: dlf_from_dlpack
func FromDLPack(owned unsafe.Pointer) (*Tensor, error) {
	drain()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_from_dlpack(C.uintptr_t(uintptr(owned)), &h, &e)
	if status != 0 {
		ReleaseDLPack(owned)
	}
	return adopt(status, &h, &e)
}

// FromDLPackLegacy imports a managed tensor of DLPack 0.8 and before, a DLManagedTensor *.
//
// It takes owned, even on failure: its deleter runs once, with the last reference. It fails like [Check].
//
// C: dlf_from_dlpack_legacy
func FromDLPackLegacy(owned unsafe.Pointer) (*Tensor, error) {
	drain()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_from_dlpack_legacy(C.uintptr_t(uintptr(owned)), &h, &e)
	if status != 0 {
		ReleaseDLPackLegacy(owned)
	}
	return adopt(status, &h, &e)
}

// ToDLPack exports a tensor without copying, as a DLManagedTensorVersioned *.
//
// The caller must pass it on or release it: it keeps the tensor until its deleter runs, on any thread.
//
// C: dlf_to_dlpack
func (t *Tensor) ToDLPack() (unsafe.Pointer, error) {
	handle, err := t.open("to_dlpack")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var out C.uintptr_t
	var e C.dlf_error
	status := C.dlfgo_to_dlpack(C.dlfgo_exporting(C.dlf_to_dlpack), handle, &out, &e)
	return pointer(&out), failed(status, &e)
}

// ToDLPackLegacy exports a tensor without copying to a consumer of DLPack 0.8 and before, as a DLManagedTensor *.
//
// The caller must pass it on or release it: it keeps the tensor until its deleter runs, on any thread. It fails with
// ErrReadOnly, since that structure cannot say so.
//
// C: dlf_to_dlpack_legacy
func (t *Tensor) ToDLPackLegacy() (unsafe.Pointer, error) {
	handle, err := t.open("to_dlpack_legacy")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var out C.uintptr_t
	var e C.dlf_error
	status := C.dlfgo_to_dlpack_legacy(handle, &out, &e)
	return pointer(&out), failed(status, &e)
}

// ToDLPackCopy exports a copy with the consumer as its only owner, as a DLManagedTensorVersioned *: row-major, flagged
// as copied.
//
// The caller must pass it on or release it. It fails like [Tensor.Copy].
//
// C: dlf_to_dlpack_copy
func (t *Tensor) ToDLPackCopy() (unsafe.Pointer, error) {
	handle, err := t.open("to_dlpack_copy")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var out C.uintptr_t
	var e C.dlf_error
	status := C.dlfgo_to_dlpack(C.dlfgo_exporting(C.dlf_to_dlpack_copy), handle, &out, &e)
	return pointer(&out), failed(status, &e)
}

// ToDLPack exports a slice without a Tensor, as a DLManagedTensorVersioned * that keeps it pinned: row-major, of this
// shape. [Array.ToDLPack] also takes strides or read-only. It allocates no Go memory.
//
// The caller must pass it on or release it. It fails with ErrShape unless the extents multiply to the length of the
// slice.
//
// C: dlf_to_dlpack
func ToDLPack[T Element](slice []T, shape ...int) (unsafe.Pointer, error) {
	a := Of(slice, shape...)
	return exportArray(a, unsafe.Pointer(unsafe.SliceData(slice)))
}

// ToDLPack exports the slice without a Tensor, as a DLManagedTensorVersioned * that keeps it pinned.
//
// The caller must pass it on or release it. It fails like [Array.Wrap].
//
// C: dlf_to_dlpack
func (a *Array) ToDLPack() (unsafe.Pointer, error) {
	if a == nil {
		return nil, a.checkWindow("to_dlpack")
	}
	return exportArray(a, unsafe.Pointer(a.data))
}

// ReleaseDLPack calls the deleter of a DLManagedTensorVersioned *, if it has one. nil does nothing.
//
// C: dlf_dlpack_release
func ReleaseDLPack(owned unsafe.Pointer) {
	if number := exportedSlot(owned); number != 0 {
		released(number)
		return
	}
	released(C.dlfgo_dlpack_release(C.uintptr_t(uintptr(owned))))
}

// ReleaseDLPackLegacy calls the deleter of a DLManagedTensor *, if it has one. nil does nothing.
//
// C: dlf_dlpack_release_legacy
func ReleaseDLPackLegacy(owned unsafe.Pointer) {
	released(C.dlfgo_dlpack_release_legacy(C.uintptr_t(uintptr(owned))))
}
