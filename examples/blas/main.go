// SPDX-License-Identifier: Apache-2.0

// Multiply and solve with arrays of any order, step and dtype by BLAS and LAPACK, without a copy.
package main

import (
	"fmt"
	"log"
	"math"
	"slices"

	"blas"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func value[T any](result T, err error) T {
	must(err)
	return result
}

func show[T float32 | float64 | int32](what string, numbers ...T) {
	fmt.Printf("%-21s", what)
	for _, x := range numbers {
		fmt.Printf(" %g", math.Round(float64(x)*1e6)/1e6)
	}
	fmt.Println()
}

func complexText(z complex128) string { return fmt.Sprintf("%g%+gi", real(z), imag(z)) }

func elements[T dlferry.Element](t *dlferry.Tensor) []T {
	return value(value(dlferry.Look[T](t)).Slice())
}

// layout says where the element (row, column) of a matrix of 2x2 lies.
type layout struct {
	name                string
	first, down, across int
}

var layouts = []layout{{"rows", 0, 2, 1}, {"columns", 0, 1, 2}, {"a window", 5, 4, 1}, {"its turn", 5, 1, 4}}

func (l layout) at(i int) int { return l.first + i/2*l.down + i%2*l.across }

func solve[T dlferry.Element](name string, l layout, of func(float64) T, back func(T) float64) {
	matrix, right := make([]T, 16), make([]T, 16)
	for i, x := range []float64{0, 2, 4, 0} {
		matrix[l.at(i)] = of(x)
	}
	for i, x := range []float64{2, 4, 8, 4} {
		right[l.at(i)] = of(x)
	}
	value(blas.Gesv(dlferry.Of(matrix, 2, 2).Strided(l.first, l.down, l.across),
		dlferry.Of(right, 2, 2).Strided(l.first, l.down, l.across))).Close()
	show("solved "+name+" "+l.name, back(right[l.at(0)]), back(right[l.at(1)]), back(right[l.at(2)]), back(right[l.at(3)]))
}

func decompose(order string, matrix dlferry.Arg) {
	s, u, vt, err := blas.Gesdd(matrix)
	must(err)
	same := map[string][]int{"rows": {2, 1, 2, 1}, "columns": {1, 3, 1, 2}}[order]
	if !slices.Equal(slices.Concat(u.Strides(), vt.Strides()), same) {
		log.Fatal(u.Strides(), vt.Strides())
	}
	values := elements[float32](s)
	fmt.Printf("%-21s %g %g %s\n", "singular values", values[0], values[1], order)
	for _, result := range []*dlferry.Tensor{s, u, vt} {
		must(result.Close())
	}
}

func main() {
	a, b, c := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 5, 6}, make([]float64, 4)
	once := blas.GemmOptions{}
	must(blas.Gemm(once, dlferry.Of(a, 2, 3), dlferry.Of(b, 3, 2), dlferry.Of(c, 2, 2)))
	show("rows times rows", c...)
	columns, turned := []float64{1, 4, 2, 5, 3, 6}, []float64{1, 3, 5, 2, 4, 6}
	must(blas.Gemm(once, dlferry.Of(columns, 2, 3).Strided(0, 1, 2), dlferry.Of(turned, 3, 2).Strided(0, 1, 3),
		dlferry.Of(c, 2, 2)))
	show("columns times a turn", c...)
	window := make([]float64, 6)
	must(blas.Gemm(once, dlferry.Of(a, 2, 3), dlferry.Of(b, 3, 2), dlferry.Of(window[1:], 2, 2).Strided(0, 3, 1)))
	show("into a window", window...)
	fortran := make([]float64, 4)
	must(blas.Gemm(once, dlferry.Of(a, 2, 3), dlferry.Of(b, 3, 2), dlferry.Of(fortran, 2, 2).Strided(0, 1, 2)))
	show("into columns", fortran[0], fortran[2], fortran[1], fortran[3])
	narrow, single := []float32{1, 2, 3, 4, 5, 6}, make([]float32, 4)
	half := blas.GemmOptions{Alpha: dlferry.Ptr[complex128](0.5)}
	must(blas.Gemm(half, dlferry.Of(narrow, 2, 3), dlferry.Of(narrow, 3, 2), dlferry.Of(single, 2, 2)))
	show("halves in float32", single...)
	x, y := []float64{1, 2, 3}, make([]float64, 2)
	must(blas.Gemv(blas.GemvOptions{}, dlferry.Of(a, 2, 3), dlferry.Of(x), dlferry.Of(y)))
	show("matrix times vector", y...)
	backwards := dlferry.Of(x).Strided(2, -1)
	show("backwards", value(blas.Dot(backwards, dlferry.Of(x))))
	show("backwards, both", value(blas.Dot(backwards, backwards)))
	y = []float64{3, 3}
	must(blas.Axpy(3, dlferry.Of([]float64{1, 0, 2}, 2).Strided(0, 2), dlferry.Of(y)))
	show("a step of two", y...)

	z, product := []complex128{2, 1i}, make([]complex128, 1)
	turn := blas.GemmOptions{Alpha: dlferry.Ptr(1i)}
	must(blas.Gemm(turn, dlferry.Of(z, 1, 2), dlferry.Of(z, 2, 1), dlferry.Of(product, 1, 1)))
	fmt.Printf("%-21s %s\n", "complex matrices", complexText(product[0]))
	dotu, dotc := value(blas.Dotu(dlferry.Of(z), dlferry.Of(z))), value(blas.Dotc(dlferry.Of(z), dlferry.Of(z)))
	fmt.Printf("%-21s %s %s\n", "complex vectors", complexText(dotu), complexText(dotc))
	show("lengths", value(blas.Nrm2(dlferry.Of([]float64{3, 4}))), value(blas.Nrm2(dlferry.Of([]complex64{3 + 4i}))))

	matrix, right := []float64{0, 2, 4, 0}, []float64{2, 8}
	pivots := value(blas.Gesv(dlferry.Of(matrix, 2, 2), dlferry.Of(right, 2, 1)))
	defer pivots.Close()
	show("solved", right...)
	show("pivots", elements[int32](pivots)...)
	for _, l := range layouts {
		solve("f32", l, func(x float64) float32 { return float32(x) }, func(x float32) float64 { return float64(x) })
	}
	for _, l := range layouts {
		solve("f64", l, func(x float64) float64 { return x }, func(x float64) float64 { return x })
	}
	for _, l := range layouts {
		solve("c64", l, func(x float64) complex64 { return complex(float32(x), 0) },
			func(x complex64) float64 { return float64(real(x)) })
	}
	row := []float64{0, 2, 0, 4, 0, 6}
	value(blas.Gesv(dlferry.Of([]float64{2}, 1, 1), dlferry.Of(row, 1, 3).Strided(1, 1, 2))).Close()
	show("one row of columns", row[1], row[3], row[5])
	decompose("rows", dlferry.Of([]complex64{3, 0, 0, 4, 0, 0}, 3, 2))
	decompose("columns", dlferry.Of([]complex64{3, 0, 0, 0, 4, 0}, 3, 2).Strided(0, 1, 3))
	fmt.Println(blas.Gemm(once, dlferry.Of(a, 2, 3), dlferry.Of(b[:4], 2, 2), dlferry.Of(c, 2, 2)))
	_, err := blas.Dot(dlferry.Of([]float32{1, 2, 3}), dlferry.Of(x))
	fmt.Println(err)
	fmt.Println(blas.Gemm(once, dlferry.Of(make([]int32, 6), 2, 3), dlferry.Of(b, 3, 2), dlferry.Of(c, 2, 2)))
	fmt.Println(blas.Gemm(turn, dlferry.Of(a, 2, 3), dlferry.Of(b, 3, 2), dlferry.Of(c, 2, 2)))
	_, err = blas.Gesv(dlferry.Of(make([]float64, 4), 2, 2), dlferry.Of(right, 2, 1))
	fmt.Println(err)
	_, err = blas.Gesv(dlferry.Of(a[:4], 2, 2), dlferry.Of(c, 2, 2).Strided(0, 1, 2))
	fmt.Println(err)
	_, err = blas.Gesv(dlferry.Of(a, 2, 2).Strided(2, -2, 1), dlferry.Of(c, 2, 2))
	fmt.Println(err)
}
