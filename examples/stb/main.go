// SPDX-License-Identifier: Apache-2.0

// Decode a photograph: the pixels stay where stb_image put them, and closing the tensor frees them.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"si"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func describe(t *dlferry.Tensor) string {
	defer t.Close()
	var sum int64
	must(dlferry.With(t, func(e dlferry.Elements[uint8]) error {
		pixels, err := e.Slice()
		for _, x := range pixels {
			sum += int64(x)
		}
		return err
	}))
	shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(t.Shape()), " ", "x"), "[]")
	return fmt.Sprintf("%s, sum %d", shape, sum)
}

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	must(err)
	file := dlferry.Of(bytes, len(bytes))
	width, height, channels, err := si.Size(file)
	must(err)
	pixels, err := si.Decode(file, si.DecodeOptions{})
	must(err)
	gray, err := si.Decode(file, si.DecodeOptions{Channels: 1})
	must(err)
	fmt.Printf("size    %d rows, %d columns, %d channels\n", height, width, channels)
	fmt.Printf("pixels  %s\n", describe(pixels))
	fmt.Printf("gray    %s\n", describe(gray))
	if _, err := si.Decode(dlferry.Of(bytes[100:], len(bytes)-100), si.DecodeOptions{}); err != nil {
		fmt.Println(err)
	}
	if _, err := si.Decode(file, si.DecodeOptions{Channels: 5}); err != nil {
		fmt.Println(err)
	}
}
