// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// Exports as a consumer requests them, and changes of device.

// #cgo noescape dlfgo_export_as
// #cgo nocallback dlfgo_export_as
// #cgo noescape dlf_export_device
// #cgo nocallback dlf_export_device
// #cgo noescape dlfgo_to_device
// #cgo nocallback dlfgo_to_device
// #cgo noescape dlf_dlpack_version
// #cgo nocallback dlf_dlpack_version
// #include "bridge.h"
import "C"

import "unsafe"

// CopyMode is the rule for copies in an export or a change of device.
//
// C: dlf_copy_mode
type CopyMode int32

const (
	// CopyIfNeeded copies only to reach the device, or to give read-only data to a consumer of DLPack 0.8.
	CopyIfNeeded CopyMode = C.DLF_COPY_IF_NEEDED
	// CopyAlways makes the consumer the only owner.
	CopyAlways CopyMode = C.DLF_COPY_ALWAYS
	// CopyNever fails instead of copying.
	CopyNever CopyMode = C.DLF_COPY_NEVER
)

// DLPackVersion is a version of the DLPack specification.
type DLPackVersion struct{ Major, Minor uint32 }

// ExportOptions are a consumer's request, the parameters of Python's __dlpack__. The zero value asks for nothing.
//
// C: dlf_export_options
type ExportOptions struct {
	Legacy     bool          // the consumer reads DLPack 0.8 and before
	MaxVersion DLPackVersion // the newest that it reads; the zero value is the one of this library
	Device     Device        // where it wants the data; the zero value is the data's own device
	Copy       CopyMode
	Stream     *int64 // a stream's number in Python's array API; nil without one, or without synchronisation
}

// Export exports a tensor for a consumer's device, copy mode, stream and version, as a DLManagedTensorVersioned *, or
// for a legacy consumer as a DLManagedTensor *.
//
// The caller must pass it on or release it. Only data that the processor can reach is copied, and only to the CPU. It
// fails with ErrDevice, ErrInvalid or ErrUnsupported for a stream, or like [Tensor.ToDLPack], [Tensor.ToDLPackLegacy]
// and [Tensor.Copy].
//
// C: dlf_export
func (t *Tensor) Export(options ExportOptions) (unsafe.Pointer, error) {
	handle, err := t.open("export")
	if err != nil {
		return nil, err
	}
	defer t.done()
	request := C.dlf_export_options{
		size:        C.sizeof_dlf_export_options,
		max_version: C.DLPackVersion{C.uint32_t(options.MaxVersion.Major), C.uint32_t(options.MaxVersion.Minor)},
		device:      options.Device.c(),
		copy:        C.int32_t(options.Copy),
		stream:      C.DLF_STREAM_NONE,
	}
	if options.Legacy {
		request.max_version = C.DLPackVersion{0, 8}
	} else if options.MaxVersion == (DLPackVersion{}) {
		request.max_version = C.DLPackVersion{C.DLF_DLPACK_MAJOR, C.DLF_DLPACK_MINOR}
	}
	if options.Stream != nil {
		request.stream = C.int64_t(*options.Stream)
	}
	var out C.uintptr_t
	var e C.dlf_error
	status := C.dlfgo_export_as(handle, &request, C.bool(options.Legacy), &out, &e)
	return pointer(&out), failed(status, &e)
}

// ExportDevice returns the device that exports name, for a consumer that asks before. It is the tensor's own, unless a
// backend gives it another number.
//
// It fails like that backend.
//
// C: dlf_export_device
func (t *Tensor) ExportDevice() (Device, error) {
	if _, err := t.open("export_device"); err != nil {
		return Device{}, err
	}
	defer t.done()
	var device C.DLDevice
	var e C.dlf_error
	status := C.dlf_export_device(t.tensor(), &device, &e)
	if status != 0 {
		return Device{}, failed(status, &e)
	}
	return deviceOfC(&device), nil
}

// ToDevice returns a tensor with the data on a device: another handle on the same memory, or a copy.
//
// Only data that the processor can reach is copied, and only to the CPU. The zero Device is the data's own. It fails
// with ErrDevice, ErrInvalid, or like [Tensor.Copy].
//
// C: dlf_to_device
func (t *Tensor) ToDevice(device Device, mode CopyMode) (*Tensor, error) {
	handle, err := t.open("to_device")
	if err != nil {
		return nil, err
	}
	defer t.done()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_to_device(handle, C.int32_t(device.Type), C.int32_t(device.ID), C.int32_t(mode), &h, &e)
	return adopt(status, &h, &e)
}

// DLPackVersion returns the version of the structure that the tensor was imported from: 0.8 for a legacy one.
//
// C: dlf_dlpack_version
func (t *Tensor) DLPackVersion() DLPackVersion {
	if !t.use() {
		return DLPackVersion{}
	}
	defer t.done()
	version := C.dlf_dlpack_version(t.tensor())
	return DLPackVersion{uint32(version.major), uint32(version.minor)}
}
