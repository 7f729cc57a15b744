// SPDX-License-Identifier: Apache-2.0

// Compress bytes with zlib's own functions, get them back, and read zlib's refusals.
package main

import (
	"fmt"
	"log"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"zl"
)

func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func whole(bytes []byte) dlferry.Arg { return dlferry.Of(bytes, len(bytes)) }

func crc(bytes []byte) uint64 { return try(zl.Crc32(zl.Crc32Options{}, whole(bytes))) }

func main() {
	data := make([]byte, 100000)
	for i := range data {
		data[i] = byte(i % 251)
	}
	packed := try(zl.Compress(whole(data), zl.CompressOptions{}))
	defer packed.Close()
	fmt.Printf("packed   %d bytes into less than %d thousand\n", len(data), packed.Shape()[0]/1000+1)

	room := make([]byte, 200000)
	size := try(zl.Uncompress(whole(room), packed))
	fmt.Printf("unpacked %d bytes, crc32 %08x, before %08x\n", size, crc(room[:size]), crc(data))
	start := try(zl.Adler32(zl.Adler32Options{}, whole(data[:500])))
	parts := try(zl.Adler32(zl.Adler32Options{Adler: &start}, whole(data[500:])))
	fmt.Printf("in parts %d, whole %d\n", parts, try(zl.Adler32(zl.Adler32Options{}, whole(data))))

	_, err := zl.Uncompress(whole(room[:9]), packed)
	fmt.Println(err)
	_, err = zl.Uncompress(whole(room), whole(data))
	fmt.Println(err)
	level := int32(zl.BestCompression + 1)
	_, err = zl.Compress(whole(data), zl.CompressOptions{Level: &level})
	fmt.Println(err)
	_, err = zl.Compress(dlferry.Of(make([]float64, 3), 3), zl.CompressOptions{})
	fmt.Println(err)
}
