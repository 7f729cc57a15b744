// SPDX-License-Identifier: Apache-2.0

package gonum

import (
	dlferry "github.com/dlferry/dlferry/bindings/go"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// OfDense uses a matrix as a tensor with two axes; rows may have gaps between them, as those of a Slice of a matrix do.
// nil counts as no tensor.
func OfDense(m *mat.Dense) *dlferry.Array {
	if m == nil {
		return nil
	}
	return OfGeneral(m.RawMatrix())
}

// OfGeneral uses a matrix of BLAS as a tensor with two axes.
func OfGeneral(g blas64.General) *dlferry.Array {
	if g.Stride == g.Cols && len(g.Data) == g.Rows*g.Cols {
		return dlferry.Of(g.Data, g.Rows, g.Cols)
	}
	return dlferry.Of(g.Data, g.Rows, g.Cols).Strided(0, g.Stride, 1)
}

// WithDense gives a function a tensor with two axes as a matrix, and returns its error. The function may write to it.
//
// It fails with ErrShape for another number of axes, ErrLayout unless each row has its elements side by side and rows do
// not overlap, ErrReadOnly if the tensor is read-only ([WithMatrix] takes it), and like [dlferry.With] for another dtype
// than float64 and for data that the processor cannot reach.
func WithDense(t *dlferry.Tensor, use func(m *mat.Dense) error) error {
	return WithGeneral(t, func(g blas64.General) error { return call("general", use, dense(g)) })
}

// WithGeneral is [WithDense] for the routines of BLAS and LAPACK.
func WithGeneral(t *dlferry.Tensor, use func(g blas64.General) error) error {
	return with(t, "general", 2, func(data []float64, shape, strides []int) error {
		g, err := general(data, shape, strides)
		if err != nil {
			return err
		}
		return call("general", use, g)
	})
}

// LookDense returns a tensor as a matrix, which does not keep it: the caller keeps the tensor alive and open until the
// last use of the matrix. It fails like [WithDense], which also guards it.
func LookDense(t *dlferry.Tensor) (*mat.Dense, error) {
	var found *mat.Dense
	err := WithDense(t, func(m *mat.Dense) error {
		found = m
		return nil
	})
	return found, err
}

func dense(g blas64.General) *mat.Dense {
	var m mat.Dense
	if g.Rows > 0 && g.Cols > 0 { // gonum's empty matrix has no extents
		m.SetRawMatrix(g)
	}
	return &m
}

func general(data []float64, shape, strides []int) (blas64.General, error) {
	rows, cols := shape[0], shape[1]
	least := max(1, cols) // BLAS's rule, also for a matrix without columns
	stride := strides[0]
	if rows <= 1 || cols == 0 {
		stride = least
	}
	if rows > 0 && (stride < least || cols > 1 && strides[1] != 1) {
		return blas64.General{}, errorf(dlferry.ErrLayout,
			"general: expected rows side by side with elements side by side, got strides %d of shape %d", strides, shape)
	}
	return blas64.General{Rows: rows, Cols: cols, Stride: stride, Data: data}, nil
}
