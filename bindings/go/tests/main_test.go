// SPDX-License-Identifier: Apache-2.0

// Package tests tests the binding from outside, with C that only this repository has. It is a separate module, so that
// users of the binding get neither that C nor a test library.
package tests

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// A leak fails the suite: the garbage collector has until here to find tensors that were not closed.
func TestMain(m *testing.M) {
	status := m.Run()
	if live := settle(); status == 0 && live != 0 {
		fmt.Printf("FAIL: %d tensors are still alive\n", live)
		status = 1
	}
	os.Exit(status)
}

// settle collects garbage until nothing is alive, or gives up.
func settle() int64 {
	for range 100 {
		runtime.GC()
		if dlferry.Live() == 0 {
			return 0
		}
		time.Sleep(time.Millisecond)
	}
	return dlferry.Live()
}

// allocatesNothing is about Go memory. Under the address sanitizer Go's compiler sends more to the heap.
func allocatesNothing(t *testing.T, call func()) {
	t.Helper()
	if n := testing.AllocsPerRun(100, call); n != 0 && !asan {
		t.Errorf("%v allocations", n)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
