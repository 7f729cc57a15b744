// SPDX-License-Identifier: Apache-2.0

// Compress bytes with zlib's own functions, get them back, and read zlib's refusals.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

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

// throughFile writes bytes in four parts into a gzip file and returns them as they are read, 30000 at a time.
func throughFile(path string, data []byte) []byte {
	file := try(zl.Gzopen(path, "wb"))
	for i := range 4 {
		try(zl.Gzwrite(file, whole(data[i*len(data)/4:(i+1)*len(data)/4])))
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
	back, got := make([]byte, len(data)), 0
	file = try(zl.Gzopen(path, "rb"))
	defer file.Close()
	for {
		more := int(try(zl.Gzread(file, whole(back[got:min(got+30000, len(back))]))))
		if more == 0 {
			return back[:got]
		}
		got += more
	}
}

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

	path := filepath.Join(os.Args[1], "data.gz")
	back := throughFile(path, data)
	wrong := 1
	if bytes.Equal(back, data) {
		wrong = 0
	}
	fmt.Printf("file     4 parts of %d bytes, read %d, %d wrong\n", len(data)/4, len(back), wrong)

	_, err := zl.Uncompress(whole(room[:9]), packed)
	fmt.Println(err)
	_, err = zl.Uncompress(whole(room), whole(data))
	fmt.Println(err)
	level := int32(zl.BestCompression + 1)
	_, err = zl.Compress(whole(data), zl.CompressOptions{Level: &level})
	fmt.Println(err)
	_, err = zl.Compress(dlferry.Of(make([]float64, 3), 3), zl.CompressOptions{})
	fmt.Println(err)
	_, err = zl.Gzopen(path+".no", "rb")
	fmt.Println(err)
}
