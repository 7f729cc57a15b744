// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlf_device_parse
// #cgo nocallback dlf_device_parse
// #cgo noescape dlf_device_format
// #cgo nocallback dlf_device_format
// #cgo nocallback dlf_device_equal
// #cgo nocallback dlf_is_cpu_accessible
// #include "bridge.h"
import "C"

import "unsafe"

// DeviceType is a kind of memory, by DLPack's number. Numbers without a name here are data too.
type DeviceType int32

// The kinds of memory that DLPack 1.3 names.
const (
	DeviceCPU         DeviceType = C.kDLCPU
	DeviceCUDA        DeviceType = C.kDLCUDA
	DeviceCUDAHost    DeviceType = C.kDLCUDAHost
	DeviceOpenCL      DeviceType = C.kDLOpenCL
	DeviceVulkan      DeviceType = C.kDLVulkan
	DeviceMetal       DeviceType = C.kDLMetal
	DeviceVPI         DeviceType = C.kDLVPI
	DeviceROCM        DeviceType = C.kDLROCM
	DeviceROCMHost    DeviceType = C.kDLROCMHost
	DeviceExt         DeviceType = C.kDLExtDev
	DeviceCUDAManaged DeviceType = C.kDLCUDAManaged
	DeviceOneAPI      DeviceType = C.kDLOneAPI
	DeviceWebGPU      DeviceType = C.kDLWebGPU
	DeviceHexagon     DeviceType = C.kDLHexagon
	DeviceMAIA        DeviceType = C.kDLMAIA
	DeviceTrn         DeviceType = C.kDLTrn
)

// Device is one device: a kind of memory and a number, from 0.
type Device struct {
	Type DeviceType
	ID   int32
}

// CPU is the memory of the processor.
var CPU = Device{Type: DeviceCPU}

// ParseDevice reads a device from its name: "cpu", "cuda:1" or, for codes without a name, "device(25):0".
//
// Without a number it is the first device. It fails with ErrDevice.
//
// C: dlf_device_parse
func ParseDevice(name string) (Device, error) {
	var out C.DLDevice
	var e C.dlf_error
	spelled, err := terminate(new([64]byte), "device_parse", name)
	if err != nil {
		return Device{}, err
	}
	if status := C.dlf_device_parse((*C.char)(unsafe.Pointer(spelled)), &out, &e); status != 0 {
		return Device{}, failed(status, &e)
	}
	return deviceOfC(&out), nil
}

// OneAPIEnable lets the hub exchange oneAPI's tensors by dpctl's protocol, through dpctl's C library, which it loads.
//
// From then on imports and exports refuse memory that no default context of a SYCL platform knows, and elements in
// device memory cannot be read. Another call does nothing. An empty path means libDPCTLSyclInterface.so, if the process
// has loaded it or the loader finds it. It fails with ErrForeign, ErrUnsupported or ErrInvalid.
//
// C: dlf_oneapi_enable
func OneAPIEnable(library string) error {
	var e C.dlf_error
	var path *C.char
	if library != "" {
		spelled, err := terminate(new([64]byte), "oneapi_enable", library)
		if err != nil {
			return err
		}
		path = (*C.char)(unsafe.Pointer(spelled))
	}
	return failed(C.dlf_oneapi_enable(path, &e), &e)
}

// String writes the name of a device, such as "cpu" or "cuda:1".
//
// C: dlf_device_format
func (d Device) String() string {
	var name [C.DLF_NAME_CAPACITY]C.char
	C.dlf_device_format(d.c(), &name[0], C.DLF_NAME_CAPACITY)
	return text(&name[0], len(name))
}

// Equal tells whether two devices are the same: type and number. Plain, pinned and managed memory has no number.
//
// C: dlf_device_equal
func (d Device) Equal(other Device) bool { return bool(C.dlf_device_equal(d.c(), other.c())) }

// MarshalText is String, for JSON and flags.
func (d Device) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is [ParseDevice].
func (d *Device) UnmarshalText(name []byte) (err error) {
	*d, err = ParseDevice(string(name))
	return err
}

// Stream is a kernel's stream, as its C handle: a cudaStream_t or similar, 0 for a device's default stream. It must
// belong to the tensors' device. A kernel may run on after its call: until it ends, keep its tensors open and do not
// touch their elements.
//
//	err := kernels.ScaleInto(x, kernels.ScaleOptions{Factor: dlferry.Ptr(2.0), Stream: dlferry.Stream(unsafe.Pointer(stream))}, out)
//
// C: dlf_stream
type Stream uintptr

// IsCPUAccessible tells whether the processor may use any address on this device: plain, pinned and managed memory.
//
// C: dlf_is_cpu_accessible
func (d Device) IsCPUAccessible() bool { return bool(C.dlf_is_cpu_accessible(d.c())) }

func (d Device) c() C.DLDevice {
	return C.DLDevice{device_type: C.DLDeviceType(d.Type), device_id: C.int32_t(d.ID)}
}

func deviceOfC(d *C.DLDevice) Device { return Device{DeviceType(d.device_type), int32(d.device_id)} }
