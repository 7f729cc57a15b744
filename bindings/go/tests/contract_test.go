// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"math"
	"runtime"
	"slices"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func blurContract() *dlferry.Contract {
	return must(dlferry.CompileContract("image: T[h, w]; out: T[h, w] noalias; T in f32|f64; sigma > 0", "blur",
		dlferry.Parameter{Name: "image", Kind: dlferry.ParameterInput},
		dlferry.Parameter{Name: "sigma", Kind: dlferry.ParameterReal},
		dlferry.Parameter{Name: "out", Kind: dlferry.ParameterOutput}))
}

func TestContract_Match(t *testing.T) {
	blur := blurContract()
	image := dlferry.Of(make([]float32, 6), 2, 3)
	out := must(blur.Create("out", image, 1.5, nil))
	defer out.Close()
	if out.DType() != dlferry.Float32 || !slices.Equal(out.Shape(), []int{2, 3}) {
		t.Errorf("made %s", out.Describe())
	}
	if p := must(blur.Infer("out", image, 1, nil)); p.DType != dlferry.Float32 || !slices.Equal(p.Shape, []int{2, 3}) ||
		!slices.Equal(p.Strides, []int{3, 1}) || p.Device != dlferry.CPU {
		t.Errorf("got %+v", p)
	}
	for _, c := range []struct {
		err    error
		status dlferry.Status
		text   string
	}{
		{blur.Match(image, 1.5, out), 0, ""},
		{blur.Match(image, 2, out), 0, ""},
		{blur.MatchInputs(image, 2, nil), 0, ""},
		{blur.Match(image, -1, out), dlferry.ErrInvalid, "blur: sigma is -1, wanted sigma > 0"},
		{blur.Match(dlferry.Of(make([]int8, 6), 2, 3), 1, out), dlferry.ErrDtype, ""},
		{blur.Match(image, 1, dlferry.Of(make([]float32, 6), 3, 2)), dlferry.ErrShape, ""},
		{blur.Match(out, 1, out), dlferry.ErrInvalid, ""},
		{blur.Match(image, 1, dlferry.Of(make([]float32, 6), 2, 3).ReadOnly()), dlferry.ErrReadOnly, ""},
		{blur.Match(image, 1), dlferry.ErrInvalid, "blur: expected 3 arguments, got 2"},
		{blur.Match(image, "1", out), dlferry.ErrInvalid, "blur: sigma: expected a real number, got string"},
		{blur.Match(1, 1, out), dlferry.ErrInvalid, "blur: image: expected a *dlferry.Tensor or *dlferry.Array, got int"},
		{blur.Match(dlferry.Of([]int8{1}, 2), 1, out), dlferry.ErrShape, ""},
		{(*dlferry.Contract)(nil).Match(), dlferry.ErrInvalid, "contract: expected a compiled contract, got none"},
	} {
		if c.status != 0 {
			fails(t, c.err, c.status, c.text)
		} else if c.err != nil {
			t.Error(c.err)
		}
	}
	_, err := blur.Create("gone", image, 1, nil)
	fails(t, err, dlferry.ErrInvalid, `blur: expected the name of a parameter, got "gone"`)
	_, err = blur.Infer("image", image, 1, nil)
	fails(t, err, dlferry.ErrInvalid, "")
	if got := blur.Format("image"); got != "T[h, w]" || blur.Format("gone") != "" || blur.String() == "" {
		t.Errorf("got %q, %q", got, blur)
	}
	runtime.GC()
}

func TestContract_OtherParameters(t *testing.T) {
	contract := must(dlferry.CompileContract("parts: f32[n]; out: f32[hook(total)]; k in 1..9", "join",
		dlferry.Parameter{Name: "parts", Kind: dlferry.ParameterList},
		dlferry.Parameter{Name: "sizes", Kind: dlferry.ParameterArray},
		dlferry.Parameter{Name: "k", Kind: dlferry.ParameterInteger},
		dlferry.Parameter{Name: "u", Kind: dlferry.ParameterUnsigned},
		dlferry.Parameter{Name: "name", Kind: dlferry.ParameterOther},
		dlferry.Parameter{Name: "out", Kind: dlferry.ParameterOutput}))
	a, b := dlferry.Of([]float32{1, 2}), must(dlferry.Wrap([]float32{3, 4}))
	defer b.Close()
	out := must(contract.Create("out", []dlferry.Arg{a, b}, []int{2, 2}, 1, uint64(math.MaxUint64), "x", nil, 4))
	defer out.Close()
	if !slices.Equal(out.Shape(), []int{4}) {
		t.Errorf("got %s", out.Describe())
	}
	for _, c := range []struct {
		err    error
		status dlferry.Status
		text   string
	}{
		{contract.Match([]*dlferry.Tensor{b, b}, []int{2}, 1, 1, "x", out, 4), 0, ""},
		{contract.Match([]*dlferry.Array{a}, []int{}, 1, 1, nil, out, 4), 0, ""},
		{contract.Match([]*dlferry.Array{a}, []int{2}, 0, 1, nil, out, 4), dlferry.ErrInvalid, ""},
		{contract.Match([]*dlferry.Array{a, nil}, []int{2}, 1, 1, nil, out, 4), dlferry.ErrInvalid,
			"join: parts[1] (from 0): expected a tensor, got nil"},
		{contract.Match([]*dlferry.Array{a}, []int{2}, uint64(1<<63), 1, nil, out, 4), dlferry.ErrOverflow,
			"join: k: expected an int64, got 9223372036854775808"},
		{contract.Match([]*dlferry.Array{a}, 7, 1, 1, nil, out, 4), dlferry.ErrInvalid,
			"join: sizes: expected a slice, got int"},
		{contract.Match(a, []int{2}, 1, 1, nil, out, 4), dlferry.ErrInvalid,
			"join: parts: expected a slice of tensors, got *dlferry.Array"},
		{contract.Match([]*dlferry.Array{a}, []int{2}, 1, -1, nil, out, 4), dlferry.ErrOverflow,
			"join: u: expected a uint64, got -1"},
	} {
		if c.status != 0 {
			fails(t, c.err, c.status, c.text)
		} else if c.err != nil {
			t.Error(c.err)
		}
	}
	_, err := dlferry.CompileContract("x: f32[", "f", dlferry.Parameter{Name: "x"})
	fails(t, err, dlferry.ErrInvalid, "")
	_, err = dlferry.CompileContract("", "f\x00")
	fails(t, err, dlferry.ErrInvalid, `contract: expected a text without NUL, got one`)
}
