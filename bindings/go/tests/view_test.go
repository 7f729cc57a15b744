// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"math"
	"slices"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
)

func numbers(count int) []int32 {
	slice := make([]int32, count)
	for i := range slice {
		slice[i] = int32(i)
	}
	return slice
}

func elements[T dlferry.Element](tensor *dlferry.Tensor) (all []T) {
	err := dlferry.With(tensor, func(e dlferry.Elements[T]) error {
		all = slices.AppendSeq([]T{}, e.All())
		return nil
	})
	if err != nil {
		panic(err)
	}
	return all
}

func TestView_SharesTheMemory(t *testing.T) {
	tensor := must(dlferry.Wrap(numbers(6), 2, 3))
	for name, c := range map[string]struct {
		view  func() (*dlferry.Tensor, error)
		shape []int
		want  []int32
	}{
		"slice":   {func() (*dlferry.Tensor, error) { return tensor.Slice(1, 2, 2, -2) }, []int{2, 2}, []int32{2, 0, 5, 3}},
		"select":  {func() (*dlferry.Tensor, error) { return tensor.Select(0, 1) }, []int{3}, []int32{3, 4, 5}},
		"permute": {func() (*dlferry.Tensor, error) { return tensor.Permute(1, 0) }, []int{3, 2}, []int32{0, 3, 1, 4, 2, 5}},
		"reshape": {func() (*dlferry.Tensor, error) { return tensor.Reshape(-1, 2) }, []int{3, 2}, numbers(6)},
		"broadcast": {func() (*dlferry.Tensor, error) { return tensor.Broadcast(2, 2, 3) }, []int{2, 2, 3},
			append(numbers(6), numbers(6)...)},
		"unsqueeze": {func() (*dlferry.Tensor, error) { return tensor.Unsqueeze(1) }, []int{2, 1, 3}, numbers(6)},
		"flip":      {func() (*dlferry.Tensor, error) { return tensor.Flip(0) }, []int{2, 3}, []int32{3, 4, 5, 0, 1, 2}},
		"index": {func() (*dlferry.Tensor, error) {
			return tensor.Index(dlferry.NewAxis(), dlferry.One(1), dlferry.Range(0, 2, 2))
		}, []int{1, 2}, []int32{3, 5}},
		"contiguous": {func() (*dlferry.Tensor, error) { return tensor.Contiguous(dlferry.RowMajor) }, []int{2, 3}, numbers(6)},
		"here": {func() (*dlferry.Tensor, error) { return tensor.ToDevice(dlferry.CPU, dlferry.CopyNever) },
			[]int{2, 3}, numbers(6)},
	} {
		view := must(c.view())
		if got := elements[int32](view); !slices.Equal(view.Shape(), c.shape) || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v", name, view)
		}
		if shared := must(view.Overlap(tensor)); !shared || tensor.IsUnique() {
			t.Errorf("%s: a copy", name)
		}
		view.Close()
	}
	if !tensor.IsUnique() {
		t.Error("a view is left")
	}
	view := must(tensor.Select(1, 1))
	tensor.Close()
	if got := elements[int32](view); !slices.Equal(got, []int32{1, 4}) {
		t.Errorf("without its tensor, a view has %v", got)
	}
	view.Close()
}

func TestView_OfOtherElements(t *testing.T) {
	tensor := must(dlferry.Wrap([]float32{1, 2, 3, 4}, 2, 2))
	defer tensor.Close()
	packed := must(tensor.PackLanes())
	defer packed.Close()
	if packed.DType() != dlferry.NewDType(2, 32, 2) || packed.NDim() != 1 || packed.DType().Size() != 8 {
		t.Errorf("got %s", packed.Describe())
	}
	if got := must(packed.ReadLane(1, 1)); got != 4.0 {
		t.Errorf("got %v", got)
	}
	unpacked := must(packed.UnpackLanes())
	defer unpacked.Close()
	if same := must(unpacked.Identical(tensor)); !same {
		t.Errorf("got %v", unpacked)
	}
	bits := must(tensor.Bitcast(dlferry.Uint16))
	defer bits.Close()
	if got := elements[uint16](bits); !slices.Equal(got[:4], []uint16{0, 0x3f80, 0, 0x4000}) {
		t.Errorf("got %x", got)
	}
	narrow := must(bits.Slice(1, 0, 1, 1))
	defer narrow.Close()
	if one := must(narrow.Squeeze(1)); one.NDim() != 1 || one.Close() != nil {
		t.Error("not squeezed")
	}
}

func TestView_Refuses(t *testing.T) {
	tensor := must(dlferry.Wrap(numbers(6), 2, 3))
	defer tensor.Close()
	closed := must(dlferry.Wrap(numbers(6), 2, 3))
	closed.Close()
	view := func(_ *dlferry.Tensor, err error) error { return err }
	for _, c := range []struct {
		err    error
		status dlferry.Status
		text   string
	}{
		{view(tensor.Slice(2, 0, 1, 1)), dlferry.ErrBounds, "slice: expected axis below 2 (from 0), got 2"},
		{view(tensor.Slice(1<<32, 0, 1, 1)), dlferry.ErrBounds, "slice: expected axis below 2 (from 0), got 4294967296"},
		{view(tensor.Slice(0, 0, 1, 0)), dlferry.ErrInvalid, "slice: expected step other than 0, got 0"},
		{view(tensor.Slice(0, 1, 2, 1)), dlferry.ErrBounds,
			"slice: expected 2 elements from 1 in steps of 1 inside axis 0 (from 0) of extent 2"},
		{view(tensor.Select(0, 2)), dlferry.ErrBounds, "select: expected index below 2 of axis 0 (from 0), got 2"},
		{view(tensor.Permute(0)), dlferry.ErrInvalid, "permute: expected 2 axes, got 1"},
		{view(tensor.Permute(make([]int, 100)...)), dlferry.ErrInvalid, "permute: expected 2 axes, got 100"},
		{view(tensor.Permute(0, 1<<33)), dlferry.ErrBounds, "permute: expected axis below 2 (from 0), got 8589934592"},
		{view(tensor.Reshape(4)), dlferry.ErrShape, ""},
		{view(tensor.Broadcast(3, 3)), dlferry.ErrShape, ""},
		{view(tensor.Squeeze(0)), dlferry.ErrShape, "squeeze: expected axis 0 (from 0) of extent 1, got 2"},
		{view(tensor.Unsqueeze(3)), dlferry.ErrBounds, "unsqueeze: expected axis up to 2 (from 0), got 3"},
		{view(tensor.Flip(math.MinInt)), dlferry.ErrBounds, "flip: expected axis below 2 (from 0), got -9223372036854775808"},
		{view(tensor.Bitcast(dlferry.Int64)), dlferry.ErrShape, ""},
		{view(tensor.UnpackLanes()), 0, ""},
		{view(tensor.Index(dlferry.One(2))), dlferry.ErrBounds, ""},
		{view(tensor.ToDevice(dlferry.Device{Type: dlferry.DeviceCUDA}, dlferry.CopyIfNeeded)), dlferry.ErrDevice,
			"to_device: expected device cuda:0, got cpu"},
		{view(closed.Flip(0)), dlferry.ErrInvalid, "flip: expected an open tensor, got a closed one"},
		{view((*dlferry.Tensor)(nil).Contiguous(dlferry.RowMajor)), dlferry.ErrInvalid, "contiguous: expected a tensor, got nil"},
	} {
		if c.status != 0 {
			fails(t, c.err, c.status, c.text)
		}
	}
}

func TestLayout_Arithmetic(t *testing.T) {
	tensor := must(dlferry.Of(make([]float32, 12), 3, 2).Strided(8, -4, 1).Wrap())
	defer tensor.Close()
	low, high, err := tensor.ByteRange()
	if count := must(tensor.Count()); count != 6 || must(tensor.ByteSize()) != 24 || low != -32 || high != 8 || err != nil {
		t.Errorf("%d elements, bytes from %d to %d", count, low, high)
	}
	if tensor.IsContiguous(dlferry.RowMajor) || tensor.IsContiguous(dlferry.Dense) || !tensor.IsReachable() ||
		tensor.Alignment() < 4 || !tensor.IsUnique() || tensor.HeldBytes() < 100 {
		t.Errorf("got %s", tensor.DescribeJSON())
	}
	dense := must(tensor.Contiguous(dlferry.RowMajor))
	defer dense.Close()
	if !dense.IsContiguous(dlferry.RowMajor) || dense.Data() == tensor.Data() || must(dense.Overlap(tensor)) {
		t.Errorf("got %s", dense.Describe())
	}
	if got := must(dlferry.CompactStrides(dlferry.ColumnMajor, 2, 3, 4)); !slices.Equal(got, []int{1, 2, 6}) {
		t.Errorf("got %v", got)
	}
	_, err = dlferry.CompactStrides(dlferry.RowMajor, 1<<62, 4, 4)
	fails(t, err, dlferry.ErrOverflow, "")
	_, err = dlferry.CompactStrides(dlferry.RowMajor, make([]int, 65)...)
	fails(t, err, dlferry.ErrInvalid, "compact_strides: expected ndim between 0 and 64, got 65")
	far := must(dlferry.FromDLPack(helper.Make(helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{2}, DeviceType: 2})))
	defer far.Close()
	if far.IsReachable() {
		t.Error("the processor reaches cuda:0")
	}
	var closed dlferry.Tensor
	_, _, err = closed.ByteRange()
	fails(t, err, dlferry.ErrInvalid, "byte_range: expected an open tensor, got a closed one")
	if closed.IsUnique() || closed.Alignment() != 0 || closed.HeldBytes() != 0 || string(closed.DescribeJSON()) != "null" {
		t.Error("a closed tensor has a layout")
	}
}

func TestDevice_Equal(t *testing.T) {
	cuda := dlferry.Device{Type: dlferry.DeviceCUDA}
	if !dlferry.CPU.Equal(dlferry.Device{Type: dlferry.DeviceCPU, ID: 3}) || cuda.Equal(dlferry.CPU) ||
		cuda.Equal(dlferry.Device{Type: dlferry.DeviceCUDA, ID: 1}) {
		t.Error("devices compare by number where they have none, or not where they have one")
	}
}
