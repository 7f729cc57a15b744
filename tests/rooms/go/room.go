// SPDX-License-Identifier: Apache-2.0

// Command room is the Go room: the hub and the photo package as a Go program uses them, behind the functions of room.h.
// It is built with -buildmode=c-shared.
package main

// #cgo CFLAGS: -std=c11 -I${SRCDIR}/../../../core/include
// #include "../room.h"
// typedef const char *text;
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"

	"photo"
)

func main() {}

// report puts a Go error where C looks for it.
func report(err error, out *C.dlf_error) C.int32_t {
	if err == nil {
		return 0
	}
	failure := &dlferry.Error{Status: dlferry.ErrForeign, Message: err.Error()}
	errors.As(err, &failure)
	if out != nil {
		out.status = C.int32_t(failure.Status)
		room := unsafe.Slice((*byte)(unsafe.Pointer(&out.message[0])), len(out.message))
		room[copy(room[:len(room)-1], failure.Message)] = 0
	}
	return C.int32_t(failure.Status)
}

//export room_produce
func room_produce(out **C.DLManagedTensorVersioned, e *C.dlf_error) C.int32_t {
	// Rows 1 and 3, columns 1, 3 and 5 of a 4 x 7 array.
	const width = 7
	array := make([]float32, 4*width)
	for i := range array {
		array[i] = -1
	}
	for i := range 2 {
		for j := range 3 {
			array[(2*i+1)*width+2*j+1] = float32(10*i + j)
		}
	}
	managed, err := dlferry.Of(array, 2, 3).Strided(width+1, 2*width, 2).ToDLPack()
	*out = (*C.DLManagedTensorVersioned)(managed)
	return report(err, e)
}

//export room_consume
func room_consume(owned *C.DLManagedTensorVersioned, sum *C.double, address *C.uint64_t, e *C.dlf_error) C.int32_t {
	tensor, err := dlferry.FromDLPack(unsafe.Pointer(owned))
	if err != nil {
		return report(err, e)
	}
	defer tensor.Close()
	elements, err := dlferry.Look[float32](tensor)
	if err == nil && tensor.NDim() != 2 {
		err = &dlferry.Error{Status: dlferry.ErrShape,
			Message: fmt.Sprintf("room_consume: expected 2 dimensions, got %d", tensor.NDim())}
	}
	if err != nil {
		return report(err, e)
	}
	*sum = 0
	for i := range tensor.Dim(0) {
		for j := range tensor.Dim(1) {
			*sum += C.double((i+1)*(j+1)) * C.double(elements.At(i, j))
		}
	}
	*address = C.uint64_t(uintptr(tensor.Data()))
	return 0
}

func run(kernel string, image *dlferry.Tensor) (*dlferry.Tensor, error) {
	switch kernel {
	case "gray":
		return photo.Gray(image)
	case "blur":
		return photo.Blur(image, photo.BlurOptions{})
	case "sobel":
		return photo.Sobel(image)
	case "equalize":
		return photo.Equalize(image)
	case "draw_histogram":
		return nil, photo.DrawHistogram(image, photo.DrawHistogramOptions{})
	}
	return nil, &dlferry.Error{Status: dlferry.ErrInvalid,
		Message: fmt.Sprintf("room_photo: expected a kernel of photo.h, got '%.64s'", kernel)}
}

//export room_photo
func room_photo(kernel C.text, owned *C.DLManagedTensorVersioned, out **C.DLManagedTensorVersioned,
	address *C.uint64_t, e *C.dlf_error) C.int32_t {
	*out = nil
	image, err := dlferry.FromDLPack(unsafe.Pointer(owned))
	if err != nil {
		return report(err, e)
	}
	defer image.Close()
	*address = C.uint64_t(uintptr(image.Data()))
	result, err := run(C.GoString(kernel), image)
	if err != nil {
		return report(err, e)
	}
	if result == nil {
		result = image // drawn into
	}
	defer result.Close()
	managed, err := result.ToDLPack()
	*out = (*C.DLManagedTensorVersioned)(managed)
	return report(err, e)
}

//export room_live
func room_live() C.int64_t {
	// Every tensor here is closed by hand, so one collection would do; a cleanup runs some time after it.
	for range 100 {
		if dlferry.Live() == 0 {
			return 0
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	return C.int64_t(dlferry.Live())
}
