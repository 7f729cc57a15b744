/* SPDX-License-Identifier: Apache-2.0 */
/* Cases that PyTorch's exchange table omits or makes slow. It exports lazily conjugated or negated tensors with the
 * wrong values and does not report requires_grad; and it counts references through the interpreter, 57 ns for a tensor
 * that only Python holds. torch 2.14's own C interface (torch/csrc/stable) gives the same in half that time. It needs
 * the place of the C++ tensor in the Python object, which is compared with torch's answer before the first use: a torch
 * that changes it costs speed, not safety. */
#include "torch.h"

#include "error.h"
#include "release.h"

#include <dlfcn.h>
#include <string.h>

dlfpy_type dlfpy_torch_tensor;
static const dlfpy_producer *plain_tensor; /* the producer of torch.Tensor in that version */

/* Each takes an AtenTensorHandle and returns 0 unless torch threw. */
static struct {
  int32_t (*has_storage)(void *, bool *);
  int32_t (*data)(void *, void **);
  int32_t (*dim)(void *, int64_t *);
  int32_t (*sizes)(void *, int64_t **);
  int32_t (*strides)(void *, int64_t **);
  int32_t (*dtype)(void *, int32_t *);
  int32_t (*device)(void *, int32_t *);
  /* C++ functions, by mangled name; none dispatches, allocates or throws, except the last one for a tensor of inference
   * mode. */
  bool (*is_neg)(const void *tensor);
  bool (*is_conj)(const void *tensor);
  bool (*is_inference)(const void *tensor);
  void (*bump_version)(const void *tensor);
  bool (*requires_grad)(const void *implementation);
} torch;

/* By torch's dtype number; bits 0 for dtypes that need the table. */
enum { DTYPES = 32 };
static DLDataType dtypes[DTYPES];

/* ---- torch's methods, for subclasses and other versions: called through their C functions, 30 instead of 60 ns ----
 * */

static PyObject *method_requires_grad, *method_is_conj, *method_is_neg, *attribute_cdata;

static PyObject *read_attribute(PyObject *x, PyObject *descriptor) {
#ifndef Py_LIMITED_API
  if (Py_IS_TYPE(descriptor, &PyGetSetDescr_Type)) {
    const PyGetSetDef *def = ((PyGetSetDescrObject *)descriptor)->d_getset;
    return def->get(x, def->closure);
  }
#endif
  return PyObject_CallMethod(descriptor, "__get__", "O", x);
}

static PyObject *call_method(PyObject *x, PyObject *descriptor) {
#ifndef Py_LIMITED_API
  if (Py_IS_TYPE(descriptor, &PyMethodDescr_Type)) {
    const PyMethodDef *def = ((PyMethodDescrObject *)descriptor)->d_method;
    if (def->ml_flags == METH_NOARGS) return def->ml_meth(x, NULL);
  }
#endif
  return PyObject_CallOneArg(descriptor, x);
}

/* 1, 0, or -1 with an exception; takes answer. */
static int truth_of(PyObject *answer) {
  const int truth = answer ? PyObject_IsTrue(answer) : -1;
  Py_XDECREF(answer);
  return truth;
}

/* Kept for the life of the process, like torch's own types. */
static bool find_methods(void) {
  PyObject *type = (PyObject *)dlfpy_torch_type();
  static const char *const names[] = {"requires_grad", "is_conj", "is_neg", "_cdata"};
  PyObject **const places[] = {&method_requires_grad, &method_is_conj, &method_is_neg, &attribute_cdata};
  if (dlfpy_get(&attribute_cdata)) return true; /* the last one kept */
  for (int i = 0; type && i < 4; i++)
    if (!dlfpy_keep(places[i], PyObject_GetAttrString(type, names[i]))) return false;
  return type != NULL;
}

/* ---- torch's C interface ---- */

static inline void *handle_of(PyObject *x) { return (char *)x + sizeof(PyObject); }

static bool find(void *library, const char *name, void *function) {
  void *address = library ? dlsym(library, name) : NULL;
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

static void find_dtypes(void *library) {
  static const char *const names[] = {"uint8",   "int8",    "int16",     "int32",      "int64", "float16",
                                      "float32", "float64", "complex64", "complex128", "bool",  "bfloat16"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char symbol[64];
    int32_t (*number)(void);
    PyOS_snprintf(symbol, sizeof symbol, "aoti_torch_dtype_%s", names[i]);
    if (find(library, symbol, &number) && number() >= 0 && number() < DTYPES)
      (void)dlf_dtype_parse(names[i], &dtypes[number()], NULL);
  }
}

static bool find_interface(void) {
  void *cpu = dlopen("libtorch_cpu.so", RTLD_NOLOAD | RTLD_LAZY), *core = dlopen("libc10.so", RTLD_NOLOAD | RTLD_LAZY);
  if (cpu) find_dtypes(cpu);
  return find(cpu, "torch_has_storage", &torch.has_storage) && find(cpu, "aoti_torch_get_data_ptr", &torch.data) &&
         find(cpu, "aoti_torch_get_dim", &torch.dim) && find(cpu, "aoti_torch_get_sizes", &torch.sizes) &&
         find(cpu, "aoti_torch_get_strides", &torch.strides) && find(cpu, "aoti_torch_get_dtype", &torch.dtype) &&
         find(cpu, "aoti_torch_get_device_type", &torch.device) &&
         find(cpu, "_ZN2at6native6is_negERKNS_6TensorE", &torch.is_neg) &&
         find(cpu, "_ZN2at6native7is_conjERKNS_6TensorE", &torch.is_conj) &&
         find(cpu, "_ZN2at6native12is_inferenceERKNS_6TensorE", &torch.is_inference) &&
         find(cpu, "_ZN5torch8autograd4impl12bump_versionERKN2at6TensorE", &torch.bump_version) &&
         find(core, "_ZNK3c1010TensorImpl13requires_gradEv", &torch.requires_grad);
}

/* False for tensors that only the table can describe: other devices and dtypes, no storage (sparse, vmap's). */
static inline bool describe(PyObject *x, DLTensor *t, DLDataType *type) {
  void *handle = handle_of(x);
  bool stored = false;
  int32_t dtype, device;
  int64_t ndim;
  if (torch.has_storage(handle, &stored) || !stored) return false;
  if (torch.device(handle, &device) || device != 0 /* CPU, in c10 */) return false;
  if (torch.dtype(handle, &dtype) || dtype < 0 || dtype >= DTYPES || !dtypes[dtype].bits) return false;
  if (torch.dim(handle, &ndim) || torch.sizes(handle, &t->shape) || torch.strides(handle, &t->strides)) return false;
  if (torch.data(handle, &t->data) || !t->data) return false;
  t->device = (DLDevice){kDLCPU, 0};
  t->ndim = (int32_t)ndim;
  *type = dtypes[dtype];
  t->byte_offset = 0;
  return true;
}

static bool same(const DLTensor *a, const DLTensor *b) {
  const size_t size = (size_t)a->ndim * sizeof(int64_t);
  return (char *)a->data + a->byte_offset == (char *)b->data + b->byte_offset && a->ndim == b->ndim &&
         a->dtype.code == b->dtype.code && a->dtype.bits == b->dtype.bits && a->dtype.lanes == b->dtype.lanes &&
         a->device.device_type == b->device.device_type &&
         (a->ndim == 0 || (!memcmp(a->shape, b->shape, size) && !memcmp(a->strides, b->strides, size)));
}

/* The pointer is followed only after torch has returned the same one. */
static bool is_as_known(PyObject *x, const DLPackExchangeAPI *api) {
  DLTensor ours, theirs;
  void *inside;
  if (dlfpy_object_size(Py_TYPE(x)) < (Py_ssize_t)(sizeof(PyObject) + sizeof inside)) return false;
  memcpy(&inside, handle_of(x), sizeof inside);
  PyObject *cdata = read_attribute(x, attribute_cdata);
  const bool named = cdata && PyLong_Check(cdata) && PyLong_AsVoidPtr(cdata) == inside && inside;
  Py_XDECREF(cdata);
  return named && describe(x, &ours, &ours.dtype) && !api->dltensor_from_py_object_no_sync(x, &theirs) &&
         theirs.strides && same(&ours, &theirs);
}

/* A tensor that describe() does not support proves nothing, so the next few are tried too. The type is set last: threads
 * that see it use the rest. */
static void learn_from(PyObject *x, const dlfpy_producer *producer) {
  static int tries;
  PyTypeObject *tensor_type = dlfpy_torch_type();
  if (dlfpy_torch_tensor.type) { /* the class has changed since */
    dlfpy_set(&plain_tensor, producer);
    dlfpy_set(&dlfpy_torch_tensor.version, dlfpy_version(tensor_type));
  }
  if (tries == 8 || !producer->api->dltensor_from_py_object_no_sync || !find_methods()) return;
  if (tries++ == 0 && !find_interface()) tries = 8;
  if (tries < 8 && is_as_known(x, producer->api)) {
    dlfpy_set(&plain_tensor, producer);
    dlfpy_set(&dlfpy_torch_tensor.version, dlfpy_version(tensor_type));
    dlfpy_set(&dlfpy_torch_tensor.type, tensor_type);
    tries = 8;
  }
  PyErr_Clear();
}

static void learn(PyObject *x, const dlfpy_producer *producer) {
  static bool busy;
  const unsigned version = dlfpy_version(Py_TYPE(x));
  if (version && version == dlfpy_get(&dlfpy_torch_tensor.version)) return; /* versions differ between types */
  if (Py_TYPE(x) != dlfpy_torch_type() || !dlfpy_begin_alone(&busy)) return;
  learn_from(x, producer);
  dlfpy_end_alone(&busy);
}

/* ---- Shared by both ways ---- */

/* 1, 0, or -1 with an exception each. */
static bool is_plain(int conj, int neg, const char *name, PyObject *x) {
  if (!(conj | neg)) return true;
  if (conj < 0 || neg < 0) return dlfpy_foreign(name, DLFPY_EXPORTED, x);
  dlfpy_fail(DLF_LAYOUT, "%s: expected elements as they lie in memory, got a lazily %s tensor; pass .%s()", name,
             conj ? "conjugated" : "negated", conj ? "resolve_conj" : "resolve_neg");
  return false;
}

/* A negated tensor may have any strides and any dtype: torch._neg_view, as_strided. */
static inline bool is_known_plain(PyObject *x, const char *name, DLDataType dtype) {
  const bool conj = dtype.code == kDLComplex && torch.is_conj(handle_of(x));
  return is_plain(conj, torch.is_neg(handle_of(x)), name, x);
}

bool dlfpy_torch_check(PyObject *x, const dlfpy_producer *producer, const char *name, const DLTensor *t,
                       bool *needs_grad) {
  learn(x, producer);
  if (dlfpy_get(&dlfpy_torch_tensor.type)) { /* a subclass, whose methods may be Python code */
    if (needs_grad) *needs_grad = torch.requires_grad(*(void **)handle_of(x));
    return is_known_plain(x, name, t->dtype);
  }
  if (!find_methods()) return false;
  const int conj = t->dtype.code == kDLComplex ? truth_of(call_method(x, method_is_conj)) : 0;
  const int neg = conj ? 0 : truth_of(call_method(x, method_is_neg));
  if (!is_plain(conj, neg, name, x)) return false;
  if (!needs_grad) return true;
  const int grad = truth_of(read_attribute(x, method_requires_grad));
  *needs_grad = grad == 1;
  return grad >= 0 || dlfpy_foreign(name, DLFPY_EXPORTED, x);
}

/* Autograd compares a tensor's version to see whether it has changed since it was saved for backward. */
static bool raise_version(PyObject *x) {
  if (dlfpy_get(&dlfpy_torch_tensor.type)) {
    if (!torch.is_inference(handle_of(x))) torch.bump_version(handle_of(x));
    return true;
  }
  PyObject *module = PyImport_ImportModule("torch.autograd.graph");
  PyObject *function = module ? PyObject_GetAttrString(module, "increment_version") : NULL;
  PyObject *done = function ? PyObject_CallOneArg(function, x) : NULL;
  if (module && !function) PyErr_Clear(); /* torch before 2.1 */
  const bool ok = done || !PyErr_Occurred();
  Py_XDECREF(module);
  Py_XDECREF(function);
  Py_XDECREF(done);
  return ok;
}

bool dlfpy_torch_may_write(PyObject *x, const char *name, bool needs_grad) {
  if (!needs_grad) return raise_version(x);
  dlfpy_fail(DLF_READ_ONLY, "%s: expected a tensor that may be written, got one that requires grad; pass .detach()",
             name);
  return false;
}

static inline bool check_known(PyObject *x, const char *name, DLDataType dtype, bool write) {
  return is_known_plain(x, name, dtype) &&
         (!write || dlfpy_torch_may_write(x, name, torch.requires_grad(*(void **)handle_of(x))));
}

/* Python's reference keeps the memory just as torch's own export does, which refers to the same C++ tensor: both lose it
 * to resize_() and to an assignment to x.data. What the hub refuses goes to the table, for its message. */
bool dlfpy_torch_wrap(PyObject *x, const char *name, dlf_tensor **out) {
  DLTensor t;
  const unsigned version = dlfpy_version(Py_TYPE(x));
  *out = NULL;
  if (!version || version != dlfpy_get(&dlfpy_torch_tensor.version) || !describe(x, &t, &t.dtype)) return false;
  if (!is_known_plain(x, name, t.dtype)) return true;
  /* a write would bypass autograd */
  const uint64_t flags = torch.requires_grad(*(void **)handle_of(x)) ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  if (dlf_wrap_queued(&t, flags, dlfpy_queue, x, out, NULL)) return false;
  Py_INCREF(x);
  return true;
}

int dlfpy_torch_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write) {
  DLDataType dtype;
  const unsigned version = dlfpy_version(Py_TYPE(x));
  if (!version || version != dlfpy_get(&dlfpy_torch_tensor.version)) return -1;
  const dlfpy_producer *producer = dlfpy_get(&plain_tensor);
  if (call->bytes >= dlfpy_gil_limit) { /* the GIL will be released: borrowed data would be requested again */
    if (!dlfpy_own_managed(call, arg, name, x, producer)) return 0;
    return check_known(x, name, arg->c.tensor->dtype, write);
  }
  if (!describe(x, &arg->tensor, &dtype)) return -1;
  dlfpy_begin(arg, x, producer);
  if (!check_known(x, name, dtype, write)) return 0;
  dlfpy_lent(call, arg, dtype, 0);
  return 1;
}
