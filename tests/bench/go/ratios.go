// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"

	"photo"
)

const side = 64 // of the matrices whose elements are read

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// row is a line of the table: work beside its base.
type row struct {
	name, base string
	batch      int // calls of work between two looks at the clock
	work       func()
	beside     func()
}

//go:noinline
func sumSlice(slice []int32, row, step int) (sum int32) {
	for i := range side {
		for j := range side {
			sum += slice[i*row+j*step]
		}
	}
	return sum
}

//go:noinline
func sumAt(e dlferry.Elements[int32]) (sum int32) {
	for i := range side {
		for j := range side {
			sum += e.At2(i, j)
		}
	}
	return sum
}

//go:noinline
func setSlice(slice []int32, row, step int) {
	for i := range side {
		for j := range side {
			slice[i*row+j*step] = int32(j)
		}
	}
}

//go:noinline
func setAt(e dlferry.Elements[int32]) {
	for i := range side {
		for j := range side {
			e.Set2(int32(j), i, j)
		}
	}
}

//go:noinline
func sumAnyAt(e dlferry.Elements[int32]) (sum int32) {
	for i := range side {
		for j := range side {
			sum += e.At(i, j)
		}
	}
	return sum
}

//go:noinline
func sumAll(e dlferry.Elements[int32]) (sum int32) {
	for value := range e.All() {
		sum += value
	}
	return sum
}

//go:noinline
func sumRows(e dlferry.Elements[int32]) (sum int32) {
	for _, row := range e.Rows() {
		for _, value := range row {
			sum += value
		}
	}
	return sum
}

var sink int32

// ratios returns the table of the binding's README, taken in this run: the best of many batches of each, in turns.
func ratios(calls int) string {
	data, slice := make([]float32, 1024), make([]int32, 4*side*side)
	tensor := must(dlferry.Wrap(data, 32, 32))
	defer tensor.Close()
	dense := must(dlferry.Of(slice[:side*side], side, side).Wrap())
	defer dense.Close()
	gaps := must(dlferry.Of(slice, side, side).Strided(0, 2*side, 2).Wrap())
	defer gaps.Close()
	d, g := must(dlferry.Look[int32](dense)), must(dlferry.Look[int32](gaps))
	rgb, luma := make([]uint8, 3), make([]float32, 1)
	view := func() { must(dlferry.Look[float32](tensor)) }
	export := func() { dlferry.ReleaseDLPack(must(dlferry.ToDLPack(data, 32, 32))) }
	wrap := func() { must(dlferry.Wrap(data, 32, 32)).Close() }
	kernel := func() {
		if err := photo.GrayInto(dlferry.Of(rgb, 1, 1, 3), dlferry.Of(luma, 1, 1)); err != nil {
			panic(err)
		}
	}
	onSlice := func() { sink = sumSlice(slice, side, 1) }
	onGaps := func() { sink = sumSlice(slice, 2*side, 2) }
	setOnSlice := func() { setSlice(slice, side, 1) }
	setOnGaps := func() { setSlice(slice, 2*side, 2) }
	const call, plain, strided = "an empty cgo call", "the same loop over a slice", "the same loop over a slice with gaps"
	rows := []row{
		{"view: `Look`", call, 100, view, empty},
		{"export and delete a slice: `ToDLPack`, `ReleaseDLPack`", call, 100, export, empty},
		{"`Wrap` and `Close`", call, 100, wrap, empty},
		{"a generated kernel on two slices", call, 100, kernel, empty},
		{"dense elements: `At2`", plain, 1, func() { sink = sumAt(d) }, onSlice},
		{"dense elements: `Set2`", plain, 1, func() { setAt(d) }, setOnSlice},
		{"dense elements: `At`", plain, 1, func() { sink = sumAnyAt(d) }, onSlice},
		{"dense elements: `All`", plain, 1, func() { sink = sumAll(d) }, onSlice},
		{"dense elements: `Rows`", plain, 1, func() { sink = sumRows(d) }, onSlice},
		{"strided elements: `At2`", strided, 1, func() { sink = sumAt(g) }, onGaps},
		{"strided elements: `Set2`", strided, 1, func() { setAt(g) }, setOnGaps},
		{"strided elements: `At`", strided, 1, func() { sink = sumAnyAt(g) }, onGaps},
		{"strided elements: `All`", strided, 1, func() { sink = sumAll(g) }, onGaps},
	}
	var table strings.Builder
	table.WriteString("| | times as long as | ratio | allocations |\n|---|---|---|---|\n")
	for _, r := range rows {
		work, base := best(calls, r.batch, r.work, r.beside)
		fmt.Fprintf(&table, "| %s | %s | %.2f | %.0f |\n", r.name, r.base, work/base, testing.AllocsPerRun(100, r.work))
	}
	return table.String()
}

const begin, end = "<!-- The bench writes this table: cmake --build FOLDER --target bench_go_readme -->\n",
	"<!-- end of the table -->\n"

// write puts the table into a README, between its marks.
func write(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s: expected the marks of the table, got none", path)
	}
	return os.WriteFile(path, []byte(before+begin+"\n"+table+"\n"+end+after), 0o644)
}
