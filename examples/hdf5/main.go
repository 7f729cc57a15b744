// SPDX-License-Identifier: Apache-2.0

// Write an image, its axis and their attributes into an HDF5 file, and read them back into slices.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"h5"
)

func try[T any](value T, err error) T {
	done(err)
	return value
}

func done(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func of[T float32 | float64 | int32 | complex128](values ...T) dlferry.Arg {
	return dlferry.Of(values, len(values))
}

func write(path string) {
	image := []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	// An id is a number, as in C, which HDF5 checks.
	file := try(h5.Fcreate(path, h5.FcreateOptions{}))
	shape := try(h5.ScreateSimple([]uint64{3, 4}))
	kind := try(h5.TextToDtype("H5T_IEEE_F32LE", h5.TextToDtypeOptions{}))
	dataset := try(h5.Dcreate(file, "image", kind, shape))
	done(h5.Dwrite(dataset, shape, h5.DwriteOptions{}, of(image...)))
	done(h5.MakeDataset(file, "axis", of(0, 1.0/3, 2.0/3, 1)))
	done(h5.SetAttribute(file, "image", "scale", of(0.5, 2)))
	done(h5.SetAttribute(file, "image", "frames", of(int32(7))))
	done(h5.SetAttributeString(file, "image", "unit", "kelvin"))
	done(h5.Dclose(dataset))
	done(h5.Tclose(kind))
	done(h5.Sclose(shape))
	done(h5.Fclose(file))
}

func main() {
	path := filepath.Join(os.Args[1], "data.h5")
	write(path)

	file := try(h5.Fopen(path, h5.FopenOptions{}))
	dims, kind, size, err := h5.GetDatasetInfo(file, "image")
	done(err)
	var height, width int
	done(dlferry.With(dims, func(e dlferry.Elements[uint64]) error {
		height, width = int(e.At(0)), int(e.At(1))
		return nil
	}))
	fmt.Printf("image  %d x %d, class %d, %d bytes each\n", height, width, kind, size)
	dataset := try(h5.Dopen(file, "image"))
	shape := h5.DgetSpace(dataset)
	room := make([]float64, height*width) // of another dtype: HDF5 converts
	done(h5.Dread(dataset, shape, h5.DreadOptions{}, of(room...)))
	var sum, last float64
	for i, x := range room {
		sum += x
		if i >= 2*width {
			last += x
		}
	}
	fmt.Printf("sum    %g, of the last row %g\n", sum, last)

	scale := make([]float64, 16) // as many numbers as bytes in the file
	attribute := try(h5.AopenByName(file, "image", "scale"))
	done(h5.Aread(attribute, of(scale...)))
	done(h5.Aclose(attribute))
	fmt.Println("scale ", scale[0], scale[1])
	none, unit, size, err := h5.GetAttributeInfo(file, "image", "unit")
	done(err)
	fmt.Printf("unit   %d axes, class %d, %d bytes\n", none.Shape()[0], unit, size)
	fmt.Print("found ")
	for _, name := range []string{"image", "axis", "no"} {
		fmt.Print(" ", try(h5.FindDataset(file, name)))
	}
	itsType := h5.DgetType(dataset)
	fmt.Println("\ntype  ", try(h5.DtypeToText(itsType, h5.DtypeToTextOptions{})))
	done(h5.Tclose(itsType))

	fmt.Println(h5.Dread(dataset, shape, h5.DreadOptions{}, of(make([]float64, 11)...)))
	fmt.Println(h5.Dread(dataset, shape, h5.DreadOptions{}, dlferry.Of(room, height, width)))
	fmt.Println(h5.Dread(dataset, shape, h5.DreadOptions{}, of(make([]complex128, 12)...)))
	fmt.Println(h5.Aread(dataset, of(scale...)))
	done(h5.Dclose(dataset))
	done(h5.Sclose(shape))
	done(h5.Fclose(file))
}
