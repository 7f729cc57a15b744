// SPDX-License-Identifier: Apache-2.0

package dlferry_test

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func ExampleCopyInto() {
	t := grid()
	defer t.Close()
	columns, err := t.Permute(1, 0)
	if err != nil {
		panic(err)
	}
	defer columns.Close()
	turned := make([]int32, 6)
	err = dlferry.CopyInto(columns, dlferry.Of(turned, 3, 2))
	fmt.Println(turned, err)
	fmt.Println(dlferry.CopyInto(dlferry.Of([]int32{7}, 3, 2).Strided(0, 0, 0), columns), t) // a number for all
	// Output:
	// [0 3 1 4 2 5] <nil>
	// <nil> int32[2, 3] cpu
	// [[7, 7, 7],
	//  [7, 7, 7]]
}

func ExampleCastInto() {
	pixels := make([]float32, 3)
	err := dlferry.CastInto(dlferry.Of([]uint8{0, 128, 255}), dlferry.Of(pixels))
	fmt.Println(pixels, err)
	// Output: [0 128 255] <nil>
}

func ExampleCastIntoSaturating() {
	bytes := make([]uint8, 3)
	err := dlferry.CastIntoSaturating(dlferry.Of([]int16{-5, 5, 500}), dlferry.Of(bytes))
	fmt.Println(bytes, err)
	// Output: [0 5 255] <nil>
}

func ExampleTensor_Cast() {
	t, err := dlferry.Wrap([]float64{1.5, -2.5, 300})
	if err != nil {
		panic(err)
	}
	defer t.Close()
	show(t.Cast(dlferry.Uint8))
	show(t.Cast(dlferry.Float16))
	// Output:
	// uint8[3] cpu
	// [  1,   0, 255]
	// float16[3] cpu
	// [  1.5,  -2.5, 300. ]
}

func ExampleTensor_CastSaturating() {
	t, err := dlferry.Wrap([]int32{-1, 300})
	if err != nil {
		panic(err)
	}
	defer t.Close()
	show(t.CastSaturating(dlferry.Uint8))
	show(t.Cast(dlferry.Uint8))
	// Output:
	// uint8[2] cpu
	// [  0, 255]
	// uint8[2] cpu
	// [255,  44]
}

func ExampleCastTo() {
	t := grid()
	defer t.Close()
	reals, err := dlferry.CastTo[float32](t)
	if err != nil {
		panic(err)
	}
	defer reals.Close()
	err = dlferry.With(reals, func(e dlferry.Elements[float32]) error {
		fmt.Println(e.At(1, 2) / 2)
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output: 2.5
}

func ExampleFill() {
	t, err := dlferry.Create(dlferry.Float4E2M1FN, dlferry.CPU, 3) // two elements a byte
	if err != nil {
		panic(err)
	}
	defer t.Close()
	fmt.Println(dlferry.Fill(t, 1.5), t)
	fmt.Println(dlferry.Fill(dlferry.Of([]int8{0}), 200))
	// Output:
	// <nil> float4_e2m1fn[3] cpu
	// [1.5, 1.5, 1.5]
	// fill: expected a number that int8 has, got 200
}

func ExampleSetThreads() {
	fmt.Println(dlferry.SetThreads(2), dlferry.SetThreads(1))
	fmt.Println(dlferry.SetThreads(0))
	// Output:
	// <nil> <nil>
	// set_threads: expected 1 to 64 threads, got 0
}
