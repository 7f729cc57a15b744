// SPDX-License-Identifier: Apache-2.0

// Handles of every style: used, closed, closed again, used once closed.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"runtime"
	"sync"

	"handles"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func done(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func styles() {
	total := must(handles.Begin(1.5))
	done(handles.Add(total, 2))
	fmt.Println("sum", must(handles.Total(total)))
	done(total.Close())
	counter, bag := must(handles.CounterCreate(3)), must(handles.BagCreate(dlferry.Of([]float32{1, 2}, 2)))
	fmt.Println("counter", must(counter.Next()), must(counter.Next()), "bag", must(bag.Count(counter)))
	ticket, jar := must(handles.TicketCreate(5)), must(handles.JarNew(4))
	done(jar.Set(must(jar.Value()) + 1))
	fmt.Println("ticket", must(ticket.Number()), "jar", must(jar.Value()))
	_, err := handles.CounterCreate(-1)
	fmt.Println(err)
	_, err = handles.TicketCreate(-1)
	fmt.Println(err)
	for _, handle := range []io.Closer{counter, counter, ticket, jar} {
		done(handle.Close())
	}
	fmt.Println(handles.Add(total, 1))
	_, err = counter.Next()
	fmt.Println(err)
	_, err = bag.Count(counter)
	fmt.Println(err)
	_, err = ticket.Number()
	fmt.Println(err)
	_, err = jar.Value()
	fmt.Println(err)
	done(bag.Close())
	fmt.Println("live", handles.Live())
}

func show[T dlferry.Element](what string, tensor *dlferry.Tensor) {
	fmt.Print(what)
	elements := must(dlferry.Look[T](tensor))
	for value := range elements.All() {
		fmt.Print(" ", value)
	}
	fmt.Println()
}

func gives() {
	bag := must(handles.BagCreate(dlferry.Of([]float32{1, 2, 3, 4, 5, 6}, 6)))
	copied, lent, halves := must(bag.Values()), must(bag.Show()), must(bag.Halves(2))
	pairs := must(bag.Pairs())
	matrix, letters, err := bag.Matrix()
	done(err)
	done(bag.Close())
	show[float32]("copied", copied)
	show[float32]("lent", lent)
	show[float32]("halves", halves)
	show[float32]("matrix", matrix)
	show[uint8]("letters", letters)
	numbers := must(handles.Range(3))
	show[float64]("range", numbers)
	done(numbers.Close())
	fmt.Print("pairs")
	for z := range must(dlferry.Look[complex64](pairs)).All() {
		fmt.Print(" ", real(z), " ", imag(z))
	}
	circle := must(handles.Circle(3))
	fmt.Print("\ncircle")
	for z := range must(dlferry.Look[complex128](circle)).All() {
		fmt.Print(" ", real(z), " ", imag(z))
	}
	fmt.Println()
	done(circle.Close())
	fmt.Println("alive", handles.Live())
	_, err = handles.Range(13)
	fmt.Println(err)
	for _, how := range []int32{1, 2, 4, 5} {
		_, err = handles.Wrong(how)
		fmt.Println(err)
	}
	empty := must(handles.Wrong(3))
	fmt.Println("empty", must(dlferry.Look[int32](empty)).Len())
	_, err = bag.Values()
	fmt.Println(err)
	_, err = bag.Show()
	fmt.Println(err)
	for _, tensor := range []*dlferry.Tensor{copied, lent, halves, matrix, letters, pairs, empty} {
		done(tensor.Close())
	}
	fmt.Println("live", handles.Live())
}

func keeps() {
	given, out := []float64{1, 2}, make([]float64, 2)
	plan := must(handles.PlanMake(dlferry.Of(given, 2), dlferry.Of(out, 2)))
	done(plan.Run())
	fmt.Println("doubled", out[0], out[1])
	given[1] = 5
	done(plan.Run())
	fmt.Println("doubled", out[0], out[1])
	done(plan.Read(dlferry.Of([]float64{3, 4}, 2)))
	runtime.GC() // what C keeps stays where it is
	done(plan.Run())
	fmt.Println("doubled", out[0], out[1])
	fmt.Println(plan.Read(dlferry.Of([]float64{-1, 4}, 2)))
	fmt.Println(plan.Read(dlferry.Of(make([]float32, 2), 2)))
	done(plan.Close())
	_, err := handles.PlanMake(dlferry.Of(make([]float64, 13), 13), dlferry.Of(make([]float64, 13), 13))
	fmt.Println(err)
	_, err = handles.PlanMake(dlferry.Of(given, 2), dlferry.Of(make([]float64, 3), 3))
	fmt.Println(err)
	fmt.Println(plan.Run())
	fmt.Println("live", handles.Live())
}

func keepsObjects() {
	jar, other, bad := must(handles.JarNew(1)), must(handles.JarNew(2)), must(handles.JarNew(-1))
	shelf, upper, lower := must(handles.ShelfNew(jar)), must(handles.ShelfNew(nil)), must(handles.ShelfNew(nil))
	done(shelf.Put(other))
	done(upper.Put(other))
	done(shelf.Stack(upper))
	done(shelf.Stack(nil))
	done(shelf.Stack(upper))
	fmt.Println(shelf.Put(bad))
	done(errors.Join(jar.Close(), other.Close(), upper.Close(), bad.Close()))
	fmt.Println("shelf", must(shelf.Sum()), "furniture", handles.Furniture())
	fmt.Println(shelf.Put(jar))
	fmt.Println(shelf.Stack(upper))
	done(lower.Stack(shelf))
	fmt.Println(shelf.Stack(lower))
	done(errors.Join(shelf.Close(), lower.Close()))
	fmt.Println("furniture", handles.Furniture(), "read", handles.ReadAtTheEnd())
}

// makeAndFree makes, uses and closes handles, while tensors that they lend outlive them in other goroutines.
func makeAndFree(outliving chan *dlferry.Tensor) {
	for i := range 100 {
		given, out := []float64{float64(i)}, make([]float64, 1)
		plan := must(handles.PlanMake(dlferry.Of(given, 1), dlferry.Of(out, 1)))
		done(plan.Run())
		done(plan.Close())
		bag := must(handles.BagCreate(dlferry.Of([]float32{float32(i), 2}, 2)))
		outliving <- must(bag.Show())
		outliving <- must(bag.Halves(1))
		done(bag.Close())
		for range 2 {
			tensor := <-outliving
			if elements := must(dlferry.Look[float32](tensor)); out[0] != float64(2*i) || elements.Len() != 2 {
				log.Fatal(i, out, elements)
			}
			done(tensor.Close())
		}
	}
}

func threads() {
	outliving := make(chan *dlferry.Tensor, 16)
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			makeAndFree(outliving)
		}()
	}
	group.Wait()
	fmt.Println("collisions", handles.Collisions(), "live", handles.Live())
}

func main() {
	styles()
	gives()
	keeps()
	keepsObjects()
	threads()
}
