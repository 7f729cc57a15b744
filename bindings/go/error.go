// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"fmt"
	"unsafe"
)

// Status is the kind of a failure; it is itself an error, for errors.Is.
type Status int32

// The kinds of failure. Values are those of the C header and are never renumbered.
const (
	ErrInvalid     Status = C.DLF_INVALID     // malformed tensor or argument
	ErrBounds      Status = C.DLF_BOUNDS      // index or axis out of range
	ErrOverflow    Status = C.DLF_OVERFLOW    // a size does not fit
	ErrDtype       Status = C.DLF_DTYPE       // dtype unknown here, or not the expected one
	ErrShape       Status = C.DLF_SHAPE       // shape breaks a contract
	ErrDevice      Status = C.DLF_DEVICE      // device absent, or data not reachable from here
	ErrLayout      Status = C.DLF_LAYOUT      // would need a copy, and copying is forbidden
	ErrReadOnly    Status = C.DLF_READ_ONLY   // write to read-only data requested
	ErrVersion     Status = C.DLF_VERSION     // DLPack major version not understood
	ErrNoMemory    Status = C.DLF_NO_MEMORY   // allocation failed
	ErrForeign     Status = C.DLF_FOREIGN     // a producer, device or kernel failed by itself
	ErrUnsupported Status = C.DLF_UNSUPPORTED // known, but not in this build
)

// String returns the C header's name of the status without prefix, such as "READ_ONLY".
//
// C: dlf_status_name
func (s Status) String() string { return C.GoString(C.dlf_status_name(C.int32_t(s))) }

// Error is String: errors.Is compares with a Status.
func (s Status) Error() string { return s.String() }

// Error tells why a call failed: a kind, and a text that is the same in every language.
type Error struct {
	Status  Status
	Message string
}

// Error returns the text alone.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the Status, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Status }

func failed(status C.dlf_status, e *C.dlf_error) error {
	if status == 0 {
		return nil
	}
	return &Error{Status(status), text(&e.message[0], len(e.message))}
}

// firstPage is above every status, and no memory lies below it.
const firstPage = 4096

// failedAt makes the error of a result of dlfgo_failed that is not 0: the address of a dlf_error, which it frees, or only
// a status.
func failedAt(address uintptr) error {
	if status := Status(address); address < firstPage {
		return errorf(status, "%s", status)
	}
	e := (*C.dlf_error)(*(*unsafe.Pointer)(unsafe.Pointer(&address)))
	defer C.free(unsafe.Pointer(e))
	return failed(C.dlf_status(e.status), e)
}

func errorf(status Status, format string, values ...any) error {
	return &Error{status, fmt.Sprintf(format, values...)}
}

// text reads a C string that ends within capacity bytes.
func text(first *C.char, capacity int) string {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(first)), capacity)
	for i, b := range bytes {
		if b == 0 {
			return string(bytes[:i])
		}
	}
	return string(bytes)
}
