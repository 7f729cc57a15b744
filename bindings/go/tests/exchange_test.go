// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
)

func TestExchange_RoundTripIsNoCopy(t *testing.T) {
	slice := []float64{0, 1, 2, 3, 4, 5}
	tensor := must(dlferry.Of(slice, 2, 2).Strided(5, -3, -2).Wrap())
	defer tensor.Close()
	for name, again := range map[string]*dlferry.Tensor{
		"versioned": must(dlferry.FromDLPack(must(tensor.ToDLPack()))),
		"legacy":    must(dlferry.FromDLPackLegacy(must(tensor.ToDLPackLegacy()))),
	} {
		if again.Data() != tensor.Data() {
			t.Errorf("%s: the data moved", name)
		}
		if got := must(dlferry.Look[float64](again)); got.At(0, 0) != 5 || got.At(1, 1) != 0 || got.At(1, 0) != 2 {
			t.Errorf("%s: got %v", name, again)
		}
		again.Close()
	}
}

func TestExchange_CopyIsACopy(t *testing.T) {
	slice := []float32{0, 1, 2, 3, 4, 5}
	tensor := must(dlferry.Of(slice, 3, 2).Strided(0, 1, 3).ReadOnly().Wrap())
	defer tensor.Close()
	managed := must(tensor.ToDLPackCopy())
	if look := helper.Look(managed); look.Flags != 2 || look.Major != 1 || look.Minor != 3 || look.Data == tensor.Data() {
		t.Errorf("got %+v", look)
	}
	copied := must(dlferry.FromDLPack(managed))
	again := must(copied.ToDLPack()) // copied is held: not the only owner
	if look := helper.Look(again); look.Flags != 0 || look.Data != copied.Data() {
		t.Errorf("got %+v", look)
	}
	dlferry.ReleaseDLPack(again)
	for _, other := range []*dlferry.Tensor{copied, must(tensor.Copy())} {
		if other.ReadOnly() || other.Data() == tensor.Data() {
			t.Error("not a copy")
		}
		got := must(must(dlferry.Look[float32](other)).Slice())
		for i, want := range []float32{0, 3, 1, 4, 2, 5} {
			if got[i] != want {
				t.Fatalf("got %v", got)
			}
		}
		other.Close()
	}
}

func TestExchange_UnknownCodesPassThrough(t *testing.T) {
	tensor := must(dlferry.FromDLPack(helper.Make(helper.Spec{
		Code: 99, Bits: 24, Lanes: 1, Shape: []int{3}, DeviceType: 77, DeviceID: 5})))
	defer tensor.Close()
	if got := tensor.DType(); got != dlferry.NewDType(99, 24, 1) || got.String() != "dtype(99, 24)" {
		t.Errorf("got %v", got)
	}
	if got := tensor.Device(); got != (dlferry.Device{Type: 77, ID: 5}) || got.String() != "device(77):5" {
		t.Errorf("got %v", got)
	}
	_ = tensor.String()
	dlferry.ReleaseDLPack(must(tensor.ToDLPack()))
}

func TestExchange_NilIsRefused(t *testing.T) {
	_, err := dlferry.FromDLPack(nil)
	fails(t, err, dlferry.ErrInvalid, "")
	_, err = dlferry.FromDLPackLegacy(nil)
	fails(t, err, dlferry.ErrInvalid, "")
	fails(t, dlferry.Check(nil, 0, dlferry.CheckStructure), dlferry.ErrInvalid, "")
	dlferry.ReleaseDLPack(nil)
	dlferry.ReleaseDLPackLegacy(nil)
}
