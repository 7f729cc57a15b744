// SPDX-License-Identifier: Apache-2.0

// Package cases runs tests/cases/bad_input.json, which every language runs: same input, same status, same text.
package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"

	"photo"
)

type tensorSpec struct {
	DType    string `json:"dtype"`
	Device   string `json:"device"`
	Shape    []int  `json:"shape"`
	Strides  []int  `json:"strides"`
	ReadOnly bool   `json:"read_only"`
	Value    *float64
	AliasOf  string `json:"alias_of"`
	Offset   int    `json:"offset"`
	Skew     int    `json:"skew"`
}

type testCase struct {
	Name      string
	Call      string
	Tensors   map[string]tensorSpec
	Scalars   map[string]json.RawMessage
	Malformed string
	Legacy    bool
	Deleted   int64
	Status    string
	Message   string
	Only      []string
}

func TestMain(m *testing.M) {
	status := m.Run()
	if live := dlferry.Live(); status == 0 && live != 0 {
		fmt.Printf("FAIL: %d tensors are still alive\n", live)
		status = 1
	}
	os.Exit(status)
}

func read(t *testing.T) []testCase {
	var file struct{ Cases []testCase }
	bytes, err := os.ReadFile("../../../../tests/cases/bad_input.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(bytes, &file); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(file.Cases, func(c testCase) bool {
		return c.Only != nil && !slices.Contains(c.Only, "go")
	})
}

func TestBadInput(t *testing.T) {
	cases := read(t)
	if len(cases) < 30 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		switch {
		case c.Malformed != "":
			t.Run(c.Name, func(t *testing.T) { imports(t, c) })
		default:
			t.Run(c.Name+"/tensors", func(t *testing.T) { calls(t, c, asTensor) })
			if canBeSlices(c) {
				t.Run(c.Name+"/slices", func(t *testing.T) { calls(t, c, asSlice) })
			}
		}
	}
}

func expect(t *testing.T, c testCase, err error) {
	t.Helper()
	status, message := "OK", ""
	var failure *dlferry.Error
	if errors.As(err, &failure) {
		status, message = failure.Status.String(), err.Error()
	} else if err != nil {
		t.Fatalf("not a *dlferry.Error: %v", err)
	}
	if status != c.Status || message != c.Message {
		t.Errorf("expected %s %q, got %s %q", c.Status, c.Message, status, message)
	}
}

func imports(t *testing.T, c testCase) {
	before := helper.MalformedDeleted()
	take := dlferry.FromDLPack
	if c.Legacy {
		take = dlferry.FromDLPackLegacy
	}
	tensor, err := take(helper.Malformed(c.Malformed, c.Legacy))
	expect(t, c, err)
	tensor.Close()
	if got := helper.MalformedDeleted() - before; got != c.Deleted {
		t.Errorf("expected %d deleters, got %d", c.Deleted, got)
	}
}

// A flag that DLPack does not name changes what the elements are, nobody knows how: wherever it stands among 63, no
// kernel gets them. The hub's import clears the 64th, which is its own.
func TestUnknownFlags(t *testing.T) {
	for bit := 3; bit < 63; bit++ {
		spec := helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{2, 3}, DeviceType: 1, Flags: 1 << bit}
		tensor, err := dlferry.FromDLPack(helper.Make(spec))
		if err != nil {
			t.Fatal(err)
		}
		wanted := fmt.Sprintf("expected flags that DLPack 1.3 names, got %#x", spec.Flags)
		expect(t, testCase{Status: "UNSUPPORTED", Message: "sobel: image: " + wanted}, failed(photo.Sobel(tensor)))
		_, err = dlferry.View[float32](tensor)
		expect(t, testCase{Status: "UNSUPPORTED", Message: "look: " + wanted}, err)
		tensor.Close()
	}
}

func failed(made *dlferry.Tensor, err error) error {
	made.Close()
	return err
}

// A maker makes the argument of this name; it may use those made before it.
type maker func(t *testing.T, c testCase, name string) dlferry.Arg

func calls(t *testing.T, c testCase, build maker) {
	arguments := map[string]dlferry.Arg{}
	argument := func(name string) dlferry.Arg {
		if _, given := c.Tensors[name]; given && arguments[name] == nil {
			arguments[name] = build(t, c, name)
		}
		return arguments[name]
	}
	var err error
	var made *dlferry.Tensor
	switch c.Call {
	case "photo_gray":
		made, err = call(argument, photo.Gray, photo.GrayInto, "rgb")
	case "photo_sobel":
		made, err = call(argument, photo.Sobel, photo.SobelInto, "image")
	case "photo_equalize":
		made, err = call(argument, photo.Equalize, photo.EqualizeInto, "image")
	case "photo_blur":
		options := photo.DefaultBlurOptions()
		scalar(t, c, "sigma", &options.Sigma)
		made, err = call(argument,
			func(image dlferry.Arg) (*dlferry.Tensor, error) { return photo.Blur(image, options) },
			func(image, out dlferry.Arg) error { return photo.BlurInto(image, options, out) }, "image")
	case "photo_difference":
		a, b := argument("a"), argument("b")
		if out := argument("out"); out != nil {
			err = photo.DifferenceInto(a, b, out)
		} else {
			made, err = photo.Difference(a, b)
		}
	case "photo_draw_histogram":
		options := photo.DefaultDrawHistogramOptions()
		scalar(t, c, "corner", &options.Corner)
		scalar(t, c, "logarithmic", &options.Logarithmic)
		err = photo.DrawHistogram(argument("image"), options)
	default:
		t.Fatalf("nobody calls %s here", c.Call)
	}
	expect(t, c, err)
	if made != nil && err != nil {
		t.Error("a tensor came with the error")
	}
	made.Close()
	for _, argument := range arguments {
		if tensor, ok := argument.(*dlferry.Tensor); ok {
			tensor.Close()
		}
	}
}

func call(argument func(string) dlferry.Arg, make func(dlferry.Arg) (*dlferry.Tensor, error),
	into func(_, _ dlferry.Arg) error, input string) (*dlferry.Tensor, error) {
	image := argument(input)
	if out := argument("out"); out != nil {
		return nil, into(image, out)
	}
	return make(image)
}

func scalar(t *testing.T, c testCase, name string, out any) {
	if text, given := c.Scalars[name]; given {
		if err := json.Unmarshal(text, out); err != nil {
			t.Fatal(err)
		}
	}
}

var memory = map[string]uintptr{} // of the tensors of the case that runs, by name

// asTensor imports memory that Go does not own.
func asTensor(t *testing.T, c testCase, name string) dlferry.Arg {
	s := c.Tensors[name]
	dtype, err := dlferry.ParseDType(s.DType)
	if err != nil {
		t.Fatal(err)
	}
	device := dlferry.CPU
	if s.Device != "" {
		if device, err = dlferry.ParseDevice(s.Device); err != nil {
			t.Fatal(err)
		}
	}
	spec := helper.Spec{Code: dtype.Code(), Bits: dtype.Bits(), Lanes: dtype.Lanes(), Shape: s.Shape, Strides: s.Strides,
		DeviceType: int32(device.Type), DeviceID: device.ID, Skew: s.Skew}
	if s.ReadOnly {
		spec.Flags = 1
	}
	if s.AliasOf != "" {
		spec.Address = memory[s.AliasOf] + uintptr(s.Offset*int(dtype.Bits())*int(dtype.Lanes())/8)
	}
	tensor, err := dlferry.FromDLPack(helper.Make(spec))
	if err != nil {
		t.Fatal(err)
	}
	memory[name] = tensor.Data()
	if s.Value != nil {
		fill(t, tensor, *s.Value)
	}
	return tensor
}

func fill(t *testing.T, tensor *dlferry.Tensor, value float64) {
	elements, err := dlferry.View[float32](tensor)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tensor.Dim(0) {
		for j := range tensor.Dim(1) {
			elements.Set(float32(value), i, j)
		}
	}
}

func canBeSlices(c testCase) bool {
	for _, s := range c.Tensors {
		dtype := slices.Contains([]string{"uint8", "int32", "float32", "float64"}, s.DType)
		if !dtype || s.Device != "" || s.Skew != 0 || s.Value != nil {
			return false
		}
	}
	return true
}

var storage = map[string]any{} // slices of the case that runs, by name

// asSlice passes Go memory.
func asSlice(t *testing.T, c testCase, name string) dlferry.Arg {
	switch c.Tensors[name].DType {
	case "uint8":
		return sliceOf[uint8](c, name)
	case "int32":
		return sliceOf[int32](c, name)
	case "float64":
		return sliceOf[float64](c, name)
	}
	return sliceOf[float32](c, name)
}

func sliceOf[T dlferry.Element](c testCase, name string) dlferry.Arg {
	s := c.Tensors[name]
	elements, last := 1, 1
	for axis, extent := range s.Shape {
		elements *= extent
		if s.Strides != nil {
			last += max(extent-1, 0) * s.Strides[axis]
		}
	}
	all, shared := storage[s.AliasOf].([]T)
	if !shared {
		all = make([]T, 2*max(elements, last))
		storage[name] = all
	}
	array := dlferry.Of(all[s.Offset:s.Offset+elements], s.Shape...)
	if s.Strides != nil {
		array = dlferry.Of(all[s.Offset:], s.Shape...).Strided(0, s.Strides...)
	}
	if s.ReadOnly {
		array = array.ReadOnly()
	}
	return array
}
