// SPDX-License-Identifier: Apache-2.0

package dlferry_test

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// grid is 2 rows of 3 numbers, from 0.
func grid() *dlferry.Tensor {
	t, err := dlferry.Wrap([]int32{0, 1, 2, 3, 4, 5}, 2, 3)
	if err != nil {
		panic(err)
	}
	return t
}

func show(view *dlferry.Tensor, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	defer view.Close()
	fmt.Println(view)
}

func ExampleTensor_Slice() {
	t := grid()
	defer t.Close()
	show(t.Slice(1, 2, 2, -2)) // of each row the last element, then the first
	show(t.Slice(0, 1, 2, 1))
	// Output:
	// int32[2, 2] strides [3, -2] cpu
	// [[2, 0],
	//  [5, 3]]
	// slice: expected 2 elements from 1 in steps of 1 inside axis 0 (from 0) of extent 2
}

func ExampleTensor_Select() {
	t := grid()
	defer t.Close()
	show(t.Select(0, 1))
	// Output:
	// int32[3] cpu
	// [3, 4, 5]
}

func ExampleTensor_Index() {
	t := grid()
	defer t.Close()
	show(t.Index(dlferry.One(1), dlferry.NewAxis(), dlferry.Range(0, 2, 2)))
	// Output:
	// int32[1, 2] strides [1, 2] cpu
	// [[3, 5]]
}

func ExampleTensor_Permute() {
	t := grid()
	defer t.Close()
	show(t.Permute(1, 0))
	// Output:
	// int32[3, 2] strides [1, 3] cpu
	// [[0, 3],
	//  [1, 4],
	//  [2, 5]]
}

func ExampleTensor_Reshape() {
	t := grid()
	defer t.Close()
	show(t.Reshape(3, -1))
	// Output:
	// int32[3, 2] cpu
	// [[0, 1],
	//  [2, 3],
	//  [4, 5]]
}

func ExampleTensor_Broadcast() {
	row, err := dlferry.Wrap([]int32{1, 2, 3})
	if err != nil {
		panic(err)
	}
	defer row.Close()
	show(row.Broadcast(2, 3))
	// Output:
	// int32[2, 3] strides [0, 1] cpu
	// [[1, 2, 3],
	//  [1, 2, 3]]
}

func ExampleTensor_Flip() {
	t := grid()
	defer t.Close()
	show(t.Flip(0))
	// Output:
	// int32[2, 3] strides [-3, 1] cpu
	// [[3, 4, 5],
	//  [0, 1, 2]]
}

func ExampleTensor_Unsqueeze() {
	t := grid()
	defer t.Close()
	one, err := t.Unsqueeze(0)
	if err != nil {
		panic(err)
	}
	defer one.Close()
	fmt.Println(one.Shape())
	back, err := one.Squeeze(0)
	if err != nil {
		panic(err)
	}
	defer back.Close()
	fmt.Println(back.Shape())
	// Output:
	// [1 2 3]
	// [2 3]
}

func ExampleTensor_Bitcast() {
	t, err := dlferry.Wrap([]float32{1, -2})
	if err != nil {
		panic(err)
	}
	defer t.Close()
	show(t.Bitcast(dlferry.Int32))
	// Output:
	// int32[2] cpu
	// [ 1065353216, -1073741824]
}

func ExampleTensor_PackLanes() {
	t, err := dlferry.Wrap([]uint8{1, 2, 3, 4, 5, 6, 7, 8}, 2, 4)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	colours, err := t.PackLanes()
	if err != nil {
		panic(err)
	}
	defer colours.Close()
	fmt.Println(colours.DType(), colours.Shape())
	blue, err := colours.ReadLane(2, 1) // lane 2 of element 1
	fmt.Println(blue, err)
	// Output:
	// uint8x4 [2]
	// 7 <nil>
}
