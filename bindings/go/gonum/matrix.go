// SPDX-License-Identifier: Apache-2.0

package gonum

import (
	dlferry "github.com/dlferry/dlferry/bindings/go"
	"gonum.org/v1/gonum/mat"
)

// WithMatrix gives a function any tensor with one or two axes as a matrix to read, and returns its error: also a
// read-only one, and with any strides. A tensor with one axis is a column.
//
// gonum reads such a matrix element by element, which is slower than a mat.Dense. It fails with ErrShape for another
// number of axes, and like [dlferry.With].
func WithMatrix(t *dlferry.Tensor, use func(m mat.Matrix) error) error {
	return dlferry.With(t, func(e dlferry.Elements[float64]) error {
		switch shape := t.Shape(); len(shape) {
		case 1:
			return call[mat.Matrix]("matrix", use, matrix{e, shape[0], 1, true})
		case 2:
			return call[mat.Matrix]("matrix", use, matrix{e, shape[0], shape[1], false})
		default:
			return errorf(dlferry.ErrShape, "matrix: expected 1 or 2 axes, got %d", len(shape))
		}
	})
}

type matrix struct {
	elements   dlferry.Elements[float64]
	rows, cols int
	column     bool
}

func (m matrix) Dims() (rows, cols int) { return m.rows, m.cols }

func (m matrix) T() mat.Matrix { return mat.Transpose{Matrix: m} }

func (m matrix) At(i, j int) float64 {
	if !m.column {
		return m.elements.At2(i, j)
	}
	if j != 0 {
		panic(mat.ErrColAccess)
	}
	return m.elements.At1(i)
}
