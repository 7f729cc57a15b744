// SPDX-License-Identifier: Apache-2.0

package dlferry_test

import (
	"errors"
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func Example() {
	pixels := []float32{0, 1, 2, 3, 4, 5}
	t, err := dlferry.Wrap(pixels, 2, 3)
	if err != nil {
		panic(err)
	}
	defer t.Close()

	managed, err := t.ToDLPack() // for any consumer, in any language
	if err != nil {
		panic(err)
	}
	other, err := dlferry.FromDLPack(managed)
	if err != nil {
		panic(err)
	}
	defer other.Close()

	pixels[5] = 50
	err = dlferry.With(other, func(elements dlferry.Elements[float32]) error {
		fmt.Println(elements.At(1, 2))
		return nil
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", other)
	// Output:
	// 50
	// float32[2, 3] cpu
}

func ExampleArray_Strided() {
	// The transpose of a 2 x 3 matrix: the same memory, seen column by column.
	t, err := dlferry.Of([]int32{0, 1, 2, 3, 4, 5}, 3, 2).Strided(0, 1, 3).Wrap()
	if err != nil {
		panic(err)
	}
	defer t.Close()
	dlferry.With(t, func(elements dlferry.Elements[int32]) error {
		for value := range elements.All() {
			fmt.Print(value, " ")
		}
		return nil
	})
	// Output: 0 3 1 4 2 5
}

func ExampleWith() {
	t, err := dlferry.Create(dlferry.Float64, dlferry.CPU, 4)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	err = dlferry.With(t, func(elements dlferry.Elements[float64]) error {
		samples, err := elements.Slice() // of no use after the function
		if err != nil {
			return err
		}
		for i := range samples {
			samples[i] = float64(i * i)
		}
		return nil
	})
	fmt.Println(t, err)
	// Output:
	// float64[4] cpu
	// [0., 1., 4., 9.] <nil>
}

func ExampleError() {
	_, err := dlferry.Wrap([]int8{1, 2, 3}, 2, 2)
	fmt.Println(errors.Is(err, dlferry.ErrShape), err)
	// Output: true wrap: expected 4 elements for shape [2, 2], got 3
}
