// SPDX-License-Identifier: Apache-2.0

package dlferry_test

import (
	"fmt"
	"strings"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func ExampleParseDType() {
	dtype, err := dlferry.ParseDType("uint8x4")
	if err != nil {
		panic(err)
	}
	fmt.Println(dtype.Bits(), dtype.Lanes(), dtype.Size())
	// Output:
	// 8 4 4
}

func ExampleDType_String() {
	fmt.Println(dlferry.BFloat16, dlferry.BFloat16.Short())
	// Output:
	// bfloat16 bf16
}

func ExampleParseDevice() {
	device, err := dlferry.ParseDevice("cuda:1")
	if err != nil {
		panic(err)
	}
	fmt.Println(device.Type == dlferry.DeviceCUDA, device.ID, device.IsCPUAccessible())
	// Output:
	// true 1 false
}

func ExampleDevice_String() {
	fmt.Println(dlferry.CPU, dlferry.Device{Type: dlferry.DeviceCUDA, ID: 1})
	// Output:
	// cpu cuda:1
}

func ExampleStatus_String() {
	fmt.Println(dlferry.ErrReadOnly)
	// Output:
	// READ_ONLY
}

func ExampleVersion() {
	var major, minor, patch int
	fmt.Sscanf(dlferry.Version(), "%d.%d.%d", &major, &minor, &patch)
	fmt.Println(dlferry.VersionNumber() == major*10000+minor*100+patch, strings.Count(dlferry.Version(), "."))
	// Output:
	// true 2
}

func ExampleContract_Infer() {
	contract, err := dlferry.CompileContract("x: f32[n];  out: f32[n, 2]", "pairs",
		dlferry.Parameter{Name: "x", Kind: dlferry.ParameterInput},
		dlferry.Parameter{Name: "out", Kind: dlferry.ParameterOutput})
	if err != nil {
		panic(err)
	}
	x := dlferry.Of([]float32{1, 2, 3}, 3)
	fmt.Println(contract.MatchInputs(x, nil))
	prototype, err := contract.Infer("out", x, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(prototype.Shape, contract.Format("out"))
	// Output:
	// <nil>
	// [3 2] f32[n, 2]
}
