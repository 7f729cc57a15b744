// SPDX-License-Identifier: Apache-2.0

// Command main calls every function of the package odd. It prints errors.
package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"

	"odd"
)

func slice[T dlferry.Element](t *dlferry.Tensor) []T {
	v, err := dlferry.Look[T](t)
	no(err)
	elements, err := v.Slice()
	no(err)
	return elements
}

func vector(n int) *dlferry.Tensor { return must(dlferry.Create(dlferry.Float64, dlferry.CPU, n)) }

func tensors() {
	numbers := []int64{1, 2, 3}
	no(odd.Select(dlferry.Of(numbers, 3), odd.SelectOptions{}))
	no(odd.Select(dlferry.Of(numbers, 3), odd.SelectOptions{Func: dlferry.Ptr[int64](10), Range: dlferry.Ptr(false)}))
	expect("select", numbers[2], -6)

	x := []float32{1.25, -1.25}
	whole, rest, err := odd.Split(dlferry.Of(x, 2), odd.SplitOptions{Mode: odd.ModeDown})
	no(err)
	expect("split: whole", slice[int64](whole)[1], -2)
	expect("split: rest", slice[float32](rest)[1], 0.75)
	no(odd.SplitInto(dlferry.Of(x, 2), odd.SplitOptions{}, whole, rest))
	expect("split into: whole", slice[int64](whole)[1], -1)
	err = odd.SplitInto(dlferry.Of(x, 2), odd.SplitOptions{}, whole, dlferry.Of(x, 2))
	expect("noalias", errors.Is(err, dlferry.ErrInvalid), true)
	whole.Close()
	rest.Close()
	none, more, err := odd.Split(dlferry.Of([]int32{1}, 1), odd.SplitOptions{})
	expect("dtype", errors.Is(err, dlferry.ErrDtype) && none == nil && more == nil, true)

	y, weights, sum := []float64{1, 2, 3}, []float64{1, 10, 100}, 0.0
	counted, total, err := odd.Sum(dlferry.Of(y, 3), nil, odd.SkipFirst|odd.SkipTop)
	no(err)
	expect("sum: counted", counted, 2)
	expect("sum", slice[float64](total)[0], 5)
	total.Close()
	counted, err = odd.SumInto(dlferry.Of(y), dlferry.Of(weights), odd.SkipLast, dlferry.Scalar(&sum))
	no(err)
	expect("sum into: counted", counted, 2)
	expect("sum into", sum, 21.0)
	var absent *dlferry.Tensor
	_, err = odd.SumInto(dlferry.Of(y, 3), absent, odd.SkipLast, dlferry.Scalar(&sum))
	no(err)
	_, err = odd.SumInto(dlferry.Of(y, 3), dlferry.Of(weights, 2), odd.SkipLast, dlferry.Scalar(&sum))
	expect("weights differ", errors.Is(err, dlferry.ErrShape), true)
	_, err = odd.SumInto(absent, nil, 0, dlferry.Scalar(&sum))
	expect("nil", err.Error(), "sum: x: expected a tensor, got nil")
	live, held, gone := dlferry.Live(), vector(3), vector(1)
	gone.Close()
	_, err = odd.SumInto(held, held, 0, gone)
	fails(err, dlferry.ErrInvalid, "sum: total: expected an open tensor, got a closed one")
	_, err = odd.SumInto(held, held, 0, held)
	expect("no single number", errors.Is(err, dlferry.ErrShape), true)
	must(odd.SumInto(held, held, 0, dlferry.Scalar(&sum)))
	held.Close()
	expect("held after calls", dlferry.Live(), live)
	_, err = odd.SumInto(nil, nil, 0, dlferry.Scalar(&sum))
	expect("nothing", err.Error(), "sum: x: expected a tensor, got nil")
}

func scalars() {
	mode, err := odd.Next(odd.ModeUp)
	no(err)
	expect("next", mode, odd.ModeDown)
	expect("enum", mode.String(), "ModeDown")
	expect("other name", odd.ModeDefault.String(), "ModeNearest")
	expect("no name", odd.Mode(7).String(), "Mode(7)")
	expect("flag", odd.SkipTop.String(), "SkipTop")
	expect("flags", (odd.SkipTop | odd.SkipFirst).String(), "SkipFirst|SkipTop")
	expect("unknown flags", odd.Skip(10).String(), "SkipLast|Skip(8)")

	same, err := odd.Same("none", odd.SameOptions{})
	no(err)
	expect("same", same, true)
	same, err = odd.Same("größe", odd.SameOptions{B: dlferry.Ptr("grosse")})
	no(err)
	expect("not same", same, false)
	_, err = odd.Same("none\x00more", odd.SameOptions{})
	expect("NUL", fmt.Sprint(err), `same: a: expected a text without NUL, got one`)

	long := strings.Repeat("a long name ", 100)
	expect("greeting", must(odd.Greet("", odd.GreetOptions{})), "hello, ")
	expect("long greeting", must(odd.Greet(long, odd.GreetOptions{Word: dlferry.Ptr("bye")})), "bye, "+long[:239-5])
	noAllocations("texts", func() { odd.Same("a text on the stack", odd.SameOptions{}) })

	sum := odd.Widths(math.MinInt8, math.MaxUint8, math.MinInt16, math.MaxUint16, math.MinInt32, math.MaxUint32,
		-1<<40, 1<<41, 0.5)
	expect("widths", sum, -128+255-32768+65535-1<<31+1<<32-1-1<<40+1<<41+0.5)
	odd.Nothing()
	expect("deprecated", odd.Twice(21), int32(42))
	no(odd.Code(0))
	expect("status", errors.Is(odd.Code(3), dlferry.ErrForeign), true)
}

// A C text kept for each thread soon belongs to another goroutine.
func texts() {
	var group sync.WaitGroup
	for i := range 32 {
		group.Add(1)
		go func() {
			defer group.Done()
			name := strings.Repeat(string(rune('a'+i%26)), 100+i)
			for range 2000 {
				if got := must(odd.Greet(name, odd.GreetOptions{})); got != "hello, "+name {
					expect("greeting", got, "hello, "+name)
					return
				}
			}
		}()
	}
	group.Wait()
}

// A box lives as long as a lid made from it, closed or forgotten.
func handles() {
	box := must(odd.BoxNew(5))
	lid := must(odd.LidMake(box))
	no(box.Fill([]dlferry.Arg{dlferry.Of([]int64{1, 2}, 2), dlferry.Of([]int64{10}, 1)}, []int64{1, 2}))
	expect("content", must(lid.Content()), 28)
	fails(box.Fill(nil, []int64{1}), dlferry.ErrShape, "box_fill: times has 1 value, expected n = 0 from parts; wanted i64 *n")
	expect("default streams", must(box.Between(odd.BoxBetweenOptions{})), 28)
	expect("streams", must(box.Between(odd.BoxBetweenOptions{From: 1, To: math.MaxUint64})), 26)
	no(box.Close())
	fails(box.Fill(nil, nil), dlferry.ErrInvalid, "box_fill: box: expected an open box, got a closed one")
	expect("content of a closed box", must(lid.Content()), 28)
	no(lid.Close())
	_, err := odd.LidMake(box)
	fails(err, dlferry.ErrInvalid, "lid_make: box: expected an open box, got a closed one")
	_, err = odd.LidMake(&odd.Box{})
	fails(err, dlferry.ErrInvalid, "lid_make: box: expected an open box, got a closed one")
	_, err = odd.BoxNew(-1)
	fails(err, dlferry.ErrForeign, "box_new: kernel made no box")

	original, copied := must(odd.BoxNew(3)), new(odd.Box) // go vet tells of copies; they are closed ones
	reflect.ValueOf(copied).Elem().Set(reflect.ValueOf(original).Elem())
	fails(copied.Fill(nil, nil), dlferry.ErrInvalid, "box_fill: box: expected an open box, got a closed one")
	no(copied.Close())
	no(original.Fill(nil, nil))
	no(original.Close())

	lid = must(odd.LidMake(must(odd.BoxNew(7))))
	for range 10 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	expect("content of a forgotten box", must(lid.Content()), 7)
	no(lid.Close())
}

func names() {
	expect("errors", must(odd.Errors(1, 2, 3, 4)), 1234)
	_, err := odd.Errors(0, 2, 3, 4)
	fails(err, dlferry.ErrInvalid, "errors: error is 0, wanted error in 1..9")
	expect("owns", must(odd.Owns(1, 2, 3, 4)), 1234)
	self := must(odd.Tensors(dlferry.Of([]float64{1}, 1), odd.TensorsOptions{Type: dlferry.Ptr[int32](3)}))
	expect("tensors", slice[float64](self)[0], 3)
	self.Close()
	expect("lists", must(odd.Lists([]float64{1, 2}, []dlferry.Arg{dlferry.Of([]float32{1}, 1)}, 5)), 108)
	no(odd.Status(1, -2, odd.ModeUp))
	fails(odd.Status(1, 5, odd.ModeUp), dlferry.ErrForeign, "status: kernel returned 7 (seven)")
	_, err = odd.Hooked(5)
	fails(err, dlferry.ErrInvalid, "hooked: odd_reach is 5, wanted odd_reach < 5")
	hooked := must(odd.Hooked(2))
	expect("hooked", slice[float64](hooked)[3], 6)
	hooked.Close()
	box := must(odd.BoxNew(7))
	expect("box read", must(box.Read(2, 3)), 17)
	no(box.Close())
	result, value := odd.Outs(4)
	expect("outs", result+value, 11)
	expect("words of C++", odd.WordsC(0, 1, 2, 3, 4, 5, 6, 7), 168)
	expect("words of Python", odd.WordsPython(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17), 1938)
	expect("words of Rust", odd.WordsRust(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29), 8990)
	expect("words of Go", odd.WordsGo(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28), 8120)
	expect("words of Julia", odd.WordsJulia(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25), 5850)
	y := must(odd.Locals(dlferry.Of([]float64{1}, 1), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32))
	expect("locals", slice[float64](y)[0], 529)
	y.Close()
}

func main() {
	names()
	tensors()
	handles()
	scalars()
	texts()
	y, sum, t := make([]float64, 3), 0.0, must(dlferry.Create(dlferry.Float64, dlferry.CPU, 3))
	noAllocations("sum", func() { odd.SumInto(dlferry.Of(y, 3), t, 0, dlferry.Scalar(&sum)) })
	t.Close()
	done(func() int64 { return 0 })
}
