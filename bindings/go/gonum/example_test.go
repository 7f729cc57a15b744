// SPDX-License-Identifier: Apache-2.0

package gonum_test

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/gonum"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

func ExampleOfDense() {
	m := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	block := m.Slice(1, 3, 0, 2).(*mat.Dense) // its rows have gaps between them
	t, err := gonum.OfDense(block).Wrap()
	if err != nil {
		panic(err)
	}
	defer t.Close()
	fmt.Println(t)
	// Output:
	// float64[2, 2] strides [3, 1] cpu
	// [[4., 5.],
	//  [7., 8.]]
}

func ExampleWithDense() {
	// A tensor of any producer: here this program's own.
	t, err := dlferry.Wrap([]float64{4, 1, 1, 3}, 2, 2)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	err = gonum.WithDense(t, func(m *mat.Dense) error {
		fmt.Printf("determinant: %.0f\n", mat.Det(m))
		return m.Inverse(m) // in place: in the tensor's memory
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(t)
	// Output:
	// determinant: 11
	// float64[2, 2] cpu
	// [[ 0.27272727, -0.09090909],
	//  [-0.09090909,  0.36363636]]
}

func ExampleWithVector() {
	t, err := dlferry.Of([]float64{3, 0, 4, 0}, 2).Strided(0, 2).Wrap()
	if err != nil {
		panic(err)
	}
	defer t.Close()
	err = gonum.WithVector(t, func(v blas64.Vector) error {
		fmt.Println(blas64.Nrm2(v))
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output: 5
}

func ExampleWithMatrix() {
	t, err := dlferry.Of([]float64{1, 2, 3, 4}, 2, 2).Strided(0, 1, 2).ReadOnly().Wrap() // column-major
	if err != nil {
		panic(err)
	}
	defer t.Close()
	err = gonum.WithMatrix(t, func(m mat.Matrix) error {
		var squared mat.Dense
		squared.Mul(m, m)
		fmt.Println(squared.RawMatrix().Data)
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output: [7 15 10 22]
}
