// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/generated"
	"github.com/dlferry/dlferry/bindings/go/internal/leak"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
)

func TestTensor_Create(t *testing.T) {
	tensor := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2, 3))
	defer tensor.Close()
	if tensor.NDim() != 2 || !slices.Equal(tensor.Shape(), []int{2, 3}) || !slices.Equal(tensor.Strides(), []int{3, 1}) ||
		tensor.Dim(1) != 3 || tensor.Dim(2) != 0 || tensor.Dim(-1) != 0 {
		t.Errorf("got %v, %v", tensor.Shape(), tensor.Strides())
	}
	if tensor.DType() != dlferry.Float32 || tensor.Device() != dlferry.CPU || tensor.Flags() != 0 {
		t.Errorf("got %s", tensor.Describe())
	}
	if tensor.Data()%256 != 0 || tensor.Check(dlferry.CheckStrict) != nil {
		t.Error("not aligned to 256 bytes")
	}
	for value := range must(dlferry.Look[float32](tensor)).All() {
		if value != 0 {
			t.Error("not zero")
		}
	}
}

func TestTensor_CreateRefuses(t *testing.T) {
	for _, c := range []struct {
		dtype  dlferry.DType
		device dlferry.Device
		shape  []int
		status dlferry.Status
		text   string // empty: any
	}{
		{dlferry.Float32, dlferry.CPU, []int{-1}, dlferry.ErrInvalid, ""},
		{dlferry.Float32, dlferry.CPU, []int{1 << 62, 4}, dlferry.ErrOverflow, ""},
		{dlferry.Float32, dlferry.CPU, []int{1 << 61}, dlferry.ErrOverflow, ""},
		{dlferry.Float32, dlferry.CPU, []int{1 << 58}, dlferry.ErrNoMemory, ""},
		{dlferry.Float32, dlferry.CPU, make([]int, 65), dlferry.ErrInvalid, "create: expected ndim between 0 and 64, got 65"},
		{dlferry.NewDType(2, 0, 1), dlferry.CPU, []int{1}, dlferry.ErrDtype, "create: expected a dtype of 1 bit or more, got 0"},
		{dlferry.NewDType(2, 32, 0), dlferry.CPU, []int{1}, dlferry.ErrDtype, ""},
		{dlferry.Float32, dlferry.Device{Type: dlferry.DeviceCUDA}, []int{1}, dlferry.ErrUnsupported,
			"create: expected device cpu, got cuda:0"},
	} {
		tensor, err := dlferry.Create(c.dtype, c.device, c.shape...)
		fails(t, err, c.status, c.text)
		if tensor != nil {
			t.Error("a tensor came with the error")
		}
	}
}

// Every method on a closed, a never opened and a nil tensor returns an error or a zero value; none crashes.
func TestTensor_ClosedAndNil(t *testing.T) {
	closed := must(dlferry.Wrap([]float32{1}, 1))
	view := must(dlferry.Look[float32](closed))
	closed.Close()
	if err := closed.Close(); err != nil {
		t.Error("closing again: ", err)
	}
	const wanted = "expected an open tensor, got a closed one"
	for _, tensor := range []*dlferry.Tensor{closed, new(dlferry.Tensor), nil} {
		what := wanted
		if tensor == nil {
			what = "expected a tensor, got nil"
		}
		if tensor.NDim() != 0 || tensor.Dim(0) != 0 || tensor.Shape() != nil || tensor.Strides() != nil ||
			tensor.DType() != 0 || tensor.Device() != (dlferry.Device{}) || tensor.Data() != 0 || tensor.Flags() != 0 ||
			tensor.ReadOnly() || tensor.DLTensor() != nil {
			t.Error("not all is zero")
		}
		_ = tensor.String() + tensor.Describe() + fmt.Sprintf("%v %s %d", tensor, tensor, tensor)
		_, err := tensor.ToDLPack()
		fails(t, err, dlferry.ErrInvalid, "to_dlpack: "+what)
		_, err = tensor.ToDLPackLegacy()
		fails(t, err, dlferry.ErrInvalid, "to_dlpack_legacy: "+what)
		_, err = tensor.ToDLPackCopy()
		fails(t, err, dlferry.ErrInvalid, "to_dlpack_copy: "+what)
		_, err = tensor.Copy()
		fails(t, err, dlferry.ErrInvalid, "copy: "+what)
		fails(t, tensor.Check(dlferry.CheckStructure), dlferry.ErrInvalid, "check: "+what)
		_, err = dlferry.Look[float32](tensor)
		fails(t, err, dlferry.ErrInvalid, "elements: "+what)
		_, err = generated.Flatten("blur: image", tensor)
		fails(t, err, dlferry.ErrInvalid, "blur: image: "+what)
		tensor.Close()
	}
	_, err := generated.Flatten("blur: image", nil)
	fails(t, err, dlferry.ErrInvalid, "blur: image: expected a tensor, got nil")
	_, err = view.Slice()
	fails(t, err, dlferry.ErrInvalid, "slice: expected an open tensor, got a closed one")
	panics(t, dlferry.ErrInvalid, func() { view.At(0) })
	panics(t, dlferry.ErrInvalid, func() { view.Set(1, 0) })
	panics(t, dlferry.ErrInvalid, func() { view.Len() })
	_, err = generated.FlattenList("stack: frames", []*dlferry.Tensor{must(dlferry.Wrap([]int8{1}, 1)), closed})
	fails(t, err, dlferry.ErrInvalid, "stack: frames[1] (from 0): "+wanted)
	var zero dlferry.Elements[float32]
	panics(t, dlferry.ErrInvalid, func() { zero.At() })
	_, err = zero.Slice()
	fails(t, err, dlferry.ErrInvalid, "slice: expected a tensor, got nil")
}

// go vet reports a copy; closing it too must not release the handle twice.
func TestTensor_ACopyOfTheStructIsNone(t *testing.T) {
	leak.Settle()
	before := helper.Deleted()
	tensor := must(dlferry.FromDLPack(helper.Make(float23)))
	other := new(dlferry.Tensor)
	reflect.ValueOf(other).Elem().Set(reflect.ValueOf(tensor).Elem())
	if other.Shape() != nil || other.Data() != 0 || other.DLTensor() != nil || other.Flags() != 0 {
		t.Error("a copy is open")
	}
	_, err := other.ToDLPack()
	fails(t, err, dlferry.ErrInvalid, "to_dlpack: expected a tensor, got a copy of the struct of one")
	_, err = generated.Flatten("f: x", other)
	fails(t, err, dlferry.ErrInvalid, "f: x: expected a tensor, got a copy of the struct of one")
	other.Close()
	if gone := helper.Deleted() - before; gone != 0 || tensor.NDim() != 2 {
		t.Error("the copy closed the tensor")
	}
	tensor.Close()
	other.Close()
	if gone := helper.Deleted() - before; gone != 1 {
		t.Errorf("%d deleters ran", gone)
	}
}

// A call that uses a tensor keeps it, closed or not; in a list and as an argument.
func TestTensor_ClosedInUse(t *testing.T) {
	leak.Settle()
	one, two := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2)), must(dlferry.Wrap([]float32{1, 2}, 2))
	must(generated.Flatten("blur: image", one))
	list := must(generated.FlattenList("stack: frames", []dlferry.Arg{two, dlferry.Of([]int8{1}, 1), two}))
	one.Close()
	two.Close()
	one.Close()
	if live := dlferry.Live(); live != 2 {
		t.Errorf("in use and closed: expected 2 alive, got %d", live)
	}
	_, err := generated.Flatten("blur: image", one)
	fails(t, err, dlferry.ErrInvalid, "blur: image: expected an open tensor, got a closed one")
	list.Close()
	generated.Done(one)
	if live := dlferry.Live(); live != 0 {
		t.Errorf("not in use any more: expected 0 alive, got %d", live)
	}
}

// Readers of a tensor that another goroutine closes get its value, or a zero value.
func TestTensor_ClosedUnderReaders(t *testing.T) {
	for range 200 {
		tensor := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2, 3))
		var group sync.WaitGroup
		for range 3 {
			group.Add(1)
			go func() {
				defer group.Done()
				for {
					if shape := tensor.Shape(); shape == nil {
						return
					} else if !slices.Equal(shape, []int{2, 3}) {
						t.Errorf("the shape is %v", shape)
					}
					if managed, err := tensor.ToDLPack(); err == nil {
						dlferry.ReleaseDLPack(managed)
					}
				}
			}()
		}
		runtime.Gosched()
		tensor.Close()
		group.Wait()
	}
}

// No elements may be at any address, and a device's may be a small number; Go cannot move a stack with such a pointer.
func TestTensor_AddressesThatAreNone(t *testing.T) {
	for _, spec := range []helper.Spec{
		{Code: 2, Bits: 32, Lanes: 1, Shape: []int{0, 3}, DeviceType: 1, Address: 4},
		{Code: 2, Bits: 32, Lanes: 1, Shape: []int{0}, DeviceType: 1, Address: 3},
		{Code: 2, Bits: 32, Lanes: 1, Shape: []int{2}, DeviceType: int32(dlferry.DeviceWebGPU), Address: 64},
	} {
		tensor := must(dlferry.FromDLPack(helper.Make(spec)))
		moved := make(chan bool)
		go func() { // its stack is small yet
			defer close(moved)
			address := tensor.Data()
			view, err := dlferry.Look[float32](tensor)
			deep(100)
			if address != spec.Address {
				t.Errorf("the address is %#x", address)
			}
			if spec.DeviceType != 1 {
				if !errors.Is(err, dlferry.ErrDevice) {
					t.Errorf("a device's: got %v", err)
				}
			} else if slice, err := view.Slice(); err != nil || len(slice) != 0 || view.Len() != 0 {
				t.Errorf("got %v, %v", slice, err)
			}
			deep(1000)
			runtime.KeepAlive(view)
		}()
		<-moved
		tensor.Close()
	}
}

//go:noinline
func deep(calls int) int {
	var frame [256]int
	if calls > 0 {
		frame[calls%256] = deep(calls - 1)
	}
	return frame[calls%256]
}

func TestLook_Refuses(t *testing.T) {
	tensor := must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2, 3))
	defer tensor.Close()
	_, err := dlferry.Look[float64](tensor)
	fails(t, err, dlferry.ErrDtype, "elements: expected float64, got float32: cast converts")
	_, err = dlferry.Look[int32](tensor)
	fails(t, err, dlferry.ErrDtype, "elements: expected int32, got float32: cast converts")

	v := must(dlferry.Look[float32](tensor))
	for _, index := range [][]int{{2, 0}, {0, 3}, {-1, 0}, {0}, {0, 0, 0}, {}} {
		panics(t, dlferry.ErrBounds, func() { v.At(index...) })
		panics(t, dlferry.ErrBounds, func() { v.Set(1, index...) })
	}

	// The texts of dlf_look, as in every language.
	for _, c := range []struct {
		spec    helper.Spec
		status  dlferry.Status
		message string
	}{
		{helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{4}, DeviceType: 2}, dlferry.ErrDevice,
			"elements: expected data that the processor can reach, got cuda:0: move it to the CPU first"},
		{helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{4}, DeviceType: 1, Skew: 2}, dlferry.ErrLayout,
			"elements: expected data aligned to 4 bytes, got an address 2 past one"},
		{helper.Spec{Code: 2, Bits: 32, Lanes: 4, Shape: []int{4}, DeviceType: 1}, dlferry.ErrDtype,
			"elements: expected float32, got float32x4"},
		{helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{1 << 31, 1 << 31}, Strides: []int{0, 0}, DeviceType: 1},
			dlferry.ErrOverflow, "elements: expected a size below 2^63 bytes, got a larger one"},
	} {
		other := must(dlferry.FromDLPack(helper.Make(c.spec)))
		_, err := dlferry.Look[float32](other)
		fails(t, err, c.status, c.message)
		fails(t, dlferry.With(other, func(dlferry.Elements[float32]) error { panic("called") }), c.status, c.message)
		other.Close()
	}

	// Unusual but correct ones.
	wide := must(dlferry.FromDLPack(helper.Make(helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{1 << 40, 2},
		Strides: []int{0, 1}, DeviceType: 1})))
	defer wide.Close()
	many := must(dlferry.Look[float32](wide))
	if many.Len() != 1<<41 || many.At(1<<40-1, 1) != 0 {
		t.Error("got ", many.Len())
	}
	_, err = many.Slice()
	fails(t, err, dlferry.ErrLayout, "elements: expected row-major elements, got shape [1099511627776, 2] with strides [0, 1]: pass a row-major copy")
	none := must(dlferry.FromDLPack(helper.Make(helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{1 << 40, 1 << 40, 0},
		Strides: []int{0, 0, 1}, DeviceType: 1, Address: 3})))
	defer none.Close()
	if nothing := must(dlferry.Look[float32](none)); nothing.Len() != 0 || len(must(nothing.Slice())) != 0 {
		t.Error("elements of a tensor without any")
	}

	pinnedHost := must(dlferry.FromDLPack(helper.Make(helper.Spec{Code: 2, Bits: 32, Lanes: 1, Shape: []int{4}, DeviceType: 3})))
	defer pinnedHost.Close()
	if _, err := dlferry.Look[float32](pinnedHost); err != nil {
		t.Error("pinned host memory is refused: ", err)
	}
}

// In JSON a dtype and a device are their names.
func TestFormat_JSON(t *testing.T) {
	type about struct {
		DType  dlferry.DType
		Device dlferry.Device
	}
	for _, c := range []struct {
		value about
		text  string
	}{
		{about{dlferry.BFloat16, dlferry.CPU}, `{"DType":"bfloat16","Device":"cpu"}`},
		{about{dlferry.NewDType(1, 4, 2), dlferry.Device{Type: dlferry.DeviceCUDA, ID: 1}}, `{"DType":"uint4x2","Device":"cuda:1"}`},
		{about{dlferry.NewDType(200, 7, 1), dlferry.Device{Type: 99}}, `{"DType":"dtype(200, 7)","Device":"device(99):0"}`},
	} {
		text := must(json.Marshal(c.value))
		var again about
		if err := json.Unmarshal(text, &again); string(text) != c.text || err != nil || again != c.value {
			t.Errorf("expected %s, got %s, and back %v, %v", c.text, text, again, err)
		}
	}
	var dtype dlferry.DType
	fails(t, dtype.UnmarshalText([]byte("float\x00")), dlferry.ErrInvalid, "")
	fails(t, json.Unmarshal([]byte(`"flout"`), &dtype), dlferry.ErrDtype, "")
	fails(t, new(dlferry.Device).UnmarshalText([]byte("gpu")), dlferry.ErrDevice, "")
}

func TestFormat_Verbs(t *testing.T) {
	tensor := must(dlferry.Wrap([]int32{1, 2, 3, 4}, 2, 2))
	defer tensor.Close()
	for format, want := range map[string]string{
		"%s": "int32[2, 2] cpu",
		"%v": tensor.String(),
		"%d": "%!d(*dlferry.Tensor=int32[2, 2] cpu)",
	} {
		if got := fmt.Sprintf(format, tensor); got != want {
			t.Errorf("%s: expected %q, got %q", format, want, got)
		}
	}
	large := must(dlferry.Create(dlferry.Float64, dlferry.CPU, 30, 30))
	defer large.Close()
	if got := large.String(); len(got) < 900 || got[len(got)-1] != ']' {
		t.Errorf("cut: %q", got)
	}
}

func TestNames_RoundTrip(t *testing.T) {
	for _, name := range []string{"bool", "int8", "uint64", "float16", "bfloat16", "complex128", "float4_e2m1fn",
		"float8_e4m3fn", "uint8x4", "dtype(99, 24)"} {
		if got := must(dlferry.ParseDType(name)).String(); got != name {
			t.Errorf("expected %s, got %s", name, got)
		}
	}
	for _, name := range []string{"cpu", "cuda:1", "oneapi:0", "device(77):5"} {
		if got := must(dlferry.ParseDevice(name)).String(); got != name {
			t.Errorf("expected %s, got %s", name, got)
		}
	}
	for _, name := range []string{"", "float", "real32", "float32\x00", "float32 ", "é"} {
		if _, err := dlferry.ParseDType(name); err == nil {
			t.Errorf("%q is taken for a dtype", name)
		}
	}
	for _, name := range []string{"", "gpu:x", "cpu\x00", "cuda:-1", "cuda:99999999999"} {
		if _, err := dlferry.ParseDevice(name); err == nil {
			t.Errorf("%q is taken for a device", name)
		}
	}
	if dlferry.ErrReadOnly.Error() != "READ_ONLY" || dlferry.Status(99).String() != "UNKNOWN" {
		t.Error("a status has another name")
	}
	if dlferry.Version() != "0.3.0" {
		t.Error("another version: ", dlferry.Version())
	}
}

func TestArg_CallsAllocateNothing(t *testing.T) {
	slice, tensor := make([]float32, 6), must(dlferry.Create(dlferry.Float32, dlferry.CPU, 2, 3))
	defer tensor.Close()
	allocatesNothing(t, func() {
		array := dlferry.Of(slice, 2, 3)
		generated.Flatten("f: x", array)
		generated.Done(array)
		generated.Flatten("f: x", tensor)
		dlferry.ReleaseDLPack(must(dlferry.ToDLPack(slice, 2, 3)))
		must(dlferry.Look[float32](tensor)).At(1, 2)
	})
}

func TestOneAPINeedsDpctlsLibrary(t *testing.T) {
	err := dlferry.OneAPIEnable("/nowhere/libDPCTLSyclInterface.so")
	const text = "oneapi_enable: expected dpctl's C library, got: "
	if !errors.Is(err, dlferry.ErrForeign) || !strings.HasPrefix(err.Error(), text) {
		t.Errorf("got %v", err)
	}
	if err := dlferry.OneAPIEnable("a\x00b"); !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("got %v", err)
	}
}
