// SPDX-License-Identifier: Apache-2.0

// Package leak finds tensors that the tests of a module leave alive.
package leak

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// Main runs a suite of tests, for TestMain. A leak fails it: the garbage collector has until here to find tensors that
// were not closed.
func Main(m *testing.M) {
	status := m.Run()
	if live := Settle(); status == 0 && live != 0 {
		fmt.Printf("FAIL: %d tensors are still alive\n", live)
		status = 1
	}
	os.Exit(status)
}

// Settle waits until the collector has released what it can, and returns the number of tensors left.
func Settle() int64 {
	for range 100 {
		runtime.GC()
		if dlferry.Live() == 0 {
			return 0
		}
		time.Sleep(time.Millisecond)
	}
	return dlferry.Live()
}
