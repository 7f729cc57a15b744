// SPDX-License-Identifier: Apache-2.0

// Package tests tests the binding from outside, with C that only this repository has. It is a separate module, so that
// users of the binding get neither that C nor a test library.
package tests

import (
	"testing"

	"github.com/dlferry/dlferry/bindings/go/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

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
