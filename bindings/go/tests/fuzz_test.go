// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// Native fuzz targets. go test replays the corpus in testdata/fuzz; go test -fuzz FuzzView searches on.

// Each three bytes are a view: its kind and two numbers. For any bytes a view shows elements of its tensor, in the same
// order by each way to read them, or the error is the hub's.
func FuzzView(f *testing.F) {
	f.Add([]byte{0, 1, 2, 4, 0, 0, 8, 1, 0})
	f.Fuzz(func(t *testing.T, program []byte) {
		view := must(dlferry.Wrap(numbers(24), 2, 3, 4))
		defer func() { view.Close() }()
		for len(program) >= 3 && view.NDim() < 8 {
			next, err := viewed(view, program[0], int(int8(program[1])), int(int8(program[2])))
			program = program[3:]
			if err != nil {
				var failure *dlferry.Error
				if !errors.As(err, &failure) || next != nil {
					t.Fatalf("got %v beside %v", err, next)
				}
				continue
			}
			view.Close()
			view = next
		}
		sameByAllWays(t, view)
	})
}

func viewed(x *dlferry.Tensor, kind byte, a, b int) (*dlferry.Tensor, error) {
	switch kind % 9 {
	case 0:
		return x.Slice(a, b&3, (b>>2)&3, b>>4)
	case 1:
		return x.Select(a, b)
	case 2:
		axes := make([]int, x.NDim())
		for i := range axes {
			axes[i] = (i + a) % max(len(axes), 1)
		}
		return x.Permute(axes...)
	case 3:
		return x.Reshape(a, b)
	case 4:
		return x.Unsqueeze(a)
	case 5:
		return x.Squeeze(a)
	case 6:
		return x.Flip(a)
	case 7:
		return x.Broadcast(append([]int{a & 3}, x.Shape()...)...)
	default:
		return x.Index(dlferry.NewAxis(), dlferry.One(a), dlferry.Range(b&3, b>>2, 1))
	}
}

func sameByAllWays(t *testing.T, view *dlferry.Tensor) {
	t.Helper()
	want := elements[int32](view)
	if view.Check(dlferry.CheckStructure) != nil || len(want) != must(view.Count()) {
		t.Fatalf("%d elements of %s", len(want), view.Describe())
	}
	for _, value := range want {
		if value < 0 || value > 23 {
			t.Fatalf("%d is not an element", value)
		}
	}
	dense := must(view.Contiguous(dlferry.RowMajor))
	defer dense.Close()
	if got := elements[int32](dense); !slices.Equal(got, want) || !must(dense.Identical(view)) {
		t.Fatalf("copied as %v, not %v", got, want)
	}
}

// Any file is a tensor that is saved as it was, or an error.
func FuzzNpyOpen(f *testing.F) {
	f.Add([]byte("\x93NUMPY\x01\x00\x46\x00{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }" +
		"            \n\x01\x00\x00\x00\x02\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "x.npy")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		tensor, err := dlferry.NpyOpen(path)
		if err != nil {
			var failure *dlferry.Error
			if !errors.As(err, &failure) {
				t.Fatal(err)
			}
			return
		}
		defer tensor.Close()
		if err := dlferry.NpySave(tensor, path+".again"); err != nil {
			t.Skip(err)
		}
		again := must(dlferry.NpyOpen(path + ".again"))
		defer again.Close()
		if !must(again.Identical(tensor)) {
			t.Errorf("%s became %s", tensor.Describe(), again.Describe())
		}
	})
}

// A name that is read is written as one that means the same.
func FuzzParseDType(f *testing.F) {
	for _, name := range []string{"float32", "uint8x4", "f8_e4m3fn", "dtype(99, 24)", "bool", "x"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		dtype, err := dlferry.ParseDType(name)
		if err != nil {
			return
		}
		if again, err := dlferry.ParseDType(dtype.String()); err != nil || again != dtype {
			t.Errorf("%q is %v, which is read as %v: %v", name, dtype, again, err)
		}
	})
}
