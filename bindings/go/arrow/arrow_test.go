// SPDX-License-Identifier: Apache-2.0

package arrow_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"
	"github.com/apache/arrow-go/v18/arrow/tensor"
	dlferry "github.com/dlferry/dlferry/bindings/go"
	dlarrow "github.com/dlferry/dlferry/bindings/go/arrow"
)

// checked is an allocator over C memory that counts what is not released.
func checked(t *testing.T) *memory.CheckedAllocator {
	t.Helper()
	allocator := memory.NewCheckedAllocator(mallocator.NewMallocator())
	t.Cleanup(func() { allocator.AssertSize(t, 0) })
	return allocator
}

func integers(allocator memory.Allocator, values ...int32) *array.Int32 {
	builder := array.NewInt32Builder(allocator)
	defer builder.Release()
	builder.AppendValues(values, nil)
	return builder.NewInt32Array()
}

func elements[T dlferry.Element](t *testing.T, tensor *dlferry.Tensor) []T {
	t.Helper()
	var got []T
	check(dlferry.With(tensor, func(e dlferry.Elements[T]) error {
		got = slices.Collect(e.All())
		return nil
	}))
	return got
}

func TestFromArray_KeepsTheArrayUntilTheLastUser(t *testing.T) {
	allocator := checked(t)
	a := integers(allocator, 1, 2, 3, 4, 5)
	part := array.NewSlice(a, 1, 4)
	a.Release()
	tensor := must(dlarrow.FromArray(part))
	part.Release()
	if !slices.Equal(elements[int32](t, tensor), []int32{2, 3, 4}) || !tensor.ReadOnly() {
		t.Errorf("it is %s", tensor)
	}
	exported := must(tensor.ToDLPack())
	tensor.Close()
	if allocator.CurrentAlloc() == 0 {
		t.Fatal("released with a user left")
	}
	other := must(dlferry.FromDLPack(exported))
	if !slices.Equal(elements[int32](t, other), []int32{2, 3, 4}) {
		t.Errorf("it is %s", other)
	}
	other.Close()
}

func TestFromArray_HasTheSameMemory(t *testing.T) {
	a := integers(checked(t), 1, 2, 3)
	defer a.Release()
	tensor := must(dlarrow.FromArray(a))
	defer tensor.Close()
	if want := uintptr(unsafe.Pointer(&a.Int32Values()[0])); tensor.Data() != want {
		t.Errorf("it is at %#x, expected %#x", tensor.Data(), want)
	}
}

func TestFromArray_Types(t *testing.T) {
	allocator := checked(t)
	stamps := array.NewTimestampBuilder(allocator, &arrow.TimestampType{Unit: arrow.Second})
	defer stamps.Release()
	stamps.Append(arrow.Timestamp(time.Unix(7, 0).Unix()))
	bytes := array.NewFixedSizeBinaryBuilder(allocator, &arrow.FixedSizeBinaryType{ByteWidth: 3})
	defer bytes.Release()
	bytes.AppendValues([][]byte{[]byte("abc"), []byte("def")}, nil)
	lists := array.NewFixedSizeListBuilder(allocator, 2, arrow.PrimitiveTypes.Float64)
	defer lists.Release()
	values := lists.ValueBuilder().(*array.Float64Builder)
	for i := range 4 {
		lists.Append(true)
		values.AppendValues([]float64{float64(i), float64(i) + 0.5}, nil)
	}
	whole := lists.NewArray()
	defer whole.Release()
	for want, a := range map[string]arrow.Array{
		"int64[1] cpu read-only\n[7]":                                     stamps.NewArray(),
		"uint8[2, 3] cpu read-only\n[[ 97,  98,  99],\n [100, 101, 102]]": bytes.NewArray(),
		"float64[2, 2] cpu read-only\n[[1. , 1.5],\n [2. , 2.5]]":         array.NewSlice(whole, 1, 3),
		"int32[0] cpu read-only\n[]":                                      integers(allocator),
	} {
		tensor, err := dlarrow.FromArray(a)
		if err != nil || tensor.String() != want {
			t.Errorf("%s is %q, %v", a, tensor, err)
		}
		tensor.Close()
		a.Release()
	}
}

func TestFromArray_Refusals(t *testing.T) {
	allocator := checked(t)
	nulls := array.NewInt32Builder(allocator)
	defer nulls.Release()
	nulls.AppendValues([]int32{1, 2, 3}, []bool{true, true, false})
	holed := nulls.NewArray()
	defer holed.Release()
	bools := array.NewBooleanBuilder(allocator)
	defer bools.Release()
	bools.Append(true)
	texts := array.NewStringBuilder(allocator)
	defer texts.Release()
	texts.Append("x")
	for _, c := range []struct {
		array  arrow.Array
		status dlferry.Status
		text   string
	}{
		{holed, dlferry.ErrUnsupported, "from_array: expected elements that are not null, got null at 2"},
		{bools.NewArray(), dlferry.ErrDtype, "dtype: expected a type of numbers or times, got bool"},
		{texts.NewArray(), dlferry.ErrDtype, "dtype: expected a type of numbers or times, got utf8"},
	} {
		tensor, err := dlarrow.FromArray(c.array)
		if tensor != nil || !errors.Is(err, c.status) || err.Error() != c.text {
			t.Errorf("%s: %v", c.array, err)
		}
		if c.array != holed {
			c.array.Release()
		}
	}
	part := array.NewSlice(holed, 0, 2) // without the null
	defer part.Release()
	must(dlarrow.FromArray(part)).Close()
	if _, err := dlarrow.FromArray(nil); !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("nil gives %v", err)
	}
	if _, err := dlarrow.FromTensor(nil); !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("nil gives %v", err)
	}
}

// An array with other data than its type makes of it.
type malformed struct {
	arrow.Array
	data arrow.ArrayData
}

func (m malformed) Data() arrow.ArrayData { return m.data }

// Released objects, nil in an interface, and data that lies about its buffers are errors, and no crash.
func TestFrom_ReleasedAndMalformed(t *testing.T) {
	allocator := checked(t)
	released := integers(allocator, 1, 2, 3)
	released.Release()
	bytes := func(size int) *memory.Buffer { return memory.NewBufferBytes(make([]byte, size)) }
	number, list := arrow.PrimitiveTypes.Int32, arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int32)
	of := func(kind arrow.DataType, count, offset, nulls int, children []arrow.ArrayData, buffers ...*memory.Buffer) arrow.Array {
		return malformed{data: array.NewData(kind, count, buffers, children, nulls, offset)}
	}
	for text, a := range map[string]arrow.Array{
		"from_array: expected an array, got nil":                                                                       (*array.Int32)(nil),
		"from_array: expected an array, got a released one":                                                            released,
		"from_array: expected 400 bytes of values from 0 on, got 8":                                                    of(number, 100, 0, 0, nil, nil, bytes(8)),
		"from_array: expected 4 bytes of values from -4 on, got 8":                                                     of(number, 1, -1, 0, nil, nil, bytes(8)),
		"from_array: expected 12 bytes of values from 0 on, got 0":                                                     of(number, 3, 0, 0, nil, nil, nil),
		"from_array: expected 4 bytes of values from 0 on, got 0":                                                      of(number, 1, 0, 0, nil),
		"from_array: expected a bit for each of 100 elements from 0 on, got 1 bytes":                                   of(number, 100, 0, -1, nil, bytes(1), bytes(400)),
		"from_array: expected a bit for each of 4611686018427387904 elements from 4611686018427387903 on, got 1 bytes": of(number, 1<<62, 1<<62-1, -1, nil, bytes(1), bytes(4)),
		"from_array: expected a list of one child, got 0":                                                              of(list, 1, 0, 0, nil, nil),
		"from_array: expected 16 bytes of values from 0 on, got 8":                                                     of(list, 2, 0, 0, []arrow.ArrayData{of(number, 4, 0, 0, nil, nil, bytes(8)).Data()}, nil),
		"from_array: expected 2305843009213693952 bytes of values from 0 on, got 4":                                    of(number, 1<<59, 0, 0, nil, nil, bytes(4)),
		"from_array: expected 4 bytes of values from 9223372036854775804 on, got 4":                                    of(number, 1, 1<<61-1, 0, nil, nil, bytes(4)),
		"dtype: expected a type of numbers or times, got null":                                                         array.NewNull(3),
		"from_array: expected -4 bytes of values from 0 on, got 4":                                                     of(number, -1, 0, 0, nil, nil, bytes(4)),
	} {
		tensor, err := dlarrow.FromArray(a)
		if tensor != nil || err == nil || err.Error() != text {
			t.Errorf("expected %q, got %v", text, err)
		}
	}
	data := array.NewData(number, 6, []*memory.Buffer{nil, bytes(24)}, nil, 0, 0)
	empty := array.NewData(number, 6, []*memory.Buffer{nil, nil}, nil, 0, 0)
	gone := tensor.New(data, []int64{2, 3}, nil, nil)
	gone.Release()
	for text, x := range map[string]tensor.Interface{
		"from_tensor: expected a tensor, got nil":                   (*tensor.Int32)(nil),
		"from_tensor: expected a tensor, got a released one":        gone,
		"from_tensor: expected 24 bytes of values from 0 on, got 0": tensor.New(empty, []int64{6}, nil, nil),
		"from_tensor: expected strides for 2 axes, got 1":           tensor.New(data, []int64{3, 2}, []int64{4}, nil),
		"wrap: expected 24 bytes inside a block of 24, got them from byte -12: data is the element of index 0, and negative strides go back from it": tensor.New(data, []int64{2, 3}, []int64{-12, 4}, nil),
		"wrap: expected 240 bytes inside a block of 24, got them from byte 0":                                                                        tensor.New(data, []int64{20, 3}, nil, nil),
	} {
		made, err := dlarrow.FromTensor(x)
		if made != nil || err == nil || err.Error() != text {
			t.Errorf("expected %q, got %v", text, err)
		}
	}
}

func TestFromTensor_HasItsStrides(t *testing.T) {
	allocator := checked(t)
	a := integers(allocator, 9, 1, 2, 3, 4, 5, 6)
	data := array.NewSliceData(a.Data(), 1, 7)
	columns := tensor.New(data, []int64{2, 3}, []int64{4, 8}, nil)
	uneven := tensor.New(data, []int64{2}, []int64{6}, nil)
	scalar := tensor.New(data, []int64{}, nil, nil)
	data.Release()
	a.Release()
	made := must(dlarrow.FromTensor(columns))
	columns.Release()
	if made.String() != "int32[2, 3] strides [1, 2] cpu read-only\n[[1, 3, 5],\n [2, 4, 6]]" {
		t.Errorf("it is %q", made)
	}
	made.Close()
	if _, err := dlarrow.FromTensor(uneven); !errors.Is(err, dlferry.ErrLayout) {
		t.Errorf("uneven strides give %v", err)
	}
	uneven.Release()
	scalar.Release()
}

func TestToArray_KeepsTheTensorUntilTheLastRelease(t *testing.T) {
	source := must(dlferry.Create(dlferry.DTypeOf[float32](), dlferry.CPU, 4))
	check(dlferry.With(source, func(e dlferry.Elements[float32]) error {
		e.Set(1.5, 3)
		return nil
	}))
	address := source.Data()
	a := must(dlarrow.ToArray(source))
	source.Close()
	part := array.NewSlice(a, 2, 4)
	a.Retain()
	a.Release()
	a.Release()
	runtime.GC()
	values := part.(*array.Float32).Float32Values()
	if uintptr(unsafe.Pointer(&values[0])) != address+8 || values[1] != 1.5 || part.NullN() != 0 {
		t.Errorf("it is %s", part)
	}
	if dlferry.Live() == 0 {
		t.Error("the tensor is gone")
	}
	part.Release()
	if live := dlferry.Live(); live != 0 {
		t.Errorf("%d tensors are alive", live)
	}
}

func TestToArray_TypesAndLists(t *testing.T) {
	half := must(dlferry.ParseDType("float16"))
	for want, array := range map[string]*dlferry.Array{
		"int8 [1 2]":              dlferry.Of([]int8{1, 2}),
		"int16 [1 2]":             dlferry.Of([]int16{1, 2}),
		"int32 [1 2]":             dlferry.Of([]int32{1, 2}),
		"int64 [1 2]":             dlferry.Of([]int64{1, 2}),
		"uint8 [1 2]":             dlferry.Of([]uint8{1, 2}),
		"uint16 [1 2]":            dlferry.Of([]uint16{1, 2}),
		"uint32 [1 2]":            dlferry.Of([]uint32{1, 2}),
		"uint64 [1 2]":            dlferry.Of([]uint64{1, 2}),
		"float16 [1 2]":           dlferry.Of([]uint16{0x3c00, 0x4000}).As(half),
		"float32 [1 2]":           dlferry.Of([]float32{1, 2}),
		"float64 [1 2]":           dlferry.Of([]float64{1, 2}),
		"float64 []":              dlferry.Of([]float64{}),
		"list [[1 2] [3 4]]":      dlferry.Of([]int64{1, 2, 3, 4}, 2, 2),
		"list [[[1 2] [3 4]]]":    dlferry.Of([]int64{1, 2, 3, 4}, 1, 2, 2),
		"int32 of read-only":      dlferry.Of([]int32{1, 2}).ReadOnly(),
		"a tensor of no elements": dlferry.Of([]int64{}, 0, 3),
	} {
		source := must(array.Wrap())
		a, err := dlarrow.ToArray(source)
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		got := fmt.Sprint(a.DataType().Name(), " ", a)
		if a.DataType().ID() == arrow.FIXED_SIZE_LIST {
			got = fmt.Sprint("list ", a)
		}
		if got != want && want[len(want)-1] == ']' {
			t.Errorf("it is %q, expected %q", got, want)
		}
		again := must(dlarrow.FromArray(a))
		if a.Len() > 0 && again.Data() != source.Data() || fmt.Sprint(again.Shape()) != fmt.Sprint(source.Shape()) {
			t.Errorf("%s comes back as %s", want, again)
		}
		again.Close()
		a.Release()
		source.Close()
	}
}

func TestToArray_AsTimes(t *testing.T) {
	source := must(dlferry.Wrap([]int64{0, 86400}))
	defer source.Close()
	a := must(dlarrow.ToArrayAs(source, &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"}))
	if got := a.ValueStr(1); got != "1970-01-02T00:00:00Z" {
		t.Errorf("it is %s", got)
	}
	a.Release()
	for _, kind := range []arrow.DataType{arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Boolean, arrow.BinaryTypes.String} {
		if a, err := dlarrow.ToArrayAs(source, kind); a != nil || !errors.Is(err, dlferry.ErrDtype) {
			t.Errorf("as %s it gives %v", kind, err)
		}
	}
}

func TestTo_Refusals(t *testing.T) {
	numbers := []float64{1, 2, 3, 4, 5, 6}
	one := 1.5
	brain := must(dlferry.ParseDType("bfloat16"))
	skewed := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&numbers[0]), 4)), 16)
	for name, c := range map[string]struct {
		array          *dlferry.Array
		status, strict dlferry.Status // of ToArray and of ToTensor
	}{
		"gaps":      {dlferry.Of(numbers, 3).Strided(0, 2), dlferry.ErrLayout, 0},
		"columns":   {dlferry.Of(numbers, 2, 3).Strided(0, 1, 2), dlferry.ErrLayout, 0},
		"backwards": {dlferry.Of(numbers, 3).Strided(2, -1), dlferry.ErrLayout, dlferry.ErrLayout},
		"skewed":    {dlferry.Of(skewed).As(dlferry.DTypeOf[float64]()), dlferry.ErrLayout, dlferry.ErrLayout},
		"scalar":    {dlferry.Scalar(&one), dlferry.ErrShape, 0},
		"no items":  {dlferry.Of([]float64{}, 3, 0), dlferry.ErrShape, 0},
		"bool":      {dlferry.Of([]bool{true}), dlferry.ErrDtype, dlferry.ErrDtype},
		"complex":   {dlferry.Of([]complex64{1}), dlferry.ErrDtype, dlferry.ErrDtype},
		"bfloat16":  {dlferry.Of([]uint16{1}).As(brain), dlferry.ErrDtype, dlferry.ErrDtype},
		"float16":   {dlferry.Of([]uint16{1}).As(must(dlferry.ParseDType("float16"))), 0, dlferry.ErrDtype},
	} {
		source := must(c.array.Wrap())
		a, err := dlarrow.ToArray(source)
		if c.status != 0 && !errors.Is(err, c.status) || c.status == 0 && err != nil || (a == nil) != (err != nil) {
			t.Errorf("%s: %v, %v", name, a, err)
		}
		if a != nil {
			a.Release()
		}
		made, err := dlarrow.ToTensor(source)
		if c.strict != 0 && !errors.Is(err, c.strict) || c.strict == 0 && err != nil || (made == nil) != (err != nil) {
			t.Errorf("%s as a tensor: %v, %v", name, made, err)
		}
		if made != nil {
			made.Release()
		}
		source.Close()
		if _, err := dlarrow.ToArray(source); !errors.Is(err, dlferry.ErrInvalid) {
			t.Errorf("closed: %v", err)
		}
	}
	if _, err := dlarrow.ToTensor(nil); !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("nil: %v", err)
	}
}

func TestToTensor_BothWays(t *testing.T) {
	source := must(dlferry.Of([]float64{1, 2, 3, 4, 5, 6}, 2, 2).Strided(1, 1, 3).Wrap())
	made := must(dlarrow.ToTensor(source, "row", "column"))
	source.Close()
	again := must(dlarrow.FromTensor(made))
	if got := made.(*tensor.Float64).Value([]int64{1, 1}); got != 6 || made.DimName(1) != "column" {
		t.Errorf("it has %g", got)
	}
	made.Release()
	if again.String() != "float64[2, 2] strides [1, 3] cpu read-only\n[[2., 5.],\n [3., 6.]]" {
		t.Errorf("it comes back as %q", again)
	}
	other, err := dlarrow.ToTensor(again, "one")
	if other != nil || !errors.Is(err, dlferry.ErrShape) {
		t.Errorf("one name gives %v", err)
	}
	again.Close()
	empty := must(dlferry.Of([]float32{}, 2, 0).Wrap())
	none := must(dlarrow.ToTensor(empty))
	if none.Len() != 0 || fmt.Sprint(none.Shape()) != "[2 0]" {
		t.Errorf("an empty one is %v", none)
	}
	back := must(dlarrow.FromTensor(none))
	if fmt.Sprint(back.Shape()) != "[2 0]" {
		t.Errorf("it comes back as %s", back)
	}
	back.Close()
	none.Release()
	empty.Close()
}

// Goroutines retain and release as they like: the data is released once, the tensor too.
func TestLifetimes_AcrossGoroutines(t *testing.T) {
	allocator := checked(t)
	a := integers(allocator, 1, 2, 3)
	source := must(dlferry.Wrap([]int64{1, 2, 3}))
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 200 {
				tensor := must(dlarrow.FromArray(a))
				made := must(dlarrow.ToArray(source))
				tensor.Close()
				tensor.Close() // does nothing
				made.Retain()
				made.Release()
				made.Release()
			}
		}()
	}
	group.Wait()
	a.Release()
	source.Close()
	for range 1000 {
		if dlferry.Live(); allocator.CurrentAlloc() == 0 {
			break
		}
		time.Sleep(time.Millisecond) // another goroutine may still release
	}
}
