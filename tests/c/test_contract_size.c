/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays whose elements say how large they are: those of a later version, which has more fields,
 * work as ours do. */
#include "test.h"

typedef struct later_parameter {
  dlf_parameter known;
  void *later;
} later_parameter;

typedef struct later_value {
  dlf_value known;
  int64_t later[3];
} later_value;

enum { X, N, SCALE, LIST_, OUT, COUNT };
static const later_parameter parameters[COUNT] = {{{"x", DLF_PARAMETER_INPUT}, NULL},
                                                  {{"n", DLF_PARAMETER_INTEGER}, NULL},
                                                  {{"scale", DLF_PARAMETER_REAL}, NULL},
                                                  {{"list", DLF_PARAMETER_LIST}, NULL},
                                                  {{"out", DLF_PARAMETER_OUTPUT}, NULL}};
static const char text[] =
    "x: f32[n, w]; list: f32[w]; out: f32[hook(rows), w] noalias; n in 1..4; scale > 0";

static float memory[2][12];
static later_value values[COUNT + 1]; /* the hook's last */

/* Sizes below the structures' own, which differ with the width of a pointer. */
#define SMALL_VALUE ((int64_t)(sizeof(dlf_value) - 8))
#define SMALL_PARAMETER ((int64_t)(sizeof(dlf_parameter) - _Alignof(dlf_parameter)))

/* A text with a size that depends on the machine, and one that was given. */
static const char *told(const char *format, size_t wanted, int64_t got) {
  static char buffer[160];
  snprintf(buffer, sizeof buffer, format, (int)wanted, got);
  return buffer;
}

static dlf_contract *compile(void) {
  dlf_contract *c = NULL;
  EXPECT_INT(
      dlf_contract_compile(text, "f", &parameters[0].known, COUNT, sizeof *parameters, &c, NULL),
      DLF_OK);
  return c;
}

static void give(void) {
  static int64_t shape[2] = {3, 4}, strides[2] = {4, 1};
  static DLTensor x, row, out;
  static dlf_arg items[1];
  x = (DLTensor){memory[0], cpu, 2, f32, shape, strides, 0};
  row = (DLTensor){memory[0], cpu, 1, f32, shape + 1, strides + 1, 0};
  out = (DLTensor){memory[1], cpu, 2, f32, shape, strides, 0};
  items[0] = (dlf_arg){&row, 0};
  memset(values, 0xff, sizeof values); /* what lies between our fields must not matter */
  values[X].known = (dlf_value){.tensor = {&x, 0}};
  values[N].known = (dlf_value){.integer = 3};
  values[SCALE].known = (dlf_value){.real = 2};
  values[LIST_].known = (dlf_value){.integer = 1, .items = items};
  values[OUT].known = (dlf_value){.tensor = {&out, 0}};
  values[COUNT].known = (dlf_value){.integer = 3};
}

static dlf_status match(const dlf_contract *c, dlf_error *error) {
  return dlf_contract_match(c, &values[0].known, sizeof *values, error);
}

static void test_contract_size__larger_elements_are_walked_by_their_size(void) {
  dlf_contract *c = compile();
  char form[200];
  dlf_contract_format(c, -1, form, sizeof form);
  EXPECT(strstr(form, "hook(rows)") != NULL);
  give();
  EXPECT_INT(match(c, NULL), DLF_OK);
  EXPECT_INT(dlf_contract_match_inputs(c, &values[0].known, sizeof *values, NULL), DLF_OK);
  values[N].known.integer = 2;
  EXPECT_FAILS(match(c, &error),
               DLF_SHAPE,
               "f: x[n] is 3, expected 2 as n; got f32[3, 4], wanted f32[n, w]");
  values[N].known.integer = 3;
  values[SCALE].known.real = -1;
  EXPECT_FAILS(match(c, &error), DLF_INVALID, "f: scale is -1, wanted scale > 0");
  give();
  values[COUNT].known.integer = 5;
  EXPECT_FAILS(match(c, &error),
               DLF_SHAPE,
               "f: out[hook(rows)] is 3, expected 5 as rows returned; got f32[3, 4], wanted "
               "f32[hook(rows), w] noalias");
  dlf_contract_free(c);
}

static void test_contract_size__larger_elements_determine_outputs(void) {
  dlf_contract *c = compile();
  dlf_prototype p = DLF_PROTOTYPE_INIT;
  dlf_tensor *t = NULL;
  give();
  memset(&p, 0xff, sizeof p);
  p.size = sizeof p;
  EXPECT_INT(dlf_contract_infer(c, &values[0].known, sizeof *values, OUT, &p, NULL), DLF_OK);
  EXPECT(p.ndim == 2 && p.shape[0] == 3 && p.shape[1] == 4);
  EXPECT_INT(dlf_contract_create(c, &values[0].known, sizeof *values, OUT, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(t)->shape[0], 3);
  dlf_release(t);
  dlf_contract_free(c);
}

static void test_contract_size__smaller_elements_are_refused(void) {
  dlf_contract *c = compile(), *none = NULL;
  dlf_prototype p = DLF_PROTOTYPE_INIT;
  dlf_tensor *t = NULL;
  const dlf_value *first = &values[0].known;
  give();
  EXPECT_FAILS(
      dlf_contract_match(c, first, SMALL_VALUE, &error),
      DLF_INVALID,
      told("contract_match: expected a size of %d bytes or more for dlf_value, got %" PRId64,
           sizeof(dlf_value),
           SMALL_VALUE));
  EXPECT_INT(dlf_contract_match(c, first, 0, NULL), DLF_INVALID);
  EXPECT_INT(dlf_contract_match(c, first, -(int64_t)sizeof(dlf_value), NULL), DLF_INVALID);
  EXPECT_INT(dlf_contract_match_inputs(c, first, SMALL_VALUE, NULL), DLF_INVALID);
  EXPECT_INT(dlf_contract_infer(c, first, SMALL_VALUE, OUT, &p, NULL), DLF_INVALID);
  EXPECT_INT(dlf_contract_create(c, first, SMALL_VALUE, OUT, &t, NULL), DLF_INVALID);
  EXPECT(t == NULL);
  EXPECT_FAILS(
      dlf_contract_compile(text, "f", &parameters[0].known, COUNT, SMALL_PARAMETER, &none, &error),
      DLF_INVALID,
      told("contract: expected a size of %d bytes or more for dlf_parameter, got %" PRId64,
           sizeof(dlf_parameter),
           SMALL_PARAMETER));
  EXPECT(none == NULL);
  dlf_contract_free(c);
}

static void test_contract_size__sizes_that_no_structure_has_are_refused(void) {
  dlf_contract *c = compile(), *none = NULL;
  const dlf_value *first = &values[0].known;
  give();
  EXPECT_FAILS(
      dlf_contract_match(c, first, sizeof(dlf_value) + 1, &error),
      DLF_INVALID,
      told(
          "contract_match: expected a multiple of %d bytes up to 65536 for dlf_value, got %" PRId64,
          _Alignof(dlf_value),
          sizeof(dlf_value) + 1));
  EXPECT_FAILS(dlf_contract_match_inputs(c, first, INT64_MAX, &error),
               DLF_INVALID,
               told("contract_match_inputs: expected a multiple of %d bytes up to 65536 for "
                    "dlf_value, got %" PRId64,
                    _Alignof(dlf_value),
                    INT64_MAX));
  EXPECT_INT(dlf_contract_match(c, first, INT64_MIN, NULL), DLF_INVALID);
  EXPECT_FAILS(
      dlf_contract_compile(text, "f", &parameters[0].known, COUNT, 65544, &none, &error),
      DLF_INVALID,
      told("contract: expected a multiple of %d bytes up to 65536 for dlf_parameter, got %" PRId64,
           _Alignof(dlf_parameter),
           65544));
  EXPECT(none == NULL);
  dlf_contract_free(c);
}

int main(void) {
  RUN(test_contract_size__larger_elements_are_walked_by_their_size);
  RUN(test_contract_size__larger_elements_determine_outputs);
  RUN(test_contract_size__smaller_elements_are_refused);
  RUN(test_contract_size__sizes_that_no_structure_has_are_refused);
  return test_end();
}
