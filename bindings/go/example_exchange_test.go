// SPDX-License-Identifier: Apache-2.0

package dlferry_test

import (
	"errors"
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func ExampleTensor_ToDLPackLegacy() {
	t := grid()
	defer t.Close()
	managed, err := t.ToDLPackLegacy() // for a consumer of DLPack 0.8
	if err != nil {
		panic(err)
	}
	back, err := dlferry.FromDLPackLegacy(managed)
	if err != nil {
		panic(err)
	}
	defer back.Close()
	fmt.Println(back.DLPackVersion(), t.DLPackVersion())
	// Output:
	// {0 8} {1 3}
}

func ExampleTensor_ToDLPackCopy() {
	t := grid()
	defer t.Close()
	managed, err := t.ToDLPackCopy()
	if err != nil {
		panic(err)
	}
	copied, err := dlferry.FromDLPack(managed)
	if err != nil {
		panic(err)
	}
	defer copied.Close()
	fmt.Println(copied.Describe())
	// Output:
	// int32[2, 3] cpu copied
}

func ExampleReleaseDLPack() {
	t := grid()
	managed, err := t.ToDLPack()
	if err != nil {
		panic(err)
	}
	t.Close() // the export keeps the elements
	fmt.Println(dlferry.Live() > 0)
	dlferry.ReleaseDLPack(managed) // no consumer took it
	// Output:
	// true
}

func ExampleReleaseDLPackLegacy() {
	t := grid()
	defer t.Close()
	managed, err := t.ToDLPackLegacy()
	if err != nil {
		panic(err)
	}
	fmt.Println(t.IsUnique())
	dlferry.ReleaseDLPackLegacy(managed)
	fmt.Println(t.IsUnique())
	// Output:
	// false
	// true
}

func ExampleTensor_ExportDevice() {
	t := grid()
	defer t.Close()
	fmt.Println(t.ExportDevice())
	// Output:
	// cpu <nil>
}

func ExampleTensor_Flags() {
	t, err := dlferry.Of([]byte("read"), 4).ReadOnly().Wrap()
	if err != nil {
		panic(err)
	}
	defer t.Close()
	fmt.Println(t.Flags(), t.ReadOnly())
	// Output:
	// 1 true
}

func ExampleTensor_Check() {
	t := grid()
	defer t.Close()
	fmt.Println(t.Check(dlferry.CheckStructure))
	// Output:
	// <nil>
}

func ExampleTensor_DLTensor() {
	t := grid()
	defer t.Close()
	kernel := t.DLTensor() // a const DLTensor *, for a function of C
	fmt.Println(kernel != nil)
	// Output:
	// true
}

func ExampleOneAPIEnable() {
	err := dlferry.OneAPIEnable("/no/such/libDPCTLSyclInterface.so")
	fmt.Println(errors.Is(err, dlferry.ErrForeign))
	// Output:
	// true
}
