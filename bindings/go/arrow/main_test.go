// SPDX-License-Identifier: Apache-2.0

package arrow_test

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
	for range 100 {
		if runtime.GC(); dlferry.Live() == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if live := dlferry.Live(); status == 0 && live != 0 {
		fmt.Printf("FAIL: %d tensors are still alive\n", live)
		status = 1
	}
	os.Exit(status)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
