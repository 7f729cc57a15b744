// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"unsafe"

	"github.com/dlferry/dlferry/bindings/go/internal/plumb"
)

// Internal is for the package generated, which alone has the key.
func Internal(plumb.Key) internals { return internals{} }

type internals struct{}

func (internals) Flatten(name string, argument Arg) (plumb.Flat, error) {
	return flatten(name, argument)
}

func (internals) FlattenOptional(name string, argument Arg) (plumb.Flat, error) {
	return flattenOptional(name, argument)
}

func (internals) Keep(name string, argument Arg) (plumb.Kept, error) {
	k, err := keep(name, argument)
	if err != nil {
		return nil, err // a nil *kept in a plumb.Kept would not be nil
	}
	return k, nil
}

func (internals) Done(argument Arg) { finish(argument) }

func (internals) FlattenList(name string, arguments []Arg) (plumb.List, error) {
	l, err := flattenList(name, arguments)
	if err != nil {
		return nil, err // likewise
	}
	return l, nil
}

func (internals) Adopt(tensor, dl uintptr, flags uint64) *Tensor {
	return newTensor(&C.dlfgo_handle{C.uintptr_t(tensor), C.uintptr_t(dl), C.uint64_t(flags)})
}

func (internals) Failure(address uintptr) error { return failedAt(address) }

func (internals) Text(owned uintptr) string {
	c := (*C.char)(*(*unsafe.Pointer)(unsafe.Pointer(&owned)))
	defer C.free(unsafe.Pointer(c))
	return C.GoString(c)
}

func (internals) TextList(owned uintptr) []string {
	first := *(*unsafe.Pointer)(unsafe.Pointer(&owned))
	defer C.free(first)
	texts := []string{}
	for place := first; *(**C.char)(place) != nil; place = unsafe.Add(place, unsafe.Sizeof(owned)) {
		texts = append(texts, C.GoString(*(**C.char)(place)))
	}
	return texts
}

func (internals) Terminate(room *[64]byte, name, text string) (*byte, error) {
	return terminate(room, name, text)
}

func (internals) CloseObject(object uintptr)   { released(C.dlfgo_object_close(C.uintptr_t(object))) }
func (internals) ReleaseObject(object uintptr) { released(C.dlfgo_object_release(C.uintptr_t(object))) }
