// SPDX-License-Identifier: Apache-2.0

package dlferry

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The last one out frees: a closer, or a call that was inside.
func TestHandle_FreedOnceByTheLastUser(t *testing.T) {
	freed := 0
	free := func(object uintptr) { freed += int(object) }
	for _, h := range []*Handle{nil, new(Handle)} {
		if h.Use() != 0 {
			t.Error("a handle that was never opened lends something")
		}
		h.Done(0)
		h.Close()
	}
	h := NewHandle(1, free)
	first, second := h.Use(), h.Use()
	h.Close()
	h.Close()
	if h.Use() != 0 {
		t.Error("a closed handle lends its object")
	}
	h.Done(first)
	if freed != 0 {
		t.Error("freed under a user")
	}
	h.Done(second)
	h.Done(0)
	h.Close()
	if freed != 1 {
		t.Errorf("expected it freed once, got %d times", freed)
	}
}

// What was made of an object keeps it, closed or not.
func TestHandle_ParentsOutliveChildren(t *testing.T) {
	var order []uintptr
	free := func(object uintptr) { order = append(order, object) }
	parent := NewHandle(1, free)
	object := parent.Use()
	child := NewHandle(2, free, parent)
	parent.Done(object)
	parent.Close()
	if len(order) != 0 {
		t.Error("freed while a child lives")
	}
	child.Close()
	if len(order) != 2 || order[0] != 2 || order[1] != 1 {
		t.Errorf("expected the child freed, then the parent; got %v", order)
	}
}

func TestHandle_TheGarbageCollectorCloses(t *testing.T) {
	var freed atomic.Int64
	free := func(uintptr) { freed.Add(1) }
	func() { NewHandle(2, free, NewHandle(1, free)) }()
	for i := 0; i < 1000 && freed.Load() < 2; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if freed.Load() != 2 {
		t.Errorf("expected both freed, got %d", freed.Load())
	}
}

func TestHandle_ClosedUnderManyUsers(t *testing.T) {
	for range 300 {
		var freed, inside, wrong atomic.Int64
		h := NewHandle(1, func(uintptr) {
			freed.Add(1)
			wrong.Add(inside.Load())
		})
		var group sync.WaitGroup
		for range 4 {
			group.Add(1)
			go func() {
				defer group.Done()
				for {
					object := h.Use()
					if object == 0 {
						return
					}
					inside.Add(1)
					inside.Add(-1)
					h.Done(object)
				}
			}()
		}
		h.Close()
		group.Wait()
		if freed.Load() != 1 || wrong.Load() != 0 {
			t.Fatalf("expected it freed once with nobody inside, got %d times with %d inside", freed.Load(), wrong.Load())
		}
	}
}

func BenchmarkHandleUse(b *testing.B) {
	h := NewHandle(1, func(uintptr) {})
	b.ReportAllocs()
	for b.Loop() {
		h.Done(h.Use())
	}
}
