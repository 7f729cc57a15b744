// SPDX-License-Identifier: Apache-2.0

// Command main calls every function of the package kinds, well and badly. It prints errors.
package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/generated"

	"kinds"
)

func vector(x ...float64) *dlferry.Array { return dlferry.Of(x, len(x)) }

func open() int64 { return kinds.OpenSums() + kinds.OpenGifts() }

func handles() {
	sum := must(kinds.SumCreate(kinds.SumCreateOptions{Start: 2}))
	no(sum.Add(vector(1, 2, 3)))
	expect("total", must(sum.Total()), 8)
	all("scale", must(kinds.Scale(vector(1, 10), sum)), 8.0, 80)
	other := must(kinds.SumFromValues(vector(4, 5)))
	expect("from values", must(other.Total()), 9)
	expect("open sums", kinds.OpenSums(), 2)

	_, err := kinds.SumCreate(kinds.SumCreateOptions{Start: -1})
	fails(err, dlferry.ErrInvalid, "sum_create: start is -1, wanted start >= 0")
	_, err = kinds.SumCreate(kinds.SumCreateOptions{Start: 13})
	fails(err, dlferry.ErrUnsupported, "sum_create: expected a lucky start, got 13")
	none, err := kinds.SumFromValues(dlferry.Of([]int32{1}, 1))
	expect("no sum", none == nil, true)
	expect("dtype", fmt.Sprint(err), "sum_from_values: values: dtype is i32, expected f64; got i32[1], wanted f64[n]: cast converts")

	no(sum.Close())
	no(sum.Close())
	no(other.Close())
	const closed = "expected an open sum, got a closed one"
	fails(sum.Add(vector(1)), dlferry.ErrInvalid, "sum_add: sum: "+closed)
	_, err = sum.Total()
	fails(err, dlferry.ErrInvalid, "sum_total: sum: "+closed)
	_, err = kinds.Scale(vector(1), sum)
	fails(err, dlferry.ErrInvalid, "scale: sum: "+closed)
	var nothing *kinds.Sum
	fails(nothing.Add(vector(1)), dlferry.ErrInvalid, "sum_add: sum: "+closed)
	no(nothing.Close())
	expect("open sums", kinds.OpenSums(), 0)

	must(kinds.SumCreate(kinds.SumCreateOptions{})) // forgotten: the garbage collector's, and awaited in the end
}

// A handle is closed while others call it: each call works or says that it is closed.
func closedInUse() {
	for range 200 {
		sum := must(kinds.SumCreate(kinds.SumCreateOptions{Start: 1}))
		x, out := []float64{1, 2, 3}, make([][]float64, 3)
		var group sync.WaitGroup
		for i := range out {
			out[i] = make([]float64, 3)
			group.Add(1)
			go func() {
				defer group.Done()
				var err error
				for err == nil {
					if err = kinds.ScaleInto(dlferry.Of(x, 3), sum, dlferry.Of(out[i], 3)); err == nil {
						expect("scaled by an open sum", out[i][2], 3)
					}
				}
				fails(err, dlferry.ErrInvalid, "scale: sum: expected an open sum, got a closed one")
			}()
		}
		runtime.Gosched()
		no(sum.Close())
		group.Wait()
	}
	turns()
	// Many that are never closed.
	for range 100 {
		sum := must(kinds.SumCreate(kinds.SumCreateOptions{Start: 1}))
		expect("total", must(sum.Total()), 1)
	}
}

// Goroutines change two sums, naming them in either order, while others read them and collections run.
func turns() {
	const rounds = 500
	before := kinds.Met()
	a, b := must(kinds.SumCreate(kinds.SumCreateOptions{})), must(kinds.SumCreate(kinds.SumCreateOptions{}))
	fails(a.Move(a), dlferry.ErrInvalid, "sum_move: from: expected another sum than sum, got the same one")
	var group sync.WaitGroup
	for turn := range 4 {
		if turn%2 == 1 {
			a, b = b, a
		}
		group.Add(1)
		go func(a, b *kinds.Sum) {
			defer group.Done()
			out := make([]float64, 1)
			for i := range rounds {
				no(a.Add(vector(1)))
				no(a.Move(b))
				no(b.Add(vector(1)))
				no(kinds.ScaleInto(vector(1), a, dlferry.Of(out, 1)))
				must(b.Total())
				must(a.Spell())
				no(b.Count())
				if i%100 == 0 {
					runtime.GC()
				}
			}
		}(a, b)
	}
	group.Wait()
	expect("calls that met", kinds.Met()-before, 0)
	expect("all that was added", must(a.Total())+must(b.Total()), 4*2*rounds)
	expect("all that was counted", must(a.Counted())+must(b.Counted()), 4*rounds)
	no(a.Close())
	no(b.Close())
}

func lists() {
	a, b := []float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}
	all("stack slices", must(kinds.Stack([]*dlferry.Array{dlferry.Of(a, 2, 2), dlferry.Of(b, 2, 2)})),
		a[0], 2, 3, 4, 5, 6, 7, 8)
	t := must(dlferry.Wrap(a, 2, 2))
	u := must(dlferry.Wrap(b, 2, 2))
	all("stack tensors", must(kinds.Stack([]*dlferry.Tensor{t, u, t})), a[0], 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4)
	out := make([]float32, 8)
	no(kinds.StackInto([]dlferry.Arg{u, dlferry.Of(a, 2, 2)}, dlferry.Of(out, 2, 2, 2)))
	expect("stack into", fmt.Sprint(out), "[5 6 7 8 1 2 3 4]")
	many := make([]dlferry.Arg, 100)
	for i := range many {
		many[i] = dlferry.Of([]float64{float64(i)}, 1, 1)
	}
	stacked := must(kinds.Stack(many))
	expect("stack many", must(dlferry.Look[float64](stacked)).At(99, 0, 0), 99)
	no(stacked.Close())

	_, err := kinds.Stack([]*dlferry.Tensor{t, nil})
	fails(err, dlferry.ErrInvalid, "stack: frames[1] (from 0): expected a tensor, got nil")
	no(u.Close())
	_, err = kinds.Stack([]dlferry.Arg{t, dlferry.Of(b, 2, 2), u})
	fails(err, dlferry.ErrInvalid, "stack: frames[2] (from 0): expected an open tensor, got a closed one")
	_, err = kinds.Stack([]dlferry.Arg{t, dlferry.Of(b, 3, 2)})
	fails(err, dlferry.ErrShape, "stack: frames[1] (from 0): expected 6 elements for shape [3, 2], got 4")
	if _, err = kinds.Stack([]dlferry.Arg{t, dlferry.Of(b, 1, 4)}); err == nil {
		expect("frames of two sizes are refused", false, true)
	}
	if _, err = kinds.Stack([]dlferry.Arg{}); err == nil {
		expect("an empty stack has no size", false, true)
	}
	if err = kinds.StackInto([]dlferry.Arg{t}, nil); err == nil {
		expect("an absent output is refused", false, true)
	}
	no(t.Close())

	rows := []*dlferry.Array{vector(1, 2), vector(10, 20), dlferry.Of([]float64{0, 100, 200}, 2).Strided(1, 1)}
	all("weigh", must(kinds.Weigh(rows, []float64{1, 2, 3})), 321.0, 642)
	if _, err = kinds.Weigh(rows, []float64{1, 2}); err == nil {
		expect("fewer weights than rows are refused", false, true)
	}
	if _, err = kinds.Weigh([]*dlferry.Tensor(nil), nil); err == nil {
		expect("no rows are refused", false, true)
	}
	rows[1] = rows[1].Strided(1, -1)
	_, err = kinds.Weigh(rows, []float64{1, 2, 3})
	expect("layout", errors.Is(err, dlferry.ErrLayout), true)

	all("pick", must(kinds.Pick(vector(1, 2, 3), []int{2, 0, 2})), 3.0, 1, 3)
	all("pick int64", must(kinds.Pick(vector(1, 2, 3), []int64{1})), 2.0)
	all[float64]("pick nothing", must(kinds.Pick(vector(1, 2, 3), []int{})))
	all[float64]("pick nothing at all", must(kinds.Pick(vector(1, 2, 3), []int(nil))))
	_, err = kinds.Pick(vector(1, 2, 3), []int{0, 3})
	fails(err, dlferry.ErrBounds, "pick: expected an index inside, got one outside")
}

func scalars() {
	low, high, err := kinds.Range(vector(3, -1, 2))
	no(err)
	expect("low", low, -1)
	expect("high", high, 3)
	_, _, err = kinds.Range(vector())
	expect("nothing has no range", err != nil, true)

	at, found, sign, err := kinds.Find(vector(3, -1, 2), kinds.FindOptions{Value: -1})
	no(err)
	expect("find", at, 1)
	expect("found", found, true)
	expect("sign", sign, kinds.SignNegative)
	at, found, sign, err = kinds.Find(vector(3, -1, 2), kinds.FindOptions{})
	no(err)
	expect("not there", at, 3)
	expect("not found", found, false)
	expect("zero", sign, kinds.SignZero)
	_, found, _, err = kinds.Find(nil, kinds.FindOptions{})
	fails(err, dlferry.ErrInvalid, "find: x: expected a tensor, got nil")
	expect("nothing found", found, false)

	expect("word", must(kinds.Word(2)), "two")
	word, err := kinds.Word(4)
	fails(err, dlferry.ErrForeign, "word: kernel returned NULL, expected text")
	expect("no word", word, "")
}

func given() {
	all("positive", must(kinds.Positive(vector(3, -1, 2))), 3.0, 2)
	all("positive f32", must(kinds.Positive(dlferry.Of([]float32{-3, 1, 2}, 3))), float32(1), 2)
	all[float64]("nothing positive", must(kinds.Positive(vector(-3))))
	values, counts, err := kinds.Unique(vector(3, 1, 3))
	no(err)
	all("unique", values, 1.0, 3)
	all[int64]("counts", counts, 1, 2)
	values, counts, err = kinds.Unique(dlferry.Of([]int8{1}, 1))
	expect("nothing unique", err != nil && values == nil && counts == nil, true)

	all("gift", must(kinds.Gift(0)), 0.0, 0, 0)
	for what := int32(1); what <= 3; what++ {
		gift, err := kinds.Gift(what)
		expect(fmt.Sprintf("gift %d is refused", what), err != nil && gift == nil, true)
	}
	_, err = kinds.Gift(4)
	fails(err, dlferry.ErrUnsupported, "gift: expected to give, got cold feet")
	expect("open gifts", kinds.OpenGifts(), 0)

	gift := must(kinds.Gift(0)) // exported, it outlives its Tensor
	managed := must(gift.ToDLPack())
	no(gift.Close())
	expect("one gift", kinds.OpenGifts(), 1)
	all("gift again", must(dlferry.FromDLPack(managed)), 0.0, 0, 0)
}

func others() {
	all("resample", must(kinds.Resample(dlferry.Of([]float32{1, 2}, 2), 2)), float32(1), 1, 2, 2)
	no(kinds.ResampleInto(dlferry.Of([]float32{1, 2}, 2), 1.5, dlferry.Of(make([]float32, 3), 3)))
	if err := kinds.ResampleInto(dlferry.Of([]float32{1, 2}, 2), 1.5, dlferry.Of(make([]float32, 4), 4)); err == nil {
		expect("a length other than the hook's is refused", false, true)
	}
	if _, err := kinds.Resample(dlferry.Of([]float32{1, 2}, 2), 2000); err == nil {
		expect("a hook's negative length is refused", false, true)
	}
	if _, err := kinds.Resample(dlferry.Of([]float32{1, 2}, 2), math.NaN()); err == nil {
		expect("a ratio that is no number is refused", false, true)
	}
	x := make([]float64, 2)
	expect("the default stream", must(kinds.Fill(dlferry.Of(x, 2), kinds.FillOptions{})), true)
	expect("fill", x[1], 1)
	expect("another stream", must(kinds.Fill(dlferry.Of(x, 2), kinds.FillOptions{Value: dlferry.Ptr(2.0), Stream: 1 << 40})), false)
	expect("fill on it", x[1], 2)
	must(kinds.Fill(dlferry.Of(x, 2), kinds.FillOptions{Value: dlferry.Ptr(0.0)}))
	expect("an explicit zero", x[1], 0)
}

// A call over slices allocates nothing, unless it returns tensors.
func allocations() {
	x, out, index := []float64{1, 2, 3}, make([]float64, 3), []int{0, 1, 2}
	sum := must(kinds.SumCreate(kinds.SumCreateOptions{}))
	for what, call := range map[string]func(){
		"two slices and a handle": func() { kinds.ScaleInto(dlferry.Of(x, 3), sum, dlferry.Of(out, 3)) },
		"two slices and an array": func() { kinds.PickInto(dlferry.Of(x, 3), index, dlferry.Of(out, 3)) },
		"scalars that come back":  func() { kinds.Range(dlferry.Of(x, 3)) },
		"an option":               func() { kinds.Fill(dlferry.Of(x, 3), kinds.FillOptions{Value: dlferry.Ptr(2.0)}) },
		"strides":                 func() { kinds.Find(dlferry.Of(x, 3).Strided(0, 1), kinds.FindOptions{}) },
		"a method":                func() { sum.Add(dlferry.Of(x, 3)) },
	} {
		noAllocations(what, call)
	}
	no(sum.Close())
}

func main() {
	expect("size", unsafe.Sizeof(generated.Flat{}), 32)
	handles()
	closedInUse()
	lists()
	scalars()
	given()
	others()
	allocations()
	done(open)
}
