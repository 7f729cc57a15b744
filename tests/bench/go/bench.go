// SPDX-License-Identifier: Apache-2.0

// Command bench prints the nanoseconds of one call in Go: bench CALLS. Each is the best of ten runs.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"

	"photo"
)

func measure(name string, calls int, call func() error) {
	best := time.Duration(1<<63 - 1)
	for range 10 {
		start := time.Now()
		for range calls {
			if err := call(); err != nil {
				fmt.Fprintln(os.Stderr, name, err)
				os.Exit(1)
			}
		}
		best = min(best, time.Since(start))
	}
	fmt.Printf("%s %.2f\n", name, float64(best.Nanoseconds())/float64(calls))
}

func main() {
	calls := 100
	if len(os.Args) > 1 {
		calls, _ = strconv.Atoi(os.Args[1])
	}
	a, b, out := make([]float32, 16), make([]float32, 16), make([]float32, 16)
	measure("into", calls, func() error {
		return photo.DifferenceInto(dlferry.Of(a, 4, 4), dlferry.Of(b, 4, 4), dlferry.Of(out, 4, 4))
	})
	measure("new", calls, func() error {
		tensor, err := photo.Difference(dlferry.Of(a, 4, 4), dlferry.Of(b, 4, 4))
		tensor.Close()
		return err
	})
}
