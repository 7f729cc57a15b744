// SPDX-License-Identifier: Apache-2.0

//go:build python

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

const definitions = `
import ctypes, gc, sys, numpy

class Lends:
    """A producer by __dlpack__ alone."""
    def __init__(self, array): self.array = array
    def __dlpack_device__(self): return self.array.__dlpack_device__()
    def __dlpack__(self, **given): return self.array.__dlpack__(**given)

class Older(Lends):
    """It has no keyword of DLPack 1."""
    def __dlpack__(self, stream=None): return self.array.__dlpack__()

class Fails(Lends):
    def __dlpack__(self, **given): raise ValueError("the first line\nthe second")

class Lies(Lends):
    def __dlpack__(self, **given): return 7

class Nowhere(Lends):
    def __dlpack_device__(self): return "cpu"

array = numpy.arange(6, dtype="f4").reshape(2, 3)
`

func TestMain(m *testing.M) {
	_, err := dlferry.FromPython(unsafe.Pointer(&definitionsByte))
	if err == nil || err.Error() != "from_python: expected a running Python, got one that is not initialized" {
		panic(err)
	}
	interpreter := os.Getenv("DLFERRY_PYTHON")
	if interpreter == "" {
		fmt.Println("FAIL: DLFERRY_PYTHON must be the path of a Python with NumPy")
		os.Exit(1)
	}
	if err := start(interpreter); err != nil {
		panic(err)
	}
	run(definitions)
	status := m.Run()
	runtime.GC()
	run("gc.collect()")
	if live := dlferry.Live(); status == 0 && live != 0 {
		fmt.Printf("FAIL: %d tensors are still alive\n", live)
		status = 1
	}
	os.Exit(status)
}

var definitionsByte byte

// imported is the tensor of a Python expression's value.
func imported(t *testing.T, expression string) *dlferry.Tensor {
	t.Helper()
	object := evaluate(expression)
	defer drop(object)
	tensor, err := dlferry.FromPython(object)
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// references is the number of references to a Python object, without this call's own.
func references(name string) int { return int(number(evaluate("sys.getrefcount("+name+")"))) - 1 }

// settled runs both garbage collectors.
func settled() int64 {
	runtime.GC()
	run("gc.collect()")
	return dlferry.Live()
}

func TestPython_TheProgramPrintsWhatBothSidesWrote(t *testing.T) {
	program := t.TempDir() + "/program"
	if out, err := exec.Command("go", "build", "-tags", "python", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", err, out)
	}
	out, err := exec.Command(program, os.Getenv("DLFERRY_PYTHON")).CombinedOutput()
	want := "float32[2, 3] cpu\n[[0., 1., 2.],\n [3., 4., 5.]]\nnumpy: 50\ngo: [10 20 30 40]\nlive tensors: 0\n"
	if err != nil || string(out) != want {
		t.Errorf("it prints %q, %v", out, err)
	}
}

func TestPython_AnArrayIsSharedAndKept(t *testing.T) {
	for _, expression := range []string{"array", "Lends(array)", "Older(array)", "numpy.ma.masked_array(array)",
		"array.__dlpack__(max_version=(1, 0))", "array.__dlpack__()"} {
		before := references("array")
		tensor := imported(t, expression)
		address := uintptr(number(evaluate("array.ctypes.data")))
		if tensor.Data() != address || tensor.DType().String() != "float32" || fmt.Sprint(tensor.Shape()) != "[2 3]" {
			t.Errorf("%s is %s at %#x, expected %#x", expression, tensor, tensor.Data(), address)
		}
		if references("array") == before {
			t.Errorf("%s is not kept", expression)
		}
		tensor.Close()
		run("gc.collect()")
		if now := references("array"); now != before {
			t.Errorf("%s: %d references before, %d after", expression, before, now)
		}
	}
}

func TestPython_CopiesAndDevices(t *testing.T) {
	object := evaluate("array")
	defer drop(object)
	shared, err := dlferry.FromPythonOn(object, dlferry.CPU, dlferry.CopyNever)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	copied, err := dlferry.FromPythonOn(object, dlferry.CPU, dlferry.CopyAlways)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if copied.Data() == shared.Data() {
		t.Error("not copied")
	}
	cuda, err := dlferry.FromPythonOn(object, dlferry.Device{Type: dlferry.DeviceCUDA}, dlferry.CopyIfNeeded)
	if !errors.Is(err, dlferry.ErrForeign) || cuda != nil {
		t.Errorf("on cuda it gives %v, %v", cuda, err)
	}
	read := imported(t, "numpy.broadcast_to(numpy.float32(1), (2, 2))")
	defer read.Close()
	if !read.ReadOnly() {
		t.Error("a broadcast array can be written")
	}
}

func TestPython_RefusalsCarryPythonsText(t *testing.T) {
	run("used = array.__dlpack__()")
	imported(t, "used").Close()
	const no = "from_python: expected an array with __dlpack__ or a DLPack capsule, got "
	const raised = "from_python: expected an array that can be exported, got "
	for expression, want := range map[string]struct {
		status dlferry.Status
		text   string
	}{
		"5":            {dlferry.ErrInvalid, no + "int"},
		"None":         {dlferry.ErrInvalid, no + "None"},
		"[1.0]":        {dlferry.ErrInvalid, no + "list"},
		"type(array)":  {dlferry.ErrInvalid, no + "type"},
		"used":         {dlferry.ErrInvalid, "from_python: expected a capsule that has not been consumed, got \"used_dltensor\""},
		"Fails(array)": {dlferry.ErrForeign, raised + "Fails, which raised ValueError: the first line"},
		"Lies(array)":  {dlferry.ErrForeign, "from_python: expected a capsule from __dlpack__, got int"},
		"Nowhere(array)": {dlferry.ErrInvalid,
			"from_python: expected a pair of device type and device id from __dlpack_device__, got something else"},
		"numpy.ma.masked_array(array, array > 2)": {dlferry.ErrLayout,
			"from_python: expected elements as they lie in memory, got a masked array; pass .filled() or .data"},
		"numpy.zeros(2, '>f4')": {dlferry.ErrForeign,
			raised + "ndarray, which raised BufferError: DLPack only supports native byte order."},
	} {
		object := evaluate(expression)
		before := references("array")
		tensor, err := dlferry.FromPython(object)
		if tensor != nil || !errors.Is(err, want.status) || err.Error() != want.text {
			t.Errorf("%s: %v", expression, err)
		}
		if now := references("array"); now != before {
			t.Errorf("%s: %d references before, %d after", expression, before, now)
		}
		drop(object)
	}
	if tensor, err := dlferry.FromPython(nil); tensor != nil || !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("nil gives %v", err)
	}
	if err := dlferry.PythonEnable("/nowhere/libpython3.so"); err != nil {
		t.Errorf("Python is known: %v", err)
	}
}

func TestPython_ATensorInPython(t *testing.T) {
	samples := []float64{1, 2, 3}
	tensor, err := dlferry.Wrap(samples)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := tensor.ToPython(nil)
	if err != nil {
		t.Fatal(err)
	}
	define("given", plain)
	drop(plain)
	tensor.Close() // Python has it now
	run(`
assert repr(given) == "<dlferry.SharedTensor float64[3] cpu>", repr(given)
assert given.__dlpack_device__() == (1, 0)
made = numpy.from_dlpack(given)
made += 1
copied = numpy.from_dlpack(given, copy=True)
copied += 1
for wrong, kind in [(dict(stream=3), ValueError), (dict(dl_device=(2, 0)), BufferError), (dict(dl_device=5), ValueError),
                    (dict(max_version="x"), ValueError), (dict(unknown=1), TypeError)]:
    try:
        given.__dlpack__(**wrong)
        assert False, wrong
    except kind:
        pass
assert "dltensor_versioned" in repr(given.__dlpack__(max_version=(1, 0)))
assert '"dltensor"' in repr(given.__dlpack__())
try:
    type(given)()
    assert False
except TypeError:
    pass
`)
	if fmt.Sprint(samples) != "[2 3 4]" {
		t.Errorf("the slice is %v", samples)
	}
	run("del given, made, copied")
	if live := settled(); live != 0 {
		t.Errorf("%d tensors are alive", live)
	}
}

// tests/cases/classes.py says what its class does.
func TestPython_TheClassIsLikeThoseOfOtherLanguages(t *testing.T) {
	folder, err := filepath.Abs("../../../../tests/cases")
	if err != nil {
		t.Fatal(err)
	}
	run(fmt.Sprintf("sys.path.append(%q); import classes; names = list(classes.inputs)", folder))
	for i := range int(number(evaluate("len(names)"))) {
		tensor := imported(t, fmt.Sprintf("classes.inputs[names[%d]]", i))
		object, err := tensor.ToPython(nil)
		tensor.Close()
		if err != nil {
			t.Fatal(err)
		}
		define("x", object)
		drop(object)
		run(fmt.Sprintf("classes.check(names[%d], x); del x", i))
	}
	run("classes.finish()")
	if live := settled(); live != 0 {
		t.Errorf("%d tensors are alive", live)
	}
}

func TestPython_ATensorAsALibrarysOwnArray(t *testing.T) {
	tensor, err := dlferry.Of([]float32{1, 2, 3, 4}, 2, 2).ReadOnly().Wrap()
	if err != nil {
		t.Fatal(err)
	}
	for _, like := range []string{"numpy", "array"} {
		object := evaluate(like)
		made, err := tensor.ToPython(object)
		drop(object)
		if err != nil {
			t.Fatal(err)
		}
		define("made", made)
		drop(made)
		run("assert type(made) is numpy.ndarray and not made.flags.writeable and made[1, 0] == 3")
		if uintptr(number(evaluate("made.ctypes.data"))) != tensor.Data() {
			t.Errorf("%s made a copy", like)
		}
	}
	run(`
class Picky:
    @staticmethod
    def from_dlpack(x): raise RuntimeError("not today")
del made`)
	for like, want := range map[string]string{
		"5":     "to_python: expected a type with an exchange table, or an object with from_dlpack, got int",
		"Picky": "to_python: expected a consumer of the tensor, got type, which raised RuntimeError: not today",
	} {
		object := evaluate(like)
		if made, err := tensor.ToPython(object); made != nil || err == nil || err.Error() != want {
			t.Errorf("%s: %v", like, err)
		}
		drop(object)
	}
	tensor.Close()
	if _, err := tensor.ToPython(nil); !errors.Is(err, dlferry.ErrInvalid) {
		t.Errorf("a closed tensor gives %v", err)
	}
	if live := settled(); live != 0 {
		t.Errorf("%d tensors are alive", live)
	}
}

// The table's functions get pointers of Python, whose exceptions they set: only another runtime has such a table. The
// one of torch, if this Python has it, is the real thing.
func TestPython_ByTheExchangeTable(t *testing.T) {
	run("import importlib.util")
	if number(evaluate("importlib.util.find_spec('torch') is not None")) == 0 {
		t.Skip("needs torch")
	}
	runtime.LockOSThread() // torch's grad mode is of a thread of the system
	defer runtime.UnlockOSThread()
	run("import torch; x = torch.arange(4, dtype=torch.float32); complex = torch.ones(2, dtype=torch.complex64)")
	before := references("x")
	tensor := imported(t, "x")
	kind := evaluate("torch.Tensor")
	again, err := tensor.ToPython(kind)
	drop(kind)
	if err != nil {
		t.Fatal(err)
	}
	define("y", again)
	drop(again)
	run("assert type(y) is torch.Tensor and y.data_ptr() == x.data_ptr(); del y")
	tensor.Close()
	run("gc.collect()")
	if now := references("x"); now != before {
		t.Errorf("%d references before, %d after", before, now)
	}
	run("torch.set_grad_enabled(False)")
	grad := imported(t, "torch.ones(2, requires_grad=True)")
	if !grad.ReadOnly() {
		t.Error("a write would bypass autograd")
	}
	grad.Close()
	run("torch.set_grad_enabled(True)")
	run("lost = torch.ones(100)")
	kept := imported(t, "lost")
	run("lost.data = torch.zeros(1); junk = [torch.zeros(100) for _ in range(50)]; del junk")
	if elements, err := dlferry.Look[float32](kept); err != nil || elements.At(99) != 1 {
		t.Error("its storage was freed")
	}
	kept.Close()
	run("short = torch.ones(100); short.untyped_storage().resize_(399)")
	for expression, want := range map[string]dlferry.Status{
		"complex.conj()": dlferry.ErrLayout, "torch._neg_view(x)": dlferry.ErrLayout,
		"torch.ones(2, device='meta')": dlferry.ErrForeign, "torch.eye(2).to_sparse()": dlferry.ErrForeign,
		"torch.ones(2, requires_grad=True)": dlferry.ErrReadOnly, "short": dlferry.ErrForeign,
	} {
		object := evaluate(expression)
		tensor, err := dlferry.FromPython(object)
		if tensor != nil || !errors.Is(err, want) {
			t.Errorf("%s: %v", expression, err)
		}
		if strings.Contains(expression, "meta") && !strings.Contains(err.Error(), "which raised ") {
			t.Errorf("%s: %v", expression, err)
		}
		drop(object)
	}
	run("del x, complex, lost, short")
}

func TestPython_FromGoroutinesWhilePythonRuns(t *testing.T) {
	before := references("array")
	numpy := evaluate("numpy")
	run("import threading; busy = threading.Thread(target=lambda: sum(i * i for i in range(2_000_000))); busy.start()")
	var group sync.WaitGroup
	for range 2 {
		group.Add(1)
		go func() {
			defer group.Done()
			runtime.LockOSThread() // two threads of the system
			defer runtime.UnlockOSThread()
			for range 300 {
				tensor := imported(t, "array")
				made, err := tensor.ToPython(numpy)
				if err != nil {
					t.Error(err)
				}
				tensor.Close()
				drop(made)
				forgotten, _ := dlferry.Wrap([]float64{1, 2, 3})
				shared, err := forgotten.ToPython(nil)
				if err != nil {
					t.Error(err)
				}
				forgotten.Close()
				drop(shared)
			}
		}()
	}
	group.Wait()
	drop(numpy)
	run("busy.join(); del busy")
	if live := settled(); live != 0 {
		t.Errorf("%d tensors are alive", live)
	}
	if now := references("array"); now != before {
		t.Errorf("%d references before, %d after", before, now)
	}
}
