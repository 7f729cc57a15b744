// SPDX-License-Identifier: Apache-2.0

package dlferry

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// Go writes the exports of plain slices itself, C all others and those of tensors: they must not differ.
func TestExportSlice_IsTheTensors(t *testing.T) {
	data, bits := make([]float32, 720), make([]bool, 6)
	for name, a := range map[string]*Array{
		"one axis":    Of(data),
		"a shape":     Of(data, 720),
		"two":         Of(data, 72, 10),
		"four":        Of(data, 2, 3, 10, 12),
		"six":         Of(data, 2, 3, 2, 5, 2, 6),
		"ones":        Of(data, 1, 720, 1),
		"empty":       Of(data[:0], 3, 0, 2),
		"none":        Of[float32](nil),
		"scalar":      Scalar(&data[3]),
		"part":        Of(data[7:27], 4, 5).ReadOnly(),
		"gaps":        Of(data, 5, 6).Strided(3, 20, 2),
		"backwards":   Of(data, 5, 6).Strided(719, -20, -2),
		"repeated":    Of(data, 5, 6).Strided(0, 0, 1),
		"other dtype": Of(data, 360).As(Float64),
		"bool":        Of(bits, 2, 3),
		"fp8":         Of(make([]F8E4M3, 4), 2, 2),
		"fp4":         Of(make([]F4E2M1FN, 4), 2, 2),
	} {
		tensor := must(a.Wrap())
		direct, through := must(FromDLPack(must(a.ToDLPack()))), must(FromDLPack(must(tensor.ToDLPack())))
		if got, want := direct.Describe(), through.Describe(); got != want || direct.Data() != through.Data() ||
			!slices.Equal(direct.Strides(), through.Strides()) {
			t.Errorf("%s: %s at %x, expected %s at %x", name, got, direct.Data(), want, through.Data())
		}
		for _, each := range []*Tensor{tensor, direct, through} {
			each.Close()
		}
	}
}

// An export counts as alive, and what a consumer writes into it is gone with it.
func TestExportSlice_IsWrittenAnew(t *testing.T) {
	data := make([]int16, 6)
	like := must(Wrap(data, 2, 3))
	defer like.Close()
	before := Live()
	for range 2 * slotsInGroup {
		managed := must(ToDLPack(data, 2, 3))
		if got := Live() - before; got != 1 {
			t.Fatalf("%d alive", got)
		}
		tensor := must(FromDLPack(managed))
		if got := tensor.Describe(); got != like.Describe() {
			t.Fatal(got)
		}
		const deleter = 2 // a word, behind the version and the manager's
		for i, words := 0, unsafe.Slice((*uintptr)(managed), 18); i < len(words); i++ {
			if i != deleter {
				words[i] = 0xdead
			}
		}
		tensor.Close()
	}
}

// Goroutines export and release at the same time; none gets another one's slot.
func TestExportSlice_ManyAtOnce(t *testing.T) {
	var group sync.WaitGroup
	for worker := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			data := []int32{int32(worker), 0}
			var held [40]unsafe.Pointer
			for range 50 {
				for i := range held {
					held[i] = must(ToDLPack(data, 2))
				}
				for i, managed := range held {
					if i%2 == 0 {
						ReleaseDLPack(managed)
						continue
					}
					tensor := must(FromDLPack(managed))
					if e := must(Look[int32](tensor)); e.At1(0) != int32(worker) {
						t.Errorf("%d in the slot of %d", e.At1(0), worker)
					}
					tensor.Close()
				}
			}
		}()
	}
	group.Wait()
}

// A panic in a release ends the program, even if the goroutine that runs it recovers.
func TestWrapOwned_PanicInReleaseEndsTheProgram(t *testing.T) {
	const name = "DLFERRY_TEST_PANIC"
	if os.Getenv(name) == "" {
		command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		command.Env = append(os.Environ(), name+"=1")
		text, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(text), "expected the release of a WrapOwned to return, got panic: mine") {
			t.Errorf("%v: %s", err, text)
		}
		return
	}
	tensor := must(Of(make([]int32, 4)).WrapOwned(func() { panic("mine") }))
	defer func() {
		recover()
		os.Exit(0)
	}()
	tensor.Close()
}
