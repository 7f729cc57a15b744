// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

// #include <stdlib.h>
// #cgo noescape dlfgo_contract_compile
// #cgo nocallback dlfgo_contract_compile
// #cgo noescape dlfgo_contract_match
// #cgo nocallback dlfgo_contract_match
// #cgo noescape dlfgo_contract_infer
// #cgo nocallback dlfgo_contract_infer
// #cgo noescape dlfgo_contract_create
// #cgo nocallback dlfgo_contract_create
// #cgo noescape dlf_contract_format
// #cgo nocallback dlf_contract_format
// #include "bridge.h"
import "C"

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"unsafe"
)

// ParameterKind is the kind of a function's parameter, for a [Contract].
//
// C: dlf_parameter_kind
type ParameterKind int32

// The kinds of parameters, and the arguments that [Contract.Match] takes for them.
const (
	ParameterInput    ParameterKind = C.DLF_PARAMETER_INPUT    // a tensor that is read: an Arg; nil if it is absent
	ParameterOutput   ParameterKind = C.DLF_PARAMETER_OUTPUT   // a tensor that is written: an Arg; nil if it is absent
	ParameterInteger  ParameterKind = C.DLF_PARAMETER_INTEGER  // any integer
	ParameterUnsigned ParameterKind = C.DLF_PARAMETER_UNSIGNED // any integer that is not negative
	ParameterReal     ParameterKind = C.DLF_PARAMETER_REAL     // any real number
	ParameterOther    ParameterKind = C.DLF_PARAMETER_OTHER    // anything, which is not read
	ParameterList     ParameterKind = C.DLF_PARAMETER_LIST     // tensors: []Arg, []*Tensor or []*Array
	ParameterArray    ParameterKind = C.DLF_PARAMETER_ARRAY    // a slice of numbers, whose length alone is read
	ParameterGiven    ParameterKind = C.DLF_PARAMETER_GIVEN    // a tensor that the function returns: nil before the call
)

// Parameter is one parameter of the function of a [Contract].
//
// C: dlf_parameter
type Parameter struct {
	Name string
	Kind ParameterKind
}

// Contract is the conditions of a function on its arguments, compiled once and checked at each call. Any goroutine may
// use it at any time; the garbage collector frees it.
//
//	blur, err := dlferry.CompileContract("image: T[h, w]; out: T[h, w] noalias; T in f32|f64; sigma > 0", "blur",
//		dlferry.Parameter{"image", dlferry.ParameterInput}, dlferry.Parameter{"sigma", dlferry.ParameterReal},
//		dlferry.Parameter{"out", dlferry.ParameterOutput})
//	...
//	err = blur.Match(image, -1, out) // blur: sigma is -1, wanted sigma > 0
//
// Methods take one argument for each parameter, in the order of the parameters, then the result of each hook(f) of the
// contract, as integers.
type Contract struct {
	contract   uintptr // a dlf_contract
	function   string
	parameters []Parameter
}

// Prototype describes an output that a contract determines: compact in some order, or with another tensor's strides.
//
// C: dlf_prototype
type Prototype struct {
	DType          DType
	Device         Device
	Shape, Strides []int
	Align          int // of the data, in bytes: 0 or a power of two
}

// CompileContract compiles a contract. The function's name opens the texts of errors.
//
// It fails with ErrInvalid, with the reason and its place in the text, or ErrUnsupported for more than 32 tensors.
//
// C: dlf_contract_compile
func CompileContract(text, function string, parameters ...Parameter) (*Contract, error) {
	var names []byte // one after the other, so that C gets no pointers inside Go memory
	kinds := make([]int32, len(parameters))
	for i, p := range parameters {
		if err := checkText("contract", p.Name); err != nil {
			return nil, err
		}
		names = append(append(names, p.Name...), 0)
		kinds[i] = int32(p.Kind)
	}
	for _, word := range []string{text, function} {
		if err := checkText("contract", word); err != nil {
			return nil, err
		}
	}
	words := append([]byte(text+"\x00"+function+"\x00"), names...)
	var contract C.uintptr_t
	var e C.dlf_error
	status := C.dlfgo_contract_compile((*C.char)(unsafe.Pointer(&words[0])), (*C.int32_t)(unsafe.SliceData(kinds)),
		C.int32_t(min(len(parameters), math.MaxInt32)), &contract, &e)
	if status != 0 {
		return nil, failed(status, &e)
	}
	c := &Contract{contract: uintptr(contract), function: function, parameters: slices.Clone(parameters)}
	runtime.AddCleanup(c, func(contract uintptr) { C.dlf_contract_free(contractAt(&contract)) }, c.contract)
	return c, nil
}

// Match checks a call. Call it again after the call if the function returned tensors.
//
// It fails with ErrDtype, ErrShape, ErrLayout, ErrDevice, ErrReadOnly, or ErrInvalid for a number out of its range,
// shared memory, or a value that is not an argument of its parameter.
//
// C: dlf_contract_match
func (c *Contract) Match(arguments ...any) error { return c.match(false, arguments) }

// MatchInputs checks only the inputs of a call: no outputs, given tensors or results of hooks.
//
// It fails like [Contract.Match].
//
// C: dlf_contract_match_inputs
func (c *Contract) MatchInputs(arguments ...any) error { return c.match(true, arguments) }

func (c *Contract) match(onlyInputs bool, arguments []any) error {
	call, err := c.begin(arguments)
	if err != nil {
		return err
	}
	defer call.end()
	var e C.dlf_error
	status := C.dlfgo_contract_match(call.contract(), call.first(), call.count(), C.bool(onlyInputs), &e)
	return failed(status, &e)
}

// Infer describes an output, given by its parameter's name, that the inputs determine. The outputs' arguments are not
// read.
//
// It fails with ErrInvalid if the contract does not determine that output, or like [Contract.Match].
//
// C: dlf_contract_infer
func (c *Contract) Infer(output string, arguments ...any) (Prototype, error) {
	call, index, err := c.beginOutput(output, arguments)
	if err != nil {
		return Prototype{}, err
	}
	defer call.end()
	p := C.dlf_prototype{size: C.sizeof_dlf_prototype}
	var e C.dlf_error
	status := C.dlfgo_contract_infer(call.contract(), call.first(), call.count(), index, &p, &e)
	if status != 0 {
		return Prototype{}, failed(status, &e)
	}
	return Prototype{dtypeOfC(&p.dtype), deviceOfC(&p.device), slices.Clone(lent(&p.shape[0], p.ndim)),
		slices.Clone(lent(&p.strides[0], p.ndim)), int(p.align)}, nil
}

// Create allocates an output that the inputs determine, with elements of zero, like [Contract.Infer].
//
// It fails like Infer and [Create].
//
// C: dlf_contract_create
func (c *Contract) Create(output string, arguments ...any) (*Tensor, error) {
	call, index, err := c.beginOutput(output, arguments)
	if err != nil {
		return nil, err
	}
	defer call.end()
	var h C.dlfgo_handle
	var e C.dlf_error
	status := C.dlfgo_contract_create(call.contract(), call.first(), call.count(), index, &h, &e)
	return adopt(status, &h, &e)
}

// Format writes the clause of one parameter in its usual form; "" if there is none.
//
// C: dlf_contract_format
func (c *Contract) Format(parameter string) string {
	if index := c.indexOf(parameter); index >= 0 {
		return c.format(index)
	}
	return ""
}

// String writes the whole contract in its usual form.
//
// C: dlf_contract_format
func (c *Contract) String() string {
	if c == nil || c.contract == 0 {
		return ""
	}
	return c.format(-1)
}

func (c *Contract) format(index C.int32_t) string {
	defer runtime.KeepAlive(c)
	length := C.dlf_contract_format(contractAt(&c.contract), index, nil, 0)
	buffer := make([]byte, length+1)
	C.dlf_contract_format(contractAt(&c.contract), index, (*C.char)(unsafe.Pointer(&buffer[0])), length+1)
	return string(buffer[:length])
}

// indexOf returns a parameter's number, from 0; -1 without one.
func (c *Contract) indexOf(parameter string) C.int32_t {
	if c == nil {
		return -1
	}
	return C.int32_t(slices.IndexFunc(c.parameters, func(p Parameter) bool { return p.Name == parameter }))
}

// A matching holds the arguments of one call for C, in memory without pointers to other memory that is not pinned.
type matching struct {
	of     *Contract
	values []C.dlfgo_value
	used   []Arg
	lists  []*list
	pinner runtime.Pinner
}

// contractAt reads the address of C's contract.
func contractAt(address *uintptr) *C.dlf_contract {
	return (*C.dlf_contract)(*(*unsafe.Pointer)(unsafe.Pointer(address)))
}

func (m *matching) contract() C.uintptr_t { return C.uintptr_t(m.of.contract) }
func (m *matching) first() *C.dlfgo_value { return unsafe.SliceData(m.values) }
func (m *matching) count() C.int32_t      { return C.int32_t(len(m.of.parameters)) }

func (m *matching) end() {
	m.pinner.Unpin()
	for _, list := range m.lists {
		list.Close()
	}
	for _, arg := range m.used {
		finish(arg)
	}
	runtime.KeepAlive(m.of)
}

func (c *Contract) begin(arguments []any) (*matching, error) {
	if c == nil || c.contract == 0 {
		return nil, errorf(ErrInvalid, "contract: expected a compiled contract, got none")
	}
	drain()
	wanted := len(c.parameters)
	if len(arguments) < wanted || len(arguments) > wanted+C.DLF_MAX_HOOKS {
		return nil, errorf(ErrInvalid, "%s: expected %d arguments, got %d", c.function, wanted, len(arguments))
	}
	m := &matching{of: c, values: make([]C.dlfgo_value, wanted+C.DLF_MAX_HOOKS)} // C may read a value for each hook
	for i, argument := range arguments {
		name, kind := "hook", ParameterInteger
		if i < wanted {
			name, kind = c.parameters[i].Name, c.parameters[i].Kind
		}
		if err := m.read(c.function+": "+name, kind, argument, &m.values[i]); err != nil {
			m.end()
			return nil, err
		}
	}
	return m, nil
}

func (c *Contract) beginOutput(name string, arguments []any) (*matching, C.int32_t, error) {
	m, err := c.begin(arguments)
	index := c.indexOf(name)
	if err == nil && index < 0 {
		m.end()
		return nil, 0, errorf(ErrInvalid, "%s: expected the name of a parameter, got %q", c.function, name)
	}
	return m, index, err
}

func (m *matching) read(name string, kind ParameterKind, argument any, out *C.dlfgo_value) error {
	switch kind {
	case ParameterInput, ParameterOutput, ParameterGiven:
		return m.readTensor(name, argument, out)
	case ParameterList:
		return m.readList(name, argument, out)
	case ParameterOther:
		return nil
	}
	value := reflect.ValueOf(argument)
	switch {
	case kind == ParameterArray && value.Kind() == reflect.Slice:
		out.integer = C.int64_t(value.Len())
		return nil
	case kind == ParameterArray:
		return errorf(ErrInvalid, "%s: expected a slice, got %T", name, argument)
	case value.CanInt() && (kind != ParameterUnsigned || value.Int() >= 0):
		out.integer, out.real = C.int64_t(value.Int()), C.double(value.Int())
	case value.CanUint() && (kind != ParameterInteger || value.Uint() <= math.MaxInt64):
		out.integer, out.real = C.int64_t(value.Uint()), C.double(value.Uint()) // as bits
	case value.CanFloat() && kind == ParameterReal:
		out.real = C.double(value.Float())
	case value.CanInt() || value.CanUint():
		return errorf(ErrOverflow, "%s: expected %s, got %v", name, kind, argument)
	default:
		return errorf(ErrInvalid, "%s: expected %s, got %T", name, kind, argument)
	}
	return nil
}

// String says which arguments a number may have.
func (k ParameterKind) String() string {
	switch k {
	case ParameterInteger:
		return "an int64"
	case ParameterUnsigned:
		return "a uint64"
	case ParameterReal:
		return "a real number"
	}
	return "another argument"
}

func (m *matching) readTensor(name string, argument any, out *C.dlfgo_value) error {
	arg, ok := argument.(Arg)
	if argument != nil && !ok {
		return errorf(ErrInvalid, "%s: expected a *dlferry.Tensor or *dlferry.Array, got %T", name, argument)
	}
	flat, err := flattenOptional(name, arg)
	if err != nil {
		return err
	}
	m.used = append(m.used, arg)
	if flat.About&0xff == flatSlice {
		pins := new(list)
		pins.pin(flat)
		m.lists = append(m.lists, pins)
	} else if flat.Shape != nil { // the flags of a tensor
		m.pinner.Pin(flat.Shape)
	}
	out.flat = passed(flat)
	return nil
}

func (m *matching) readList(name string, argument any, out *C.dlfgo_value) error {
	var tensors []Arg
	switch given := argument.(type) {
	case []Arg:
		tensors = given
	case []*Tensor:
		for _, tensor := range given {
			tensors = append(tensors, tensor)
		}
	case []*Array:
		for _, array := range given {
			tensors = append(tensors, array)
		}
	case nil:
		return nil
	default:
		return errorf(ErrInvalid, "%s: expected a slice of tensors, got %T", name, argument)
	}
	flats, err := flattenList(name, tensors)
	if err != nil {
		return err
	}
	m.lists = append(m.lists, flats)
	if out.integer = C.int64_t(flats.Len()); flats.Len() > 0 {
		m.pinner.Pin(flats.First())
		out.items = (*C.dlfgo_flat)(flats.First())
	}
	return nil
}
