/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a contract over a fixed function; a compiled one prints, compiles again to the same,
 * and checks any call. */
#include "contract/matching.h"
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];

static const dlf_parameter parameters[] = {{"a", DLF_PARAMETER_INPUT},
                                           {"b", DLF_PARAMETER_INPUT},
                                           {"n", DLF_PARAMETER_INTEGER},
                                           {"x", DLF_PARAMETER_REAL},
                                           {"k", DLF_PARAMETER_UNSIGNED},
                                           {"out", DLF_PARAMETER_OUTPUT},
                                           {"mode", DLF_PARAMETER_OTHER},
                                           {"list", DLF_PARAMETER_LIST},
                                           {"array", DLF_PARAMETER_ARRAY},
                                           {"gift", DLF_PARAMETER_GIVEN}};
enum { OUT = 5, PARAMETERS = sizeof parameters / sizeof *parameters, HOOKS = 16, ITEMS = 3 };

/* Tensors of the call; a list's follow one another. */
typedef struct fuzz_call {
  fuzz_tensor tensors[4 + ITEMS];
  dlf_arg items[ITEMS];
  int64_t numbers[ITEMS];
  dlf_value values[PARAMETERS + HOOKS];
} fuzz_call;

static dlf_arg fuzz_arg(fuzz_input *in, fuzz_tensor *t) {
  fuzz_fill(in, t);
  return (dlf_arg){fuzz_byte(in) > 230 ? NULL : &t->dl, t->flags};
}

static void fuzz_fill_call(fuzz_input *in, fuzz_call *c) {
  fuzz_tensor *next = c->tensors;
  memset(c->values, 0, sizeof c->values);
  for (int i = 0; i < PARAMETERS; i++) {
    const dlf_parameter_kind kind = parameters[i].kind;
    dlf_value *value = &c->values[i];
    if (kind == DLF_PARAMETER_GIVEN && fuzz_byte(in) & 1) {
      continue; /* before the call */
    }
    if (kind <= DLF_PARAMETER_OUTPUT || kind == DLF_PARAMETER_GIVEN) {
      value->tensor = fuzz_arg(in, next++);
    }
    value->integer = fuzz_integer(in);
    value->real = (double)value->integer / 4;
    if (kind != DLF_PARAMETER_LIST && kind != DLF_PARAMETER_ARRAY) {
      continue;
    }
    if (value->integer > ITEMS) {
      value->integer %= ITEMS + 1;
    }
    value->items = fuzz_byte(in) > 240          ? NULL
                   : kind == DLF_PARAMETER_LIST ? (void *)c->items
                                                : (void *)c->numbers;
    for (int64_t k = 0; kind == DLF_PARAMETER_LIST && k < value->integer; k++) {
      c->items[k] = fuzz_arg(in, next++);
    }
  }
  for (int i = PARAMETERS; i < PARAMETERS + HOOKS; i++) {
    c->values[i].integer = fuzz_integer(in);
  }
}

static bool fuzz_is_beyond(dlf_arg arg) {
  return arg.tensor && !fuzz_is_inside(arg.tensor, 0);
}

/* A tensor of the call claims more memory than it has, such as a huge one that the contract does
 * not name: a made output may lie in there. */
static bool fuzz_claims_too_much(const dlf_value *values) {
  bool beyond = false;
  for (int i = 0; i < PARAMETERS; i++) {
    const dlf_arg *items = parameters[i].kind == DLF_PARAMETER_LIST ? values[i].items : NULL;
    beyond |= i != OUT && fuzz_is_beyond(values[i].tensor);
    for (int64_t k = 0; items && k < values[i].integer; k++) {
      beyond |= fuzz_is_beyond(items[k]);
    }
  }
  return beyond;
}

/* Every answer about one call; the other contract says the same. */
static void fuzz_ask(const dlf_contract *contract, const dlf_contract *again,
                     const dlf_value *values) {
  dlf_error error = {0}, other = {0};
  dlf_prototype prototype = DLF_PROTOTYPE_INIT;
  dlf_tensor *made;
  const dlf_status verdict = dlf_contract_match(contract, values, sizeof(dlf_value), &error);
  MUST((verdict == DLF_OK) == (error.message[0] == '\0') && error.status == (int32_t)verdict);
  MUST(dlf_contract_match(again, values, sizeof(dlf_value), &other) == verdict &&
       strcmp(error.message, other.message) == 0);
  dlf__match m; /* dlf_contract_match looks quickly first */
  dlf__contract_begin(&m, contract, values, sizeof(dlf_value), false, &other);
  MUST(dlf__contract_walk_closely(&m) == verdict);
  const dlf_status inputs = dlf_contract_match_inputs(contract, values, sizeof(dlf_value), &other);
  MUST(verdict != DLF_OK || inputs == DLF_OK);
  MUST(dlf_contract_match_inputs(again, values, sizeof(dlf_value), NULL) == inputs);
  if (dlf_contract_infer(contract, values, sizeof(dlf_value), OUT, &prototype, NULL) != DLF_OK) {
    return;
  }
  MUST(inputs == DLF_OK);
  /* An output made in its place, alone in its memory, satisfies the contract. */
  int64_t count;
  const DLTensor view = {NULL,
                         prototype.device,
                         (int32_t)prototype.ndim,
                         prototype.dtype,
                         prototype.shape,
                         prototype.strides,
                         0};
  if (dlf_count(&view, &count, NULL) != DLF_OK || count > 1000) {
    return;
  }
  if (dlf_contract_create(contract, values, sizeof(dlf_value), OUT, &made, NULL) != DLF_OK) {
    return;
  }
  dlf_value with[PARAMETERS + HOOKS];
  memcpy(with, values, sizeof with);
  with[OUT].tensor = (dlf_arg){dlf_dltensor(made), dlf_flags(made)};
  for (int i = 0; i < PARAMETERS; i++) {
    if (parameters[i].kind == DLF_PARAMETER_GIVEN) {
      with[i].tensor.tensor = NULL;
    }
  }
  const dlf_status fits = dlf_contract_match(contract, with, sizeof(dlf_value), &error);
  MUST(fits == DLF_OK || fits == DLF_LAYOUT ||
       strstr(error.message, "repeats elements") || /* odd layouts asked for */
       (strstr(error.message, "shares memory") && fuzz_claims_too_much(with)));
  dlf_release(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  dlf_contract *contract = NULL, *again = NULL;
  dlf_error error = {0};
  char printed[4096], twice[4096];
  /* The text, then a zero byte, then the call. */
  const uint8_t *end = size ? memchr(bytes, 0, size) : NULL;
  const size_t length = end ? (size_t)(end - bytes) : size;
  char *text = malloc(length + 1);
  if (!text) {
    return 0;
  }
  if (length) {
    memcpy(text, bytes, length);
  }
  text[length] = '\0';
  const dlf_status status = dlf_contract_compile(
      text, "f", parameters, PARAMETERS, sizeof(dlf_parameter), &contract, &error);
  free(text); /* only borrowed */
  MUST((status == DLF_OK) == (contract != NULL) && (status == DLF_OK || error.message[0]));
  if (status != DLF_OK) {
    return 0;
  }
  if (dlf_contract_format(contract, -1, printed, sizeof printed) < (int64_t)sizeof printed) {
    MUST(dlf_contract_compile(
             printed, "f", parameters, PARAMETERS, sizeof(dlf_parameter), &again, &error) ==
         DLF_OK);
    dlf_contract_format(again, -1, twice, sizeof twice);
    MUST(strcmp(printed, twice) == 0);
  }
  fuzz_input in = {end ? end + 1 : bytes, end ? size - length - 1 : 0};
  fuzz_call call;
  fuzz_fill_call(&in, &call);
  fuzz_ask(contract, again ? again : contract, call.values);
  dlf_contract_free(again);
  dlf_contract_free(contract);
  return 0;
}
