// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/internal/leak"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
)

// collect runs the collector repeatedly, with time for cleanups, so that it finds everything unreachable.
func collect() {
	for range 20 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// Nothing but With knows the tensor: the slice of its elements is good all the same.
func TestWith_KeepsTheTensorFromTheCollector(t *testing.T) {
	for range 5 {
		leak.Settle()
		before := helper.Deleted()
		err := dlferry.With(must(dlferry.FromDLPack(helper.Make(float23))), func(e dlferry.Elements[float32]) error {
			slice := must(e.Slice())
			e = dlferry.Elements[float32]{}
			slice[5] = 5
			collect()
			if gone := helper.Deleted() - before; gone != 0 {
				t.Fatal("the elements went while they were looked at")
			}
			if slice[5] != 5 {
				t.Errorf("got %v", slice)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// The collector and other tensors of the same size, which would take the place of a freed one, run all the while.
func TestWith_UnderTheCollector(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	var group sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				select {
				case <-stop:
					return
				default:
				}
				for range 50 {
					tensor := must(dlferry.Create(dlferry.Int64, dlferry.CPU, 100))
					must(must(dlferry.Look[int64](tensor)).Slice())[0] = -1
					tensor.Close()
				}
				runtime.GC()
			}
		}()
	}
	for i := range rounds {
		err := dlferry.With(must(dlferry.Create(dlferry.Int64, dlferry.CPU, 100)), func(e dlferry.Elements[int64]) error {
			slice := must(e.Slice())
			for j := range slice {
				slice[j] = int64(i)
			}
			time.Sleep(time.Millisecond)
			for _, value := range slice {
				if value != int64(i) {
					return errors.New("the elements are another tensor's")
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	group.Wait()
}

// Close takes effect when the function has returned, or has panicked; until then the elements are there.
func TestWith_OutlastsClose(t *testing.T) {
	leak.Settle()
	for name, leave := range map[string]func(){
		"returns": func() {},
		"panics":  func() { panic("on purpose") },
	} {
		before := helper.Deleted()
		tensor := must(dlferry.FromDLPack(helper.Make(float23)))
		func() {
			defer func() { recover() }()
			dlferry.With(tensor, func(e dlferry.Elements[float32]) error {
				slice := must(e.Slice())
				closed := make(chan error)
				go func() { closed <- tensor.Close() }()
				if err := <-closed; err != nil {
					t.Error(err)
				}
				if helper.Deleted() != before {
					t.Error(name, ": the elements went while they were looked at")
				}
				e.Set(7, 1, 2)
				if e.At(1, 2) != 7 || slice[5] != 7 || e.Len() != 6 || len(slices.Collect(e.All())) != 6 {
					t.Error(name, ": the elements are not what was written")
				}
				if again, err := e.Slice(); err != nil || &again[0] != &slice[0] {
					t.Error(name, ": no slice of a tensor that is closed but held: ", err)
				}
				leave()
				return nil
			})
		}()
		if gone := helper.Deleted() - before; gone != 1 {
			t.Errorf("%s: %d deleters ran", name, gone)
		}
		err := dlferry.With(tensor, func(dlferry.Elements[float32]) error { panic("called") })
		fails(t, err, dlferry.ErrInvalid, "elements: expected an open tensor, got a closed one")
	}
}

func TestWith_ReturnsWhatTheFunctionDoes(t *testing.T) {
	tensor := must(dlferry.Wrap([]float32{1, 2}, 2))
	defer tensor.Close()
	wanted := errors.New("wanted")
	if err := dlferry.With(tensor, func(dlferry.Elements[float32]) error { return wanted }); err != wanted {
		t.Errorf("got %v", err)
	}
	never := func(dlferry.Elements[int32]) error { panic("called") }
	fails(t, dlferry.With(tensor, never), dlferry.ErrDtype, "")
	fails(t, dlferry.With(nil, never), dlferry.ErrInvalid, "elements: expected a tensor, got nil")
	allocatesNothing(t, func() {
		sum := float32(0)
		dlferry.With(tensor, func(e dlferry.Elements[float32]) error {
			sum += e.At(1)
			return nil
		})
	})
}

// Elements must not leave With, but those that do read no freed memory.
func TestWith_LeftItsElementsAreClosed(t *testing.T) {
	tensor := must(dlferry.FromDLPack(helper.Make(float23)))
	var left dlferry.Elements[float32]
	dlferry.With(tensor, func(e dlferry.Elements[float32]) error {
		left = e
		return nil
	})
	if slice, err := left.Slice(); err != nil || len(slice) != 6 {
		t.Error(slice, err)
	}
	tensor.Close()
	_, err := left.Slice()
	fails(t, err, dlferry.ErrInvalid, "slice: expected an open tensor, got a closed one")
	for name, use := range map[string]func(){
		"At":  func() { left.At(0, 0) },
		"Len": func() { left.Len() },
		"All": func() {
			for range left.All() {
			}
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(name, ": expected a panic, got none")
				}
			}()
			use()
		}()
	}
}

// A loop's body that closes the tensor gets no element afterwards, and a panic in a body keeps nothing.
func TestLook_LoopsEndWithTheTensor(t *testing.T) {
	leak.Settle()
	loops := map[string]func(dlferry.Elements[float32], func()){
		"All": func(e dlferry.Elements[float32], body func()) {
			for range e.All() {
				body()
			}
		},
		"Rows": func(e dlferry.Elements[float32], body func()) {
			for range e.Rows() {
				body()
			}
		},
	}
	for name, loop := range loops {
		before := helper.Deleted()
		tensor := must(dlferry.FromDLPack(helper.Make(float23)))
		v := must(dlferry.Look[float32](tensor))
		count := 0
		panics(t, dlferry.ErrInvalid, func() {
			loop(v, func() {
				tensor.Close()
				count++
			})
		})
		if gone := helper.Deleted() - before; count != 1 || gone != 1 {
			t.Errorf("%s: %d elements, %d deleters", name, count, gone)
		}
		panics(t, dlferry.ErrInvalid, func() { loop(v, func() { t.Error("an element of a closed tensor") }) })

		tensor = must(dlferry.FromDLPack(helper.Make(float23)))
		v = must(dlferry.Look[float32](tensor))
		panics(t, dlferry.ErrShape, func() { loop(v, func() { panic(&dlferry.Error{Status: dlferry.ErrShape}) }) })
		tensor.Close()
		if gone := helper.Deleted() - before; gone != 2 {
			t.Errorf("%s: the panic in the loop keeps the tensor", name)
		}
	}
}

// Elements that no Look has made.
func TestLook_ZeroElementsPanicClearly(t *testing.T) {
	var e dlferry.Elements[float32]
	for _, use := range []func(){
		func() { e.At(0) }, func() { e.Set(0, 0) }, func() { e.Len() }, func() { e.Row() },
		func() {
			for range e.All() {
			}
		},
		func() {
			for range e.Rows() {
			}
		},
	} {
		panics(t, dlferry.ErrInvalid, use)
	}
	for _, use := range []func(){
		func() { e.At1(0) }, func() { e.At2(0, 0) }, func() { e.At3(0, 0, 0) },
		func() { e.Set1(0, 0) }, func() { e.Set2(0, 0, 0) }, func() { e.Set3(0, 0, 0, 0) },
	} {
		panicsOfNil(t, use)
	}
}

func panicsOfNil(t *testing.T, use func()) {
	t.Helper()
	defer func() {
		t.Helper()
		err, isError := recover().(runtime.Error)
		if !isError || !strings.Contains(err.Error(), "nil pointer dereference") {
			t.Errorf("expected Go's panic of a nil pointer, got %v", err)
		}
	}()
	use()
}

type answer bool

// Other languages may leave any byte where a bool is: all but 0 are true, as in Rust and Julia.
func TestLook_BoolIsAnyByteButZero(t *testing.T) {
	bytes := []byte{0, 1, 2, 255, 0, 128}
	tensor := must(dlferry.Of(bytes, 2, 3).As(dlferry.Bool).Wrap())
	defer tensor.Close()
	want := []bool{false, true, true, true, false, true}
	reads(t, tensor, want)
	named := make([]answer, len(want))
	for i, b := range want {
		named[i] = answer(b)
	}
	reads(t, tensor, named)

	raw := must(dlferry.Look[dlferry.Bool8](tensor))
	if got := must(raw.Slice()); &got[0] != (*dlferry.Bool8)(&bytes[0]) || got[2] != 2 || !got[2].Bool() || got[4].Bool() {
		t.Errorf("got %v", got)
	}
	v := must(dlferry.Look[bool](tensor))
	_, err := v.Slice() // a []bool of such bytes is neither true nor false
	fails(t, err, dlferry.ErrDtype, "slice: expected a dtype other than bool, got bool")
	v.Set(true, 0, 2)
	v.Set(false, 1, 0)
	if bytes[2] != 1 || bytes[3] != 0 {
		t.Errorf("got %v", bytes)
	}
}

func reads[T interface {
	dlferry.Element
	comparable
}](t *testing.T, tensor *dlferry.Tensor, want []T) {
	t.Helper()
	v, known := must(dlferry.Look[T](tensor)), map[T]int{}
	for value := range v.All() {
		known[value]++
	}
	if len(known) != 2 || known[want[0]] != 2 {
		t.Errorf("there are %d kinds of %T: %v", len(known), want[0], known)
	}
	if got := slices.Collect(v.All()); !slices.Equal(got, want) {
		t.Errorf("expected %v, got %v", want, got)
	}
	for i, value := range want {
		if got := v.At(i/3, i%3); got != value || any(got) != any(value) {
			t.Errorf("element %d: expected %v, got %v", i, value, got)
		}
	}
}

func TestWith_NeedsAFunction(t *testing.T) {
	tensor := must(dlferry.Wrap([]float32{1, 2}))
	fails(t, dlferry.With[float32](tensor, nil), dlferry.ErrInvalid, "elements: expected a function, got nil")
	tensor.Close()
	fails(t, dlferry.With[float32](tensor, nil), dlferry.ErrInvalid, "elements: expected an open tensor, got a closed one")
}

// Every way to an element reads and writes the same one, for 1 to 5 axes of any strides.
func TestElements_AllWaysAgree(t *testing.T) {
	slice := make([]int32, 1000)
	for i := range slice {
		slice[i] = int32(i)
	}
	for _, c := range []struct{ shape, strides []int }{
		{[]int{}, []int{}}, {[]int{7}, []int{3}}, {[]int{7}, []int{-1}}, {[]int{4, 5}, []int{5, 1}}, {[]int{4, 5}, []int{1, 4}},
		{[]int{4, 5}, []int{-10, 2}}, {[]int{3, 1, 4}, []int{4, 99, 1}}, {[]int{3, 2, 4}, []int{8, 4, 1}},
		{[]int{3, 2, 4}, []int{20, 4, 1}}, {[]int{2, 3, 2, 2, 3}, []int{-60, 12, 6, 3, 1}}, {[]int{0, 3}, []int{3, 1}},
		{[]int{1, 1}, []int{5, 7}}, {[]int{2, 2, 2, 2, 2}, []int{1, 2, 4, 8, 16}}, {[]int{3, 3}, []int{0, 1}},
	} {
		const first = 500
		tensor := must(dlferry.Of(slice, c.shape...).Strided(first, c.strides...).Wrap())
		e, want := must(dlferry.Look[int32](tensor)), []int32{first}
		for axis, extent := range c.shape {
			var next []int32
			for _, at := range want {
				for i := range extent {
					next = append(next, at+int32(i*c.strides[axis]))
				}
			}
			want = next
		}
		if got := slices.Collect(e.All()); !slices.Equal(got, want) || e.Len() != len(want) {
			t.Errorf("%v: All yields %v", c, got)
		}
		index, rest := make([]int, len(c.shape)), 0
		for n, value := range want {
			rest = n
			for axis := len(index) - 1; axis >= 0; axis-- {
				index[axis], rest = rest%c.shape[axis], rest/c.shape[axis]
			}
			got := e.At(index...)
			e.Set(-value, index...)
			switch len(index) {
			case 1:
				got += e.At1(index[0]) + value
				e.Set1(value, index[0])
			case 2:
				got += e.At2(index[0], index[1]) + value
				e.Set2(value, index[0], index[1])
			case 3:
				got += e.At3(index[0], index[1], index[2]) + value
				e.Set3(value, index[0], index[1], index[2])
			default:
				e.Set(value, index...)
			}
			if got != value || slice[value] != value {
				t.Errorf("%v: %v has %d, not %d", c, index, got, value)
			}
		}
		last := len(c.shape) - 1
		if last < 0 || c.strides[last] == 1 || c.shape[last] <= 1 {
			var got []int32
			for i, row := range e.Rows() {
				got = append(got, row...)
				if last == 1 && &e.Row(i)[0] != &row[0] {
					t.Errorf("%v: row %d is elsewhere", c, i)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v: Rows yields %v", c, got)
			}
		} else {
			panics(t, dlferry.ErrLayout, func() { e.Row(make([]int, last)...) })
			panics(t, dlferry.ErrLayout, func() {
				for range e.Rows() {
					t.Error("a row")
				}
			})
		}
		tensor.Close()
		panics(t, dlferry.ErrInvalid, func() {
			for range e.Rows() {
				t.Error("a row of a closed tensor")
			}
		})
	}
}

// The text of a panic is that of the access, even if it is read after the tensor's Close.
func TestElements_PanicsTell(t *testing.T) {
	tensor := must(dlferry.Wrap(make([]int8, 24), 2, 3, 4))
	fixed := must(dlferry.Of(make([]int8, 6), 2, 3).ReadOnly().Wrap())
	bools := must(dlferry.Wrap(make([]bool, 6), 2, 3))
	e, r, b := must(dlferry.Look[int8](tensor)), must(dlferry.Look[int8](fixed)), must(dlferry.Look[bool](bools))
	type access struct {
		call   func()
		status dlferry.Status
		text   string
	}
	check := func(c access) {
		t.Helper()
		defer func() {
			t.Helper()
			err, _ := recover().(error)
			fails(t, err, c.status, c.text)
		}()
		c.call()
	}
	for _, c := range []access{
		{func() { e.At3(2, 0, 0) }, dlferry.ErrBounds, "at: expected index below 2 of axis 0 (from 0), got 2"},
		{func() { e.At3(0, -1, 0) }, dlferry.ErrBounds, "at: expected index below 3 of axis 1 (from 0), got -1"},
		{func() { e.Set3(0, 1, 0, 4) }, dlferry.ErrBounds, "at: expected index below 4 of axis 2 (from 0), got 4"},
		{func() { e.At2(0, 0) }, dlferry.ErrBounds, "at: expected 3 indices, got 2"},
		{func() { e.At1(0) }, dlferry.ErrBounds, "at: expected 3 indices, got 1"},
		{func() { e.Set1(0, 0) }, dlferry.ErrBounds, "at: expected 3 indices, got 1"},
		{func() { r.Set2(0, 1, 2) }, dlferry.ErrReadOnly, "elements: expected writable data, got read-only"},
		{func() { r.Set(0, 1, 2) }, dlferry.ErrReadOnly, "elements: expected writable data, got read-only"},
		{func() { e.Row(1) }, dlferry.ErrBounds, "row: expected 2 indices, got 1"},
		{func() { e.Row(1, 3) }, dlferry.ErrBounds, "row: expected index below 3 of axis 1 (from 0), got 3"},
		{func() { b.Row(0) }, dlferry.ErrDtype, "row: expected a dtype other than bool, got bool"},
		{func() {
			defer tensor.Close()
			e.At3(0, 0, 9)
		}, dlferry.ErrBounds, "at: expected index below 4 of axis 2 (from 0), got 9"},
		{func() { e.At3(0, 0, 0) }, dlferry.ErrInvalid, "elements: expected an open tensor, got a closed one"},
	} {
		check(c)
	}
	fixed.Close()
	bools.Close()
}

func TestElements_BoolOfAnyAxes(t *testing.T) {
	tensor := must(dlferry.Of([]byte{0, 2}).As(dlferry.Bool).Wrap())
	defer tensor.Close()
	for _, shape := range [][]int{{2}, {1, 2}, {1, 1, 2}, {1, 1, 1, 2}} {
		view := must(tensor.Reshape(shape...))
		e := must(dlferry.Look[bool](view))
		index := make([]int, len(shape))
		index[len(shape)-1] = 1
		got := e.At(index...)
		switch len(shape) {
		case 1:
			got = got && e.At1(1)
		case 2:
			got = got && e.At2(0, 1)
		case 3:
			got = got && e.At3(0, 0, 1)
		}
		if got != true || any(got) != any(true) { // bits other than Go's would compare as unequal
			t.Errorf("%v: got %v", shape, got)
		}
		view.Close()
	}
}

// At1, At2 and At3 compare no number of axes: the extents that they read are 0 for another number, and after Close.
func TestLook_IndicesOfAnotherNumberOfAxesPanic(t *testing.T) {
	for axes := range 5 {
		tensor := must(dlferry.Create(dlferry.Float32, dlferry.CPU, []int{2, 2, 2, 2}[:axes]...))
		e := must(dlferry.Look[float32](tensor))
		uses := [][]func(){
			1: {func() { e.At1(0) }, func() { e.Set1(1, 0) }},
			2: {func() { e.At2(0, 0) }, func() { e.Set2(1, 0, 0) }},
			3: {func() { e.At3(0, 0, 0) }, func() { e.Set3(1, 0, 0, 0) }},
		}
		for _, isOpen := range []bool{true, false} {
			if !isOpen {
				tensor.Close()
			}
			for indices := range uses {
				for _, use := range uses[indices] {
					switch {
					case indices != axes:
						panics(t, dlferry.ErrBounds, use)
					case isOpen:
						use()
					default:
						panics(t, dlferry.ErrInvalid, use)
					}
				}
			}
		}
	}
}
