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

	elements, err := dlferry.View[float32](other)
	if err != nil {
		panic(err)
	}
	pixels[5] = 50
	fmt.Println(elements.At(1, 2))
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
	elements, _ := dlferry.View[int32](t)
	for value := range elements.All() {
		fmt.Print(value, " ")
	}
	// Output: 0 3 1 4 2 5
}

func ExampleError() {
	_, err := dlferry.Wrap([]int8{1, 2, 3}, 2, 2)
	fmt.Println(errors.Is(err, dlferry.ErrInvalid), err)
	// Output: true wrap: expected a slice that shape [2, 2] fills, got 3 elements
}
