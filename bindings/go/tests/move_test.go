// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
	"pgregory.net/rapid"
)

func succeeds(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestCopyInto_AnythingIntoAnything(t *testing.T) {
	tensor := must(dlferry.Create(dlferry.Int32, dlferry.CPU, 2, 2))
	defer tensor.Close()
	succeeds(t, dlferry.CopyInto(dlferry.Of([]int32{1, 2, 3, 4}, 2, 2), tensor))
	columns := must(tensor.Permute(1, 0))
	defer columns.Close()
	slice := make([]int32, 8)
	succeeds(t, dlferry.CopyInto(columns, dlferry.Of(slice, 2, 2).Strided(7, -4, -1)))
	if want := []int32{0, 0, 4, 2, 0, 0, 3, 1}; !slices.Equal(slice, want) {
		t.Errorf("got %v, not %v", slice, want)
	}
	succeeds(t, dlferry.CopyInto(dlferry.Of([]int32{5}, 2, 2).Strided(0, 0, 0), columns))
	if got := elements[int32](tensor); !slices.Equal(got, []int32{5, 5, 5, 5}) {
		t.Errorf("got %v", got)
	}
	var one int32
	corner := must(tensor.Index(dlferry.One(0), dlferry.One(0)))
	defer corner.Close()
	succeeds(t, dlferry.CopyInto(corner, dlferry.Scalar(&one)), dlferry.CopyInto(dlferry.Of([]int8{}), dlferry.Of([]int8{})),
		dlferry.CastInto(dlferry.Of([]int8{}), dlferry.Of([]float64{})), dlferry.Fill(dlferry.Of([]int8{}), 1))
	if one != 5 {
		t.Errorf("got %d", one)
	}
}

// One slice as source and destination: elements move as by copy, where the strides are equal.
func TestCopyInto_SharedMemory(t *testing.T) {
	slice := []int32{1, 2, 3, 4}
	succeeds(t, dlferry.CopyInto(dlferry.Of(slice[:3]), dlferry.Of(slice[1:])))
	if !slices.Equal(slice, []int32{1, 1, 2, 3}) {
		t.Errorf("got %v", slice)
	}
	fails(t, dlferry.CopyInto(dlferry.Of(slice[:3], 3).Strided(2, -1), dlferry.Of(slice[1:])), dlferry.ErrLayout,
		"copy_into: expected a source apart from the destination, or with its strides, got shared memory and other strides: "+
			"copy the source first")
	tensor := must(dlferry.Wrap(slice))
	defer tensor.Close()
	bits := must(tensor.Bitcast(dlferry.Float32))
	defer bits.Close()
	fails(t, dlferry.CastInto(tensor, bits), dlferry.ErrLayout, "")
	fails(t, dlferry.CastInto(dlferry.Of(slice), bits), dlferry.ErrLayout, "")
	succeeds(t, dlferry.CopyInto(tensor, tensor), dlferry.CastInto(tensor, dlferry.Of(slice)))
	if !slices.Equal(slice, []int32{1, 1, 2, 3}) {
		t.Errorf("got %v", slice)
	}
}

func TestMove_RefusesAndWritesNothing(t *testing.T) {
	slice := []int32{7, 7}
	tensor := must(dlferry.Wrap(slice))
	defer tensor.Close()
	closed := must(dlferry.Wrap([]int32{1, 2}))
	succeeds(t, closed.Close())
	complexes := dlferry.Of([]complex64{1, 2})
	for _, c := range []struct {
		err    error
		status dlferry.Status
		text   string
	}{
		{dlferry.CopyInto(dlferry.Of([]uint8{1, 2}), tensor), dlferry.ErrDtype,
			"copy_into: expected a source of int32, the destination's dtype, got uint8"},
		{dlferry.CopyInto(dlferry.Of([]int32{1, 2, 3}), tensor), dlferry.ErrShape,
			"copy_into: expected a source of extent 2 on axis 0 (from 0), the destination's, got 3"},
		{dlferry.CastInto(dlferry.Of([]uint8{1, 2}, 1, 2), tensor), dlferry.ErrShape,
			"cast_into: expected a source of 1 axes, as many as the destination has, got 2"},
		{dlferry.CastInto(complexes, tensor), dlferry.ErrDtype,
			"cast_into: expected a complex dtype for complex64, got int32; bitcast it to its parts first"},
		{dlferry.CopyInto(tensor, nil), dlferry.ErrInvalid, "copy_into: expected a tensor, got nil"},
		{dlferry.CopyInto((*dlferry.Array)(nil), tensor), dlferry.ErrInvalid, "copy_into: expected a tensor, got nil"},
		{dlferry.CastInto(closed, tensor), dlferry.ErrInvalid, "cast_into: expected an open tensor, got a closed one"},
		{dlferry.CastInto(tensor, closed), dlferry.ErrInvalid, "cast_into: expected an open tensor, got a closed one"},
		{dlferry.Fill(closed, 1), dlferry.ErrInvalid, "fill: expected an open tensor, got a closed one"},
		{dlferry.CopyInto(dlferry.Of([]int32{1, 2}, 3), tensor), dlferry.ErrShape, ""},
		{dlferry.CopyInto(dlferry.Of([]int32{1, 2}, 2).Strided(0, 2), tensor), dlferry.ErrBounds, ""},
		{dlferry.Fill(tensor, 0.5), dlferry.ErrInvalid, "fill: expected a number that int32 has, got 0.5"},
		{dlferry.Fill(tensor, uint64(1)<<40), dlferry.ErrInvalid, "fill: expected a number that int32 has, got 1099511627776"},
		{dlferry.Fill(tensor, 1+2i), dlferry.ErrInvalid, "fill: expected a number that int32 has, got 1+2i"},
		{dlferry.Fill(tensor, "1"), dlferry.ErrInvalid, "fill: expected a number, got string"},
		{dlferry.Fill(tensor, nil), dlferry.ErrInvalid, "fill: expected a number, got <nil>"},
		{dlferry.CopyInto(tensor, dlferry.Of(slice).ReadOnly()), dlferry.ErrReadOnly,
			"copy_into: expected a writable destination, got a read-only one"},
		{dlferry.Fill(dlferry.Of(slice).ReadOnly(), 1), dlferry.ErrReadOnly,
			"fill: expected a writable destination, got a read-only one"},
		{dlferry.Fill(dlferry.Of(slice, 2).Strided(0, 0), 1), dlferry.ErrLayout,
			"fill: expected a destination whose elements lie apart, got shape [2] with strides [0]"},
	} {
		if fails(t, c.err, c.status, ""); !strings.HasPrefix(c.err.Error(), c.text) {
			t.Errorf("expected the text %q, got %q", c.text, c.err)
		}
	}
	if !slices.Equal(slice, []int32{7, 7}) {
		t.Errorf("written: %v", slice)
	}
	_, err := tensor.Cast(0)
	fails(t, err, dlferry.ErrDtype, "")
	_, err = (*dlferry.Tensor)(nil).Cast(dlferry.Int8)
	fails(t, err, dlferry.ErrInvalid, "cast: expected a tensor, got nil")
	_, err = tensor.Contiguous(dlferry.Order(9))
	fails(t, err, dlferry.ErrInvalid, "contiguous: expected a dlf_order, got 9")
}

func TestContiguous_SameMemoryWhereItCan(t *testing.T) {
	tensor := must(dlferry.Wrap(numbers(6), 2, 3))
	defer tensor.Close()
	turned := must(tensor.Permute(1, 0))
	defer turned.Close()
	for order, want := range map[dlferry.Order]struct {
		same    bool
		strides []int
	}{
		dlferry.RowMajor: {false, []int{2, 1}}, dlferry.ColumnMajor: {true, []int{1, 3}}, dlferry.Dense: {true, []int{1, 3}},
	} {
		got := must(turned.Contiguous(order))
		if same := got.Data() == turned.Data(); same != want.same || !slices.Equal(got.Strides(), want.strides) ||
			!must(got.Equal(turned)) {
			t.Errorf("%v: got %s", order, got.Describe())
		}
		succeeds(t, got.Close())
	}
	flipped := must(turned.Flip(0))
	defer flipped.Close()
	columns := must(flipped.Contiguous(dlferry.ColumnMajor))
	defer columns.Close()
	if !slices.Equal(columns.Strides(), []int{1, 3}) || !must(columns.Identical(flipped)) {
		t.Errorf("got %s", columns.Describe())
	}
}

func TestCast_HalfBytes(t *testing.T) {
	tensor := must(dlferry.Wrap([]float32{0.5, -6, 100}))
	defer tensor.Close()
	packed := must(tensor.Cast(dlferry.Float4E2M1FN))
	defer packed.Close()
	padded := must(dlferry.CastTo[dlferry.F4E2M1FN](tensor))
	defer padded.Close()
	if must(packed.ByteSize()) != 2 || must(padded.ByteSize()) != 3 {
		t.Errorf("got %s, %s", packed.Describe(), padded.Describe())
	}
	for i, x := range elements[dlferry.F4E2M1FN](padded) {
		if want := []float64{0.5, -6, 6}[i]; x.Float64() != want {
			t.Errorf("got %v, not %v", x, want)
		}
	}
	row, bytes := make([]dlferry.F4E2M1FN, 3), []byte{0, 0xf0}
	succeeds(t, dlferry.CopyInto(packed, dlferry.Of(row)))
	odd := dlferry.Of(bytes, 3).As(dlferry.Float4E2M1FN)
	succeeds(t, dlferry.CopyInto(dlferry.Of(row), odd))
	if !must(packed.Equal(dlferry.Of(row))) || !must(packed.Equal(odd)) || bytes[1]&0xf0 != 0xf0 {
		t.Errorf("got %v, %x", row, bytes)
	}
	succeeds(t, dlferry.Fill(odd, 1.5), dlferry.Fill(dlferry.Of(row), dlferry.BF16(0x3fc0)))
	if !must(packed.Equal(dlferry.Of(row))) && bytes[0] != 0x33 || bytes[1] != 0xf3 {
		t.Errorf("got %v, %x", row, bytes)
	}
	fails(t, dlferry.Fill(dlferry.Of(bytes, 2).As(dlferry.NewDType(99, 8, 1)), 1), dlferry.ErrUnsupported, "")
}

// Every pair of the kinds of numbers, at the ends of their ranges.
func TestCast_AsGoConverts(t *testing.T) {
	wide := []float64{0, math.Copysign(0, -1), 0.5, -1.5, 127.9, 128, -129, 255.5, 65536, 1e10, -1e10, 1e300, math.Inf(1),
		math.Inf(-1), math.NaN()}
	bytes, singles, truths := make([]int8, len(wide)), make([]float32, len(wide)), make([]bool, len(wide))
	succeeds(t, dlferry.CastInto(dlferry.Of(wide), dlferry.Of(bytes)), dlferry.CastInto(dlferry.Of(wide), dlferry.Of(singles)),
		dlferry.CastInto(dlferry.Of(wide), dlferry.Of(truths)))
	for i, x := range wide {
		want := int8(min(max(math.Trunc(x), math.MinInt8), math.MaxInt8)) // beyond the range, the nearest
		if math.IsNaN(x) {
			want = 0
		}
		if bytes[i] != want || math.Float32bits(singles[i]) != math.Float32bits(float32(x)) || truths[i] != (x != 0) {
			t.Errorf("%v: got %v, %v, %v", x, bytes[i], singles[i], truths[i])
		}
	}
	succeeds(t, dlferry.CastIntoSaturating(dlferry.Of(wide), dlferry.Of(singles)))
	if singles[11] != math.MaxFloat32 || singles[12] != math.MaxFloat32 || singles[13] != -math.MaxFloat32 {
		t.Errorf("got %v", singles)
	}
}

func TestCast_AgreesWithGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SliceOfN(rapid.Int64(), 0, 70).Draw(t, "from")
		source := dlferry.Of(from)
		shorts, natural, reals := make([]int16, len(from)), make([]uint64, len(from)), make([]float32, len(from))
		saturated, halves := make([]uint32, len(from)), make([]dlferry.F16, len(from))
		for _, err := range []error{dlferry.CastInto(source, dlferry.Of(shorts)), dlferry.CastInto(source, dlferry.Of(natural)),
			dlferry.CastInto(source, dlferry.Of(reals)), dlferry.CastIntoSaturating(source, dlferry.Of(saturated)),
			dlferry.CastInto(dlferry.Of(reals), dlferry.Of(halves))} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, x := range from {
			if shorts[i] != int16(x) || natural[i] != uint64(x) || reals[i] != float32(x) ||
				saturated[i] != uint32(min(max(x, 0), math.MaxUint32)) ||
				halves[i] != dlferry.Narrow[dlferry.F16](float64(float32(x))) {
				t.Fatalf("%d: got %v, %v, %v, %v, %v", x, shorts[i], natural[i], reals[i], saturated[i], halves[i])
			}
		}
	})
}

// Any layouts on both sides, one element at a time.
func TestMove_AgreesWithALoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 4).Draw(t, "shape")
		strides := rapid.SliceOfN(rapid.IntRange(-9, 9), len(shape), len(shape)).Draw(t, "strides")
		from, to := make([]int16, 400), make([]float64, 400)
		for i := range from {
			from[i] = int16(i)
		}
		source, err := dlferry.Of(from, shape...).Strided(200, strides...).Wrap()
		if len(shape) == 0 {
			source, err = dlferry.Of(from, []int{}...).Strided(200).Wrap()
		}
		if err != nil {
			t.Skip(err)
		}
		defer source.Close()
		// Steps that lie apart, in a random order of axes and directions.
		apart, offset, step := make([]int, len(shape)), 0, rapid.IntRange(1, 2).Draw(t, "step")
		for _, axis := range rapid.Permutation(axesOf(shape)).Draw(t, "axes") {
			apart[axis] = step
			step *= max(shape[axis], 1)
			if rapid.Bool().Draw(t, "backwards") {
				offset += (max(shape[axis], 1) - 1) * apart[axis]
				apart[axis] = -apart[axis]
			}
		}
		if step > len(to) {
			t.Skip("too large")
		}
		destination, err := dlferry.Of(to, shape...).Strided(offset, apart...).Wrap()
		if len(shape) == 0 {
			destination, err = dlferry.Of(to, []int{}...).Strided(offset).Wrap()
		}
		if err != nil {
			t.Fatal(err)
		}
		defer destination.Close()
		want := make([]float64, len(to))
		count := 1
		for _, extent := range shape {
			count *= extent
		}
		for n := range count {
			read, write, rest := 200, offset, n
			for axis := len(shape) - 1; axis >= 0; axis-- {
				index := rest % shape[axis]
				rest /= shape[axis]
				read += index * strides[axis]
				write += index * apart[axis]
			}
			want[write] = float64(from[read])
		}
		if err := dlferry.CastInto(source, destination); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(to, want) {
			t.Fatalf("got %v, not %v", to, want)
		}
		for i, x := range want {
			if x != 0 {
				want[i] = 1
			}
		}
		clear(to)
		if err := dlferry.Fill(destination, 0.0); err != nil || slices.Max(to) != 0 {
			t.Fatal(err, to)
		}
		if err := dlferry.CopyInto(must(source.Cast(dlferry.Float64)), destination); err != nil {
			t.Fatal(err)
		}
		for i := range to {
			if (to[i] != 0) != (want[i] != 0) {
				t.Fatalf("got %v, not %v", to, want)
			}
		}
	})
}

func axesOf(shape []int) []int {
	axes := make([]int, len(shape))
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// Slices on the stack or the heap reach C without a copy, and nothing of Go's is left behind.
func TestMove_AllocatesNothing(t *testing.T) {
	from, to := numbers(8), make([]float64, 8)
	tensor := must(dlferry.Wrap(from))
	defer tensor.Close()
	allocatesNothing(t, func() {
		if dlferry.CastInto(dlferry.Of(from, 2, 4), dlferry.Of(to, 2, 4)) != nil || dlferry.CastInto(tensor, dlferry.Of(to)) != nil ||
			dlferry.CopyInto(dlferry.Of(from[:4]), dlferry.Of(from[4:])) != nil {
			t.Error("failed")
		}
	})
}

// A closed tensor stays until the calls that use it are done, and one tensor is the source of many goroutines.
func TestMove_Goroutines(t *testing.T) {
	for range 20 {
		source := must(dlferry.Wrap(numbers(50_000)))
		var wait sync.WaitGroup
		for range 4 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				to := make([]float32, 50_000)
				err := dlferry.CastInto(source, dlferry.Of(to))
				if err == nil && to[49_999] != 49_999 {
					t.Errorf("got %v", to[49_999])
				}
				if made, err := source.Cast(dlferry.Int8); err == nil {
					succeeds(t, dlferry.Fill(made, 3), made.Close())
				}
			}()
		}
		runtime.GC()
		succeeds(t, source.Close())
		wait.Wait()
	}
}

// A tensor of another runtime is written, since Go's rule leaves access to elements to the program.
func TestMove_Imported(t *testing.T) {
	tensor := must(dlferry.FromDLPack(helper.Made("float32[2, 2] strides [1, 2]: 1 2 3 4")))
	defer tensor.Close()
	succeeds(t, dlferry.CastInto(dlferry.Of([]int8{5, 6, 7, 8}, 2, 2), tensor))
	if got := elements[float32](tensor); !slices.Equal(got, []float32{5, 6, 7, 8}) {
		t.Errorf("got %v", got)
	}
	away := must(dlferry.FromDLPack(helper.Made("float32[1] cuda:0: 1")))
	defer away.Close()
	fails(t, dlferry.CopyInto(away, dlferry.Of([]float32{0})), dlferry.ErrDevice, "")
	fails(t, dlferry.Fill(away, 1), dlferry.ErrDevice, "")
	strange := must(dlferry.FromDLPack(helper.Made("float32[1] flags 32: 1")))
	defer strange.Close()
	fails(t, dlferry.CopyInto(strange, dlferry.Of([]float32{0})), dlferry.ErrUnsupported,
		"copy_into: expected flags that DLPack 1.3 names, got 0x20")
}
