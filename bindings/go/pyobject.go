// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// Both ways run Python code, which may call Go: neither is marked nocallback, nor noescape, since a goroutine's stack may
// move during a callback.

// #include "bridge.h"
import "C"

import "unsafe"

// FromPython imports a Python object, a PyObject *, such as a NumPy array, in a program that runs CPython: by its type's
// exchange table, else by its __dlpack__, without a copy. A DLPack capsule is consumed.
//
// Any goroutine may call it: it takes the GIL, also when the tensor is released. Arrays of JAX and TensorFlow, and torch
// tensors that require grad, come read-only; while torch's grad mode is enabled the latter fail with ErrReadOnly, as
// autograd would not see what is computed from them. It fails with ErrForeign and the text of Python's exception, with ErrInvalid
// for an object that is no array, with ErrUnsupported without a running Python, and like [FromDLPack].
//
// C: dlf_from_python
func FromPython(object unsafe.Pointer) (*Tensor, error) {
	return FromPythonOn(object, Device{}, CopyIfNeeded)
}

// FromPythonOn is [FromPython] for data on a device, the zero Device being its own, and with a rule for copies. The
// producer moves or copies the data if it can.
//
// It fails also like [Tensor.ToDevice].
//
// C: dlf_from_python
func FromPythonOn(object unsafe.Pointer, device Device, mode CopyMode) (*Tensor, error) {
	drain()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_from_python(C.uintptr_t(uintptr(object)), C.int32_t(device.Type), C.int32_t(device.ID),
		C.int32_t(mode), &h, &e)
	return adopt(status, &h, &e)
}

// ToPython makes a Python object that keeps the tensor: a new reference, a PyObject *. A wrapped Go slice stays pinned
// until Python drops the object and all arrays that share its memory.
//
// like says of which kind: nil for a dlferry.SharedTensor, for any library's from_dlpack, numpy.asarray and memoryview; a
// module or class with from_dlpack, such as numpy; a type with an exchange table, such as torch.Tensor; or an array of
// either. The GIL is taken. It fails with ErrForeign and the text of Python's exception, with ErrInvalid for a like that
// makes no arrays, and with ErrUnsupported without a running Python.
//
// C: dlf_to_python
func (t *Tensor) ToPython(like unsafe.Pointer) (unsafe.Pointer, error) {
	handle, err := t.open("to_python")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var out C.uintptr_t
	var e C.dlf_error
	status := C.dlfgo_to_python(handle, C.uintptr_t(uintptr(like)), &out, &e)
	return pointer(&out), failed(status, &e)
}

// PythonEnable finds Python's functions in a library, by its path. Only a libpython that the program loaded for itself
// alone (RTLD_LOCAL) needs it; the functions that use Python find any other.
//
// It fails with ErrForeign if the library cannot be loaded, and with ErrUnsupported if it has no Python.
//
// C: dlf_python_enable
func PythonEnable(library string) error {
	var e C.dlf_error
	spelled, err := terminate(new([64]byte), "python_enable", library)
	if err != nil {
		return err
	}
	return failed(C.dlf_python_enable((*C.char)(unsafe.Pointer(spelled)), &e), &e)
}
