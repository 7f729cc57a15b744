// SPDX-License-Identifier: Apache-2.0

package gonum_test

import (
	"errors"
	"math"
	"runtime"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/gonum"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

func counted(n int) []float64 {
	data := make([]float64, n)
	for i := range data {
		data[i] = float64(i)
	}
	return data
}

// same tells whether tensor and matrix are the same memory: the last element of one is that of the other.
func same(t *testing.T, tensor *dlferry.Tensor, m *mat.Dense) {
	t.Helper()
	rows, cols := m.Dims()
	check(dlferry.With(tensor, func(e dlferry.Elements[float64]) error {
		for i := range rows {
			for j := range cols {
				m.Set(i, j, float64(100*i+j))
				if got := e.At(i, j); got != float64(100*i+j) {
					t.Errorf("[%d, %d] is %g", i, j, got)
				}
			}
		}
		return nil
	}))
}

func TestDense_AsATensor(t *testing.T) {
	whole := mat.NewDense(4, 5, counted(20))
	part := whole.Slice(1, 3, 1, 4).(*mat.Dense)
	for name, m := range map[string]*mat.Dense{"whole": whole, "part": part, "one row": mat.NewDense(1, 3, counted(3)),
		"one column": mat.NewDense(3, 1, counted(3)), "a column of one": whole.Slice(0, 4, 2, 3).(*mat.Dense)} {
		tensor, err := gonum.OfDense(m).Wrap()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, tensor, m)
		check(gonum.WithDense(tensor, func(again *mat.Dense) error {
			if !mat.Equal(again, m) {
				t.Errorf("%s comes back as %v", name, mat.Formatted(again))
			}
			if &again.RawMatrix().Data[0] != &m.RawMatrix().Data[0] {
				t.Errorf("%s is copied", name)
			}
			return nil
		}))
		tensor.Close()
	}
	empty, err := gonum.OfDense(&mat.Dense{}).Wrap()
	if err != nil || empty.Dim(0) != 0 {
		t.Errorf("an empty matrix gives %v, %v", empty, err)
	}
	check(gonum.WithDense(empty, func(m *mat.Dense) error {
		if !m.IsEmpty() {
			t.Errorf("it comes back as %v", m)
		}
		return nil
	}))
	empty.Close()
	if _, err := gonum.OfDense(nil).Wrap(); !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("nil gives %v", err)
	}
}

func TestDense_OfATensor(t *testing.T) {
	tensor := must(dlferry.Create(dlferry.DTypeOf[float64](), dlferry.CPU, 3, 4)) // in C memory
	defer tensor.Close()
	check(gonum.WithDense(tensor, func(m *mat.Dense) error {
		same(t, tensor, m)
		var product mat.Dense
		product.Mul(m, m.T())
		if got := product.At(2, 2); got != 200*200+201*201+202*202+203*203 {
			t.Errorf("the product has %g", got)
		}
		return nil
	}))
	m := must(gonum.LookDense(tensor))
	same(t, tensor, m)
	runtime.KeepAlive(tensor)

	part := must(tensor.Slice(1, 1, 2, 1))
	defer part.Close()
	check(gonum.WithGeneral(part, func(g blas64.General) error {
		if g.Rows != 3 || g.Cols != 2 || g.Stride != 4 || len(g.Data) != 10 {
			t.Errorf("a part is %+v", g)
		}
		return nil
	}))
}

// gonum copies the same elements by its own loops, from a transposed part of another dtype into a part of a matrix.
func TestDense_IsCopiedAndCastInto(t *testing.T) {
	singles := make([]float32, 20)
	for i := range singles {
		singles[i] = float32(i) / 4
	}
	tensor := must(dlferry.Wrap(singles, 4, 5))
	defer tensor.Close()
	turned := must(tensor.Permute(1, 0))
	defer turned.Close()
	got, want := mat.NewDense(6, 6, nil), mat.NewDense(6, 6, nil)
	part := got.Slice(1, 6, 2, 6).(*mat.Dense)
	check(dlferry.CastInto(turned, gonum.OfDense(part)))
	wide := must(tensor.Cast(dlferry.Float64))
	defer wide.Close()
	check(gonum.WithDense(wide, func(m *mat.Dense) error {
		want.Slice(1, 6, 2, 6).(*mat.Dense).Copy(m.T())
		return nil
	}))
	if !mat.Equal(got, want) {
		t.Errorf("got %v, not %v", mat.Formatted(got), mat.Formatted(want))
	}
	check(dlferry.Fill(gonum.OfDense(part), 2))
	if sum := mat.Sum(got); sum != 40 {
		t.Errorf("the sum is %g", sum)
	}
}

func TestDense_KeepsTheTensorWhileTheFunctionRuns(t *testing.T) {
	tensor := must(dlferry.Create(dlferry.DTypeOf[float64](), dlferry.CPU, 100, 100))
	check(gonum.WithDense(tensor, func(m *mat.Dense) error {
		tensor.Close()
		runtime.GC()
		m.Set(99, 99, 1)
		if dlferry.Live() == 0 {
			t.Error("the tensor is gone")
		}
		return nil
	}))
	if err := gonum.WithDense(tensor, nil); !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("a closed tensor gives %v", err)
	}
	stop := errors.New("stop")
	other := must(dlferry.Wrap(counted(4), 2, 2))
	defer other.Close()
	if err := gonum.WithDense(other, func(*mat.Dense) error { return stop }); err != stop {
		t.Errorf("the function's error comes as %v", err)
	}
}

func TestDense_Refusals(t *testing.T) {
	data := counted(24)
	for name, c := range map[string]struct {
		array  *dlferry.Array
		status dlferry.Status
		text   string
	}{
		"3 axes":    {dlferry.Of(data, 2, 3, 4), dlferry.ErrShape, "general: expected a tensor with 2 axes, got 3"},
		"read-only": {dlferry.Of(data, 4, 6).ReadOnly(), dlferry.ErrReadOnly, ""},
		"columns": {dlferry.Of(data, 6, 4).Strided(0, 1, 6), dlferry.ErrLayout,
			"general: expected rows side by side with elements side by side, got strides [1 6] of shape [6 4]"},
		"overlapping rows": {dlferry.Of(data, 3, 4).Strided(0, 2, 1), dlferry.ErrLayout, ""},
		"the same row":     {dlferry.Of(data, 3, 4).Strided(0, 0, 1), dlferry.ErrLayout, ""},
		"gaps in rows":     {dlferry.Of(data, 3, 2).Strided(0, 8, 2), dlferry.ErrLayout, ""},
		"backwards": {dlferry.Of(data, 4, 6).Strided(18, -6, 1), dlferry.ErrLayout,
			"general: expected strides above 0, got [-6 1]"},
		"float32": {dlferry.Of(make([]float32, 4), 2, 2), dlferry.ErrDtype, ""},
	} {
		tensor := must(c.array.Wrap())
		err := gonum.WithDense(tensor, func(*mat.Dense) error {
			t.Errorf("%s: taken", name)
			return nil
		})
		if !errors.Is(err, c.status) || c.text != "" && err.Error() != c.text {
			t.Errorf("%s: %v", name, err)
		}
		if m, err := gonum.LookDense(tensor); m != nil || !errors.Is(err, c.status) {
			t.Errorf("%s: look gives %v, %v", name, m, err)
		}
		tensor.Close()
	}
}

func TestVector_BothWays(t *testing.T) {
	m := mat.NewDense(3, 4, counted(12))
	column := m.ColView(1).(*mat.VecDense)
	tensor := must(gonum.OfVecDense(column).Wrap())
	check(gonum.WithVecDense(tensor, func(v *mat.VecDense) error {
		v.SetVec(2, -1)
		if !mat.Equal(v, column) || m.At(2, 1) != -1 {
			t.Errorf("the column comes back as %v", mat.Formatted(v))
		}
		return nil
	}))
	v := must(gonum.LookVecDense(tensor))
	if v.AtVec(2) != -1 {
		t.Errorf("it is %v", v)
	}
	tensor.Close()

	reversed := must(gonum.OfVector(blas64.Vector{N: 3, Data: counted(5), Inc: -2}).Wrap())
	if e := must(dlferry.Look[float64](reversed)); e.At(0) != 4 || e.At(2) != 0 {
		t.Errorf("BLAS begins at the end: %s", reversed)
	}
	if err := gonum.WithVector(reversed, nil); !errors.Is(err, dlferry.ErrLayout) {
		t.Errorf("a negative stride gives %v", err)
	}
	reversed.Close()
	for name, c := range map[string]struct {
		array  *dlferry.Array
		status dlferry.Status
	}{
		"2 axes":      {dlferry.Of(counted(4), 2, 2), dlferry.ErrShape},
		"one element": {dlferry.Of(counted(4), 3).Strided(0, 0), dlferry.ErrLayout},
		"read-only":   {dlferry.Of(counted(4)).ReadOnly(), dlferry.ErrReadOnly},
	} {
		tensor := must(c.array.Wrap())
		if err := gonum.WithVecDense(tensor, nil); !errors.Is(err, c.status) {
			t.Errorf("%s: %v", name, err)
		}
		tensor.Close()
	}
	if _, err := gonum.OfVecDense(nil).Wrap(); !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("nil gives %v", err)
	}
	empty := must(gonum.OfVecDense(&mat.VecDense{}).Wrap())
	defer empty.Close()
	check(gonum.WithVector(empty, func(v blas64.Vector) error {
		if v.N != 0 {
			t.Errorf("an empty vector is %+v", v)
		}
		return nil
	}))
	check(gonum.WithVecDense(empty, func(v *mat.VecDense) error {
		if !v.IsEmpty() {
			t.Errorf("an empty vector is %+v", v)
		}
		return nil
	}))
}

func TestGeneral_BLASWritesIntoATensor(t *testing.T) {
	out := must(dlferry.Create(dlferry.DTypeOf[float64](), dlferry.CPU, 2, 2))
	defer out.Close()
	a := blas64.General{Rows: 2, Cols: 2, Stride: 3, Data: []float64{1, 2, math.NaN(), 3, 4}}
	tensor := must(gonum.OfGeneral(a).Wrap())
	defer tensor.Close()
	check(gonum.WithGeneral(tensor, func(a blas64.General) error {
		return gonum.WithGeneral(out, func(c blas64.General) error {
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, a, 0, c)
			return nil
		})
	}))
	if e := must(dlferry.Look[float64](out)); e.At(1, 1) != 22 {
		t.Errorf("the product is %s", out)
	}
	runtime.KeepAlive(out)
}

func TestMatrix_ReadsAnyStrides(t *testing.T) {
	transposed := must(dlferry.Of(counted(6), 3, 2).Strided(0, 1, 3).ReadOnly().Wrap())
	defer transposed.Close()
	check(gonum.WithMatrix(transposed, func(m mat.Matrix) error {
		want := mat.NewDense(2, 3, counted(6))
		if !mat.Equal(m, want.T()) || !mat.Equal(m.T(), want) {
			t.Errorf("it is %v", mat.Formatted(m))
		}
		return nil
	}))
	column := must(dlferry.Of(counted(3)).ReadOnly().Wrap())
	defer column.Close()
	check(gonum.WithMatrix(column, func(m mat.Matrix) error {
		if rows, cols := m.Dims(); rows != 3 || cols != 1 || mat.Sum(m) != 3 {
			t.Errorf("it is %v", mat.Formatted(m))
		}
		defer func() {
			if recover() != mat.ErrColAccess {
				t.Error("there is another column")
			}
		}()
		m.At(0, 1)
		return nil
	}))
	cube := must(dlferry.Of(counted(8), 2, 2, 2).Wrap())
	defer cube.Close()
	if err := gonum.WithMatrix(cube, nil); !errors.Is(err, dlferry.ErrShape) {
		t.Errorf("3 axes give %v", err)
	}
}

// A matrix of Go stays pinned and alive while another language has it.
func TestDense_OutlivesItsVariable(t *testing.T) {
	exported := must(gonum.OfDense(mat.NewDense(200, 200, counted(40000))).ToDLPack())
	runtime.GC()
	tensor := must(dlferry.FromDLPack(exported))
	defer tensor.Close()
	check(gonum.WithDense(tensor, func(m *mat.Dense) error {
		if m.At(199, 199) != 39999 {
			t.Errorf("the last element is %g", m.At(199, 199))
		}
		return nil
	}))
}

// What a stranger passes by mistake is an error, with a reason.
func TestStranger(t *testing.T) {
	data := counted(5)
	for text, array := range map[string]*dlferry.Array{
		"": gonum.OfVector(blas64.Vector{Inc: -2}),
		"wrap: expected 72 bytes inside a block of 40, got them from byte 0": gonum.OfVector(blas64.Vector{N: 9, Inc: 1, Data: data}),
		"wrap: expected extents of 0 or more, got -3 on axis 0 (from 0)":     gonum.OfVector(blas64.Vector{N: -3, Inc: 1, Data: data}),
		"wrap: expected extents of 0 or more, got -1 on axis 0 (from 0)":     gonum.OfGeneral(blas64.General{Rows: -1, Cols: -1, Stride: -1, Data: data[:1]}),
		"wrap: expected a tensor, got nil":                                   gonum.OfVecDense(nil),
		"wrap: expected 40 bytes inside a block of 32, got them from byte 0": gonum.OfGeneral(blas64.General{Rows: 2, Cols: 2, Stride: 3, Data: data[:4]}),
	} {
		tensor, err := array.Wrap()
		if err == nil && text == "" {
			tensor.Close()
		} else if err == nil || err.Error() != text {
			t.Errorf("expected %q, got %v", text, err)
		}
	}
	matrix, vector := must(dlferry.Wrap(data[:4], 2, 2)), must(dlferry.Wrap(data))
	defer matrix.Close()
	defer vector.Close()
	for _, err := range []error{
		gonum.WithDense(matrix, nil), gonum.WithGeneral(matrix, nil), gonum.WithMatrix(matrix, nil),
		gonum.WithVecDense(vector, nil), gonum.WithVector(vector, nil),
	} {
		if !errors.Is(err, dlferry.ErrInvalid) {
			t.Errorf("no function gives %v", err)
		}
	}
}
