// SPDX-License-Identifier: Apache-2.0

package dlferry_test

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func ExampleTensor_Count() {
	t := grid()
	defer t.Close()
	fmt.Println(t.Count())
	// Output:
	// 6 <nil>
}

func ExampleTensor_Alignment() {
	t, err := dlferry.Create(dlferry.Float32, dlferry.CPU, 3)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	fmt.Println(t.Alignment() >= 256, t.IsReachable())
	// Output:
	// true true
}

func ExampleTensor_HeldBytes() {
	t, err := dlferry.Create(dlferry.Uint8, dlferry.CPU, 10000)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	fmt.Println(t.HeldBytes() > 10000)
	// Output:
	// true
}

func ExampleTensor_CopyPadded() {
	int4, err := dlferry.ParseDType("int4")
	if err != nil {
		panic(err)
	}
	packed, err := dlferry.Create(int4, dlferry.CPU, 3)
	if err != nil {
		panic(err)
	}
	defer packed.Close()
	padded, err := packed.CopyPadded()
	if err != nil {
		panic(err)
	}
	defer padded.Close()
	fmt.Println(packed.ByteSize())
	fmt.Println(padded.ByteSize())
	// Output:
	// 2 <nil>
	// 3 <nil>
}

func ExampleTensor_UnpackLanes() {
	rgba, err := dlferry.ParseDType("uint8x4")
	if err != nil {
		panic(err)
	}
	t, err := dlferry.Create(rgba, dlferry.CPU, 2)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	view, err := t.UnpackLanes()
	if err != nil {
		panic(err)
	}
	defer view.Close()
	fmt.Println(view.Describe())
	// Output:
	// uint8[2, 4] cpu
}

func ExampleTensor_String() {
	t := grid()
	defer t.Close()
	fmt.Println(t)
	// Output:
	// int32[2, 3] cpu
	// [[0, 1, 2],
	//  [3, 4, 5]]
}
