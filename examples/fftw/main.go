// SPDX-License-Identifier: Apache-2.0

// Transform slices by FFTW: a plan keeps them, so it runs again on what they hold then.
package main

import (
	"fmt"
	"log"
	"sync"
	"sync/atomic"

	"fftw"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func must[T any](value T, err error) T {
	done(err)
	return value
}

func done(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func show[T complex64 | complex128](what string, values []T) {
	fmt.Printf("%-9s", what)
	for _, v := range values {
		z := complex128(v)
		fmt.Printf(" %g%+gi", real(z)+0, imag(z)+0) // no negative zero
	}
	fmt.Println()
}

func plan(x, y []complex128) *fftw.Plan {
	return must(fftw.PlanDft1d(dlferry.Of(x, len(x)), dlferry.Of(y, len(y)), fftw.PlanDft1dOptions{}))
}

// plans makes, uses and frees plans, and returns how many were wrong.
func plans() (wrong int64) {
	for range 50 {
		x, y := make([]complex128, 64), make([]complex128, 64)
		for i := range x {
			x[i] = 1
		}
		p := plan(x, y)
		done(fftw.Execute(p))
		done(p.Close())
		if y[0] != 64 {
			wrong++
		}
	}
	return wrong
}

func main() {
	x, y := []complex128{1, 2, 3, 4}, make([]complex128, 4)
	p := plan(x, y)
	done(fftw.Execute(p))
	show("c2c", y)
	x[0] = 5
	done(fftw.Execute(p))
	show("changed", y)
	done(p.Close())

	half, back := make([]complex128, 3), make([]float64, 4)
	forward := must(fftw.PlanDftR2c1d(dlferry.Of([]float64{1, 2, 3, 4}, 4), dlferry.Of(half, 3),
		fftw.PlanDftR2c1dOptions{}))
	done(fftw.Execute(forward))
	show("r2c", half)
	backward := must(fftw.PlanDftC2r1d(dlferry.Of(half, 3), dlferry.Of(back, 4), fftw.PlanDftC2r1dOptions{}))
	done(fftw.Execute(backward))
	fmt.Println("c2r      ", back[0], back[1], back[2], back[3])

	z := make([]complex64, 4)
	single := must(fftw.FftwfPlanDft1d(dlferry.Of([]complex64{1, 2, 3, 4}, 4), dlferry.Of(z, 4),
		fftw.FftwfPlanDft1dOptions{}))
	done(fftw.FftwfExecute(single))
	show("single", z)

	var wrong atomic.Int64
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			wrong.Add(plans())
		}()
	}
	group.Wait()
	fmt.Println("threads   200 plans,", wrong.Load(), "wrong")
	_, err := fftw.PlanDft1d(dlferry.Of(make([]complex128, 4), 4), dlferry.Of(make([]complex128, 3), 3),
		fftw.PlanDft1dOptions{})
	fmt.Println(err)
	_, err = fftw.PlanDft1d(dlferry.Of(back, 4), dlferry.Of(y, 4), fftw.PlanDft1dOptions{})
	fmt.Println(err)
	fmt.Println(fftw.Execute(p))
}
