// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
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
		settle()
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
	settle()
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
		fails(t, err, dlferry.ErrInvalid, "look: expected an open tensor, got a closed one")
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
	fails(t, dlferry.With(nil, never), dlferry.ErrInvalid, "look: expected a tensor, got nil")
	allocatesNothing(t, func() {
		sum := float32(0)
		dlferry.With(tensor, func(e dlferry.Elements[float32]) error {
			sum += e.At(1)
			return nil
		})
	})
}

// A loop over the elements keeps them too: a Close meanwhile waits for it.
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

func TestLook_AllOutlastsClose(t *testing.T) {
	settle()
	before := helper.Deleted()
	tensor := must(dlferry.FromDLPack(helper.Make(float23)))
	v := must(dlferry.Look[float32](tensor))
	count := 0
	for range v.All() {
		tensor.Close()
		if helper.Deleted() != before {
			t.Fatal("the elements went while a loop was looking")
		}
		count++
	}
	if gone := helper.Deleted() - before; count != 6 || gone != 1 {
		t.Errorf("%d elements, %d deleters", count, gone)
	}
	panics(t, dlferry.ErrInvalid, func() {
		for range v.All() {
			t.Error("an element of a closed tensor")
		}
	})
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
