// SPDX-License-Identifier: Apache-2.0

// Command main closes objects inside a call of each kind of function. It prints errors.
package main

import (
	"runtime"

	dlferry "github.com/dlferry/dlferry/bindings/go"

	"kept"
)

const rounds = 1000

var made int64

// A call of one kind of function, which stays inside until the round ends.
type call struct {
	name string
	run  func(box *kept.Box, plan *kept.Plan)
}

func vector() *dlferry.Array { return dlferry.Of([]float64{1, 2, 3}, 3) }

// alone opens an object that alone has a tensor of Go.
func alone[O any](open func(tensor dlferry.Arg) (O, error)) O {
	tensor := owned()
	made++
	object := must(open(tensor))
	no(tensor.Close())
	return object
}

func closed(tensor *dlferry.Tensor, err error) {
	no(err)
	no(tensor.Close())
}

func closedBox(box *kept.Box, err error) {
	no(err)
	no(box.Close())
}

func refused(err error) { expect("refused", err != nil, true) }

func refusedGift(tensor *dlferry.Tensor, err error) {
	expect("no gift", tensor == nil, true)
	refused(err)
}

func move(box *kept.Box) {
	other := alone(kept.BoxOpen)
	no(box.Move(other))
	no(other.Close())
}

// keep closes the tensor before C returns: C has the last use of it.
func keep(box *kept.Box) {
	tensor := owned()
	made++
	no(box.Keep(tensor))
	no(tensor.Close())
}

func forget(box *kept.Box) {
	tensor := owned()
	made++
	refused(box.Forget(tensor))
	no(tensor.Close())
}

func round(call call) {
	kept.Begin()
	box, plan := alone(kept.BoxOpen), alone(kept.PlanOpen)
	left := make(chan struct{})
	go func() {
		defer close(left)
		call.run(box, plan)
	}()
	for !kept.IsInside() {
		runtime.Gosched()
	}
	no(box.Close())
	no(plan.Close())
	kept.End()
	<-left
}

func main() {
	for _, call := range calls {
		for range rounds {
			round(call)
		}
	}
	done(func() int64 { return made - deleted.Load() })
}
