// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"math"
	"slices"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

type small interface {
	dlferry.SmallFloat
	dlferry.Element
	Float32() float32
	Float64() float64
	String() string
}

// Every value of a type is what the hub reads of a tensor of them, and comes back from its number.
func everyValue[T small](t *testing.T, dtype dlferry.DType, name string) {
	t.Helper()
	slice := make([]T, 1<<dtype.Bits())
	for i := range slice {
		slice[i] = T(i)
	}
	tensor := must(dlferry.Wrap(slice))
	defer tensor.Close()
	if tensor.DType() != dtype || dtype.String() != name || must(tensor.Count()) != len(slice) {
		t.Errorf("wrapped as %s", tensor.Describe())
	}
	if got := elements[T](tensor); !slices.Equal(got, slice) {
		t.Errorf("%s: other bits", dtype)
	}
	step := max(1, len(slice)/256)
	for i := 0; i < len(slice); i += step {
		x := slice[i]
		want, real := must(tensor.Read(i)).(float64), x.Float64()
		if real != want && !(math.IsNaN(real) && math.IsNaN(want)) || float64(x.Float32()) != real && !math.IsNaN(real) {
			t.Errorf("%s: bits %#x are %v, not %v", dtype, i, real, want)
		}
		if again := dlferry.Narrow[T](real); again != x && !math.IsNaN(real) {
			t.Errorf("%s: %v becomes %#x, not %#x", dtype, real, again, x)
		}
	}
}

func TestFloat_EveryValue(t *testing.T) {
	everyValue[dlferry.F16](t, dlferry.Float16, "float16")
	everyValue[dlferry.BF16](t, dlferry.BFloat16, "bfloat16")
	everyValue[dlferry.F8E3M4](t, dlferry.Float8E3M4, "float8_e3m4")
	everyValue[dlferry.F8E4M3](t, dlferry.Float8E4M3, "float8_e4m3")
	everyValue[dlferry.F8E4M3B11FNUZ](t, dlferry.Float8E4M3B11FNUZ, "float8_e4m3b11fnuz")
	everyValue[dlferry.F8E4M3FN](t, dlferry.Float8E4M3FN, "float8_e4m3fn")
	everyValue[dlferry.F8E4M3FNUZ](t, dlferry.Float8E4M3FNUZ, "float8_e4m3fnuz")
	everyValue[dlferry.F8E5M2](t, dlferry.Float8E5M2, "float8_e5m2")
	everyValue[dlferry.F8E5M2FNUZ](t, dlferry.Float8E5M2FNUZ, "float8_e5m2fnuz")
	everyValue[dlferry.F8E8M0FNU](t, dlferry.Float8E8M0FNU, "float8_e8m0fnu")
	everyValue[dlferry.F6E2M3FN](t, dlferry.Float6E2M3FN, "float6_e2m3fn")
	everyValue[dlferry.F6E3M2FN](t, dlferry.Float6E3M2FN, "float6_e3m2fn")
	everyValue[dlferry.F4E2M1FN](t, dlferry.Float4E2M1FN, "float4_e2m1fn")
}

func TestFloat_Rounds(t *testing.T) {
	if got := dlferry.Narrow[dlferry.F16](65520); !math.IsInf(got.Float64(), 1) || got.String() != "+Inf" {
		t.Errorf("got %v", got)
	}
	if got := dlferry.Narrow[dlferry.BF16](1 + 1.0/256); got.Float32() != 1 { // a tie, to even
		t.Errorf("got %v", got)
	}
	if got := dlferry.Narrow[dlferry.F4E2M1FN](100); got.Float64() != 6 || got.String() != "6" {
		t.Errorf("got %v", got)
	}
	if got := dlferry.F4E2M1FN(0xf2); got.Float64() != 1 { // the upper bits are not used
		t.Errorf("got %v", got)
	}
}

// Elements of 4 bits with a byte each, as NumPy has them, are Go's too; packed ones are not.
func TestFloat_PaddedElements(t *testing.T) {
	packed := must(dlferry.Of([]byte{0x21, 0x43}, 4).As(dlferry.Float4E2M1FN).Wrap())
	defer packed.Close()
	_, err := dlferry.Look[dlferry.F4E2M1FN](packed)
	fails(t, err, dlferry.ErrUnsupported, "elements: expected elements of whole bytes, got float4_e2m1fn")
	padded := must(packed.CopyPadded())
	defer padded.Close()
	if got := elements[dlferry.F4E2M1FN](padded); !slices.Equal(got, []dlferry.F4E2M1FN{1, 2, 3, 4}) {
		t.Errorf("got %v", got)
	}
	if got := must(must(dlferry.Look[dlferry.F4E2M1FN](padded)).Slice()); got[2].Float64() != 1.5 {
		t.Errorf("got %v", got)
	}
	_, err = dlferry.Look[uint8](padded)
	fails(t, err, dlferry.ErrDtype, "elements: expected uint8, got padded float4_e2m1fn: cast converts")
	part := must(dlferry.Of([]dlferry.F6E2M3FN{0, 8, 16, 24}, 2).Strided(3, -2).Wrap())
	defer part.Close()
	if part.Flags() != 4 || must(part.Read(1)) != 1.0 {
		t.Errorf("got %v", part)
	}
	if !must(padded.Equal(dlferry.Of([]dlferry.F4E2M1FN{1, 2, 3, 4}))) {
		t.Error("not equal to their slice")
	}
}
