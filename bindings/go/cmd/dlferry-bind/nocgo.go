// SPDX-License-Identifier: Apache-2.0

//go:build !cgo

package main

import _ "github.com/dlferry/dlferry/bindings/go" // says what is missing

func main() {}
