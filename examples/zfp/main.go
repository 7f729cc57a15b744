// SPDX-License-Identifier: Apache-2.0

// Compress a field as it lies in memory, transposed or not, and get it back within the tolerance.
package main

import (
	"fmt"
	"log"
	"math"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"zf"
)

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
	const n = 32
	var field []float64
	for x := range n {
		for y := range n {
			for z := range n {
				field = append(field, float64(x*y-z*z+x)/64)
			}
		}
	}
	stream, err := zf.StreamOpen()
	must(err)
	defer stream.Close()
	_, err = stream.SetAccuracy(0.001)
	must(err)
	code, err := stream.Encode(dlferry.Of(field, n, n, n))
	must(err)
	back := make([]float64, len(field))
	must(stream.Decode(code, dlferry.Of(back, n, n, n)))
	fmt.Printf("field   %d bytes\n", 8*len(field))
	fmt.Printf("stream  %d bytes\n", code.Shape()[0])
	fmt.Printf("within the tolerance: %s\n", within(back, field))
	code.Close()

	// Strides of 8, 256 and 8192 bytes: zfp walks them itself.
	code, err = stream.Encode(dlferry.Of(field, n, n, n).Strided(0, 1, n, n*n))
	must(err)
	must(stream.Decode(code, dlferry.Of(back, n, n, n).Strided(0, 1, n, n*n)))
	fmt.Printf("turned, in place: %s\n", within(back, field))
	code.Close()
	if _, err := stream.Encode(dlferry.Of([]float64{}, 0, 3)); err != nil {
		fmt.Println(err)
	}
}
