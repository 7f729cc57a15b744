// SPDX-License-Identifier: Apache-2.0

// Package inlined calls the functions that the compiler must inline, since a call would take longer than the access.
package inlined

import dlferry "github.com/dlferry/dlferry/bindings/go"

// Access calls each of them with T.
func Access[T dlferry.Element](e dlferry.Elements[T]) {
	e.Set1(e.At1(0), 1)
	e.Set2(e.At2(0, 0), 1, 1)
	e.Set3(e.At3(0, 0, 0), 1, 1, 1)
}

// Types are the widths of elements, and those that are read apart.
func Types(a dlferry.Elements[bool], b dlferry.Elements[int16], c dlferry.Elements[float32], d dlferry.Elements[complex128]) {
	Access(a)
	Access(b)
	Access(c)
	Access(d)
}
