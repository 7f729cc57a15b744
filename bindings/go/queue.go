// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #cgo noescape dlfgo_queue_open
// #cgo nocallback dlfgo_queue_open
// #cgo noescape dlfgo_queue_drain
// #cgo nocallback dlfgo_queue_drain
// #include "bridge.h"
import "C"

import (
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A slot keeps one wrapped slice in place. Its number plus one is the owner that C holds.
type slot struct {
	pin     runtime.Pinner
	release func() // runs afterwards, unless it is nil
	next    int    // free slot after this one, -1 at the end
}

// queue returns owners from the threads that released their tensors. No thread outside Go waits for its lock.
var queue struct {
	sync.Mutex
	wake  *os.File // read end; the write end stays open, foreign threads write to it until the process ends
	slots []slot
	free  int
}

// waiting is the queue's head word: not nil while owners wait, so that an empty queue costs no call.
var waiting atomic.Pointer[unsafe.Pointer]

// pin keeps the memory at data alive and in place, and returns its owner. It may also pin memory that is not Go's.
func pin(data unsafe.Pointer) (uintptr, error) { return pinFor(data, nil) }

// pinFor is pin with a function that runs when the owner comes back from C, but not if it is given up by unpin.
func pinFor(data unsafe.Pointer, release func()) (uintptr, error) {
	queue.Lock()
	defer queue.Unlock()
	if queue.wake == nil { // a later call tries again, since files may then be available
		if err := openQueue(); err != nil {
			return 0, err
		}
	}
	i := queue.free
	if i < 0 {
		i = len(queue.slots)
		queue.slots = append(queue.slots, slot{next: -1})
	}
	s := &queue.slots[i]
	if data != nil {
		s.pin.Pin(data)
	}
	s.release = release
	queue.free = s.next
	return uintptr(i) + 1, nil
}

// unpin ends the owner. It returns the function that the owner's end asks for, or nil.
func unpin(owner uintptr) func() {
	queue.Lock()
	release := unpinLocked(owner)
	queue.Unlock()
	return release
}

func unpinLocked(owner uintptr) func() {
	s := &queue.slots[owner-1]
	release := s.release
	s.pin.Unpin()
	s.release = nil
	s.next = queue.free
	queue.free = int(owner - 1)
	return release
}

// released takes back the owner that a release in C returned, unless that is 0, and those that it left in the queue.
func released(owner C.uintptr_t) {
	if owner != 0 {
		if release := unpin(uintptr(owner)); release != nil {
			release()
		}
	}
	drain()
}

// drain takes back the owners that foreign threads released. It costs one load if there are none.
func drain() {
	if head := waiting.Load(); head != nil && atomic.LoadPointer(head) != nil {
		drainAll()
	}
}

func drainAll() {
	if waiting.Load() == nil {
		return
	}
	for drainSome() {
	}
}

// drainSome tells whether more owners may wait. Functions of owners run without the lock, since they may call here.
func drainSome() bool {
	var owners [64]C.uintptr_t
	var releases []func()
	queue.Lock()
	count := C.dlfgo_queue_drain(&owners[0], C.int64_t(len(owners)))
	for _, owner := range owners[:count] {
		if release := unpinLocked(uintptr(owner)); release != nil {
			releases = append(releases, release)
		}
	}
	queue.Unlock()
	for _, release := range releases {
		release()
	}
	return count == C.int64_t(len(owners))
}

// openQueue starts the queue and the goroutine that empties it when this package is not called for a while.
func openQueue() error {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK); err != nil {
		return errorf(ErrForeign, "wrap: pipe: %s", err)
	}
	var head C.uintptr_t
	var e C.dlf_error
	if status := C.dlfgo_queue_open(C.int(ends[1]), &head, &e); status != 0 {
		syscall.Close(ends[0])
		syscall.Close(ends[1])
		return failed(status, &e)
	}
	queue.wake = os.NewFile(uintptr(ends[0]), "dlferry release queue")
	queue.free = -1
	waiting.Store((*unsafe.Pointer)(pointer(&head)))
	go func() {
		var bytes [64]byte
		for {
			if _, err := io.ReadAtLeast(queue.wake, bytes[:], 1); err != nil {
				return
			}
			drainAll()
		}
	}()
	return nil
}
