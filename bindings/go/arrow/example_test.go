// SPDX-License-Identifier: Apache-2.0

package arrow_test

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	dlferry "github.com/dlferry/dlferry/bindings/go"
	dlarrow "github.com/dlferry/dlferry/bindings/go/arrow"
)

func ExampleFromArray() {
	builder := array.NewFloat64Builder(memory.DefaultAllocator)
	defer builder.Release()
	builder.AppendValues([]float64{1, 2, 3}, nil)
	column := builder.NewArray()

	t, err := dlarrow.FromArray(column)
	column.Release() // the tensor keeps the data
	if err != nil {
		panic(err)
	}
	defer t.Close()
	fmt.Println(t)
	// Output:
	// float64[3] cpu read-only
	// [1., 2., 3.]
}

func ExampleToArray() {
	t, err := dlferry.Wrap([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		panic(err)
	}
	defer t.Close()
	lists, err := dlarrow.ToArray(t) // each row is a list
	if err != nil {
		panic(err)
	}
	defer lists.Release()
	schema := arrow.NewSchema([]arrow.Field{{Name: "embedding", Type: lists.DataType()}}, nil)
	record := array.NewRecordBatch(schema, []arrow.Array{lists}, int64(lists.Len()))
	defer record.Release()
	fmt.Println(record.Column(0))
	// Output: [[1 2 3] [4 5 6]]
}

func ExampleToTensor() {
	t, err := dlferry.Of([]int64{1, 2, 3, 4}, 2, 2).Strided(0, 1, 2).Wrap() // column-major
	if err != nil {
		panic(err)
	}
	defer t.Close()
	made, err := dlarrow.ToTensor(t, "row", "column")
	if err != nil {
		panic(err)
	}
	defer made.Release()
	fmt.Println(made.DimNames(), made.Shape(), made.Strides(), made.IsColMajor())
	// Output: [row column] [2 2] [8 16] true
}
