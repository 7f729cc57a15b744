// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"context"
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	ort "github.com/yalue/onnxruntime_go"
)

// Run runs a model: it reads the inputs and writes the outputs in place, in the order of the session's names. An
// argument is a [*dlferry.Tensor] or a slice given by [dlferry.Of]; a list of both is a []dlferry.Arg.
//
// When ctx ends, ONNX Runtime stops before the model's next node. Run still waits for that, so that it uses no memory
// after Run has returned, then returns an error that wraps the context's cause; the outputs may be written in part.
// A tensor that another goroutine closes meanwhile stays alive until then.
//
// It fails like [Input] and [Output], with ErrInvalid without inputs or outputs, or if an output shares memory with
// another argument, since the model writes outputs while it still reads inputs, and with ErrForeign for what ONNX
// Runtime refuses, such as another dtype or shape than the model's.
func Run[I, O dlferry.Arg](ctx context.Context, session *ort.DynamicAdvancedSession, inputs []I, outputs []O) error {
	if session == nil {
		return errorf(dlferry.ErrInvalid, "run: expected a session, got nil")
	}
	if len(inputs) == 0 || len(outputs) == 0 {
		return errorf(dlferry.ErrInvalid, "run: expected inputs and outputs, got %d and %d", len(inputs), len(outputs))
	}
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	read, err := values(inputs, Input)
	defer destroy(read)
	if err != nil {
		return err
	}
	written, err := values(outputs, Output)
	defer destroy(written)
	if err != nil {
		return err
	}
	if err := apart(read, written); err != nil {
		return err
	}
	if ctx.Done() == nil {
		return foreign("run", session.Run(read, written))
	}
	return runUntil(ctx, session, read, written)
}

func runUntil(ctx context.Context, session *ort.DynamicAdvancedSession, read, written []ort.Value) error {
	options, err := ort.NewRunOptions()
	if err != nil {
		return foreign("run", err)
	}
	defer options.Destroy()
	terminated := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(terminated)
		options.Terminate()
	})
	err = session.RunWithOptions(read, written, options)
	if !stop() {
		<-terminated // it uses the options
		if err != nil {
			return stopped(ctx)
		}
	}
	return foreign("run", err)
}

func stopped(ctx context.Context) error { return fmt.Errorf("run: %w", context.Cause(ctx)) }

// apart ensures that what is written is not read, and is written once.
func apart(read, written []ort.Value) error {
	for i, output := range written {
		if err := apartFrom(output, i, "input", read); err != nil {
			return err
		}
		if err := apartFrom(output, i, "output", written[:i]); err != nil {
			return err
		}
	}
	return nil
}

func apartFrom(output ort.Value, i int, kind string, others []ort.Value) error {
	for j, other := range others {
		shared, err := output.(*Value).tensor.Overlap(other.(*Value).tensor)
		if err != nil {
			return err
		}
		if shared {
			return errorf(dlferry.ErrInvalid, "run: expected memory of its own for output %d, got that of %s %d", i, kind, j)
		}
	}
	return nil
}

func values[A dlferry.Arg](arguments []A, of func(dlferry.Arg) (*Value, error)) ([]ort.Value, error) {
	var made []ort.Value
	for _, argument := range arguments {
		v, err := of(argument)
		if err != nil {
			return made, err
		}
		made = append(made, v)
	}
	return made, nil
}

func destroy(values []ort.Value) {
	for _, v := range values {
		v.Destroy()
	}
}
