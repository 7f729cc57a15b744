/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the shared cases in C; README.md lists their operations, and cases_rows.py makes the rows
 * and the simple views. */
#include "made.h"

#include <dlferry.h>
#include <dlferry/npy.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *op, *x, *y, *text;
  int32_t count; /* of ints */
  const int64_t *ints;
  int32_t real_count;
  const double *reals;
  dlf_status status;
  const char *told;   /* the result, or the failure's text */
  const char *cannot; /* why C cannot express the case, or NULL */
} test_case;

static const test_case cases[] = {
#include "cases.inc"
};

/* A call of one operation. It leaves a tensor in `out`, or a text. */
typedef struct {
  const test_case *c;
  dlf_tensor *x, *y, *out;
  dlf_arg a, b;
  char text[400];
  dlf_error error;
} call;

static dlf_status said(call *k, const char *text) {
  snprintf(k->text, sizeof k->text, "%s", text);
  return DLF_OK;
}

static dlf_status truth(call *k, dlf_status status, bool answer) {
  if (!status) {
    said(k, answer ? "true" : "false");
  }
  return status;
}

static dlf_status number(call *k, dlf_status status, int64_t answer) {
  if (!status) {
    snprintf(k->text, sizeof k->text, "%" PRId64, answer);
  }
  return status;
}

/* ---- views ---- */

#include "views.inc" /* those that take only ints */

static dlf_status do_index(call *k) {
  dlf_index_item items[8] = {{0}};
  for (int32_t i = 0; i < k->c->count / 4; i++) {
    const int64_t *ints = k->c->ints + 4 * i;
    items[i] = (dlf_index_item){(int32_t)ints[0], 0, ints[1], ints[2], ints[3]};
  }
  return dlf_index(k->x, items, k->c->count / 4, &k->out, &k->error);
}

static dlf_status do_bitcast(call *k) {
  DLDataType dtype;
  const dlf_status status = dlf_dtype_parse(k->c->text, &dtype, &k->error);
  return status ? status : dlf_bitcast(k->x, dtype, &k->out, &k->error);
}

/* ---- copies ---- */

static dlf_status do_copy(call *k) {
  return dlf_copy(k->x, &k->out, &k->error);
}
static dlf_status do_copy_padded(call *k) {
  return dlf_copy_padded(k->x, &k->out, &k->error);
}

static dlf_status do_contiguous(call *k) {
  return dlf_contiguous(k->x, DLF_ROW_MAJOR, &k->out, &k->error);
}

/* What was written is told. */
static dlf_status written(call *k, dlf_status status, dlf_tensor *tensor) {
  if (!status) {
    k->out = dlf_retain(tensor);
  }
  return status;
}

static dlf_status do_copy_into(call *k) {
  return written(k, dlf_copy_into(k->x, k->y, &k->error), k->y);
}

static dlf_status do_cast(call *k) {
  DLDataType dtype;
  const bool saturate = k->c->count != 0;
  const dlf_status status = dlf_dtype_parse(k->c->text, &dtype, &k->error);
  return status ? status : dlf_cast(k->x, dtype, saturate, &k->out, &k->error);
}

static dlf_status do_cast_into(call *k) {
  return written(k, dlf_cast_into(k->x, k->y, false, &k->error), k->y);
}

static dlf_number number_of(const test_case *c) {
  dlf_number n = {.kind = DLF_NUMBER_SIGNED};
  if (c->count) {
    n.signed_value = c->ints[0];
  }
  if (c->real_count) {
    n.kind = c->real_count == 2 ? DLF_NUMBER_COMPLEX : DLF_NUMBER_REAL;
    n.real = c->reals[0];
  }
  if (c->real_count == 2) {
    n.imaginary = c->reals[1];
  }
  return n;
}

static dlf_status do_fill(call *k) {
  const dlf_number wanted = number_of(k->c);
  return written(k, dlf_fill(k->x, &wanted, &k->error), k->x);
}

static dlf_status do_to_device(call *k) {
  DLDevice device;
  const dlf_status status = dlf_device_parse(k->c->text, &device, &k->error);
  return status ? status : dlf_to_device(k->x, device, (int32_t)k->c->ints[0], &k->out, &k->error);
}

/* ---- comparisons ---- */

static dlf_status do_identical(call *k) {
  bool answer;
  const dlf_status status = dlf_identical(k->a, k->b, &answer, &k->error);
  return truth(k, status, answer);
}

static dlf_status do_equal(call *k) {
  bool answer;
  const dlf_status status = dlf_equal(k->a, k->b, &answer, &k->error);
  return truth(k, status, answer);
}

static dlf_status do_all_close(call *k) {
  bool answer;
  const double *r = k->c->reals;
  const dlf_status status =
      dlf_all_close(k->a, k->b, r[0], r[1], k->c->ints[0] != 0, &answer, &k->error);
  return truth(k, status, answer);
}

static dlf_status do_contains(call *k) {
  bool answer;
  const dlf_number wanted = number_of(k->c);
  const dlf_status status = dlf_contains(k->a, &wanted, &answer, &k->error);
  return truth(k, status, answer);
}

static dlf_status do_read(call *k) {
  dlf_number n;
  const dlf_status status =
      dlf_read(k->a, k->c->ints, (int32_t)k->c->ints[k->c->count - 1], &n, &k->error);
  if (status) {
    return status;
  }
  switch (n.kind) {
  case DLF_NUMBER_BOOL:
    return truth(k, DLF_OK, n.unsigned_value != 0);
  case DLF_NUMBER_SIGNED:
    return number(k, DLF_OK, n.signed_value);
  case DLF_NUMBER_UNSIGNED:
    snprintf(k->text, sizeof k->text, "%" PRIu64, n.unsigned_value);
    break;
  case DLF_NUMBER_COMPLEX:
    snprintf(k->text, sizeof k->text, "%.17g %.17g", n.real, n.imaginary);
    break;
  default:
    snprintf(k->text, sizeof k->text, "%.17g", n.real);
  }
  return DLF_OK;
}

/* ---- layout ---- */

static dlf_order order_of(const char *name) {
  return strcmp(name, "row_major") == 0 ? DLF_ROW_MAJOR
         : strcmp(name, "dense") == 0   ? DLF_DENSE
                                        : DLF_COLUMN_MAJOR;
}

static dlf_status do_count(call *k) {
  int64_t count;
  const dlf_status status = dlf_count(k->a.tensor, &count, &k->error);
  return number(k, status, count);
}

static dlf_status do_byte_size(call *k) {
  int64_t size;
  const dlf_status status = dlf_byte_size(k->a.tensor, k->a.flags, &size, &k->error);
  return number(k, status, size);
}

static dlf_status do_byte_range(call *k) {
  int64_t low, high;
  const dlf_status status = dlf_byte_range(k->a.tensor, k->a.flags, &low, &high, &k->error);
  if (!status) {
    snprintf(k->text, sizeof k->text, "%" PRId64 " %" PRId64, low, high);
  }
  return status;
}

static dlf_status do_is_contiguous(call *k) {
  return truth(k, DLF_OK, dlf_is_contiguous(k->a.tensor, order_of(k->c->text)));
}

static dlf_status do_compact_strides(call *k) {
  int64_t strides[8];
  const int32_t n = k->c->count;
  const dlf_status status =
      dlf_compact_strides(n, k->c->ints, order_of(k->c->text), strides, &k->error);
  size_t used = 0;
  for (int32_t i = 0; !status && i < n; i++) {
    used += (size_t)snprintf(
        k->text + used, sizeof k->text - used, i ? " %" PRId64 : "%" PRId64, strides[i]);
  }
  return status;
}

static dlf_status do_alignment(call *k) {
  return number(k, DLF_OK, dlf_alignment(k->a.tensor));
}
static dlf_status do_overlap(call *k) {
  return truth(k, DLF_OK, dlf_overlap(k->a, k->b));
}
static dlf_status do_is_reachable(call *k) {
  return truth(k, DLF_OK, dlf_is_reachable(k->a.tensor));
}
static dlf_status do_is_unique(call *k) {
  return truth(k, DLF_OK, dlf_is_unique(k->x));
}

static dlf_status do_describe(call *k) {
  dlf_describe(k->a.tensor, k->a.flags, k->text, sizeof k->text);
  return DLF_OK;
}

static dlf_status do_encode(call *k) {
  DLDataType dtype;
  uint64_t bits = 0;
  dlf_status status = dlf_dtype_parse(k->c->text, &dtype, &k->error);
  if (!status) {
    status = dlf_float_encode(dtype, k->c->reals[0], &bits, &k->error);
  }
  return number(k, status, (int64_t)bits);
}

/* ---- files: in the working folder ---- */

static dlf_status do_npy_save(call *k) {
  const dlf_status status = dlf_npy_save(k->a, k->c->text, &k->error);
  return status ? status : dlf_npy_open(k->c->text, &k->out, &k->error);
}

static dlf_status do_npy_open(call *k) {
  if (k->c->count) {
    FILE *file = fopen(k->c->text, "wb");
    if (!file) {
      abort();
    }
    for (int32_t i = 0; i < k->c->count; i++) {
      fputc((int)k->c->ints[i], file);
    }
    fclose(file);
  }
  return dlf_npy_open(k->c->text, &k->out, &k->error);
}

/* ---- exchange ---- */

static dlf_status take_back(call *k, dlf_status status, DLManagedTensorVersioned *owned) {
  return status ? status : dlf_from_dlpack(owned, &k->out, &k->error);
}

static dlf_status take_back_legacy(call *k, dlf_status status, DLManagedTensor *owned) {
  return status ? status : dlf_from_dlpack_legacy(owned, &k->out, &k->error);
}

static dlf_status do_to_dlpack(call *k) {
  DLManagedTensorVersioned *owned;
  const dlf_status status = dlf_to_dlpack(k->x, &owned, &k->error);
  return take_back(k, status, owned);
}

static dlf_status do_to_dlpack_copy(call *k) {
  DLManagedTensorVersioned *owned;
  const dlf_status status = dlf_to_dlpack_copy(k->x, &owned, &k->error);
  return take_back(k, status, owned);
}

static dlf_status do_to_dlpack_legacy(call *k) {
  DLManagedTensor *owned;
  const dlf_status status = dlf_to_dlpack_legacy(k->x, &owned, &k->error);
  return take_back_legacy(k, status, owned);
}

static dlf_status do_export(call *k) {
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  DLManagedTensorVersioned *owned;
  DLManagedTensor *legacy;
  options.max_version = (DLPackVersion){(uint32_t)k->c->ints[0], (uint32_t)k->c->ints[1]};
  options.copy = (int32_t)k->c->ints[2];
  dlf_status status =
      k->c->text ? dlf_device_parse(k->c->text, &options.device, &k->error) : DLF_OK;
  if (!status) {
    status = dlf_export(k->x, &options, &owned, &legacy, &k->error);
  }
  if (!status && legacy) {
    return take_back_legacy(k, status, legacy);
  }
  return take_back(k, status, owned);
}

/* ---- typed access ---- */

static dlf_status do_look(call *k) {
  DLDataType dtype;
  dlf_elements elements;
  dlf_status status = dlf_dtype_parse(k->c->text, &dtype, &k->error);
  if (!status) {
    status = dlf_look(k->a, dtype, (uint32_t)k->c->ints[0], &elements, &k->error);
  }
  return number(k, status, elements.count);
}

static dlf_status do_wrap(call *k) {
  static float memory[64];
  const dlf_window window = {.size = sizeof window,
                             .memory = memory,
                             .bytes = k->c->ints[0] * (int64_t)sizeof *memory,
                             .dtype = {kDLFloat, 32, 1},
                             .whole = true,
                             .ndim = k->c->count - 1,
                             .shape = k->c->ints + 1};
  DLTensor tensor;
  const dlf_status status = dlf_check_window("wrap", &window, &tensor, &k->error);
  return status ? status : dlf_wrap(&tensor, 0, NULL, NULL, &k->out, &k->error);
}

static const struct {
  const char *name;
  dlf_status (*run)(call *);
} operations[] = {
#define OPERATION(name) {#name, do_##name}
    OPERATION(index),
    VIEWS,
    OPERATION(bitcast),
    OPERATION(copy),
    OPERATION(copy_padded),
    OPERATION(copy_into),
    OPERATION(cast),
    OPERATION(cast_into),
    OPERATION(fill),
    OPERATION(to_device),
    OPERATION(identical),
    OPERATION(equal),
    OPERATION(all_close),
    OPERATION(contains),
    OPERATION(read),
    OPERATION(count),
    OPERATION(byte_size),
    OPERATION(byte_range),
    OPERATION(is_contiguous),
    OPERATION(alignment),
    OPERATION(overlap),
    OPERATION(is_reachable),
    OPERATION(is_unique),
    OPERATION(describe),
    OPERATION(encode),
    OPERATION(npy_save),
    OPERATION(npy_open),
    OPERATION(to_dlpack),
    OPERATION(to_dlpack_copy),
    OPERATION(to_dlpack_legacy),
    OPERATION(export),
    OPERATION(look),
    OPERATION(compact_strides),
    OPERATION(contiguous),
    OPERATION(wrap),
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static dlf_tensor *import(const char *text) {
  dlf_tensor *tensor = NULL;
  dlf_error error = {0};
  DLManagedTensorVersioned *managed = text ? made_tensor(text) : NULL;
  if (!text || (managed && !dlf_from_dlpack(managed, &tensor, &error))) {
    return tensor;
  }
  printf("expected a tensor, got '%s': %s\n", text, error.message);
  exit(1);
}

static int operation_of(const test_case *c) {
  int i = 0;
  while (i < OPERATIONS && strcmp(operations[i].name, c->op) != 0) {
    i++;
  }
  return i;
}

static int run(const test_case *c) {
  call k = {.c = c, .x = import(c->x)};
  dlf_tensor *y = c->y && strcmp(c->y, "x") != 0 ? import(c->y) : NULL, *second = y ? y : k.x;
  char *shown = NULL;
  if (k.x) {
    k.a = (dlf_arg){dlf_dltensor(k.x), dlf_flags(k.x)};
  }
  if (second) {
    k.b = (dlf_arg){dlf_dltensor(second), dlf_flags(second)};
  }
  k.y = second;
  const dlf_status status = operations[operation_of(c)].run(&k);
  if (k.out) {
    const int64_t length = dlf_format(dlf_dltensor(k.out), dlf_flags(k.out), NULL, 0);
    shown = malloc((size_t)length + 1);
    if (!shown) {
      abort();
    }
    dlf_format(dlf_dltensor(k.out), dlf_flags(k.out), shown, length + 1);
  }
  const char *told = status ? k.error.message : shown ? shown : k.text;
  const bool agrees = status == c->status && strcmp(told, c->told) == 0,
             right = agrees != (c->cannot != NULL);
  if (!right) {
    printf("FAILED %s\n  expected %s%s: %s\n  got      %s: %s\n",
           c->name,
           c->cannot ? "anything but " : "",
           dlf_status_name((int32_t)c->status),
           c->told,
           dlf_status_name((int32_t)status),
           told);
  }
  free(shown);
  dlf_release(k.out);
  dlf_release(k.x);
  dlf_release(y);
  return !right;
}

/* Nothing is left out in silence: an operation that C lacks is listed. A listed case that runs must
 * give something else. */
static bool can_run(const test_case *c) {
  return operation_of(c) < OPERATIONS;
}

static bool is_listed_rightly(const test_case *c) {
  if (can_run(c) || c->cannot) {
    return true;
  }
  printf("FAILED %s: C lacks '%s', and languages.json does not list it\n", c->name, c->op);
  return false;
}

/* Elements that a case tells by their bytes lie in these as on most machines. */
static bool suits_this_machine(const test_case *c) {
  static const char *const little_endian[] = {"bitcast_narrower",
                                              "bitcast_wider",
                                              "read_half",
                                              "npy_open_file",
                                              "npy_open_too_short",
                                              "npy_open_other_byte_order",
                                              "to_dlpack_bcomplex",
                                              "to_dlpack_legacy_bcomplex"};
  const uint16_t one = 1;
  bool suits = true;
  for (size_t i = 0; i < sizeof little_endian / sizeof *little_endian; i++) {
    suits = suits && strcmp(c->name, little_endian[i]) != 0;
  }
  return suits || *(const unsigned char *)&one == 1;
}

int main(void) {
  int failures = 0, count = 0, left_out = 0, made = 0;
  for (const test_case *c = cases; c < cases + sizeof cases / sizeof *cases; c++) {
    if (!is_listed_rightly(c)) {
      failures++;
    } else if (!can_run(c)) {
      left_out++;
    } else if (!suits_this_machine(c)) {
      printf("not run: %s: its bytes are in the other order than this machine's\n", c->name);
    } else {
      failures += run(c);
      made += (c->x != NULL) + (c->y && strcmp(c->y, "x") != 0);
      left_out += c->cannot != NULL;
      count += c->cannot == NULL;
    }
  }
  printf("cases: %d run, %d not expressible, %d failures, %" PRId64 " alive, %" PRId64
         " of %d deleters\n",
         count,
         left_out,
         failures,
         dlf_live(),
         made_deleted(),
         made);
  return count == 0 || failures > 0 || dlf_live() != 0 || made_deleted() != made;
}
