// SPDX-License-Identifier: Apache-2.0

// Multiply arrays of any order and step by BLAS, without a copy.
package main

import (
	"fmt"
	"log"

	"blas"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func show(what string, numbers ...float64) {
	fmt.Printf("%-21s", what)
	for _, x := range numbers {
		fmt.Printf(" %g", x)
	}
	fmt.Println()
}

func main() {
	a, b, c := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 5, 6}, make([]float64, 4)
	once := blas.DgemmOptions{}
	must(blas.Dgemm(once, dlferry.Of(a, 2, 3), dlferry.Of(b, 3, 2), dlferry.Of(c, 2, 2)))
	show("rows times rows", c...)
	columns, turned := []float64{1, 4, 2, 5, 3, 6}, []float64{1, 3, 5, 2, 4, 6}
	must(blas.Dgemm(once, dlferry.Of(columns, 2, 3).Strided(0, 1, 2), dlferry.Of(turned, 3, 2).Strided(0, 1, 3),
		dlferry.Of(c, 2, 2)))
	show("columns times a turn", c...)
	window := make([]float64, 6)
	must(blas.Dgemm(once, dlferry.Of(a, 2, 3), dlferry.Of(b, 3, 2), dlferry.Of(window[1:], 2, 2).Strided(0, 3, 1)))
	show("into a window", window...)
	x, y := []float64{1, 2, 3}, make([]float64, 2)
	must(blas.Dgemv(blas.DgemvOptions{}, dlferry.Of(a, 2, 3), dlferry.Of(x), dlferry.Of(y)))
	show("matrix times vector", y...)
	backwards := dlferry.Of(x).Strided(2, -1)
	dot, err := blas.Ddot(backwards, dlferry.Of(x))
	must(err)
	show("backwards", dot)
	dot, err = blas.Ddot(backwards, backwards)
	must(err)
	show("backwards, both", dot)
	y = []float64{3, 3}
	must(blas.Daxpy(3, dlferry.Of([]float64{1, 0, 2}, 2).Strided(0, 2), dlferry.Of(y)))
	show("a step of two", y...)
	fmt.Println(blas.Dgemm(once, dlferry.Of(a, 2, 3), dlferry.Of(b[:4], 2, 2), dlferry.Of(c, 2, 2)))
	_, err = blas.Ddot(dlferry.Of([]float32{1, 2, 3}), dlferry.Of(x))
	fmt.Println(err)
}
