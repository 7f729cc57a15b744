// SPDX-License-Identifier: Apache-2.0

package dlferry

import "testing"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The cost of a slice's way to another library and back: export it, read it there, run the deleter.
func BenchmarkExportReleaseSlice(b *testing.B) {
	data := make([]float32, 1024)
	b.ReportAllocs()
	for b.Loop() {
		ReleaseDLPack(must(ToDLPack(data, 32, 32)))
	}
}

func BenchmarkExportImportLookClose(b *testing.B) {
	data := make([]float32, 1024)
	b.ReportAllocs()
	sum := float32(0)
	for b.Loop() {
		t := must(FromDLPack(must(ToDLPack(data, 32, 32))))
		sum += must(Look[float32](t)).At(3, 4)
		t.Close()
	}
}

func BenchmarkWrapClose(b *testing.B) {
	data := make([]float32, 1024)
	b.ReportAllocs()
	for b.Loop() {
		must(Wrap(data, 32, 32)).Close()
	}
}

func BenchmarkCreateClose(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		must(Create(Float32, CPU, 32, 32)).Close()
	}
}

func BenchmarkLook(b *testing.B) {
	t := must(Create(Float32, CPU, 32, 32))
	defer t.Close()
	b.ReportAllocs()
	for b.Loop() {
		must(Look[float32](t))
	}
}

func BenchmarkAt(b *testing.B) {
	t := must(Create(Float32, CPU, 32, 32))
	defer t.Close()
	v := must(Look[float32](t))
	b.ReportAllocs()
	for b.Loop() {
		v.At(3, 4)
	}
}

func BenchmarkFlattenSlice(b *testing.B) {
	data := make([]float32, 1024)
	b.ReportAllocs()
	for b.Loop() {
		flatten("blur: image", Of(data, 32, 32))
	}
}

func BenchmarkFlattenTensor(b *testing.B) {
	t := must(Create(Float32, CPU, 32, 32))
	defer t.Close()
	b.ReportAllocs()
	for b.Loop() {
		flatten("blur: image", t)
	}
}

// One call into C and nothing else, for scale.
func BenchmarkCall(b *testing.B) {
	for b.Loop() {
		CPU.IsCPUAccessible()
	}
}
