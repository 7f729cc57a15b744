// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

var wrong int

func expect[T comparable](what string, got, want T) {
	if got != want {
		fmt.Printf("%s: expected %v, got %v\n", what, want, got)
		wrong++
	}
}

// noAllocations expects none of a call. Under the address sanitizer Go's compiler sends more to the heap.
func noAllocations(what string, call func()) {
	if !strings.Contains(os.Getenv("GOFLAGS"), "-asan") {
		expect(what+": allocations", testing.AllocsPerRun(100, call), 0)
	}
}

func no(err error) {
	if err != nil {
		fmt.Println("unexpected:", err)
		wrong++
	}
}

func must[T any](value T, err error) T {
	no(err)
	return value
}

// fails expects an error of this kind and text.
func fails(err error, status dlferry.Status, text string) {
	if !errors.Is(err, status) {
		fmt.Printf("%s: expected %v, got %v\n", text, status, err)
		wrong++
	}
	expect("the text", fmt.Sprint(err), text)
}

// all reads a tensor of this type, checks its elements, and closes it.
func all[T dlferry.Element](what string, t *dlferry.Tensor, want ...T) {
	if t == nil {
		expect(what+": a tensor", false, true)
		return
	}
	elements := must(must(dlferry.Look[T](t)).Slice())
	expect(what, fmt.Sprint(elements), fmt.Sprint(want))
	no(t.Close())
}

// done ends the program: it waits until nothing is alive and count, which says what else must be 0, is empty.
func done(count func() int64) {
	for i := 0; i < 100 && dlferry.Live()+count() != 0; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	expect("live", dlferry.Live(), 0)
	expect("other things open", count(), 0)
	if wrong > 0 {
		os.Exit(1)
	}
	fmt.Println("good")
}
