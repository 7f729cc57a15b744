/* SPDX-License-Identifier: Apache-2.0 */
#include "release.h"

static int code_of(const char *format) {
  static const char *const letters[] = {[kDLInt] = "bhilqn",
                                        [kDLUInt] = "BHILQNc",
                                        [kDLFloat] = "efd",
                                        [kDLComplex] = "FD",
                                        [kDLBool] = "?"};
  if (format[0] == 'Z' && (format[1] == 'f' || format[1] == 'd') && !format[2]) {
    return kDLComplex;
  }
  if (!format[0] || format[1]) {
    return -1;
  }
  for (int code = 0; code <= (int)kDLBool; code++) {
    if (letters[code] && strchr(letters[code], format[0])) {
      return code;
    }
  }
  return -1;
}

/* Sizes come from itemsize: "l" has 4 or 8 bytes by its prefix. */
static bool dtype_of(const Py_buffer *view, const char *name, DLDataType *out) {
  const char *format = "B";
  if (view->format) {
    format = view->format;
  }
  const char *letter = format;
  bool swapped = false;
  if (strchr("@=<>!", *letter)) {
    swapped = *letter == (PY_BIG_ENDIAN ? '<' : '>') || (*letter == '!' && !PY_BIG_ENDIAN);
    letter++;
  }
  const int code = code_of(letter);
  if (code < 0 || (swapped && view->itemsize > 1) || view->itemsize < 1 || view->itemsize > 16) {
    dlfpy_fail(
        DLF_DTYPE,
        "%s: expected elements of one number in native byte order, got format '%s' of %lld bytes",
        name,
        format,
        (long long)view->itemsize);
    return false;
  }
  *out = (DLDataType){(uint8_t)code, (uint8_t)(view->itemsize * 8), 1};
  return true;
}

dlf_tensor *dlfpy_buffer_wrap(PyObject *x, const char *name) {
  int64_t strides[DLF_MAX_NDIM];
  DLDataType dtype;
  bool odd = false;
  PyObject *owner = NULL;
  if (PyObject_CheckBuffer(x)) {
    owner = PyMemoryView_FromObject(x);
  }
  if (!owner) {
    (void)(PyErr_Occurred() ? dlfpy_foreign(name, DLFPY_EXPORTED, x)
                            : dlfpy_wrong_type(name, "a buffer", x));
    return NULL;
  }
#ifdef Py_LIMITED_API
  Py_buffer given; /* its shape and strides are those of the memoryview, and stay as long */
  if (PyObject_GetBuffer(owner, &given, PyBUF_FULL_RO)) {
    goto end;
  }
  PyBuffer_Release(&given);
  const Py_buffer *view = &given;
#else
  const Py_buffer *view = PyMemoryView_GET_BUFFER(owner);
#endif
  if (!dtype_of(view, name, &dtype)) {
    goto end;
  }
  for (int i = 0; view->suboffsets && i < view->ndim; i++) {
    odd = odd || view->suboffsets[i] >= 0;
  }
  for (int i = 0; i < view->ndim; i++) {
    odd = odd || (view->shape[i] > 1 && view->strides[i] % view->itemsize);
    strides[i] = view->strides[i] / view->itemsize;
  }
  if (odd) {
    dlfpy_fail(DLF_LAYOUT,
               "%s: expected strides that are multiples of the element, got others or pointers: "
               "pass a copy",
               name);
    goto end;
  }
  const DLTensor tensor = {
      view->buf, {kDLCPU, 0}, view->ndim, dtype, (int64_t *)view->shape, strides, 0};
  /* The handle owns the memoryview, which owns the buffer. */
  return dlfpy_wrap(owner, &tensor, view->readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0, "wrap");
end:
  Py_DECREF(owner);
  return NULL;
}

const char *dlfpy_buffer_format(DLDataType dtype) {
  static const char *const by_log2_bytes[][5] = {[kDLInt] = {"b", "h", "i", "q"},
                                                 [kDLUInt] = {"B", "H", "I", "Q"},
                                                 [kDLFloat] = {NULL, "e", "f", "d"},
                                                 [kDLComplex] = {NULL, NULL, NULL, "Zf", "Zd"},
                                                 [kDLBool] = {"?"}};
  const int bytes = dtype.bits / 8;
  if (dtype.code >= sizeof by_log2_bytes / sizeof *by_log2_bytes || dtype.lanes != 1 ||
      dtype.bits % 8) {
    return NULL;
  }
  if (bytes < 1 || bytes > 16 || (bytes & (bytes - 1))) {
    return NULL;
  }
  return by_log2_bytes[dtype.code][__builtin_ctz((unsigned)bytes)];
}
