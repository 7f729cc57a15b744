/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on layouts, of any array that from_dlpack takes. A capsule may hold a malformed tensor, so each is checked
 * first. */

%typemap(arginit) const DLTensor *x {
  dlfpy_begin(&held$argnum, NULL, NULL);
}
%typemap(in) const DLTensor *x (dlfpy_arg held) {
  if (!hub_borrow($input, "$symname", &held)) SWIG_fail;
  $1 = (DLTensor *)(uintptr_t)held.c.tensor;
}
%typemap(freearg) const DLTensor *x { dlfpy_drop(&held$argnum); }
%typemap(check) dlf_arg, const DLTensor *x, (const DLTensor *x, uint64_t flags) {
  if (!hub_is_sound(held$argnum.c)) SWIG_fail;
}

%typemap(default) int32_t order { $1 = DLF_ROW_MAJOR; }
%typemap(in) int32_t order {
  if (!hub_read_order($input, "$symname: order", &$1)) SWIG_fail;
}

%typemap(in, numinputs=0) int64_t *number (int64_t computed) { $1 = &computed; }
%typemap(argout) int64_t *number {
  if (!result) {
    SWIG_Py_DECREF($result);
    $result = PyLong_FromLongLong(*$1);
  }
}
%typemap(in, numinputs=0) (int64_t *low, int64_t *high) (int64_t first, int64_t last) {
  $1 = &first;
  $2 = &last;
}
%typemap(argout) (int64_t *low, int64_t *high) {
  if (!result) {
    SWIG_Py_DECREF($result);
    $result = Py_BuildValue("(LL)", (long long)*$1, (long long)*$2);
  }
}
%typemap(in, numinputs=0) int64_t *strides (int64_t computed[DLF_MAX_NDIM]) { $1 = computed; }
%typemap(argout) int64_t *strides {
  if (!result) {
    SWIG_Py_DECREF($result);
    $result = hub_integers($1, arg1); /* arg1: the number of axes */
  }
}

dlf_status dlf_count(const DLTensor *x, int64_t *number, dlf_error *error);
dlf_status dlf_byte_size(const DLTensor *x, uint64_t flags, int64_t *number, dlf_error *error);
dlf_status dlf_byte_range(const DLTensor *x, uint64_t flags, int64_t *low, int64_t *high, dlf_error *error);
bool dlf_is_contiguous(const DLTensor *x, int32_t order);
dlf_status dlf_compact_strides(int64_t shape, const int64_t *extents, int32_t order, int64_t *strides,
                               dlf_error *error);
int64_t dlf_alignment(const DLTensor *x);
bool dlf_overlap(dlf_arg a, dlf_arg b);
bool dlf_is_reachable(const DLTensor *x);

%typemap(check) dlf_arg, const DLTensor *x, (const DLTensor *x, uint64_t flags);
