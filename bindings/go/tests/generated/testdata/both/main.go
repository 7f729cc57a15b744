// SPDX-License-Identifier: Apache-2.0

// Command main uses two generated packages at once. It prints errors.
package main

import (
	"errors"

	dlferry "github.com/dlferry/dlferry/bindings/go"

	"example.com/a/kinds"
	"example.com/b/odd"
)

func main() {
	// Each takes the other's results; each has its own helpers, names its own functions, and shares the hub.
	x := []float64{-1.5, 2.25, 3.5}
	positive := must(kinds.Positive(dlferry.Of(x, 3)))
	whole, rest, err := odd.Split(positive, odd.SplitOptions{Mode: odd.ModeDown})
	no(err)
	all[int64]("whole", whole, 2, 3)
	sum := must(kinds.SumFromValues(rest))
	expect("sum", must(sum.Total()), 0.75)
	no(sum.Close())
	no(rest.Close())

	_, _, err = odd.Split(dlferry.Of([]int8{1}, 1), odd.SplitOptions{})
	fails(err, dlferry.ErrDtype, "split: match: dtype is i8, expected T in f32|f64; got i8[1], wanted T[n]: cast converts")
	_, err = kinds.Positive(dlferry.Of([]int8{1}, 1))
	fails(err, dlferry.ErrDtype, "positive: x: dtype is i8, expected T in f32|f64; got i8[1], wanted T[n]: cast converts")
	expect("status", errors.Is(odd.Code(3), dlferry.ErrForeign), true)
	no(positive.Close())
	done(func() int64 { return kinds.OpenSums() + kinds.OpenGifts() })
}
