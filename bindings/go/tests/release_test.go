// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/internal/leak"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
)

var float23 = helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{2, 3}, DeviceType: 1}

// A pinned object with a cleanup: the cleanup runs once the pin has ended.
type block struct{ data [64]float32 }

func pinned(gone chan struct{}) []float32 {
	b := new(block)
	runtime.AddCleanup(b, func(c chan struct{}) { close(c) }, gone)
	return b.data[:]
}

func waits(gone chan struct{}) bool {
	for range 200 {
		runtime.GC()
		select {
		case <-gone:
			return true
		case <-time.After(time.Millisecond):
		}
	}
	return false
}

func TestRelease_CloseUnpinsTheSlice(t *testing.T) {
	gone := make(chan struct{})
	tensor := must(dlferry.Wrap(pinned(gone), 8, 8))
	for range 3 {
		runtime.GC()
	}
	select {
	case <-gone:
		t.Fatal("the slice went while its tensor was open")
	default:
	}
	tensor.Close()
	if !waits(gone) {
		t.Fatal("the slice is still pinned")
	}
}

func TestRelease_ExportOutlivesClose(t *testing.T) {
	gone := make(chan struct{})
	tensor := must(dlferry.Wrap(pinned(gone), 8, 8))
	managed := must(tensor.ToDLPack())
	legacy := must(tensor.ToDLPackLegacy())
	tensor.Close()
	if waitsNot(gone) {
		t.Fatal("the slice went while others had it")
	}
	helper.Delete(managed)
	if waitsNot(gone) {
		t.Fatal("the slice went while others had it")
	}
	helper.DeleteLegacy(legacy)
	if !waits(gone) {
		t.Fatal("the slice is still pinned")
	}
}

func waitsNot(gone chan struct{}) bool {
	for range 3 {
		runtime.GC()
	}
	select {
	case <-gone:
		return true
	default:
		return false
	}
}

// No call follows: the goroutine behind the pipe must empty the queue.
func TestRelease_ForeignThreadWakesTheGoroutine(t *testing.T) {
	gone := make(chan struct{})
	managed := must(dlferry.ToDLPack(pinned(gone), 64))
	if failed := helper.DeleteOnThreads(managed); failed != 0 {
		t.Fatal("no thread: ", failed)
	}
	if !waits(gone) {
		t.Fatal("the slice is still pinned")
	}
}

func TestRelease_ManyForeignThreads(t *testing.T) {
	before := dlferry.Live()
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	for range rounds {
		var owned [32]unsafe.Pointer
		for i := range owned {
			owned[i] = must(dlferry.ToDLPack(make([]byte, 100), 10, 10))
		}
		if failed := helper.DeleteOnThreads(owned[:]...); failed != 0 {
			t.Fatal("no threads: ", failed)
		}
	}
	if live := dlferry.Live(); live != before {
		t.Fatalf("expected %d alive, got %d", before, live)
	}
}

// Goroutines wrap, export, look, copy and forget while foreign threads delete and the garbage collector runs.
func TestRelease_Stress(t *testing.T) {
	var group sync.WaitGroup
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	for worker := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range rounds {
				slice := make([]float32, 12)
				slice[7] = float32(i)
				tensor := must(dlferry.Wrap(slice, 3, 4))
				managed := must(tensor.ToDLPack())
				switch (i + worker) % 4 {
				case 0:
					helper.Delete(managed)
				case 1:
					dlferry.ReleaseDLPack(managed)
				case 2:
					if i%16 == 0 {
						if failed := helper.DeleteLater(managed); failed != 0 {
							panic(failed)
						}
						break
					}
					fallthrough
				case 3:
					other := must(dlferry.FromDLPack(managed))
					if got := must(dlferry.Look[float32](other)).At(1, 3); got != float32(i) {
						panic(got)
					}
					if i%2 == 0 {
						other.Close()
					} // else the garbage collector finds it
				}
				if i%3 != 0 {
					tensor.Close()
				}
				if i%500 == 0 {
					runtime.GC()
				}
			}
		}()
	}
	group.Wait()
	if live := leak.Settle(); live != 0 {
		t.Fatalf("%d tensors are still alive", live)
	}
}

func TestRelease_ForgottenTensorIsFound(t *testing.T) {
	before := helper.Deleted()
	func() { must(dlferry.FromDLPack(helper.Make(float23))) }()
	for range 200 {
		runtime.GC()
		if helper.Deleted() == before+1 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the deleter has not run")
}

func TestRelease_DeleterRunsOnce(t *testing.T) {
	before := helper.Deleted()
	tensor := must(dlferry.FromDLPack(helper.Make(float23)))
	one, two := must(tensor.ToDLPack()), must(tensor.ToDLPackCopy())
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			tensor.Close()
		}()
	}
	group.Wait()
	helper.Delete(two)
	if got := helper.Deleted() - before; got != 0 {
		t.Fatalf("the deleter ran %d times while an export was out", got)
	}
	helper.Delete(one)
	tensor.Close()
	runtime.GC()
	if got := helper.Deleted() - before; got != 1 {
		t.Fatalf("the deleter ran %d times", got)
	}
}

// A producer may be Go code of the same program, reached through C.
func TestRelease_DeleterMayEnterGo(t *testing.T) {
	spec := float23
	spec.EntersGo = true
	before := helper.DeletedInGo.Load()
	must(dlferry.FromDLPack(helper.Make(spec))).Close()
	must(dlferry.FromDLPack(must(must(dlferry.FromDLPack(helper.Make(spec))).ToDLPack()))).Close()
	dlferry.ReleaseDLPack(helper.Make(spec))
	spec.Shape = []int{2, -3} // refused: the deleter runs inside FromDLPack
	if _, err := dlferry.FromDLPack(helper.Make(spec)); err == nil {
		t.Error("a negative extent is taken")
	}
	for range 200 {
		if helper.DeletedInGo.Load() == before+4 {
			return
		}
		runtime.GC() // one tensor above was not closed
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("expected 4 deleters in Go, got %d", helper.DeletedInGo.Load()-before)
}

// One release may end the use of several slices: by C that the deleter calls, and by Go that releases inside it.
func TestRelease_DeleterMayReleaseSlices(t *testing.T) {
	spec := float23
	spec.EntersGo = true
	for _, end := range []func(){
		func() { must(dlferry.FromDLPack(helper.Make(spec))).Close() },
		func() { dlferry.ReleaseDLPack(helper.Make(spec)) },
	} {
		var gone [6]chan struct{}
		var owned [len(gone)]unsafe.Pointer
		for i := range gone {
			gone[i] = make(chan struct{})
			owned[i] = must(dlferry.ToDLPack(pinned(gone[i]), 64))
		}
		do := func() {
			for i, managed := range owned {
				if i == 2 || i == 3 {
					dlferry.ReleaseDLPack(managed)
				} else {
					helper.Delete(managed)
				}
			}
		}
		helper.InDeleter.Store(&do)
		end()
		for i := range gone {
			if !waits(gone[i]) {
				t.Fatalf("slice %d is still pinned", i)
			}
		}
	}
	if live := leak.Settle(); live != 0 {
		t.Fatalf("%d tensors are still alive", live)
	}
}

// A closed tensor has no part in later ones, even if the program keeps it.
func TestRelease_ForgottenAfterOthersWereClosed(t *testing.T) {
	before := helper.Deleted()
	const rounds = 100
	var closed [rounds]*dlferry.Tensor
	for i := range closed {
		closed[i] = must(dlferry.FromDLPack(helper.Make(float23)))
		closed[i].Close()
		func() { must(dlferry.FromDLPack(helper.Make(float23))) }()
	}
	for range 200 {
		runtime.GC()
		if helper.Deleted() == before+2*rounds {
			break
		}
		time.Sleep(time.Millisecond)
	}
	for _, tensor := range closed {
		tensor.Close()
	}
	if got := helper.Deleted() - before; got != 2*rounds {
		t.Fatalf("expected %d deleters, got %d", 2*rounds, got)
	}
}

func TestRelease_WrapAllocatesTheTensorOnly(t *testing.T) {
	if race || asan {
		t.Skip("the race detector makes pools forget, and the address sanitizer more escape")
	}
	data := make([]float32, 64)
	if got := testing.AllocsPerRun(1000, func() { must(dlferry.Wrap(data, 8, 8)).Close() }); got > 1 {
		t.Errorf("expected 1 allocation, got %v", got)
	}
}
