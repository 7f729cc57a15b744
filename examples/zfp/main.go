// SPDX-License-Identifier: Apache-2.0

// Compress a field, get it back within the tolerance, then again from the bytes that a file would hold.
package main

import (
	"fmt"
	"log"
	"math"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"zf"
)

const n = 32

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func within(a, b []float64) string {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 0.001 {
			return "no"
		}
	}
	return "yes"
}

func main() {
	var values []float64
	for x := range n {
		for y := range n {
			for z := range n {
				values = append(values, float64(x*y-z*z+x)/64)
			}
		}
	}
	back := make([]float64, len(values))
	stream, err := zf.StreamOpen()
	must(err)
	defer stream.Close()
	_, err = stream.SetAccuracy(0.001)
	must(err)
	field, err := zf.FieldFrom3d(dlferry.Of(values, n, n, n))
	must(err)
	defer field.Close()
	other, err := zf.FieldFrom3d(dlferry.Of(back, n, n, n))
	must(err)
	defer other.Close()

	code, size, err := stream.Encode(field)
	must(err)
	defer code.Close()
	must(stream.Decode(other, code))
	fmt.Printf("field   %d bytes\n", 8*len(values))
	fmt.Printf("stream  %d bytes of %d\n", size, code.Shape()[0])
	fmt.Printf("within the tolerance: %s\n", within(back, values))

	padded := make([]byte, code.Shape()[0])
	must(code.WithBytes(false, func(memory []byte) error {
		copy(padded, memory[:size])
		return nil
	}))
	if err := stream.Decode(other, dlferry.Of(padded[:size], int(size))); err != nil {
		fmt.Println(err)
	}
	clear(back)
	must(stream.Decode(other, dlferry.Of(padded, len(padded))))
	fmt.Printf("stored and padded: %s\n", within(back, values))
	if _, err := zf.FieldFrom2d(dlferry.Of([]float64{}, 0, 3)); err != nil {
		fmt.Println(err)
	}
}
