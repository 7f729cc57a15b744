// SPDX-License-Identifier: Apache-2.0

//go:build python

package main

// #cgo CFLAGS: -std=c11
// #cgo pkg-config: python3-embed
// #define PY_SSIZE_T_CLEAN
// #include <Python.h>
//
// static const char *start(const char *program) {
//   PyConfig config;
//   PyConfig_InitPythonConfig(&config);
//   config.install_signal_handlers = 0; // Go has its own
//   PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, program);
//   if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
//   PyConfig_Clear(&config);
//   if (PyStatus_Exception(status)) return status.err_msg;
//   PyEval_SaveThread(); // any thread may take the GIL from now on
//   return NULL;
// }
//
// // An expression's value as a new reference, or NULL and the exception is printed; with `run`, statements.
// static PyObject *evaluate(const char *text, int run) {
//   PyGILState_STATE state = PyGILState_Ensure();
//   PyObject *names = PyModule_GetDict(PyImport_AddModule("__main__"));
//   PyObject *value = PyRun_String(text, run ? Py_file_input : Py_eval_input, names, names);
//   if (!value) PyErr_Print();
//   PyGILState_Release(state);
//   return value;
// }
//
// static int define(const char *name, PyObject *value) {
//   PyGILState_STATE state = PyGILState_Ensure();
//   int status = PyDict_SetItemString(PyModule_GetDict(PyImport_AddModule("__main__")), name, value);
//   PyGILState_Release(state);
//   return status;
// }
//
// static void drop(PyObject *x) {
//   PyGILState_STATE state = PyGILState_Ensure();
//   Py_XDECREF(x);
//   PyGILState_Release(state);
// }
//
// static double number(PyObject *x) {
//   PyGILState_STATE state = PyGILState_Ensure();
//   double value = PyFloat_AsDouble(x);
//   PyErr_Clear();
//   PyGILState_Release(state);
//   return value;
// }
//
// static void stop(void) {
//   PyGILState_Ensure();
//   Py_FinalizeEx();
// }
import "C"

import (
	"errors"
	"unsafe"
)

// start runs CPython in this process, as the interpreter at this path.
func start(program string) error {
	text := C.CString(program)
	defer C.free(unsafe.Pointer(text))
	if reason := C.start(text); reason != nil {
		return errors.New(C.GoString(reason))
	}
	return nil
}

func stop() { C.stop() }

// evaluate returns a new reference to the value of a Python expression.
func evaluate(expression string) unsafe.Pointer { return python(expression, 0) }

// run executes Python statements.
func run(statements string) { drop(python(statements, 1)) }

func python(text string, statements C.int) unsafe.Pointer {
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	value := unsafe.Pointer(C.evaluate(c, statements))
	if value == nil {
		panic("python: " + text)
	}
	return value
}

// define gives a Python object a name.
func define(name string, object unsafe.Pointer) {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	if C.define(c, (*C.PyObject)(object)) != 0 {
		panic("python: " + name)
	}
}

// drop gives up a reference.
func drop(object unsafe.Pointer) { C.drop((*C.PyObject)(object)) }

// number reads a Python number, and drops it.
func number(object unsafe.Pointer) float64 {
	defer drop(object)
	return float64(C.number((*C.PyObject)(object)))
}
