/* SPDX-License-Identifier: Apache-2.0 */
/* How Python sees the types of dlferry.h. One rule for each kind of parameter: a list for ndim and
 * shape, a tensor itself, any tensor that is only read, out as the result, error as an exception. */

%typemap(in) (int64_t shape, const int64_t *extents) (int64_t list[DLF_MAX_NDIM]) {
  if (!hub_read_integers($input, "$symname: shape", list, &$1)) SWIG_fail;
  $2 = list;
}

%typemap(default) int32_t level { $1 = DLF_CHECK_STRUCTURE; }
%typemap(in) int32_t level {
  const char *word;
  if (!dlfpy_string("$symname: level", $input, &word)) SWIG_fail;
  if (strcmp(word, "strict") != 0 && strcmp(word, "structure") != 0) {
    dlfpy_fail(DLF_INVALID, "$symname: level: expected 'structure' or 'strict', got '%s'", word);
    SWIG_fail;
  }
  $1 = strcmp(word, "strict") == 0 ? DLF_CHECK_STRICT : DLF_CHECK_STRUCTURE;
}

/* A Tensor itself. Not SWIG's own conversion, which would take None for NULL. */
%typemap(in) dlf_tensor *, struct dlf_tensor * {
  $1 = hub_retain($input, "$symname");
  if (!$1) SWIG_fail;
}
%typemap(freearg) dlf_tensor *, struct dlf_tensor * { dlfpy_release($1); }

/* Any tensor, borrowed for the call. */
%typemap(arginit) dlf_arg, (const DLTensor *x, uint64_t flags) {
  dlfpy_begin(&held$argnum, NULL, NULL);
}
%typemap(in) dlf_arg (dlfpy_arg held) {
  if (!hub_borrow($input, "$symname", &held)) SWIG_fail;
  $1 = held.c;
}
%typemap(in) (const DLTensor *x, uint64_t flags) (dlfpy_arg held) {
  if (!hub_borrow($input, "$symname", &held)) SWIG_fail;
  $1 = (DLTensor *)(uintptr_t)held.c.tensor;
  $2 = held.c.flags;
}
%typemap(freearg) dlf_arg, (const DLTensor *x, uint64_t flags) { dlfpy_drop(&held$argnum); }

%typemap(in) int32_t (int64_t wide) {
  if (!dlfpy_integer("$symname: $1_name", $input, INT32_MIN, INT32_MAX, &wide)) SWIG_fail;
  $1 = (int32_t)wide;
}
%typemap(in) double {
  if (!dlfpy_real("$symname: $1_name", $input, &$1)) SWIG_fail;
}
%typemap(in) bool {
  if (!dlfpy_bool("$symname: $1_name", $input, &$1)) SWIG_fail;
}
%typemap(in, numinputs=0) dlf_tensor **out (dlf_tensor *made) { $1 = &made; }
%typemap(argout) dlf_tensor **out {
  if (!result) {
    SWIG_Py_DECREF($result);
    $result = hub_tensor_new(*$1, false);
    if (!$result) SWIG_fail;
  }
}
%typemap(in, numinputs=0) dlf_error *error (dlf_error failure) { $1 = &failure; }
%typemap(argout) dlf_error *error {
  if (result) {
    dlfpy_raise(result, $1);
    SWIG_Py_DECREF($result);
    SWIG_fail;
  }
}
/* SWIG's own rules would take an int64_t for a long, which has 32 bits on Windows. */
%typemap(out) int32_t, int64_t { $result = PyLong_FromLongLong($1); }
%typemap(out) dlf_status { $result = SWIG_Py_Void(); }
