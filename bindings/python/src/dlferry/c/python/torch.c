/* SPDX-License-Identifier: Apache-2.0 */
/* torch's tensors, of which its exchange table and capsules tell too little. Lazily conjugated or
 * negated ones arrive with the wrong values; requires_grad is not reported; a view may reach past
 * the end of its storage. And what they keep is the C++ tensor, whose storage `.data =`, set_() and
 * Module.to() replace, which frees the memory: so every import keeps the storage instead, an object
 * of its own in Python, and checks that the elements lie inside of it.
 *
 * torch 2.14's own C interface (torch/csrc/stable) describes a tensor faster than the table. It
 * needs the place of the C++ tensor in the Python object, which is compared with torch's answer
 * before the first use: a torch that changes it, or lacks a function, costs speed, not safety. */
#include "release.h"
#include "torch_methods.h"

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
  int32_t (*device_index)(void *, int32_t *);
  int32_t (*storage_size)(void *, int64_t *);   /* in bytes */
  int32_t (*storage_offset)(void *, int64_t *); /* in elements */
  bool (*grad_mode)(void);
  /* C++ functions, by mangled name; none dispatches, allocates or throws, except the last one for a
   * tensor of inference mode. */
  bool (*is_neg)(const void *tensor);
  bool (*is_conj)(const void *tensor);
  bool (*is_inference)(const void *tensor);
  void (*bump_version)(const void *tensor);
  bool (*requires_grad)(const void *implementation);
  bool is_cuda; /* what torch calls CUDA is CUDA; in a build for ROCm it is HIP */
} torch;

/* By torch's dtype number; bits 0 for dtypes that need the table. */
enum { DTYPES = 32 };
static DLDataType dtypes[DTYPES];

/* ---- torch's C interface ---- */

static inline void *handle_of(PyObject *x) {
  return (char *)x + sizeof(PyObject);
}

static void find_dtypes(void *library) {
  static const char *const names[] = {"uint8",
                                      "int8",
                                      "int16",
                                      "int32",
                                      "int64",
                                      "float16",
                                      "float32",
                                      "float64",
                                      "complex64",
                                      "complex128",
                                      "bool",
                                      "bfloat16"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char symbol[64];
    int32_t (*number)(void);
    PyOS_snprintf(symbol, sizeof symbol, "aoti_torch_dtype_%s", names[i]);
    if (dlfpy_find_symbol(library, symbol, &number) && number() >= 0 && number() < DTYPES) {
      (void)dlf_dtype_parse(names[i], &dtypes[number()], NULL);
    }
  }
}

static bool find_interface(void) {
  void *cpu = dlfpy_find_library("torch_cpu");
  void *core = dlfpy_find_library("c10");
  find_dtypes(cpu);
  torch.is_cuda = dlfpy_find_library("c10_cuda") != NULL;
  return dlfpy_find_symbol(cpu, "torch_has_storage", &torch.has_storage) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_data_ptr", &torch.data) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_dim", &torch.dim) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_sizes", &torch.sizes) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_strides", &torch.strides) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_dtype", &torch.dtype) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_device_type", &torch.device) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_device_index", &torch.device_index) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_storage_size", &torch.storage_size) &&
         dlfpy_find_symbol(cpu, "aoti_torch_get_storage_offset", &torch.storage_offset) &&
         dlfpy_find_symbol(cpu, "aoti_torch_grad_mode_is_enabled", &torch.grad_mode) &&
         dlfpy_find_symbol(cpu, "_ZN2at6native6is_negERKNS_6TensorE", &torch.is_neg) &&
         dlfpy_find_symbol(cpu, "_ZN2at6native7is_conjERKNS_6TensorE", &torch.is_conj) &&
         dlfpy_find_symbol(cpu, "_ZN2at6native12is_inferenceERKNS_6TensorE", &torch.is_inference) &&
         dlfpy_find_symbol(
             cpu, "_ZN5torch8autograd4impl12bump_versionERKN2at6TensorE", &torch.bump_version) &&
         dlfpy_find_symbol(core, "_ZNK3c1010TensorImpl13requires_gradEv", &torch.requires_grad);
}

static inline bool is_known(void) {
  return dlfpy_get(&dlfpy_torch_tensor.type) != NULL;
}

/* Tell whether a view's elements lie in a storage of that many bytes, which begins `offset`
 * elements before the view. */
static inline bool fits(const DLTensor *t, DLDataType dtype, int64_t offset, int64_t bytes) {
  uint64_t span, before;
  if (offset < 0 || bytes < 0 || !span_of(t, dtype, &span)) {
    return false;
  }
  if (__builtin_mul_overflow((uint64_t)offset, (uint64_t)dtype.bits / 8, &before)) {
    return false;
  }
  if (before == (uintptr_t)t->data) {
    return false; /* no memory: data is NULL and the offset */
  }
  return before <= (uint64_t)bytes && span <= (uint64_t)bytes - before;
}

/* False for devices that only the table can name. */
static inline bool device_of(void *handle, DLDevice *out) {
  enum { C10_CPU = 0, C10_CUDA = 1 };
  int32_t type;
  int32_t index;
  if (torch.device(handle, &type)) {
    return false;
  }
  if (type == C10_CPU) {
    *out = (DLDevice){kDLCPU, 0};
    return true;
  }
  if (type != C10_CUDA || !torch.is_cuda || torch.device_index(handle, &index)) {
    return false;
  }
  *out = (DLDevice){kDLCUDA, index};
  return true;
}

/* False for tensors that only the table can describe or refuse: other devices and dtypes, no
 * storage (sparse, vmap's) or one that does not hold the elements. Runs no Python code. */
static inline bool describe(PyObject *x, DLTensor *t, DLDataType *type) {
  void *handle = handle_of(x);
  bool stored = false;
  int32_t dtype;
  int64_t ndim, bytes, offset;
  if (torch.has_storage(handle, &stored) || !stored) {
    return false;
  }
  if (!device_of(handle, &t->device)) {
    return false;
  }
  if (torch.dtype(handle, &dtype) || dtype < 0 || dtype >= DTYPES || !dtypes[dtype].bits) {
    return false;
  }
  if (torch.dim(handle, &ndim) || torch.sizes(handle, &t->shape) ||
      torch.strides(handle, &t->strides)) {
    return false;
  }
  if (torch.data(handle, &t->data) || !t->data) {
    return false;
  }
  if (torch.storage_size(handle, &bytes) || torch.storage_offset(handle, &offset)) {
    return false;
  }
  t->ndim = (int32_t)ndim;
  *type = dtypes[dtype];
  t->byte_offset = 0;
  return fits(t, *type, offset, bytes);
}

static bool same(const DLTensor *a, const DLTensor *b) {
  const size_t size = (size_t)a->ndim * sizeof(int64_t);
  return (char *)a->data + a->byte_offset == (char *)b->data + b->byte_offset &&
         a->ndim == b->ndim && dlf_dtype_equal(a->dtype, b->dtype) &&
         dlf_device_equal(a->device, b->device) &&
         (a->ndim == 0 ||
          (!memcmp(a->shape, b->shape, size) && !memcmp(a->strides, b->strides, size)));
}

/* The pointer is followed only after torch has returned the same one. */
static bool is_as_known(PyObject *x, const DLPackExchangeAPI *api) {
  DLTensor ours, theirs;
  void *inside;
  if (dlfpy_object_size(Py_TYPE(x)) < (Py_ssize_t)(sizeof(PyObject) + sizeof inside)) {
    return false;
  }
  memcpy(&inside, handle_of(x), sizeof inside);
  PyObject *cdata = read_attribute(x, attribute_cdata);
  const bool named = cdata && PyLong_Check(cdata) && PyLong_AsVoidPtr(cdata) == inside && inside;
  Py_XDECREF(cdata);
  return named && describe(x, &ours, &ours.dtype) &&
         !api->dltensor_from_py_object_no_sync(x, &theirs) && theirs.strides &&
         same(&ours, &theirs);
}

/* A tensor that describe() does not support proves nothing, so the next few are tried too. The type
 * is set last: threads that see it use the rest. */
static void learn_from(PyObject *x, const dlfpy_producer *producer) {
  static int tries;
  PyTypeObject *tensor_type = dlfpy_torch_type();
  if (dlfpy_torch_tensor.type) { /* the class has changed since */
    dlfpy_set(&plain_tensor, producer);
    dlfpy_set(&dlfpy_torch_tensor.version, dlfpy_version(tensor_type));
  }
  if (tries == 8) {
    return;
  }
  if (!find_methods()) {
    PyErr_Clear(); /* the use that needs them raises it again */
    return;
  }
  if (tries++ == 0 && !find_interface()) {
    tries = 8;
  }
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
  if (version && version == dlfpy_get(&dlfpy_torch_tensor.version)) {
    return; /* versions differ between types */
  }
  if (Py_TYPE(x) != dlfpy_torch_type() || !dlfpy_begin_alone(&busy)) {
    return;
  }
  learn_from(x, producer);
  dlfpy_end_alone(&busy);
}

/* ---- What a tensor's memory does not tell ---- */

/* 1, 0, or -1 with an exception each. */
static bool is_plain(int conj, int neg, const char *name, PyObject *x) {
  if (!(conj | neg)) {
    return true;
  }
  if (conj < 0 || neg < 0) {
    return dlfpy_foreign(name, DLFPY_EXPORTED, x);
  }
  dlfpy_fail(DLF_LAYOUT,
             "%s: expected elements as they lie in memory, got a lazily %s tensor; pass .%s()",
             name,
             conj ? "conjugated" : "negated",
             conj ? "resolve_conj" : "resolve_neg");
  return false;
}

/* By C alone. A negated tensor may have any strides and any dtype: torch._neg_view, as_strided. */
static inline bool known_values(PyObject *x, const char *name, DLDataType dtype, bool *needs_grad) {
  const bool conj = dtype.code == kDLComplex && torch.is_conj(handle_of(x));
  *needs_grad = torch.requires_grad(*(void **)handle_of(x));
  return is_plain(conj, torch.is_neg(handle_of(x)), name, x);
}

/* Refuse a tensor whose memory does not hold its values, and tell whether it requires grad, so that
 * autograd would miss a write. Without torch's C interface this may run a subclass's Python code.
 */
static bool check_values(PyObject *x, const char *name, DLDataType dtype, bool *needs_grad) {
  if (is_known()) {
    return known_values(x, name, dtype, needs_grad);
  }
  if (!find_methods()) {
    return false;
  }
  int conj = 0;
  if (dtype.code == kDLComplex) {
    conj = dlfpy_truth(call_method(x, method_is_conj));
  }
  int neg = 0;
  if (!conj) {
    neg = dlfpy_truth(call_method(x, method_is_neg));
  }
  if (!is_plain(conj, neg, name, x)) {
    return false;
  }
  const int grad = dlfpy_truth(read_attribute(x, method_requires_grad));
  *needs_grad = grad == 1;
  return grad >= 0 || dlfpy_foreign(name, DLFPY_EXPORTED, x);
}

/* Like numpy(): autograd does not see what is computed from the memory, and the gradient would
 * silently be wrong. In no_grad(), a Function, a custom_op and backward() grad mode is off. */
static bool may_leave(PyObject *x, const char *name, bool needs_grad) {
  if (!needs_grad) {
    return true;
  }
  int enabled;
  if (is_known()) {
    enabled = torch.grad_mode();
  } else {
    enabled = dlfpy_truth(PyObject_CallNoArgs(function_grad_mode));
  }
  if (enabled == 0) {
    return true;
  }
  if (enabled < 0) {
    return dlfpy_foreign(name, DLFPY_EXPORTED, x);
  }
  dlfpy_fail(DLF_READ_ONLY,
             "%s: expected a tensor without a gradient, got one that requires grad; pass "
             ".detach(), call it in "
             "torch.no_grad(), or in a torch.autograd.Function",
             name);
  return false;
}

PyObject *dlfpy_torch_to_ask(PyObject *x, const char *name) {
  if (!find_methods()) {
    return NULL;
  }
  const int grad = dlfpy_truth(read_attribute(x, method_requires_grad));
  int enabled = 1;
  if (grad == 1) {
    enabled = dlfpy_truth(PyObject_CallNoArgs(function_grad_mode));
  }
  PyObject *asked = NULL;
  if (grad >= 0 && enabled == 0) {
    asked = PyObject_CallMethod(x, "detach", NULL);
  } else if (grad >= 0 && enabled > 0) {
    asked = Py_NewRef(x);
  }
  if (!asked) {
    dlfpy_foreign(name, DLFPY_EXPORTED, x);
  }
  return asked;
}

/* ---- Writes ---- */

/* Autograd compares a tensor's version to see whether it has changed since it was saved for
 * backward. */
static bool raise_version(PyObject *x) {
  if (is_known()) {
    if (!torch.is_inference(handle_of(x))) {
      torch.bump_version(handle_of(x));
    }
    return true;
  }
  PyObject *function = dlfpy_import_from("torch.autograd.graph", "increment_version");
  PyObject *done = NULL;
  if (function) {
    done = PyObject_CallOneArg(function, x);
  } else if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyErr_Clear(); /* torch before 2.1 */
  }
  const bool ok = done || !PyErr_Occurred();
  Py_XDECREF(function);
  Py_XDECREF(done);
  return ok;
}

static void tell_written(const dlfpy_arg *written) {
  for (; written; written = written->written) {
    if (!raise_version(written->object)) {
      PyErr_WriteUnraisable(written->object);
    }
  }
}

static inline bool may_write(dlfpy_call *call, dlfpy_arg *arg, const char *name, bool needs_grad) {
  if (!needs_grad) {
    dlfpy_writes(call, arg, tell_written);
    return true;
  }
  dlfpy_fail(
      DLF_READ_ONLY,
      "%s: expected a tensor that may be written, got one that requires grad; pass .detach()",
      name);
  return false;
}

/* What a call reads must not lose a gradient, unless it only looks. */
static inline bool suits_call(dlfpy_call *call, dlfpy_arg *arg, const char *name, bool write,
                              bool needs_grad) {
  if (write) {
    return may_write(call, arg, name, needs_grad);
  }
  return call->looks || may_leave(arg->object, name, needs_grad);
}

bool dlfpy_torch_may_write(dlfpy_call *call, dlfpy_arg *arg, const char *name) {
  bool needs_grad = false;
  return check_values(arg->object, name, arg->tensor.dtype, &needs_grad) &&
         may_write(call, arg, name, needs_grad);
}

/* ---- Arguments of a call ---- */

/* By the C interface if it can, else by the table. Runs no Python code of x's. */
static bool describe_any(PyObject *x, const dlfpy_producer *producer, const char *name,
                         DLTensor *t) {
  if (is_known() && describe(x, t, &t->dtype)) {
    return true;
  }
  if (!dlfpy_described(x, producer, name, t)) {
    return false;
  }
  return t->data || !dlfpy_bytes(t) || dlfpy_no_memory(name, x);
}

/* Describe x and give its storage, in which the elements lie; NULL with an exception. The
 * description is lent by x. */
static PyObject *describe_in_storage(PyObject *x, const dlfpy_producer *producer, const char *name,
                                     DLTensor *t) {
  const bool known = is_known() && !runs_python(x);
  PyObject *storage = storage_of(x); /* first: it may run Python code, which may change x, or lie */
  if (known && storage && describe(x, t, &t->dtype)) {
    return storage;
  }
  if (!storage && !PyErr_ExceptionMatches(PyExc_Exception)) {
    return NULL;
  }
  PyErr_Clear(); /* the description's refusal names the cause */
  const bool described = describe_any(x, producer, name, t);
  if (described && storage && lies_in(storage, t)) {
    return storage;
  }
  drop(storage);
  if (described) {
    dlfpy_no_memory(name, x);
  }
  return NULL;
}

/* Copy the description of a borrowed one, and keep its storage until the call ends. */
static bool hold(dlfpy_call *call, dlfpy_arg *arg, const char *name) {
  DLTensor t;
  PyObject *storage = describe_in_storage(arg->object, arg->producer, name, &t);
  if (!storage) {
    return false;
  }
  if (t.ndim > DLF_MAX_NDIM) {
    dlfpy_fail(
        DLF_INVALID, "%s: expected at most %d axes, got %d", name, DLF_MAX_NDIM, (int)t.ndim);
    Py_DECREF(storage);
    return false;
  }
  if (t.ndim > 0) {
    memcpy(arg->shape, t.shape, (size_t)t.ndim * sizeof *t.shape);
    memcpy(arg->strides, t.strides, (size_t)t.ndim * sizeof *t.strides);
  }
  t.shape = arg->shape;
  t.strides = arg->strides;
  arg->tensor = t;
  arg->c.tensor = &arg->tensor;
  arg->storage = storage;
  call->held = true;
  call->end = arg + 1;
  return true;
}

/* -1 for a tensor that only the table can describe. */
static inline int lend_known(dlfpy_call *call, dlfpy_arg *arg, const char *name, bool write) {
  PyObject *x = arg->object;
  DLDataType dtype;
  bool needs_grad;
  if (!describe(x, &arg->tensor, &dtype)) {
    return -1;
  }
  arg->hold = hold;
  if (!known_values(x, name, dtype, &needs_grad)) {
    return 0;
  }
  if (!suits_call(call, arg, name, write, needs_grad)) {
    return 0;
  }
  dlfpy_lent(call, arg, dtype, 0);
  return 1;
}

int dlfpy_torch_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write) {
  const unsigned version = dlfpy_version(Py_TYPE(x));
  if (!version || version != dlfpy_get(&dlfpy_torch_tensor.version)) {
    return -1;
  }
  dlfpy_begin(arg, x, dlfpy_get(&plain_tensor));
  return lend_known(call, arg, name, write);
}

bool dlfpy_torch_lend_any(dlfpy_call *call, dlfpy_arg *arg, const char *name, bool write) {
  PyObject *x = arg->object;
  bool needs_grad = false;
  learn(x, arg->producer);
  int lent = -1;
  if (is_known()) {
    lent = lend_known(call, arg, name, write);
  }
  if (lent >= 0) {
    return lent;
  }
  /* The rest may run Python code, which may change tensors that are borrowed: those before are
   * held, then this one. */
  if (!dlfpy_hold(call, arg)) {
    return false;
  }
  if (!describe_any(x, arg->producer, name, &arg->tensor)) {
    return false;
  }
  if (!check_values(x, name, arg->tensor.dtype, &needs_grad)) {
    return false;
  }
  if (!suits_call(call, arg, name, write, needs_grad)) {
    return false;
  }
  if (!hold(call, arg, name)) {
    return false;
  }
  dlfpy_lent(call, arg, arg->tensor.dtype, 0);
  return true;
}

/* ---- Handles ---- */

dlf_tensor *dlfpy_torch_wrap(PyObject *x, const dlfpy_producer *producer, const char *name) {
  DLTensor t;
  bool needs_grad = false;
  learn(x, producer);
  const bool known = is_known();
  /* Without torch's C interface the check may run Python code: before the description that counts.
   */
  if (!known && !(describe_any(x, producer, name, &t) &&
                  check_values(x, name, t.dtype, &needs_grad) && may_leave(x, name, needs_grad))) {
    return NULL;
  }
  PyObject *storage = describe_in_storage(x, producer, name, &t);
  if (!storage) {
    return NULL;
  }
  if (known && !(known_values(x, name, t.dtype, &needs_grad) && may_leave(x, name, needs_grad))) {
    Py_DECREF(storage); /* x has it, too */
    return NULL;
  }
  /* a write would bypass autograd */
  return dlfpy_wrap(storage, &t, needs_grad ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, name);
}

/* Tell whether elements begin in a storage, or it was emptied, so that they are not elsewhere. */
static bool begins_in(PyObject *storage, const DLTensor *t) {
  const uint64_t begin = number_of(storage, method_storage_data);
  const uint64_t bytes = number_of(storage, method_storage_bytes);
  const uint64_t at = (uint64_t)(uintptr_t)t->data + t->byte_offset;
  PyErr_Clear();
  return bytes == 0 || (at >= begin && at - begin < bytes);
}

/* A __dlpack__ that is not torch's own may export other memory than the storage. */
static bool is_elsewhere(const dlfpy_producer *producer, PyObject *storage, const DLTensor *t) {
  if (producer->kind != DLFPY_PROTOCOL) {
    return false;
  }
  return producer->api || !storage || !begins_in(storage, t);
}

dlf_tensor *dlfpy_torch_keep(PyObject *x, const dlfpy_producer *producer, const char *name,
                             bool may_move, dlf_tensor *out) {
  const DLTensor *t = dlf_dltensor(out);
  dlf_tensor *kept = NULL;
  bool needs_grad = false;
  if (!out || !producer->torch || dlf_flags(out) & DLPACK_FLAG_BITMASK_IS_COPIED) {
    return out;
  }
  PyObject *storage = storage_of(x);
  if (!storage) {
    PyErr_Clear();
  }
  if (storage && lies_in(storage, t)) {
    if (check_values(x, name, t->dtype, &needs_grad) && may_leave(x, name, needs_grad)) {
      kept = dlfpy_wrap(Py_NewRef(storage),
                        t,
                        dlf_flags(out) | (needs_grad ? DLPACK_FLAG_BITMASK_READ_ONLY : 0),
                        name);
    }
  } else if (may_move || is_elsewhere(producer, storage, t)) {
    kept = dlf_retain(out);
  } else {
    dlfpy_no_memory(name, x);
  }
  dlfpy_release(out);
  drop(storage);
  return kept;
}
