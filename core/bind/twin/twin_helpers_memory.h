/* SPDX-License-Identifier: Apache-2.0 */
/* For the twins: arguments that calls compute, and memory that the library owns. See
 * twin_helpers.h; this is its second part. */
/* @section derived */
/* ---- arguments that the call computes, and pointers to elements ---- */

/* NaN if either is. */
DLFERRY_HELPER double dlferry_real_least(double a, double b) {
  if (a < b) {
    return a;
  }
  if (b <= a) {
    return b;
  }
  return a + b;
}

DLFERRY_HELPER double dlferry_real_most(double a, double b) {
  if (a > b) {
    return a;
  }
  if (b >= a) {
    return b;
  }
  return a + b;
}

DLFERRY_HELPER dlf_status dlferry_too_large(const char *where, int64_t value, int64_t lowest,
                                            int64_t highest, dlf_error *error) {
  return dlferry_fail(error,
                      DLF_OVERFLOW,
                      "%s: expected %lld to %lld, got %lld",
                      where,
                      (long long)lowest,
                      (long long)highest,
                      (long long)value);
}

/* The size of the elements. */
DLFERRY_HELPER int64_t dlferry_bytes(dlf_arg arg, bool *sure) {
  int64_t bytes = 0;
  *sure &= dlf_byte_size(arg.tensor, arg.flags & ~DLF_FLAGS_UNKNOWN, &bytes, NULL) == DLF_OK;
  return bytes;
}

/* In elements; no step leads anywhere along an axis of at most one. */
DLFERRY_HELPER int64_t dlferry_stride(const DLTensor *t, int32_t axis) {
  uint64_t stride = 1; /* it wraps only if an extent is 0 */
  if (t->shape[axis] <= 1) {
    return 1;
  }
  if (t->strides && t->strides[axis] > 0) {
    return t->strides[axis];
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) {
      return 1; /* without elements any strides are possible: NumPy's are 0 */
    }
  }
  if (t->strides) {
    return t->strides[axis];
  }
  for (int32_t i = axis + 1; i < t->ndim; i++) {
    if (t->shape[i] > 0) {
      stride *= (uint64_t)t->shape[i];
    }
  }
  return (int64_t)stride;
}

/* The element at the lowest address, where BLAS begins with a negative stride. A tensor without
 * elements has none. */
DLFERRY_HELPER void *dlferry_lowest(const DLTensor *t) {
  char *at = (char *)dlferry_first(t);
  const int64_t item = t->dtype.bits / 8 * (int64_t)t->dtype.lanes;
  int64_t back = 0;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) {
      return at;
    }
    if (t->strides && t->strides[i] < 0) {
      back += (t->shape[i] - 1) * t->strides[i] * item;
    }
  }
  return at + back;
}

/* Rows without gaps that do not overlap, or columns if `across`. */
DLFERRY_HELPER bool dlferry_runs(const DLTensor *t, bool across, int64_t *ld) {
  int32_t along = 1;
  if (across) {
    along = 0;
  }
  int64_t least = 1;
  if (t->shape[along] > 1) {
    least = t->shape[along];
  }
  const bool empty = t->shape[0] == 0 || t->shape[1] == 0;
  if (t->shape[1 - along] > 1 && !empty) {
    *ld = dlferry_stride(t, 1 - along);
  } else {
    *ld = least;
  }
  return empty || (dlferry_stride(t, along) == 1 && *ld >= least);
}

/* Find the leading dimension, at least 1 and at least the extent along it, and the order; false if
 * C cannot be told. */
DLFERRY_HELPER bool dlferry_matrix(const DLTensor *t, bool rows, bool columns, int64_t *ld,
                                   bool *is_columns) {
  *is_columns = false;
  if (rows && dlferry_runs(t, false, ld)) {
    return true;
  }
  *is_columns = columns && dlferry_runs(t, true, ld);
  return *is_columns;
}

/* Find the order that fits all matrices, rows if both do, and their leading dimensions in it; false
 * if none fits. */
DLFERRY_HELPER bool dlferry_matrices(const DLTensor *const *all, int count, int64_t *ld,
                                     bool *is_columns) {
  bool fits = false;
  for (int across = 0; across < 2 && !fits; across++) {
    fits = true;
    for (int i = 0; i < count && fits; i++) {
      fits = dlferry_runs(all[i], across, &ld[i]);
    }
    *is_columns = across;
  }
  return fits;
}

/* The order of matrices that the call makes beside these, which no check has seen. */
DLFERRY_HELPER bool dlferry_wants_columns(const DLTensor *const *all, int count) {
  bool rows = true;
  bool columns = true;
  int64_t ld;
  for (int i = 0; i < count; i++) {
    rows &= dlferry_runs(all[i], false, &ld);
    columns &= dlferry_runs(all[i], true, &ld);
  }
  return columns && !rows;
}

DLFERRY_HELPER dlf_status dlferry_no_matrix(const char *where, const DLTensor *t,
                                            dlf_error *error) {
  return dlferry_fail(
      error,
      DLF_LAYOUT,
      "%s: expected a leading dimension and elements next to each other, got strides "
      "(%lld, %lld): pass a copy",
      where,
      (long long)dlferry_stride(t, 0),
      (long long)dlferry_stride(t, 1));
}

/* Say which matrix to copy: one that is only read rather than one that the call writes, else the
 * later one. */
DLFERRY_HELPER dlf_status dlferry_no_order(const char *function, const char *const *names,
                                           const bool *written, const DLTensor *const *all,
                                           int count, dlf_error *error) {
  static const char *const words[] = {"rows", "columns"};
  int first[2] = {-1, -1}; /* the first that fits rows alone, columns alone */
  int64_t ld;
  char where[256];
  for (int i = 0; i < count; i++) {
    const bool rows = dlferry_runs(all[i], false, &ld);
    const bool columns = dlferry_runs(all[i], true, &ld);
    if (!rows && !columns) {
      snprintf(where, sizeof where, "%.120s: %.120s", function, names[i]);
      return dlferry_no_matrix(where, all[i], error);
    }
    if (rows != columns && first[columns] < 0) {
      first[columns] = i;
    }
  }
  const bool later = first[1] > first[0];
  const bool only_read = !written[first[!later]] && written[first[later]];
  bool wrong = later;
  if (only_read) {
    wrong = !later;
  }
  return dlferry_fail(
      error,
      DLF_LAYOUT,
      "%s: %s: expected %s as %s has, got %s: pass a copy in %s, since C takes one order for "
      "all its matrices",
      function,
      names[first[wrong]],
      words[!wrong],
      names[first[!wrong]],
      words[wrong],
      words[!wrong]);
}

DLFERRY_HELPER dlf_status dlferry_no_walk(const char *where, int axis, dlf_error *error) {
  return dlferry_fail(error,
                      DLF_LAYOUT,
                      "%s: expected a stride other than 0 along axis %d, got 0: pass a copy",
                      where,
                      axis);
}

/* @section gifts */
/* ---- memory that the library owns ---- */

/* What C gave: a pointer, and extents that are not checked yet. */
typedef struct dlferry_gift {
  const char *where;       /* "predict: out" */
  const char *const *axes; /* their names; NULL if C gave all extents */
  void *data;
  DLDataType dtype;
  int32_t ndim;
  int64_t *shape;
  bool sure;    /* no extent's computation overflowed */
  bool columns; /* column-major */
  bool constant;
} dlferry_gift;

/* A wide number that no extent can be becomes the largest. */
DLFERRY_HELPER int64_t dlferry_wide(uint64_t value) {
  if (value > INT64_MAX) {
    return INT64_MAX;
  }
  return (int64_t)value;
}

/* Count the elements. */
DLFERRY_HELPER dlf_status dlferry_measure(const dlferry_gift *gift, int64_t *bytes,
                                          dlf_error *error) {
  bool empty = false;
  bool sure = gift->sure;
  *bytes = gift->dtype.bits / 8 * gift->dtype.lanes;
  for (int32_t i = 0; i < gift->ndim; i++) {
    if (gift->shape[i] < 0) {
      const char *name = "...";
      if (gift->axes) {
        name = gift->axes[i];
      }
      return dlferry_fail(error,
                          DLF_FOREIGN,
                          "%s: kernel gave %lld for [%s], expected 0 or more",
                          gift->where,
                          (long long)gift->shape[i],
                          name);
    }
    empty |= gift->shape[i] == 0;
  }
  for (int32_t i = 0; i < gift->ndim && !empty; i++) {
    sure &= *bytes <= INT64_MAX / gift->shape[i];
    if (sure) {
      *bytes *= gift->shape[i];
    }
  }
  if (empty) {
    *bytes = 0;
  }
  if (!sure || (uint64_t)*bytes > PTRDIFF_MAX) {
    return dlferry_fail(error,
                        DLF_FOREIGN,
                        "%s: kernel gave extents whose product is too large for memory",
                        gift->where);
  }
  if (*bytes && !gift->data) {
    return dlferry_fail(
        error, DLF_FOREIGN, "%s: kernel gave NULL, expected a pointer to elements", gift->where);
  }
  return DLF_OK;
}

/* Read the extents that C gave in memory of its own, of any integer type that is 4 or 8 bytes wide.
 */
DLFERRY_HELPER dlf_status dlferry_extents(const char *where, const char *name, const void *extents,
                                          size_t size, uint64_t rank, int64_t *shape,
                                          dlf_error *error) {
  if (rank > DLF_MAX_NDIM || (rank && !extents)) {
    return dlferry_fail(error,
                        DLF_FOREIGN,
                        "%s: kernel gave %s %s of %lld extents, expected 0 to %d",
                        where,
                        extents ? "a list" : "NULL for a list",
                        name,
                        (long long)rank,
                        (int)DLF_MAX_NDIM);
  }
  for (uint64_t i = 0; i < rank; i++) {
    int32_t narrow;
    if (size == sizeof narrow) {
      memcpy(&narrow, (const char *)extents + i * size, size);
      shape[i] = narrow;
    } else {
      memcpy(&shape[i], (const char *)extents + i * size, sizeof *shape);
    }
  }
  return DLF_OK;
}

DLFERRY_HELPER void dlferry_lay_out(const dlferry_gift *gift, int64_t *strides) {
  int64_t stride = 1;
  for (int32_t step = 0; step < gift->ndim; step++) {
    int32_t i = step;
    if (!gift->columns) {
      i = gift->ndim - 1 - step;
    }
    strides[i] = stride;
    if (gift->shape[i] > 1) { /* beside an extent of 0 the others may be of any size */
      stride = stride > INT64_MAX / gift->shape[i] ? 0 : stride * gift->shape[i];
    }
  }
}

DLFERRY_HELPER dlf_status dlferry_copy(const dlferry_gift *gift, dlf_status verdict,
                                       DLManagedTensorVersioned **out, dlf_error *error) {
  dlf_prototype p = {
      .size = sizeof p, .dtype = gift->dtype, .device = {kDLCPU, 0}, .ndim = gift->ndim};
  int64_t bytes = 0;
  if (!verdict) {
    verdict = dlferry_measure(gift, &bytes, error);
  }
  if (verdict) {
    return verdict;
  }
  for (int32_t i = 0; i < gift->ndim; i++) {
    p.shape[i] = gift->shape[i];
  }
  dlferry_lay_out(gift, p.strides);
  verdict = dlf_make(&p, out, error);
  if (!verdict && bytes) {
    memcpy((*out)->dl_tensor.data, gift->data, (size_t)bytes);
  }
  return verdict;
}

/* @section elements */
/* ---- what the elements of an array of integers are ---- */

/* The bits of one of them: an unsigned one of 64 bits may come as a negative number. */
static inline int64_t dlferry_element_bits(const DLTensor *t, int64_t i) {
  const unsigned bytes = t->dtype.bits / 8;
  const char *at = (const char *)dlf_data(t) + i * dlferry_stride(t, 0) * (int64_t)bytes;
  const bool is_signed = t->dtype.code == kDLInt;
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  switch (bytes) {
  case 1:
    memcpy(&i8, at, sizeof i8);
    return is_signed ? i8 : (uint8_t)i8;
  case 2:
    memcpy(&i16, at, sizeof i16);
    return is_signed ? i16 : (uint16_t)i16;
  case 4:
    memcpy(&i32, at, sizeof i32);
    return is_signed ? i32 : (int64_t)(uint32_t)i32;
  default:
    memcpy(&i64, at, sizeof i64);
    return i64;
  }
}

/* One of them; what int64_t cannot hold is its largest value. */
static inline int64_t dlferry_element(const DLTensor *t, int64_t i) {
  const int64_t bits = dlferry_element_bits(t, i);
  return t->dtype.code == kDLInt || bits >= 0 ? bits : INT64_MAX;
}

static inline int64_t dlferry_extremum(const DLTensor *t, bool largest) {
  int64_t found = largest ? INT64_MIN : INT64_MAX;
  for (int64_t i = 0; i < t->shape[0]; i++) {
    const int64_t value = dlferry_element(t, i);
    if (largest ? value > found : value < found) {
      found = value;
    }
  }
  return found;
}

/* Of no elements the rules about the least and the most hold. */
DLFERRY_HELPER int64_t dlferry_element_least(const DLTensor *t) {
  return dlferry_extremum(t, false);
}

DLFERRY_HELPER int64_t dlferry_element_most(const DLTensor *t) {
  return dlferry_extremum(t, true);
}

DLFERRY_HELPER int64_t dlferry_element_first(const DLTensor *t) {
  return t->shape[0] ? dlferry_element(t, 0) : 0;
}

DLFERRY_HELPER int64_t dlferry_element_last(const DLTensor *t) {
  return t->shape[0] ? dlferry_element(t, t->shape[0] - 1) : 0;
}

/* 1 if each is above the one before it, 0 if some are equal, -1 if one is below. */
DLFERRY_HELPER int64_t dlferry_element_rise(const DLTensor *t) {
  const bool is_signed = t->dtype.code == kDLInt;
  int64_t rise = 1;
  for (int64_t i = 1; i < t->shape[0]; i++) {
    const int64_t before = dlferry_element_bits(t, i - 1);
    const int64_t value = dlferry_element_bits(t, i);
    if (is_signed ? value < before : (uint64_t)value < (uint64_t)before) {
      return -1;
    }
    if (value == before) {
      rise = 0;
    }
  }
  return rise;
}

/* @section reals */
/* ---- whether the elements of an array of reals rise, or are finite ---- */

static inline double dlferry_real(const DLTensor *t, int64_t i) {
  const int64_t bytes = t->dtype.bits / 8;
  const char *at = (const char *)dlf_data(t) + i * dlferry_stride(t, 0) * bytes;
  float f32;
  double f64;
  if (bytes == sizeof f32) {
    memcpy(&f32, at, sizeof f32);
    return f32;
  }
  memcpy(&f64, at, sizeof f64);
  return f64;
}

/* The same as of integers. Nothing is above NaN, nor is that above anything. */
DLFERRY_HELPER int64_t dlferry_real_rise(const DLTensor *t) {
  int64_t rise = 1;
  for (int64_t i = 1; i < t->shape[0]; i++) {
    const double before = dlferry_real(t, i - 1);
    const double value = dlferry_real(t, i);
    if (!(value >= before)) {
      return -1;
    }
    if (value == before) {
      rise = 0;
    }
  }
  return rise;
}

/* 1 if none is infinite or NaN, else 0. */
DLFERRY_HELPER int64_t dlferry_real_finite(const DLTensor *t) {
  for (int64_t i = 0; i < t->shape[0]; i++) {
    const double value = dlferry_real(t, i);
    uint64_t bits; /* since a compiler may be told that no number is infinite */
    memcpy(&bits, &value, sizeof bits);
    if ((bits >> 52 & 0x7FF) == 0x7FF) {
      return 0;
    }
  }
  return 1;
}
