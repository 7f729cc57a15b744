// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include "bridge.h"
import "C"

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A slot keeps one wrapped slice in place. C holds its block, and returns its number.
//
// A consumer's own means order the export before the release, perhaps in C, where the race detector does not see them.
// So functions that use a slot's fields are marked norace.
type slot struct {
	pin      runtime.Pinner
	release  func() // runs afterwards, unless it is nil
	block    *C.dlfgo_slot
	number   uint32
	next     uint32 // the free slot after this one, or 0
	exported bool   // without a handle that C counts
}

const slotsInGroup = C.DLFGO_SLOTS

// groups is the table of slots: slot n is the n-1st. Groups are only added.
var groups atomic.Pointer[[]*[slotsInGroup]slot]

// free is a stack of slots: the first one's number, and above it a count of those taken, so that a slot that was taken and
// given back meanwhile is not mistaken for an unchanged one.
var free atomic.Uint64

// queue makes slots, and returns those that foreign threads released. No thread outside Go waits for its lock.
var queue struct {
	sync.Mutex
	opened bool
}

// waiting is the address of C's stack of released slots, so that an empty one costs no call. It is written once; a reader
// of the old address finds nothing to do.
var waiting = new(uintptr)

func slotOf(number uintptr) *slot {
	return &(*groups.Load())[(number-1)/slotsInGroup][(number-1)%slotsInGroup]
}

// pin keeps the memory at data alive and in place until the slot's end. It may also pin memory that is not Go's.
//
//go:norace
func pin(data unsafe.Pointer) (*slot, error) {
	for {
		head := free.Load()
		if uint32(head) == 0 {
			if err := addSlots(); err != nil {
				return nil, err
			}
			continue
		}
		s := slotOf(uintptr(uint32(head)))
		if free.CompareAndSwap(head, (head>>32+1)<<32|uint64(s.next)) {
			if data != nil {
				s.pin.Pin(data)
			}
			return s, nil
		}
	}
}

// owner is what C releases.
func (s *slot) owner() C.uintptr_t { return C.uintptr_t(uintptr(unsafe.Pointer(s.block))) }

// end gives the slot back. It returns the function that must run then, or nil.
//
//go:norace
func (s *slot) end() func() {
	release := s.release
	if release != nil {
		s.release = nil
	}
	s.exported = false
	s.pin.Unpin()
	for {
		head := free.Load()
		s.next = uint32(head)
		if free.CompareAndSwap(head, head&^(1<<32-1)|uint64(s.number)) {
			return release
		}
	}
}

// onEnd sets the function that runs when the slot comes back from C.
//
//go:norace
func (s *slot) onEnd(release func()) { s.release = release }

//go:norace
func countExported() (count int64) {
	if all := groups.Load(); all != nil {
		for _, group := range *all {
			for i := range group {
				if group[i].exported {
					count++
				}
			}
		}
	}
	return count
}

// addSlots makes a group of free slots. A later call tries again after a failure, since there may then be memory or files.
func addSlots() error {
	queue.Lock()
	defer queue.Unlock()
	if uint32(free.Load()) != 0 {
		return nil
	}
	if !queue.opened {
		if err := openQueue(); err != nil {
			return err
		}
	}
	var all []*[slotsInGroup]slot
	if old := groups.Load(); old != nil {
		all = *old
	}
	first := len(all)*slotsInGroup + 1
	blocks := C.dlfgo_slots(C.uintptr_t(first))
	if blocks == nil {
		return errorf(ErrNoMemory, "wrap: expected memory for a pinned slice, got none")
	}
	group := new([slotsInGroup]slot)
	for i := range group {
		group[i].block, group[i].number = &unsafe.Slice(blocks, slotsInGroup)[i], uint32(first+i)
	}
	all = append(all[:len(all):len(all)], group)
	groups.Store(&all)
	for i := range group {
		group[i].end()
	}
	return nil
}

// released takes back the slot that a release in C returned, unless that is 0, and those that wait.
func released(number C.uintptr_t) {
	if number != 0 {
		if release := slotOf(uintptr(number)).end(); release != nil {
			runReleases(release)
		}
	}
	drain()
}

// drain takes back the slots that foreign threads released. It costs one load if there are none.
//
//go:norace
func drain() {
	if atomic.LoadUintptr(waiting) != 0 {
		drainAll()
	}
}

//go:norace
func drainAll() {
	next := atomic.SwapUintptr(waiting, 0)
	var releases []func()
	for next != 0 {
		block := (*C.dlfgo_slot)(pointer((*C.uintptr_t)(unsafe.Pointer(&next))))
		number := block.number
		next = uintptr(unsafe.Pointer(block.next)) // before its end, after which others may use it
		if release := slotOf(uintptr(number)).end(); release != nil {
			releases = append(releases, release)
		}
	}
	for _, release := range releases {
		runReleases(release)
	}
}

// inside counts the functions that run now, on all goroutines. A function that releases the next tensor of a chain runs that
// one's function inside it. If so many are inside, more wait until one returns: a long chain must not end in a stack of
// its length.
var inside struct {
	sync.Mutex
	count   int
	waiting []func()
}

const insideAtMost = 1000

// runReleases runs a function, and then those that waited for it.
func runReleases(release func()) {
	inside.Lock()
	if inside.count == insideAtMost {
		inside.waiting = append(inside.waiting, release)
		inside.Unlock()
		return
	}
	inside.count++
	inside.Unlock()
	for release != nil {
		runRelease(release)
		release = nextRelease()
	}
}

// nextRelease returns a function that waited, or ends this run.
func nextRelease() func() {
	inside.Lock()
	defer inside.Unlock()
	last := len(inside.waiting) - 1
	if last < 0 {
		inside.count--
		return nil
	}
	release := inside.waiting[last]
	inside.waiting[last] = nil
	inside.waiting = inside.waiting[:last]
	return release
}

// runRelease ends the program if the function panics, as a finalizer's panic does: a recover in the goroutine that happens
// to be here would hide it, and the other functions would not run.
func runRelease(release func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		message := fmt.Sprintf("dlferry: expected the release of a WrapOwned to return, got %s\n\n%s", reason(recover()), debug.Stack())
		go panic(message)
		select {}
	}()
	release()
	returned = true
}

func reason(panicked any) string {
	if panicked == nil {
		return "runtime.Goexit"
	}
	return fmt.Sprintf("panic: %v", panicked)
}

// openQueue starts the goroutine that takes released slots when this package is not called for a while.
func openQueue() error {
	signal, wait, err := openSignal()
	if err != nil {
		return errorf(ErrForeign, "wrap: %s", err)
	}
	head := C.dlfgo_slot_wake(C.uintptr_t(signal))
	setWaiting((*uintptr)(pointer(&head)))
	queue.opened = true
	go func() {
		for wait() {
			drainAll()
		}
	}()
	return nil
}

//go:norace
func setWaiting(head *uintptr) { waiting = head }
