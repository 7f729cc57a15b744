// SPDX-License-Identifier: Apache-2.0

package arrow_test

import (
	"testing"

	"github.com/dlferry/dlferry/bindings/go/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
