// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func TestNpy_RoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tensor.npy")
	slice := []float32{0, 1, 2, 3, 4, 5}
	for _, array := range []*dlferry.Array{dlferry.Of(slice, 2, 3), dlferry.Of(slice, 3, 2).Strided(0, 1, 3)} {
		tensor := must(array.Wrap())
		if err := dlferry.NpySave(tensor, path); err != nil {
			t.Fatal(err)
		}
		again := must(dlferry.NpyOpen(path))
		if !must(again.Identical(tensor)) || !again.ReadOnly() {
			t.Errorf("got %v", again)
		}
		again.Close()
		tensor.Close()
	}
	if err := dlferry.NpySave(dlferry.Of([]uint8{1, 2}), path); err != nil {
		t.Fatal(err)
	}
	if again := must(dlferry.NpyOpen(path)); !must(again.Equal(dlferry.Of([]int{1, 2}))) || again.Close() != nil {
		t.Error("a slice is not saved as it is")
	}
}

func TestNpy_Refuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("x", 80)) // longer than the room on the stack
	_, err := dlferry.NpyOpen(path)
	fails(t, err, dlferry.ErrForeign, "")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = dlferry.NpyOpen(path)
	fails(t, err, dlferry.ErrInvalid, "")
	_, err = dlferry.NpyOpen("a\x00b")
	fails(t, err, dlferry.ErrInvalid, `npy_open: expected a text without NUL, got one`)
	fails(t, dlferry.NpySave(nil, path), dlferry.ErrInvalid, "npy_save: expected a tensor, got nil")
	fails(t, dlferry.NpySave(dlferry.Of([]uint8{1}), filepath.Dir(path)), dlferry.ErrForeign, "")
}
