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
		if got := must(dlferry.View[float64](again)); got.At(0, 0) != 5 || got.At(1, 1) != 0 || got.At(1, 0) != 2 {
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
	again := must(copied.ToDLPack()) // copied is still held: nobody else owns alone
	if look := helper.Look(again); look.Flags != 0 || look.Data != copied.Data() {
		t.Errorf("got %+v", look)
	}
	dlferry.ReleaseDLPack(again)
	for _, other := range []*dlferry.Tensor{copied, must(tensor.Copy())} {
		if other.ReadOnly() || other.Data() == tensor.Data() {
			t.Error("not a copy")
		}
		got := must(must(dlferry.View[float32](other)).Slice())
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

// Odd widths of a known code are data, as unknown codes are; all else that is malformed is refused.
func TestExchange_MalformedIsRefusedAndDeletedOnce(t *testing.T) {
	accepted := map[string]bool{"well_formed": true, "well_formed_null_strides": true, "well_formed_null_deleter": true,
		"well_formed_empty": true, "read_only": true, "bool_bits_16": true, "complex_bits_24": true}
	for _, name := range []string{"well_formed", "well_formed_null_strides", "well_formed_null_deleter", "well_formed_empty",
		"read_only", "major_2", "major_0", "null_shape", "negative_ndim", "ndim_65", "negative_extent", "overflow_shape",
		"overflow_bytes", "overflow_strides", "overflow_offset", "null_data", "zero_bits", "zero_lanes", "fp4_bits_8",
		"bool_bits_16", "complex_bits_24"} {
		for _, legacy := range []bool{false, true} {
			managed := helper.Malformed(name, legacy)
			if managed == nil {
				if !legacy {
					t.Errorf("malformed.c has no %s", name)
				}
				continue
			}
			before, expected := helper.MalformedDeleted(), int64(1)
			if name == "well_formed_null_deleter" {
				expected = 0
			}
			take := dlferry.FromDLPack
			if legacy {
				take = dlferry.FromDLPackLegacy
			}
			tensor, err := take(managed)
			if (err == nil) != accepted[name] || (tensor != nil) != accepted[name] {
				t.Errorf("%s, legacy %v: got %v, %v", name, legacy, tensor, err)
			}
			if err == nil && tensor.Check(dlferry.CheckStructure) != nil {
				t.Errorf("%s, legacy %v: Check refuses what the import took", name, legacy)
			}
			if got := must(tensor, nil); got != nil {
				_ = got.String()
			}
			tensor.Close()
			if got := helper.MalformedDeleted() - before; got != expected {
				t.Errorf("%s, legacy %v: expected %d deleters, got %d", name, legacy, expected, got)
			}
		}
	}
}

func TestExchange_NilIsRefused(t *testing.T) {
	_, err := dlferry.FromDLPack(nil)
	fails(t, err, dlferry.ErrInvalid, "")
	_, err = dlferry.FromDLPackLegacy(nil)
	fails(t, err, dlferry.ErrInvalid, "")
	fails(t, dlferry.Check(nil, dlferry.CheckStructure), dlferry.ErrInvalid, "")
	dlferry.ReleaseDLPack(nil)
	dlferry.ReleaseDLPackLegacy(nil)
}
