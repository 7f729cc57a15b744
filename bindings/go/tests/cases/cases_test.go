// SPDX-License-Identifier: Apache-2.0

// Package cases runs tests/cases/malformed.json, which every language runs: same tensor, same status, same text.
package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"

	"photo"
)

type testCase struct {
	Name      string
	Malformed string
	Legacy    bool
	Deleted   int64
	Status    string
	Message   string
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
	bytes, err := os.ReadFile("../../../../tests/cases/malformed.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(bytes, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

func TestMalformed(t *testing.T) {
	cases := read(t)
	if len(cases) < 30 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { imports(t, c) })
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
	if (err == nil) != (tensor != nil) {
		t.Errorf("got %v beside %v", tensor, err)
	}
	if err == nil && (tensor.Check(dlferry.CheckStructure) != nil || tensor.String() == "") {
		t.Error("Check refuses what the import took, or it has no text")
	}
	tensor.Close()
	if got := helper.MalformedDeleted() - before; got != c.Deleted {
		t.Errorf("expected %d deleters, got %d", c.Deleted, got)
	}
}

// A flag that DLPack does not name may change the elements in an unknown way: for each of 63 bits, no kernel gets them.
// The hub's import clears the 64th, which is its own.
func TestUnknownFlags(t *testing.T) {
	for bit := 3; bit < 63; bit++ {
		spec := helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{2, 3}, DeviceType: 1, Flags: 1 << bit}
		tensor, err := dlferry.FromDLPack(helper.Make(spec))
		if err != nil {
			t.Fatal(err)
		}
		wanted := fmt.Sprintf("expected flags that DLPack 1.3 names, got %#x", spec.Flags)
		expect(t, testCase{Status: "UNSUPPORTED", Message: "sobel: image: " + wanted}, failed(photo.Sobel(tensor)))
		_, err = dlferry.Look[float32](tensor)
		expect(t, testCase{Status: "UNSUPPORTED", Message: "elements: " + wanted}, err)
		tensor.Close()
	}
}

func failed(made *dlferry.Tensor, err error) error {
	made.Close()
	return err
}

// A slice is refused as the tensor of the same layout is: the hub sees the same of both.
func TestSlicesAreRefusedAsTensorsAre(t *testing.T) {
	float := helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{4, 5}, DeviceType: 1}
	spec := func(change func(*helper.Spec)) helper.Spec {
		changed := float
		change(&changed)
		return changed
	}
	numbers := make([]float32, 40)
	image := dlferry.Of(make([]float32, 20), 4, 5)
	for name, c := range map[string]struct {
		slice dlferry.Arg
		spec  helper.Spec
	}{
		"dtype":     {dlferry.Of(make([]int32, 20), 4, 5), spec(func(s *helper.Spec) { s.Code = 0 })},
		"rank":      {dlferry.Of(numbers[:20], 4, 5, 1), spec(func(s *helper.Spec) { s.Shape = []int{4, 5, 1} })},
		"extent":    {dlferry.Of(numbers[:20], 5, 4), spec(func(s *helper.Spec) { s.Shape = []int{5, 4} })},
		"columns":   {dlferry.Of(numbers, 4, 5).Strided(0, 1, 4), spec(func(s *helper.Spec) { s.Strides = []int{1, 4} })},
		"gaps":      {dlferry.Of(numbers, 4, 5).Strided(0, 8, 1), spec(func(s *helper.Spec) { s.Strides = []int{8, 1} })},
		"repeats":   {dlferry.Of(numbers, 4, 5).Strided(0, 0, 1), spec(func(s *helper.Spec) { s.Strides = []int{0, 1} })},
		"read-only": {dlferry.Of(numbers[:20], 4, 5).ReadOnly(), spec(func(s *helper.Spec) { s.Flags = 1 })},
	} {
		tensor, err := dlferry.FromDLPack(helper.Make(c.spec))
		if err != nil {
			t.Fatal(err)
		}
		ofSlice, ofTensor := photo.SobelInto(image, c.slice), photo.SobelInto(image, tensor)
		tensor.Close()
		if ofTensor == nil || ofSlice == nil || ofSlice.Error() != ofTensor.Error() {
			t.Errorf("%s: a slice is told %v, a tensor %v", name, ofSlice, ofTensor)
		}
	}
	if err := photo.SobelInto(image, image); err == nil {
		t.Error("a slice may be its own output")
	}
}
