// SPDX-License-Identifier: Apache-2.0

// Values of every kind but tensors, in and out of C.
package main

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"scalars"
)

func show(what string, values ...any) {
	fmt.Printf("%-12s", what)
	for _, value := range values {
		fmt.Printf(" %v", value)
	}
	fmt.Println()
}

func number(z complex128) string { return fmt.Sprintf("%g%+gi", real(z), imag(z)) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	show("times", number(scalars.Times(1+2i, 3-1i)))
	show("timesf", number(complex128(scalars.Timesf(1i, 1i))))
	show("real", number(scalars.Times(2, 1.5)))
	x := []complex128{1, 1i}
	check(scalars.Scale(2i, dlferry.Of(x)))
	show("scale", number(x[0]), number(x[1]))
	y := []complex64{2}
	check(scalars.Scalef(scalars.ScalefOptions{}, dlferry.Of(y)))
	show("default", number(complex128(y[0])))
	show("total", number(must(scalars.Total(dlferry.Of(x)))))
	total, odd, err := scalars.Sum(dlferry.Of(x[:1]))
	check(err)
	show("sum", number(total), map[bool]int{true: 1}[odd])
	lower := scalars.TriangleOptions{Uplo: dlferry.Ptr[byte]('L'), Any: dlferry.Ptr[byte]('y')}
	show("triangle", must(scalars.Triangle(scalars.TriangleOptions{})), must(scalars.Triangle(lower)))
	show("grade", string(must(scalars.Grade(60))))
	show("mean", must(scalars.Mean(dlferry.Of([]float64{1, 2, 3, 4}, 2).Strided(3, -3))))
	given := scalars.WithinOptions{Tolerance: dlferry.Ptr(2.0), Most: dlferry.Ptr[int32](3)}
	show("within", scalars.Within(scalars.WithinOptions{}), scalars.Within(given))
	greeting := must(scalars.Greet(scalars.GreetOptions{Name: dlferry.Ptr("you")}))
	absent := "present"
	if must(scalars.Greet(scalars.GreetOptions{})) == nil {
		absent = "absent"
	}
	show("greet", *greeting, absent)
	quick := scalars.PlanOptions{Sign: dlferry.Ptr[int32](scalars.Backward), Flags: dlferry.Ptr[uint32](scalars.Quick)}
	show("plan", scalars.Plan(scalars.PlanOptions{}), scalars.Plan(quick))
	two := scalars.ModesOptions{Modes: dlferry.Ptr(scalars.Two)}
	show("modes", must(scalars.Modes(scalars.ModesOptions{})), must(scalars.Modes(two)))
	show("fixed", must(scalars.Fixed(dlferry.Of([]float64{1, 1, 1}))))
	z := []float32{10, 20}
	check(scalars.Axpy(scalars.AxpyOptions{Alpha: dlferry.Ptr[complex128](2)}, dlferry.Of([]float32{1, 2}), dlferry.Of(z)))
	show("axpy", z[0], z[1])
	w := []complex128{0}
	check(scalars.Axpy(scalars.AxpyOptions{Alpha: dlferry.Ptr(1i)}, dlferry.Of([]complex128{1}), dlferry.Of(w)))
	show("axpy", number(w[0]))
	show("largest", must(scalars.Largest(dlferry.Of(z))), must(scalars.Largest(dlferry.Of([]float64{3, -4}))))
	lengths := must(scalars.Abs(dlferry.Of([]complex64{3 + 4i})))
	defer lengths.Close()
	show("abs", must(dlferry.Look[float32](lengths)).At(0), lengths.DType())
	_, err = scalars.Triangle(scalars.TriangleOptions{Uplo: dlferry.Ptr[byte]('u')})
	fmt.Println(err)
	fmt.Println(scalars.Check(1))
	fmt.Println(scalars.Count(1))
	options := scalars.SolveOptions{}
	fmt.Println(scalars.Solve(options, dlferry.Of([]float64{1, 2, 3, 0}, 2, 2)))
	fmt.Println(scalars.Solve(options, dlferry.Of([]float64{1, 2, 3, -1}, 2, 2)))
	_, err = scalars.Total(dlferry.Of([]float64{1, 1}))
	fmt.Println(err)
	fmt.Println(scalars.Axpy(scalars.AxpyOptions{Alpha: dlferry.Ptr(1i)}, dlferry.Of([]float32{1}), dlferry.Of([]float32{1})))
	fmt.Println(scalars.Axpy(scalars.AxpyOptions{}, dlferry.Of([]int32{1}), dlferry.Of([]float32{1})))
}
