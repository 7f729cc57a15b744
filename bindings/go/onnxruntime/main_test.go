// SPDX-License-Identifier: Apache-2.0

package onnxruntime_test

import (
	"fmt"
	"os"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	ort "github.com/yalue/onnxruntime_go"
)

// Values that tests forget on purpose.
var forgotten int64

func TestMain(m *testing.M) {
	library := os.Getenv("DLFERRY_ONNXRUNTIME")
	if library == "" {
		fmt.Println("FAIL: DLFERRY_ONNXRUNTIME must be the path of libonnxruntime.so.1.24: see the README")
		os.Exit(1)
	}
	ort.SetSharedLibraryPath(library)
	check(ort.InitializeEnvironment())
	status := m.Run()
	check(ort.DestroyEnvironment())
	if live := dlferry.Live(); status == 0 && live != forgotten {
		fmt.Printf("FAIL: %d tensors are still alive, expected %d\n", live, forgotten)
		status = 1
	}
	os.Exit(status)
}
