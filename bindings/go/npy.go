// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_npy_open
// #cgo nocallback dlfgo_npy_open
// #cgo noescape dlfgo_npy_save
// #cgo nocallback dlfgo_npy_save
// #include "bridge.h"
import "C"

import "unsafe"

// NpyOpen maps a .npy file as a read-only tensor, without copying. Shortening the file meanwhile kills the reader.
//
// It fails with ErrForeign if the system refuses, ErrInvalid for another or too short file, ErrDtype for objects, text
// and structures, or ErrUnsupported for the other byte order.
//
// C: dlf_npy_open
func NpyOpen(path string) (*Tensor, error) {
	drain()
	spelled, err := terminate(new([64]byte), "npy_open", path)
	if err != nil {
		return nil, err
	}
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_npy_open((*C.char)(unsafe.Pointer(spelled)), &h, &e)
	return adopt(status, &h, &e)
}

// NpySave writes a tensor, or a slice given by [Of], as a .npy file; at the end it replaces an older file of that name.
//
// On failure the older file stays. It fails with ErrForeign if the system refuses, ErrDtype for dtypes without a NumPy
// name, ErrDevice, ErrUnsupported for unknown flags, or ErrInvalid for a nil or closed tensor.
//
// C: dlf_npy_save
func NpySave(tensor Arg, path string) error {
	spelled, err := terminate(new([64]byte), "npy_save", path)
	if err != nil {
		return err
	}
	flat, err := flatten("npy_save", tensor)
	if err != nil {
		return err
	}
	defer finish(tensor)
	var e C.dlf_error
	status := C.dlfgo_npy_save(passed(flat), (*C.char)(unsafe.Pointer(spelled)), &e)
	return failed(status, &e)
}
