// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"math"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func TestCompare_NumbersAndBits(t *testing.T) {
	tensor := must(dlferry.Wrap([]float64{1, 2, math.Copysign(0, -1), math.NaN()}))
	defer tensor.Close()
	for _, c := range []struct {
		other                   dlferry.Arg
		identical, equal, close bool
	}{
		{tensor, true, false, true},
		{dlferry.Of([]float64{1, 2, math.Copysign(0, -1), math.NaN()}), true, false, true},
		{dlferry.Of([]float64{1, 2, 0, math.NaN()}), false, false, true},
		{dlferry.Of([]float32{1, 2, 0, float32(math.NaN())}), false, false, true},
		{dlferry.Of([]float64{1, 2, 0, 1}), false, false, false},
		{dlferry.Of([]float64{1, 2, 0, math.NaN()}, 2, 2), false, false, false},
	} {
		if identical, equal, close := must(tensor.Identical(c.other)), must(tensor.Equal(c.other)),
			must(tensor.AllClose(c.other, 1e-5, 1e-8, true)); identical != c.identical || equal != c.equal || close != c.close {
			t.Errorf("got %v, %v, %v beside %v", identical, equal, close, c)
		}
	}
	row := must(tensor.Slice(0, 0, 2, 1))
	defer row.Close()
	if !must(row.Equal(dlferry.Of([]int8{9, 1, 2}, 2).Strided(1, 1))) {
		t.Error("1 is not 1")
	}
	_, err := tensor.Equal(nil)
	fails(t, err, dlferry.ErrInvalid, "equal: expected a tensor, got nil")
	_, err = tensor.Overlap(dlferry.Of([]int8{1, 2}, 3))
	fails(t, err, dlferry.ErrShape, "")
	_, err = tensor.AllClose(tensor, -1, 0, false)
	fails(t, err, dlferry.ErrInvalid, "")
}

func TestRead_AnyDtype(t *testing.T) {
	one := func(array *dlferry.Array) any {
		tensor := must(array.Wrap())
		defer tensor.Close()
		return must(tensor.Read(1))
	}
	type meters float32
	for _, c := range []struct{ got, want any }{
		{one(dlferry.Of([]int16{1, -2})), int64(-2)},
		{one(dlferry.Of([]uint64{1, math.MaxUint64})), uint64(math.MaxUint64)},
		{one(dlferry.Of([]dlferry.Bool8{0, 7})), true},
		{one(dlferry.Of([]complex64{1, 2i})), 2i},
		{one(dlferry.Of([]meters{1, 0.5})), 0.5},
		{one(dlferry.Of([]dlferry.F16{0, 0x3c00})), 1.0},
		{one(dlferry.Of([]uint8{0x21}, 2).As(dlferry.Float4E2M1FN)), 1.0},
	} {
		if c.got != c.want {
			t.Errorf("expected %v, got %v (%T)", c.want, c.got, c.got)
		}
	}
	tensor := must(dlferry.Wrap([]float32{0.1, 2}))
	defer tensor.Close()
	for number, want := range map[any]bool{0.1: true, float32(0.1): true, 2: true, uint8(2): true, 3: false, 2 + 0i: true,
		meters(2): true, true: false} {
		if got := must(tensor.Contains(number)); got != want {
			t.Errorf("contains %v (%T): got %v", number, number, got)
		}
	}
	_, err := tensor.Contains("2")
	fails(t, err, dlferry.ErrInvalid, "contains: expected a number, got string")
	_, err = tensor.Read(2)
	fails(t, err, dlferry.ErrBounds, "read: expected index below 2 of axis 0 (from 0), got 2")
	_, err = tensor.Read()
	fails(t, err, dlferry.ErrBounds, "read: expected 1 indices, got 0")
	_, err = tensor.ReadLane(1, 0)
	fails(t, err, dlferry.ErrBounds, "read: expected a lane below 1, got 1")
}
