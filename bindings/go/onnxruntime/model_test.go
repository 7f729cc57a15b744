// SPDX-License-Identifier: Apache-2.0

package onnxruntime_test

import (
	"encoding/binary"
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// Models are written here as ONNX has them in onnx.proto, so that these tests need no other program.

func number(field, value int) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), uint64(value))
}

func bytesOf(field int, parts ...[]byte) []byte {
	var content []byte
	for _, part := range parts {
		content = append(content, part...)
	}
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3|2), uint64(len(content)))
	return append(head, content...)
}

func text(field int, value string) []byte { return bytesOf(field, []byte(value)) }

// node is a NodeProto, of the graph's field 1.
func node(op, inputs, output string, attributes ...[]byte) []byte {
	var parts [][]byte
	for _, input := range inputs {
		parts = append(parts, text(1, string(input)))
	}
	parts = append(parts, text(2, output), text(4, op))
	return bytesOf(1, append(parts, attributes...)...)
}

// toType is the attribute `to` of a Cast.
func toType(element ort.TensorElementDataType) []byte {
	return bytesOf(5, text(1, "to"), number(3, int(element)), number(20, 2))
}

// variable is a ValueInfoProto of the graph's field 11 (an input) or 12 (an output), with one letter as its name.
// Extents below 0 are free.
func variable(field int, name string, element ort.TensorElementDataType, shape ...int) []byte {
	var extents [][]byte
	for axis, extent := range shape {
		if extent < 0 {
			extents = append(extents, bytesOf(1, text(2, fmt.Sprint("n", axis))))
		} else {
			extents = append(extents, bytesOf(1, number(1, extent)))
		}
	}
	tensor := bytesOf(1, number(1, int(element)), bytesOf(2, extents...))
	return bytesOf(field, text(1, name), bytesOf(2, tensor))
}

// model is a ModelProto.
func model(parts ...[]byte) []byte {
	graph := bytesOf(7, append(parts, text(2, "graph"))...)
	opset := bytesOf(8, text(1, ""), number(2, 21))
	return append(append(number(1, 10), graph...), opset...)
}

// open makes a session with inputs and outputs of one letter each, on one thread.
func open(model []byte, inputs, outputs string) *ort.DynamicAdvancedSession {
	options := must(ort.NewSessionOptions())
	defer options.Destroy()
	check(options.SetIntraOpNumThreads(1))
	check(options.SetGraphOptimizationLevel(ort.GraphOptimizationLevelDisableAll))
	return must(ort.NewDynamicAdvancedSessionWithONNXData(model, letters(inputs), letters(outputs), options))
}

func letters(names string) (list []string) {
	for _, name := range names {
		list = append(list, string(name))
	}
	return list
}

// adding is y = a + b, of two axes of any extent.
func adding() *ort.DynamicAdvancedSession {
	const float = ort.TensorElementDataTypeFloat
	return open(model(node("Add", "ab", "y"), variable(11, "a", float, -1, -1), variable(11, "b", float, -1, -1),
		variable(12, "y", float, -1, -1)), "ab", "y")
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
