// SPDX-License-Identifier: Apache-2.0

package main

// #cgo CFLAGS: -I${SRCDIR}/../kept/go
// void *make_owned(void);
import "C"

import (
	"sync/atomic"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

var deleted atomic.Int64

//export goDelete
func goDelete() { deleted.Add(1) }

// owned is a tensor of three numbers whose deleter is Go code.
func owned() *dlferry.Tensor { return must(dlferry.FromDLPack(C.make_owned())) }
