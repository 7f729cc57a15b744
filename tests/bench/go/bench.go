// SPDX-License-Identifier: Apache-2.0

// Command bench prints the nanoseconds of one call in Go: bench CALLS. Each is the best of many batches.
// bench ratios [README] prints the table of ratios of the binding's README, or writes it there.
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
	const batch = 100 // short, so that on a busy machine some are not interrupted
	best := time.Duration(1<<63 - 1)
	for range max(1, 10*calls/batch) {
		start := time.Now()
		for range batch {
			if err := call(); err != nil {
				fmt.Fprintln(os.Stderr, name, err)
				os.Exit(1)
			}
		}
		best = min(best, time.Since(start))
	}
	fmt.Printf("%s %.2f\n", name, float64(best.Nanoseconds())/batch)
}

// best returns the nanoseconds of two calls, each the best of many batches, which take turns.
func best(calls, batch int, a, b func()) (float64, float64) {
	times := [2]time.Duration{1<<63 - 1, 1<<63 - 1}
	for range max(1, 10*calls/batch) {
		for i, call := range []func(){a, b} {
			start := time.Now()
			for range batch {
				call()
			}
			times[i] = min(times[i], time.Since(start))
		}
	}
	return float64(times[0].Nanoseconds()), float64(times[1].Nanoseconds())
}

func printRatios(readme []string) {
	table := ratios(10000)
	fmt.Print(table)
	if len(readme) == 0 {
		return
	}
	if err := write(readme[0], table); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "ratios" {
		printRatios(os.Args[2:])
		return
	}
	calls := 100
	if len(os.Args) > 1 {
		calls, _ = strconv.Atoi(os.Args[1])
	}
	rgb, luma := make([]uint8, 3), make([]float32, 1)
	measure("two", calls, func() error {
		return photo.GrayInto(dlferry.Of(rgb, 1, 1, 3), dlferry.Of(luma, 1, 1))
	})
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
