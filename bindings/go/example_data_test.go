// SPDX-License-Identifier: Apache-2.0

package dlferry_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func ExampleTensor_Contiguous() {
	t := grid()
	defer t.Close()
	columns, err := t.Permute(1, 0)
	if err != nil {
		panic(err)
	}
	defer columns.Close()
	fmt.Println(columns.Strides(), columns.IsContiguous(dlferry.RowMajor))
	rows, err := columns.Contiguous(dlferry.RowMajor) // a copy, since columns is not row-major
	if err != nil {
		panic(err)
	}
	defer rows.Close()
	shared, err := rows.Overlap(t)
	fmt.Println(rows.Strides(), shared, err)
	// Output:
	// [1 3] false
	// [2 1] false <nil>
}

func ExampleTensor_Equal() {
	t := grid()
	defer t.Close()
	fmt.Println(t.Equal(dlferry.Of([]float64{0, 1, 2, 3, 4, 5}, 2, 3))) // numbers, for any dtypes
	fmt.Println(t.Identical(dlferry.Of([]float64{0, 1, 2, 3, 4, 5}, 2, 3)))
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleTensor_AllClose() {
	t, err := dlferry.Wrap([]float32{1, 2})
	if err != nil {
		panic(err)
	}
	defer t.Close()
	fmt.Println(t.AllClose(dlferry.Of([]float64{1.000001, 2}), 1e-5, 1e-8, false))
	// Output: true <nil>
}

func ExampleTensor_Read() {
	t, err := dlferry.Of([]byte{0x21, 0x43}, 4).As(dlferry.Float4E2M1FN).Wrap() // two elements a byte
	if err != nil {
		panic(err)
	}
	defer t.Close()
	for i := range t.Dim(0) {
		fmt.Println(t.Read(i))
	}
	fmt.Println(t.Contains(1.5))
	// Output:
	// 0.5 <nil>
	// 1 <nil>
	// 1.5 <nil>
	// 2 <nil>
	// true <nil>
}

func ExampleTensor_ByteRange() {
	t := grid()
	defer t.Close()
	back, err := t.Flip(0)
	if err != nil {
		panic(err)
	}
	defer back.Close()
	fmt.Println(back.ByteRange()) // from the first element, which is in the last row
	fmt.Println(back.ByteSize())
	// Output:
	// -12 12 <nil>
	// 24 <nil>
}

func ExampleCompactStrides() {
	fmt.Println(dlferry.CompactStrides(dlferry.RowMajor, 2, 3, 4))
	fmt.Println(dlferry.CompactStrides(dlferry.ColumnMajor, 2, 3, 4))
	// Output:
	// [12 4 1] <nil>
	// [1 2 6] <nil>
}

func ExampleTensor_Export() {
	t := grid()
	defer t.Close()
	managed, err := t.Export(dlferry.ExportOptions{Device: dlferry.CPU, Copy: dlferry.CopyAlways})
	if err != nil {
		panic(err)
	}
	copied, err := dlferry.FromDLPack(managed)
	if err != nil {
		panic(err)
	}
	defer copied.Close()
	fmt.Println(copied.Overlap(t))
	_, err = t.Export(dlferry.ExportOptions{Device: dlferry.Device{Type: dlferry.DeviceCUDA}})
	fmt.Println(err)
	// Output:
	// false <nil>
	// to_dlpack: expected device cuda:0, got cpu
}

func ExampleTensor_ToDevice() {
	t := grid()
	defer t.Close()
	here, err := t.ToDevice(dlferry.CPU, dlferry.CopyIfNeeded)
	if err != nil {
		panic(err)
	}
	defer here.Close()
	fmt.Println(here.Data() == t.Data())
	// Output: true
}

func ExampleNpyOpen() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "grid.npy")
	if err := dlferry.NpySave(dlferry.Of([]float32{1, 2, 3, 4}, 2, 2), path); err != nil {
		panic(err)
	}
	t, err := dlferry.NpyOpen(path) // mapped, not read
	if err != nil {
		panic(err)
	}
	defer t.Close()
	fmt.Println(t)
	// Output:
	// float32[2, 2] cpu read-only
	// [[1., 2.],
	//  [3., 4.]]
}

func ExampleContract() {
	blur, err := dlferry.CompileContract("image: T[h, w]; out: T[h, w] noalias; T in f32|f64; sigma > 0", "blur",
		dlferry.Parameter{Name: "image", Kind: dlferry.ParameterInput},
		dlferry.Parameter{Name: "sigma", Kind: dlferry.ParameterReal},
		dlferry.Parameter{Name: "out", Kind: dlferry.ParameterOutput})
	if err != nil {
		panic(err)
	}
	image := dlferry.Of(make([]float32, 6), 2, 3)
	out, err := blur.Create("out", image, 1.5, nil) // of the dtype and shape that the inputs determine
	if err != nil {
		panic(err)
	}
	defer out.Close()
	fmt.Println(out.Describe(), blur.Match(image, 1.5, out))
	err = blur.Match(image, -1, out)
	fmt.Println(err, errors.Is(err, dlferry.ErrInvalid))
	// Output:
	// float32[2, 3] cpu <nil>
	// blur: sigma is -1, wanted sigma > 0 true
}

func ExampleTensor_DescribeJSON() {
	var none *dlferry.Tensor
	fmt.Printf("%s\n", none.DescribeJSON())
	// Output: null
}

func ExampleNarrow() {
	half := dlferry.Narrow[dlferry.F16](0.1)
	fmt.Println(half, half.Float64())
	fmt.Println(dlferry.Narrow[dlferry.F8E4M3FN](17)) // to the nearest of 16, 18, ...
	// Output:
	// 0.099975586 0.0999755859375
	// 16
}
