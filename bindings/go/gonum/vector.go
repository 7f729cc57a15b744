// SPDX-License-Identifier: Apache-2.0

package gonum

import (
	dlferry "github.com/dlferry/dlferry/bindings/go"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// OfVecDense uses a vector as a tensor with one axis; its elements may have gaps between them, as those of a column of a
// matrix do. nil counts as no tensor.
func OfVecDense(v *mat.VecDense) *dlferry.Array {
	if v == nil {
		return nil
	}
	return OfVector(v.RawVector())
}

// OfVector uses a vector of BLAS as a tensor with one axis. By BLAS's rule an increment below 0 begins at the vector's
// end.
func OfVector(v blas64.Vector) *dlferry.Array {
	first := 0
	if v.Inc < 0 && v.N > 0 {
		first = (1 - v.N) * v.Inc
	}
	if v.Inc == 1 && len(v.Data) == v.N {
		return dlferry.Of(v.Data, v.N)
	}
	return dlferry.Of(v.Data, v.N).Strided(first, v.Inc)
}

// WithVecDense gives a function a tensor with one axis as a vector, and returns its error. The function may write to it.
//
// It fails with ErrShape for another number of axes, ErrLayout for a stride below 1, ErrReadOnly if the tensor is
// read-only ([WithMatrix] takes it as a column), and like [dlferry.With].
func WithVecDense(t *dlferry.Tensor, use func(v *mat.VecDense) error) error {
	return WithVector(t, func(v blas64.Vector) error { return call("vector", use, vector(v)) })
}

// WithVector is [WithVecDense] for the routines of BLAS.
func WithVector(t *dlferry.Tensor, use func(v blas64.Vector) error) error {
	return with(t, "vector", 1, func(data []float64, shape, strides []int) error {
		stride := strides[0]
		if shape[0] <= 1 {
			stride = 1
		}
		if stride < 1 {
			return errorf(dlferry.ErrLayout, "vector: expected a stride above 0, got %d", stride)
		}
		return call("vector", use, blas64.Vector{N: shape[0], Data: data, Inc: stride})
	})
}

// LookVecDense returns a tensor as a vector, which does not keep it, like [LookDense].
func LookVecDense(t *dlferry.Tensor) (*mat.VecDense, error) {
	var found *mat.VecDense
	err := WithVecDense(t, func(v *mat.VecDense) error {
		found = v
		return nil
	})
	return found, err
}

func vector(raw blas64.Vector) *mat.VecDense {
	var v mat.VecDense
	if raw.N > 0 { // gonum's empty vector has no increment
		v.SetRawVector(raw)
	}
	return &v
}
