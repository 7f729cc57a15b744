// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_create
// #cgo nocallback dlfgo_create
// #include "bridge.h"
import "C"

import "unsafe"

// Tensor is one counted handle on a tensor: its description, its elements and their owner.
//
// After Close, and on a nil or zero Tensor, methods that return an error return one; the others return zero values. The
// same holds for a copy of a Tensor, which go vet reports: share the pointer.
type Tensor struct {
	self   *Tensor // a value elsewhere is a copy, and must not release the handle again
	users  users
	handle C.uintptr_t // a dlf_tensor *, for calls inside
	dl     *C.DLTensor // lent by the handle, in C memory
	flags  uint64
	layout *layout // of the elements, once Go has looked at them; set atomically
	guard  *guard  // nil once the tensor is closed: another one's then
}

// Create allocates a tensor: row-major, aligned to 256 bytes, its elements zero.
//
// It fails with ErrNoMemory, ErrInvalid, ErrOverflow, ErrDtype, or ErrUnsupported for a device other than the CPU.
//
// C: dlf_create
func Create(dtype DType, device Device, shape ...int) (*Tensor, error) {
	drain()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_create(C.uint32_t(dtype), C.int64_t(len(shape)), extents(shape), C.int32_t(device.Type),
		C.int32_t(device.ID), &h, &e)
	return adopt(status, &h, &e)
}

// adopt makes the Tensor of a new handle, or the error.
func adopt(status C.dlf_status, h *C.dlfgo_handle, e *C.dlf_error) (*Tensor, error) {
	if status != 0 {
		return nil, failed(status, e)
	}
	return newTensor(h), nil
}

func newTensor(h *C.dlfgo_handle) *Tensor {
	t := &Tensor{handle: h.tensor, dl: (*C.DLTensor)(pointer(&h.dl)), flags: uint64(h.flags)}
	t.self = t
	t.guard = newGuard(t.handle)
	t.users.open()
	return t
}

// Close releases the tensor after the last running call on it; users of its memory keep that alive. Closing again, or
// closing nil, does nothing.
//
// C: dlf_release
func (t *Tensor) Close() error {
	if t.isSelf() && t.users.shut() {
		t.end()
	}
	return nil
}

func (t *Tensor) end() {
	t.guard.end()
	t.guard = nil
	if l := t.layout; l != nil { // no call is inside; an atomic load would send every argument of done to the heap
		l.close()
	}
	release(t.handle)
}

func (t *Tensor) isSelf() bool { return t != nil && t.self == t }

func (t *Tensor) isOpen() bool { return t.isSelf() && t.users.isOpen() }

// use keeps the handle until done; false if it is closed.
func (t *Tensor) use() bool { return t.isSelf() && t.users.enter() }

func (t *Tensor) done() {
	if t.users.leave() {
		t.end()
	}
}

// open is use, but returns the handle, or an error whose text begins with the name.
func (t *Tensor) open(name string) (C.uintptr_t, error) {
	if !t.use() {
		return 0, t.misuse(name)
	}
	drain()
	return t.handle, nil
}

// tensor is the handle for a function of the hub itself.
func (t *Tensor) tensor() *C.dlf_tensor { return (*C.dlf_tensor)(pointer(&t.handle)) }

// number is the address of the DLTensor, for calls that also pass Go memory.
func (t *Tensor) number() C.uintptr_t { return C.uintptr_t(uintptr(unsafe.Pointer(t.dl))) }

func (t *Tensor) misuse(name string) error {
	if t == nil {
		return errorf(ErrInvalid, "%s: expected a tensor, got nil", name)
	}
	if t.self != nil && t.self != t {
		return errorf(ErrInvalid, "%s: expected a tensor, got a copy of the struct of one", name)
	}
	return errorf(ErrInvalid, "%s: expected an open tensor, got a closed one", name)
}

// NDim returns the number of dimensions.
func (t *Tensor) NDim() int {
	if !t.use() {
		return 0
	}
	defer t.done()
	return int(t.dl.ndim)
}

// Dim returns the extent of an axis, from 0; 0 if it does not exist.
func (t *Tensor) Dim(axis int) int {
	if !t.use() {
		return 0
	}
	defer t.done()
	if shape := lent(t.dl.shape, t.dl.ndim); axis >= 0 && axis < len(shape) {
		return shape[axis]
	}
	return 0
}

// Shape returns a copy of the extents.
func (t *Tensor) Shape() []int {
	if !t.use() {
		return nil
	}
	defer t.done()
	return append([]int{}, lent(t.dl.shape, t.dl.ndim)...)
}

// Strides returns a copy of the strides, in elements.
func (t *Tensor) Strides() []int {
	if !t.use() {
		return nil
	}
	defer t.done()
	return append([]int{}, lent(t.dl.strides, t.dl.ndim)...)
}

// DType returns the type of the elements.
func (t *Tensor) DType() DType {
	if !t.use() {
		return 0
	}
	defer t.done()
	return dtypeOfC(&t.dl.dtype)
}

// Device returns where the elements are.
func (t *Tensor) Device() Device {
	if !t.use() {
		return Device{}
	}
	defer t.done()
	return deviceOfC(&t.dl.device)
}

// Data returns the address of the first element. It is a number, since Go does not accept a device's address, or that
// of an empty tensor, as a pointer. [Look] and [Elements.Slice] point to elements, DLTensor is for cgo.
//
// C: dlf_data
func (t *Tensor) Data() uintptr {
	if !t.use() {
		return 0
	}
	defer t.done()
	return address(t.dl)
}

// Flags returns DLPack's flags: 1 read-only, 2 copied, 4 sub-byte elements padded to bytes.
//
// C: dlf_flags
func (t *Tensor) Flags() uint64 {
	if !t.isOpen() {
		return 0
	}
	return t.flags
}

// HeldBytes counts the bytes that Close frees now: the handle's own, and those of elements that nothing else refers to.
// Memory with an owner outside does not count, such as a wrapped slice.
//
// C: dlf_held_bytes
func (t *Tensor) HeldBytes() int {
	if !t.use() {
		return 0
	}
	defer t.done()
	return int(C.dlf_held_bytes(t.tensor()))
}

// ReadOnly tells whether the elements must not be written.
func (t *Tensor) ReadOnly() bool { return t.Flags()&readOnly != 0 }

// DLTensor lends the C structure, a DLTensor *, to cgo code. It is valid until Close: keep the tensor alive meanwhile.
//
// C: dlf_dltensor
func (t *Tensor) DLTensor() unsafe.Pointer {
	if !t.isOpen() {
		return nil
	}
	return unsafe.Pointer(t.dl)
}

// address is dlf_data without the cost of a call. It reads data as a number: see [Tensor.Data].
func address(dl *C.DLTensor) uintptr {
	return *(*uintptr)(unsafe.Pointer(&dl.data)) + uintptr(dl.byte_offset)
}

// lent returns a handle's extents or strides in place.
func lent[N C.int32_t | C.int64_t](numbers *C.int64_t, ndim N) []int {
	return unsafe.Slice((*int)(unsafe.Pointer(numbers)), int(ndim))
}
