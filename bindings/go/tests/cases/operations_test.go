// SPDX-License-Identifier: Apache-2.0

package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
)

// operation is a shared case; tests/cases/README.md says what its fields mean.
type operation struct {
	Name, Op, X, Y, Text string
	Closed               bool
	Ints                 []int
	Reals                []float64
	Gives                *string
	Fails                []string
}

// result is a tensor, or any other value that told prints; a Go value is in its usual form.
type result struct {
	value any
	err   error
}

func made(t *dlferry.Tensor, err error) result { return result{t, err} }

func value[T any](v T, err error) result { return result{v, err} }

// one is the only int.
func (c operation) one() int { return c.Ints[0] }

func (c operation) order() dlferry.Order {
	return map[string]dlferry.Order{"row_major": dlferry.RowMajor, "column_major": dlferry.ColumnMajor,
		"dense": dlferry.Dense}[c.Text]
}

func (c operation) number() any {
	switch len(c.Reals) {
	case 1:
		return c.Reals[0]
	case 2:
		return complex(c.Reals[0], c.Reals[1])
	}
	return c.one()
}

func (c operation) items() []dlferry.Item {
	var items []dlferry.Item
	for i := 0; i < len(c.Ints); i += 4 {
		switch c.Ints[i] {
		case 0:
			items = append(items, dlferry.Range(c.Ints[i+1], c.Ints[i+2], c.Ints[i+3]))
		case 1:
			items = append(items, dlferry.One(c.Ints[i+1]))
		default:
			items = append(items, dlferry.NewAxis())
		}
	}
	return items
}

func back(owned unsafe.Pointer, err error) result {
	if err != nil {
		return result{nil, err}
	}
	return made(dlferry.FromDLPack(owned))
}

func backLegacy(owned unsafe.Pointer, err error) result {
	if err != nil {
		return result{nil, err}
	}
	return made(dlferry.FromDLPackLegacy(owned))
}

func export(x *dlferry.Tensor, c operation) result {
	options := dlferry.ExportOptions{Copy: dlferry.CopyMode(c.Ints[2]), Legacy: c.Ints[0] == 0}
	if c.Text != "" {
		device, err := dlferry.ParseDevice(c.Text)
		if err != nil {
			return result{nil, err}
		}
		options.Device = device
	}
	if options.Legacy {
		return backLegacy(x.Export(options))
	}
	options.MaxVersion = dlferry.DLPackVersion{Major: uint32(c.Ints[0]), Minor: uint32(c.Ints[1])}
	return back(x.Export(options))
}

func toDevice(x *dlferry.Tensor, c operation) result {
	device, err := dlferry.ParseDevice(c.Text)
	if err != nil {
		return result{nil, err}
	}
	return made(x.ToDevice(device, dlferry.CopyMode(c.one())))
}

func bitcast(x *dlferry.Tensor, c operation) result {
	dtype, err := dlferry.ParseDType(c.Text)
	if err != nil {
		return result{nil, err}
	}
	return made(x.Bitcast(dtype))
}

func cast(x *dlferry.Tensor, c operation) result {
	dtype, err := dlferry.ParseDType(c.Text)
	if err != nil {
		return result{nil, err}
	}
	if len(c.Ints) > 0 {
		return made(x.CastSaturating(dtype))
	}
	return made(x.Cast(dtype))
}

func save(x *dlferry.Tensor, c operation) result {
	if err := dlferry.NpySave(x, c.Text); err != nil {
		return result{nil, err}
	}
	return made(dlferry.NpyOpen(c.Text))
}

func open(c operation) result {
	if len(c.Ints) > 0 {
		bytes := make([]byte, len(c.Ints))
		for i, b := range c.Ints {
			bytes[i] = byte(b)
		}
		if err := os.WriteFile(c.Text, bytes, 0o600); err != nil {
			return result{nil, err}
		}
	}
	return made(dlferry.NpyOpen(c.Text))
}

// The bits of dlf_look_how that Go asks for: Set asks to write, Slice for row-major elements.
const lookWrite, lookRowMajor = 1, 2

func look[T dlferry.Element](x *dlferry.Tensor, c operation) (r result) {
	err := dlferry.With(x, func(e dlferry.Elements[T]) (err error) {
		r.value = e.Len()
		if c.one()&lookWrite != 0 {
			defer func() {
				if panicked := recover(); panicked != nil {
					err = panicked.(error)
				}
			}()
			first := make([]int, x.NDim())
			e.Set(e.At(first...), first...)
		}
		if c.one()&lookRowMajor != 0 {
			_, err = e.Slice()
		}
		return err
	})
	r.err = err
	return r
}

func encode[T dlferry.SmallFloat](value float64) any { return dlferry.Narrow[T](value) }

var encodes = map[string]func(float64) any{
	"bfloat16": encode[dlferry.BF16], "float16": encode[dlferry.F16], "float8_e4m3fn": encode[dlferry.F8E4M3FN],
	"float8_e5m2": encode[dlferry.F8E5M2], "float8_e8m0fnu": encode[dlferry.F8E8M0FNU],
	"float6_e3m2fn": encode[dlferry.F6E3M2FN], "float4_e2m1fn": encode[dlferry.F4E2M1FN],
}

var looks = map[string]func(*dlferry.Tensor, operation) result{
	"bool": look[bool], "uint8": look[uint8], "int8": look[int8], "int16": look[int16], "uint16": look[uint16],
	"int32": look[int32], "float32": look[float32], "float64": look[float64],
}

// named runs a method that has the operation's name and takes the case's ints, if there is one.
func named(op string) (func(x, y *dlferry.Tensor, c operation) result, bool) {
	camel := ""
	for _, word := range strings.Split(op, "_") {
		camel += strings.ToUpper(word[:1]) + word[1:]
	}
	method, has := reflect.TypeOf((*dlferry.Tensor)(nil)).MethodByName(camel)
	return func(x, _ *dlferry.Tensor, c operation) result {
		given := []reflect.Value{reflect.ValueOf(x)}
		for _, number := range c.Ints {
			given = append(given, reflect.ValueOf(number))
		}
		results := method.Func.Call(given)
		if len(results) == 1 {
			return result{results[0].Interface(), nil}
		}
		err, _ := results[1].Interface().(error)
		return value(results[0].Interface(), err)
	}, has
}

func find(op string) (func(x, y *dlferry.Tensor, c operation) result, bool) {
	if run, has := operations[op]; has {
		return run, true
	}
	return named(op)
}

// operations are those that are no method of their name, or take more than ints.
var operations = map[string]func(x, y *dlferry.Tensor, c operation) result{
	"index":     func(x, _ *dlferry.Tensor, c operation) result { return made(x.Index(c.items()...)) },
	"bitcast":   func(x, _ *dlferry.Tensor, c operation) result { return bitcast(x, c) },
	"to_device": func(x, _ *dlferry.Tensor, c operation) result { return toDevice(x, c) },
	"contiguous": func(x, _ *dlferry.Tensor, _ operation) result {
		return made(x.Contiguous(dlferry.RowMajor))
	},
	"copy_into": func(x, y *dlferry.Tensor, _ operation) result { return made(y, dlferry.CopyInto(x, y)) },
	"cast":      func(x, _ *dlferry.Tensor, c operation) result { return cast(x, c) },
	"cast_into": func(x, y *dlferry.Tensor, _ operation) result { return made(y, dlferry.CastInto(x, y)) },
	"fill":      func(x, _ *dlferry.Tensor, c operation) result { return made(x, dlferry.Fill(x, c.number())) },
	"identical": func(x, y *dlferry.Tensor, c operation) result { return value(x.Identical(y)) },
	"equal":     func(x, y *dlferry.Tensor, c operation) result { return value(x.Equal(y)) },
	"all_close": func(x, y *dlferry.Tensor, c operation) result {
		return value(x.AllClose(y, c.Reals[0], c.Reals[1], c.one() != 0))
	},
	"contains": func(x, _ *dlferry.Tensor, c operation) result { return value(x.Contains(c.number())) },
	"read": func(x, _ *dlferry.Tensor, c operation) result {
		last := len(c.Ints) - 1
		return value(x.ReadLane(c.Ints[last], c.Ints[:last]...))
	},
	"byte_range": func(x, _ *dlferry.Tensor, c operation) result {
		low, high, err := x.ByteRange()
		return result{[]int{low, high}, err}
	},
	"is_contiguous": func(x, _ *dlferry.Tensor, c operation) result { return result{x.IsContiguous(c.order()), nil} },
	"compact_strides": func(_, _ *dlferry.Tensor, c operation) result {
		return value(dlferry.CompactStrides(c.order(), c.Ints...))
	},
	"overlap": func(x, y *dlferry.Tensor, c operation) result { return value(x.Overlap(y)) },
	"encode": func(_, _ *dlferry.Tensor, c operation) result {
		return result{fmt.Sprintf("%d", encodes[c.Text](c.Reals[0])), nil}
	},
	"npy_save":         func(x, _ *dlferry.Tensor, c operation) result { return save(x, c) },
	"npy_open":         func(_, _ *dlferry.Tensor, c operation) result { return open(c) },
	"to_dlpack":        func(x, _ *dlferry.Tensor, c operation) result { return back(x.ToDLPack()) },
	"to_dlpack_legacy": func(x, _ *dlferry.Tensor, c operation) result { return backLegacy(x.ToDLPackLegacy()) },
	"to_dlpack_copy":   func(x, _ *dlferry.Tensor, c operation) result { return back(x.ToDLPackCopy()) },
	"export":           func(x, _ *dlferry.Tensor, c operation) result { return export(x, c) },
	"wrap": func(_, _ *dlferry.Tensor, c operation) result {
		return made(dlferry.Wrap(make([]float32, c.one()), c.Ints[1:]...))
	},
	"look": func(x, _ *dlferry.Tensor, c operation) result { return looks[c.Text](x, c) },
}

// told prints a result as the cases do, and closes a tensor.
func told(v any) string {
	switch v := v.(type) {
	case *dlferry.Tensor:
		defer v.Close()
		return v.String()
	case complex128:
		return told(real(v)) + " " + told(imag(v))
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []int:
		return strings.Trim(fmt.Sprint(v), "[]")
	}
	return fmt.Sprint(v)
}

func tensor(t *testing.T, text string) *dlferry.Tensor {
	owned := helper.Made(text)
	if owned == nil {
		t.Fatalf("expected a tensor, got %q", text)
	}
	x, err := dlferry.FromDLPack(owned)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// outcome runs a case: its result, or status and text, as one line.
func outcome(t *testing.T, c operation) string {
	var x, y *dlferry.Tensor
	if c.X != "" {
		x = tensor(t, c.X)
		defer x.Close()
	}
	if c.Y == "x" {
		y = x
	} else if c.Y != "" {
		y = tensor(t, c.Y)
		defer y.Close()
	}
	if c.Closed {
		x.Close()
	}
	run, _ := find(c.Op)
	r := run(x, y, c)
	var failure *dlferry.Error
	if errors.As(r.err, &failure) {
		return failure.Status.String() + " " + r.err.Error()
	} else if r.err != nil {
		t.Fatalf("not a *dlferry.Error: %v", r.err)
	}
	return told(r.value)
}

func (c operation) expected() string {
	if c.Gives != nil {
		return *c.Gives
	}
	return c.Fails[0] + " " + c.Fails[1]
}

func readJSON(t *testing.T, name string, into any) {
	bytes, err := os.ReadFile(filepath.Join("../../../../tests/cases", name+".json"))
	if err == nil {
		err = json.Unmarshal(bytes, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Each operation of the hub gives what it gives in every language, and each tensor's deleter runs once.
func TestOperations(t *testing.T) {
	var languages struct{ Cannot map[string]map[string]string }
	readJSON(t, "languages", &languages)
	cannot, used := languages.Cannot["go"], map[string]int{}
	var cases []operation
	for _, name := range []string{"view", "compare", "layout", "float", "npy", "exchange", "access", "move"} {
		var file struct{ Cases []operation }
		readJSON(t, name, &file)
		cases = append(cases, file.Cases...)
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(folder)
	for _, c := range cases {
		key := ""
		for _, listed := range []string{c.Op, c.Name} {
			if _, ok := cannot[listed]; ok {
				key = listed
			}
		}
		used[key]++
		t.Run(c.Name, func(t *testing.T) {
			_, has := find(c.Op)
			switch {
			case key == c.Op && has:
				t.Errorf("languages.json lists %s, which Go has", c.Op)
			case key == "" && !has:
				t.Errorf("Go lacks %s, which languages.json does not list", c.Op)
			case has:
				before, made := helper.MadeDeleted(), int64(0)
				if c.X != "" {
					made++
				}
				if c.Y != "" && c.Y != "x" {
					made++
				}
				got := outcome(t, c)
				if (got == c.expected()) == (key != "") {
					t.Errorf("expected %q, got %q (%s)", c.expected(), got, cannot[key])
				}
				if got := helper.MadeDeleted() - before; got != made {
					t.Errorf("expected %d deleters, got %d", made, got)
				}
			}
		})
	}
	for listed, why := range cannot {
		t.Logf("not expressible in Go: %s, %d cases: %s", listed, used[listed], why)
		if used[listed] == 0 {
			t.Errorf("no case needs the line of %s in languages.json", listed)
		}
	}
}
