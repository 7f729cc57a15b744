// SPDX-License-Identifier: Apache-2.0

// Package onnxruntime lends tensors of dlferry to ONNX Runtime, and takes its tensors, without a copy, by way of
// github.com/yalue/onnxruntime_go.
//
// [Run] runs a model on tensors and slices, and stops when its context ends:
//
//	session, err := ort.NewDynamicAdvancedSession("model.onnx", []string{"x"}, []string{"y"}, nil)
//	...
//	x, y := dlferry.Of(samples, 2, 3), dlferry.Of(result, 2, 3)
//	err = onnxruntime.Run(ctx, session, []*dlferry.Array{x}, []*dlferry.Array{y})
//
// [Input] and [Output] make an [ort.Value], for other calls of onnxruntime_go; [Tensor] takes one.
//
// # Ownership
//
// A [Value] borrows the tensor's memory and keeps it alive until Destroy, even if the tensor is closed. Destroy it
// after the last run that uses it: the garbage collector does not see that ONNX Runtime uses the memory, so a forgotten
// Value is never released, and [dlferry.Live] counts it.
//
// # Errors
//
// Errors are of type [*dlferry.Error]. Those of ONNX Runtime itself are dlferry.ErrForeign.
package onnxruntime

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func errorf(status dlferry.Status, format string, arguments ...any) error {
	return &dlferry.Error{Status: status, Message: fmt.Sprintf(format, arguments...)}
}

// foreign is ONNX Runtime's own error, or nil.
func foreign(name string, err error) error {
	if err == nil {
		return nil
	}
	return errorf(dlferry.ErrForeign, "%s: %s", name, err)
}
