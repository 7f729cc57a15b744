// SPDX-License-Identifier: Apache-2.0

//go:build python

// A Go program that runs CPython, and exchanges arrays with NumPy in both directions without a copy:
//
//	go run -tags python . PYTHON
//
// PYTHON is the path of an interpreter that has NumPy, perhaps in a virtual environment. pkg-config must find its
// python3-embed.pc, else name the folder in PKG_CONFIG_PATH.
package main

import (
	"fmt"
	"os"
	"runtime"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func main() {
	runtime.LockOSThread() // Python must end on the thread that began it
	if err := start(os.Args[1]); err != nil {
		panic(err)
	}
	defer stop()
	if err := exchange(); err != nil {
		panic(err)
	}
	run("import gc; gc.collect()")
	fmt.Println("live tensors:", dlferry.Live())
}

func exchange() error {
	run("import numpy; array = numpy.arange(6, dtype='f4').reshape(2, 3)")

	// Python's array in Go.
	object := evaluate("array")
	defer drop(object)
	tensor, err := dlferry.FromPython(object)
	if err != nil {
		return err
	}
	defer tensor.Close()
	fmt.Println(tensor)
	err = dlferry.With(tensor, func(e dlferry.Elements[float32]) error {
		e.Set(50, 1, 2)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Println("numpy:", number(evaluate("array[1, 2]")))

	// Go's slice in Python, as an array of NumPy.
	samples := []float64{1, 2, 3, 4}
	wrapped, err := dlferry.Wrap(samples, 2, 2)
	if err != nil {
		return err
	}
	defer wrapped.Close()
	numpy := evaluate("numpy")
	defer drop(numpy)
	again, err := wrapped.ToPython(numpy)
	if err != nil {
		return err
	}
	define("samples", again)
	drop(again)
	run("samples *= 10")
	fmt.Println("go:", samples)
	run("del samples")
	return nil
}
