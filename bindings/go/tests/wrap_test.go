// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/generated"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
	"pgregory.net/rapid"
)

func fails(t *testing.T, err error, status dlferry.Status, message string) {
	t.Helper()
	var failure *dlferry.Error
	var kind dlferry.Status
	if !errors.As(err, &failure) || failure.Status != status || !errors.Is(err, status) || !errors.As(err, &kind) ||
		kind != status {
		t.Fatalf("expected %s, got %#v", status, err)
	}
	if message != "" && err.Error() != message {
		t.Fatalf("expected the text %q, got %q", message, err)
	}
}

func TestWrap_SharesTheSlice(t *testing.T) {
	slice := []float32{0, 1, 2, 3, 4, 5}
	tensor := must(dlferry.Wrap(slice, 2, 3))
	defer tensor.Close()
	if tensor.Data() != uintptr(unsafe.Pointer(&slice[0])) {
		t.Error("the data moved")
	}
	v := must(dlferry.Look[float32](tensor))
	slice[4] = 40
	if v.At(1, 1) != 40 {
		t.Error("a write to the slice is not seen")
	}
	v.Set(50, 1, 2)
	if slice[5] != 50 {
		t.Error("a write to the tensor is not seen")
	}
	if got := must(v.Slice()); &got[0] != &slice[0] || len(got) != 6 {
		t.Error("Slice is another slice")
	}
}

func TestWrap_OfEveryElementType(t *testing.T) {
	wraps(t, true, "bool")
	wraps(t, dlferry.Bool8(1), "bool")
	wraps(t, int(-1), "int64")
	wraps(t, int8(-1), "int8")
	wraps(t, int16(-1), "int16")
	wraps(t, int32(-1), "int32")
	wraps(t, int64(-1), "int64")
	wraps(t, uint(1), "uint64")
	wraps(t, uint8(1), "uint8")
	wraps(t, uint16(1), "uint16")
	wraps(t, uint32(1), "uint32")
	wraps(t, uint64(1), "uint64")
	wraps(t, float32(1), "float32")
	wraps(t, float64(1), "float64")
	wraps(t, complex64(1i), "complex64")
	wraps(t, complex128(1i), "complex128")
}

// Types of the program's own, for each kind of number.
type (
	flag    bool
	meters  float32
	metres  float64
	steps   int
	ticks   int32
	pixel   uint8
	half    uint16 // another module's
	hash    uint64
	phase   complex64
	phasors complex128
)

func TestWrap_OfNamedTypes(t *testing.T) {
	wraps(t, flag(true), "bool")
	wraps(t, meters(0.5), "float32")
	wraps(t, metres(0.5), "float64")
	wraps(t, steps(-1), "int64")
	wraps(t, ticks(-1), "int32")
	wraps(t, time.Second, "int64")
	wraps(t, pixel(1), "uint8")
	wraps(t, half(0x3c00), "uint16")
	wraps(t, hash(1), "uint64")
	wraps(t, phase(1i), "complex64")
	wraps(t, phasors(1i), "complex128")
	tensor := must(dlferry.Of([]half{0x3c00, 0}, 2).As(dlferry.Float16).Wrap())
	defer tensor.Close()
	if got := must(dlferry.Look[dlferry.F16](tensor)).At(0); got != 0x3c00 || tensor.DType() != dlferry.Float16 {
		t.Errorf("another module's half precision is %v of %s", got, tensor.DType())
	}
}

func wraps[T dlferry.Element](t *testing.T, value T, dtype string) {
	t.Helper()
	tensor := must(dlferry.Wrap([]T{value, value, value}, 3))
	defer tensor.Close()
	if got := tensor.DType().String(); got != dtype {
		t.Errorf("expected %s, got %s", dtype, got)
	}
	if got := must(dlferry.Look[T](tensor)).At(2); got != value {
		t.Errorf("%s: expected %v, got %v", dtype, value, got)
	}
}

func TestWrap_RefusesWhatDoesNotFit(t *testing.T) {
	six := make([]float32, 6)
	huge := make([]int, 65)
	for name, c := range map[string]struct {
		array   *dlferry.Array
		status  dlferry.Status
		message string
	}{
		"too few":       {dlferry.Of(six, 7), dlferry.ErrShape, "wrap: expected 7 elements for shape [7], got 6"},
		"too many":      {dlferry.Of(six, 5), dlferry.ErrShape, "wrap: expected 5 elements for shape [5], got 6"},
		"no axes":       {dlferry.Of(six, []int{}...), dlferry.ErrShape, "wrap: expected 1 elements for shape [], got 6"},
		"negative":      {dlferry.Of(six, -2, -3), dlferry.ErrInvalid, "wrap: expected extents of 0 or more, got -2 on axis 0 (from 0)"},
		"empty shape":   {dlferry.Of(six, 0, 6), dlferry.ErrShape, "wrap: expected 0 elements for shape [0, 6], got 6"},
		"empty slice":   {dlferry.Of([]float32{}, 1), dlferry.ErrShape, "wrap: expected 1 elements for shape [1], got 0"},
		"nil variable":  {dlferry.Scalar[float32](nil), dlferry.ErrShape, "wrap: expected 1 elements for shape [], got 0"},
		"nil":           {nil, dlferry.ErrInvalid, "wrap: expected a tensor, got nil"},
		"part of nil":   {(*dlferry.Array)(nil).Strided(1, 1).As(dlferry.Int8).ReadOnly(), dlferry.ErrInvalid, "wrap: expected a tensor, got nil"},
		"zero":          {new(dlferry.Array), dlferry.ErrInvalid, "wrap: expected a tensor, got an Array that Of has not made"},
		"zero, strided": {new(dlferry.Array).Strided(0, 1), dlferry.ErrInvalid, "wrap: expected a tensor, got an Array that Of has not made"},
		"zero, as":      {new(dlferry.Array).As(dlferry.Int8), dlferry.ErrInvalid, "wrap: expected a tensor, got nil"},
		"one axis":      {dlferry.Of(six).Strided(1, 1), dlferry.ErrBounds, "wrap: expected 24 bytes inside a block of 24, got them from byte 4"},
		"no strides":    {dlferry.Of(six).Strided(1), dlferry.ErrInvalid, "wrap: expected 1 strides, got 0"},
		"overflow":      {dlferry.Of(six, math.MaxInt, math.MaxInt, 3), dlferry.ErrOverflow, "wrap: expected an element count below 2^63, got a larger one by axis 1 (from 0) of extent 9223372036854775807"},
		"wraps to 6":    {dlferry.Of(six, 9, 6148914691236517206), dlferry.ErrOverflow, "wrap: expected an element count below 2^63, got a larger one by axis 1 (from 0) of extent 6148914691236517206"},
		"axes":          {dlferry.Of(six, huge...), dlferry.ErrInvalid, "wrap: expected ndim between 0 and 64, got 65"},
		"strides":       {dlferry.Of(six, 2, 3).Strided(0, 1), dlferry.ErrInvalid, "wrap: expected 2 strides, got 1"},
		"past the end":  {dlferry.Of(six, 2, 3).Strided(1, 3, 1), dlferry.ErrBounds, "wrap: expected 24 bytes inside a block of 24, got them from byte 4"},
		"before":        {dlferry.Of(six, 2, 3).Strided(2, 3, -2), dlferry.ErrBounds, "wrap: expected 32 bytes inside a block of 24, got them from byte -8: data is the element of index 0, and negative strides go back from it"},
		"offset":        {dlferry.Of(six, 0).Strided(7, 1), dlferry.ErrBounds, "wrap: expected a first element inside a block of 24 bytes, got element 7"},
		"before it all": {dlferry.Of(six, 1).Strided(-1, 1), dlferry.ErrBounds, "wrap: expected a first element inside a block of 24 bytes, got element -1"},
		"big stride":    {dlferry.Of(six, 3).Strided(0, math.MaxInt), dlferry.ErrOverflow, "wrap: expected strides that stay below 2^63 elements, got 9223372036854775807 on axis 0 (from 0)"},
		"of another":    {dlferry.Of(six, 2, 2).As(dlferry.NewDType(2, 32, 4)), dlferry.ErrShape, "wrap: expected 4 elements for shape [2, 2], got 1"},
		"of no width":   {dlferry.Of(six, 1).As(dlferry.NewDType(2, 0, 1)), dlferry.ErrDtype, "wrap: expected a dtype of 1 bit or more, got 0"},
		"half a byte":   {dlferry.Of(six, 2).As(dlferry.Float4E2M1FN).Strided(3, 1), dlferry.ErrLayout, "wrap: expected a first element that begins a byte, got element 3"},
		"past as well":  {dlferry.Of([]byte{0}, 2).As(dlferry.Float4E2M1FN).Strided(0, 2), dlferry.ErrBounds, "wrap: expected 2 bytes inside a block of 1, got them from byte 0"},
		"least stride":  {dlferry.Of(six, 2).Strided(5, math.MinInt), dlferry.ErrOverflow, "wrap: expected a size below 2^63 bytes, got a larger one"},
	} {
		t.Run(name, func(t *testing.T) {
			tensor, err := c.array.Wrap()
			fails(t, err, c.status, c.message)
			if tensor != nil {
				t.Error("a tensor came with the error")
			}
			if managed, err := c.array.ToDLPack(); managed != nil || err == nil {
				t.Error("ToDLPack takes it")
			}
			if _, err := generated.Flatten("f: x", c.array); err == nil {
				t.Error("a call takes it")
			}
		})
	}
}

func TestWrap_AsADtypeThatGoHasNot(t *testing.T) {
	bytes := []byte{0x21, 0x43, 0x65, 0x87, 0xa9, 0xcb, 0xed, 0x0f}
	for _, c := range []struct {
		array *dlferry.Array
		text  string
		data  *byte
	}{
		{dlferry.Of(bytes, 2).As(dlferry.NewDType(1, 8, 4)), "uint8x4[2]", &bytes[0]},
		{dlferry.Of(bytes, 1).As(dlferry.NewDType(1, 8, 4)).Strided(1, 1), "uint8x4[1]", &bytes[4]},
		{dlferry.Of(bytes, 4, 4).As(dlferry.Float4E2M1FN), "float4_e2m1fn[4, 4]", &bytes[0]},
		{dlferry.Of(bytes, 3).As(dlferry.Float4E2M1FN).Strided(4, 1).ReadOnly(), "float4_e2m1fn[3]", &bytes[2]},
		{dlferry.Of(bytes[1:], 3).As(dlferry.Uint16), "uint16[3]", &bytes[1]},
	} {
		tensor := must(c.array.Wrap())
		if got := tensor.Describe(); !strings.Contains(got, c.text) || tensor.Data() != uintptr(unsafe.Pointer(c.data)) {
			t.Errorf("expected %s, got %s", c.text, got)
		}
		must(0, tensor.Close())
	}
}

func TestWrap_EmptyAndScalar(t *testing.T) {
	for _, array := range []*dlferry.Array{
		dlferry.Of([]float32{}, 0), dlferry.Of[float32](nil, 0, 3), dlferry.Scalar(new(float32)), dlferry.Of([]float32{1}, 1, 1),
		dlferry.Of([]float32{7}, []int{}...), dlferry.Of([]float32{}), dlferry.Of[float32](nil),
		dlferry.Of([]float32{1, 2}, 5).Strided(1, 0), dlferry.Of([]float32{1, 2}, 0, 1<<62, 4).Strided(2, 1, 1, 1),
	} {
		tensor := must(array.Wrap())
		v := must(dlferry.Look[float32](tensor))
		if got := len(slices.Collect(v.All())); got != v.Len() {
			t.Errorf("expected %d elements, got %d", v.Len(), got)
		}
		tensor.Close()
	}
}

// A slice without a shape is one axis, in every place that takes slices.
func TestWrap_OfASliceAloneIsOneAxis(t *testing.T) {
	slice := []float32{1, 2, 3}
	for name, tensor := range map[string]*dlferry.Tensor{
		"Wrap":      must(dlferry.Wrap(slice)),
		"Of":        must(dlferry.Of(slice).Wrap()),
		"read-only": must(dlferry.Of(slice).ReadOnly().Wrap()),
		"ToDLPack":  must(dlferry.FromDLPack(must(dlferry.ToDLPack(slice)))),
		"export":    must(dlferry.FromDLPack(must(dlferry.Of(slice).ToDLPack()))),
		"strided":   must(dlferry.Of(slice).Strided(0, 1).Wrap()),
		"as":        must(dlferry.Of([]byte{0, 1, 2, 3, 4, 5, 6}).As(dlferry.Int16).Wrap()),
	} {
		if shape := tensor.Shape(); !slices.Equal(shape, []int{3}) {
			t.Errorf("%s: the shape is %v", name, shape)
		}
		tensor.Close()
	}
	reversed := must(dlferry.Of(slice).Strided(2, -1).Wrap())
	defer reversed.Close()
	if got := slices.Collect(must(dlferry.Look[float32](reversed)).All()); !slices.Equal(got, []float32{3, 2, 1}) {
		t.Errorf("got %v", got)
	}
	allocatesNothing(t, func() {
		must(generated.Flatten("f: x", dlferry.Of(slice)))
		must(generated.Flatten("f: x", dlferry.Scalar(&slice[1])))
	})
}

func TestWrap_ScalarHasNoAxes(t *testing.T) {
	variable := 2.5
	for _, array := range []*dlferry.Array{dlferry.Scalar(&variable), dlferry.Of([]float64{2.5}, []int{}...)} {
		tensor := must(array.Wrap())
		if tensor.NDim() != 0 || must(dlferry.Look[float64](tensor)).At() != 2.5 {
			t.Errorf("got %v", tensor)
		}
		same := must(dlferry.Wrap([]float64{1}, tensor.Shape()...))
		if same.NDim() != 0 {
			t.Errorf("of the same shape: got %v", same)
		}
		same.Close()
		tensor.Close()
	}
}

// A struct around a tensor has the tensor's methods, so the compiler takes it for one.
type framed struct{ *dlferry.Tensor }

func TestArg_OthersAreNamed(t *testing.T) {
	tensor := must(dlferry.Wrap([]float32{1}))
	defer tensor.Close()
	const want = "f: x: expected a *dlferry.Tensor or *dlferry.Array, got tests.framed"
	_, err := generated.Flatten("f: x", framed{tensor})
	fails(t, err, dlferry.ErrInvalid, want)
	_, err = generated.FlattenOptional("f: x", framed{tensor})
	fails(t, err, dlferry.ErrInvalid, want)
}

func TestWrap_ReadOnly(t *testing.T) {
	tensor := must(dlferry.Of([]float32{1, 2}, 2).ReadOnly().Wrap())
	defer tensor.Close()
	if !tensor.ReadOnly() || tensor.Flags() != 1 {
		t.Error("the flag is lost")
	}
	_, err := tensor.ToDLPackLegacy()
	fails(t, err, dlferry.ErrReadOnly, "")
	defer func() {
		err, _ := recover().(error)
		fails(t, err, dlferry.ErrReadOnly, "elements: expected writable data, got read-only")
	}()
	must(dlferry.Look[float32](tensor)).Set(3, 0)
}

func panics(t *testing.T, status dlferry.Status, run func()) {
	t.Helper()
	defer func() {
		t.Helper()
		err, _ := recover().(error)
		fails(t, err, status, "")
	}()
	run()
}

// Against the addresses themselves.
func TestWrap_TakesExactlyWhatLiesInsideTheSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slice := make([]int32, rapid.IntRange(0, 40).Draw(t, "length"))
		for i := range slice {
			slice[i] = int32(i)
		}
		shape := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 4).Draw(t, "shape")
		strides := rapid.SliceOfN(rapid.IntRange(-12, 12), len(shape), len(shape)).Draw(t, "strides")
		offset := rapid.IntRange(-2, 42).Draw(t, "offset")

		positions := []int{offset}
		for axis, extent := range shape {
			var next []int
			for _, p := range positions {
				for i := range extent {
					next = append(next, p+i*strides[axis])
				}
			}
			positions = next
		}
		inside := offset >= 0 && offset <= len(slice)
		for _, p := range positions {
			inside = inside && p >= 0 && p < len(slice)
		}

		tensor, err := dlferry.Of(slice, shape...).Strided(offset, strides...).Wrap()
		if (err == nil) != inside {
			t.Fatalf("inside: %v, got %v", inside, err)
		}
		if err != nil {
			return
		}
		defer tensor.Close()
		v := must(dlferry.Look[int32](tensor))
		got := slices.Collect(v.All())
		if len(got) != len(positions) {
			t.Fatalf("expected %d elements, got %d", len(positions), len(got))
		}
		for i, p := range positions {
			if int(got[i]) != p {
				t.Fatalf("element %d is number %d, expected %d", i, got[i], p)
			}
		}
		row := 1
		compact := true
		for axis := len(shape) - 1; axis >= 0; axis-- {
			compact = compact && (shape[axis] == 1 || strides[axis] == row)
			row *= shape[axis]
		}
		compact = compact || len(positions) == 0
		if _, err := v.Slice(); (err == nil) != compact {
			t.Fatalf("compact: %v, got %v", compact, err)
		}
	})
}

// Every element must still be there when the garbage collector has run over the owner of the slice many times.
func TestWrap_PinsTheSlice(t *testing.T) {
	const count = 200
	managed := make([]unsafe.Pointer, count)
	for i := range managed {
		slice := make([]int64, 1000)
		for j := range slice {
			slice[j] = int64(i)
		}
		managed[i] = must(dlferry.ToDLPack(slice, 10, 100))
		if i%20 == 0 {
			runtime.GC()
		}
	}
	churn := 0
	for i := range 200 {
		churn += len(make([]int64, 1000+i))
	}
	runtime.GC()
	for i, m := range managed {
		tensor := must(dlferry.FromDLPack(m))
		for value := range must(dlferry.Look[int64](tensor)).All() {
			if value != int64(i) {
				t.Fatalf("slice %d has %d in it", i, value)
			}
		}
		tensor.Close()
	}
}

func TestWrapOwned_ReleasesOnceAfterTheLastUser(t *testing.T) {
	var released atomic.Int32
	memory := []float32{1, 2, 3, 4}
	tensor := must(dlferry.Of(memory, 2, 2).WrapOwned(func() {
		released.Add(1)
		dlferry.Live() // it may call this package
	}))
	exported := must(tensor.ToDLPack())
	tensor.Close()
	if released.Load() != 0 {
		t.Error("released with a user left")
	}
	helper.DeleteOnThreads(exported)
	for range 1000 {
		if released.Load() != 0 {
			break
		}
		time.Sleep(time.Millisecond) // the goroutine that empties the queue
	}
	if n := released.Load(); n != 1 {
		t.Errorf("released %d times", n)
	}
	_, err := dlferry.Of(memory, 5).WrapOwned(func() { released.Add(1) })
	if !errors.Is(err, dlferry.ErrShape) || released.Load() != 1 {
		t.Errorf("a wrong shape gives %v", err)
	}
}

// Each function closes the tensor before, which runs that one's function.
func TestWrapOwned_ReleasesALongChainInLittleStack(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(8 << 20))
	memory := make([]float32, 4)
	released := 0
	last := must(dlferry.Of(memory).Wrap())
	for range 1_000_000 {
		before := last
		last = must(dlferry.Of(memory).WrapOwned(func() {
			released++
			before.Close()
		}))
	}
	last.Close()
	if released != 1_000_000 {
		t.Errorf("released %d", released)
	}
}

func TestWithSpan_IsTheMemoryOfAllElements(t *testing.T) {
	memory := []uint16{0, 1, 2, 3, 4, 5, 6, 7}
	tensor := must(dlferry.Of(memory, 2, 2).Strided(5, -4, 2).Wrap())
	defer tensor.Close()
	err := tensor.WithSpan(true, func(span []byte, first int) error {
		if len(span) != 14 || first != 8 || &span[0] != (*byte)(unsafe.Pointer(&memory[1])) {
			t.Errorf("%d bytes, the first element at %d", len(span), first)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	empty := must(dlferry.Of([]uint16{}).ReadOnly().Wrap())
	defer empty.Close()
	for write, want := range map[bool]error{false: nil, true: dlferry.ErrReadOnly} {
		err := empty.WithSpan(write, func(span []byte, first int) error {
			if span != nil || first != 0 {
				t.Errorf("an empty tensor has %v from %d", span, first)
			}
			return nil
		})
		if !errors.Is(err, want) {
			t.Errorf("write %t gives %v", write, err)
		}
	}
}
