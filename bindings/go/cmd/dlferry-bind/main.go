// SPDX-License-Identifier: Apache-2.0

//go:build cgo

// Command dlferry-bind makes a Go package from a plain C header over DLTensor; also packages for Python, Rust and
// Julia.
//
// In your program, beside its go.mod:
//
//	go get -tool github.com/dlferry/dlferry/bindings/go/cmd/dlferry-bind
//
// and in one of its files:
//
//	//go:generate go run github.com/dlferry/dlferry/bindings/go/cmd/dlferry-bind c/kernels.h --name kernels --source c/kernels.c --lang go --go-package example.com/app/made/go --out made
//
// which `go generate` runs. Then import "example.com/app/made/go": its package is called kernels. dlferry-bind --help
// lists all options. It needs only a C compiler, like cgo.
package main

// Not optimized: it takes milliseconds anyway, and every `go run` compiles it.

// #cgo CFLAGS: -std=gnu11 -O0 -fvisibility=hidden -DDLF_HIDDEN -DDLF_BIND_NO_MAIN -I${SRCDIR}/../..
// #cgo LDFLAGS: -lm
// #if !__has_include("dlferry_bind.c")
// #error "dlferry_bind.c is missing: run `cmake -P core/amalgamate.cmake` in the checkout of dlferry"
// #endif
// #include <stdio.h>
// int dlf_bind_main(int argc, char **argv);
import "C"

import (
	"os"

	_ "github.com/dlferry/dlferry/bindings/go" // the hub's C, which must not be linked twice
)

func main() {
	words := make([]*C.char, len(os.Args)+1)
	for i, word := range os.Args {
		words[i] = C.CString(word) // until the process ends
	}
	status := C.dlf_bind_main(C.int(len(os.Args)), &words[0])
	if C.fflush(nil) != 0 && status == 0 { // os.Exit does not flush C's buffers
		status = 1
	}
	os.Exit(int(status))
}
