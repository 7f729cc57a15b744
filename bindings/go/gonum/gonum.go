// SPDX-License-Identifier: Apache-2.0

// Package gonum joins dlferry's tensors and the matrices of gonum, both ways and without a copy.
//
// [OfDense] and its siblings use a matrix as a tensor: they return a [*dlferry.Array], which a generated function takes
// as it is, and which Wrap makes a tensor that may outlive the call. [WithDense] and its siblings use a tensor as a
// matrix while a function runs.
//
// # Lifetimes
//
// A matrix of gonum does not keep a tensor. [WithDense] therefore keeps it alive until its function returns, even if
// another goroutine closes it. The matrix must not leave the function; copy it with mat.DenseCopyOf if it shall. The
// matrix of a [LookDense] is valid until the tensor is closed or collected: end its use with a Close, or with
// runtime.KeepAlive(t). The other way gonum's memory is Go's: a wrapped matrix stays pinned until its last user is gone,
// perhaps in another language.
//
// # Errors
//
// Errors are of type [*dlferry.Error]. Nothing is copied to fit: elements in another order than gonum's are refused.
package gonum

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func errorf(status dlferry.Status, format string, values ...any) error {
	return &dlferry.Error{Status: status, Message: fmt.Sprintf(format, values...)}
}

func call[M any](name string, use func(M) error, m M) error {
	if use == nil {
		return errorf(dlferry.ErrInvalid, "%s: expected a function, got nil", name)
	}
	return use(m)
}
