/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled contract in its usual form, whole and clause by clause. */
#include "contract.h"
#include "hub/internal.h"

#include <string.h>

static void put_dtypes(dlf__text *text, const DLDataType *dtypes, int32_t count) {
  char word[DLF_NAME_CAPACITY];
  for (int32_t i = 0; i < count; i++) {
    dlf_dtype_format_short(dtypes[i], word, sizeof word);
    dlf__put(text, i ? "|%s" : "%s", word);
  }
}

static void put_devices(dlf__text *text, const dlf__clause *c) {
  for (int32_t i = 0; i < c->device_count; i++) {
    char word[DLF_NAME_CAPACITY];
    dlf_device_format((DLDevice){(DLDeviceType)c->devices[i], 0}, word, sizeof word);
    word[strcspn(word, ":")] = 0;
    dlf__put(text, i ? "|%s" : " %s", word);
  }
}

static void put_clause(dlf__text *text, const dlf_contract *self, const void *item) {
  const dlf__clause *c = item;
  const char *layout = dlf__layouts[c->layout].word;
  const dlf__clause *model = NULL;
  if (c->like >= 0) {
    model = &self->clauses[c->like];
  }
  if (c->implicit) {
    dlf__put(text, "any");
    return;
  }
  dlf__put(text, "%s%s", c->inout ? "inout " : "", c->opt ? "opt " : "");
  if (model) {
    dlf__put(text, "like %s", self->names[model->parameter]);
  } else {
    if (c->type >= 0) {
      dlf__put(text, "%s", self->types[c->type]);
    } else if (c->dtype_count) {
      put_dtypes(text, c->dtypes, c->dtype_count);
    } else {
      dlf__put(text, "any");
    }
    for (int32_t i = 0; i < c->axis_count; i++) {
      dlf__put(text, "%s%s", i ? ", " : "[", c->axes[i].text);
    }
    dlf__put(text, c->axis_count ? "]" : "[]");
  }
  if (c->count >= 0) {
    dlf__put(text, " *%s", self->symbols[c->count].name);
  }
  if (layout && !(model && model->layout == c->layout) &&
      !(c->same_layout && c->layout == DLF__LAYOUT_STRIDED)) {
    dlf__put(text, " %s", layout);
  }
  if (c->same_layout) {
    dlf__put(text, " samelayout");
  }
  if (c->noalias) {
    dlf__put(text, " noalias");
  }
  if (c->align) {
    dlf__put(text, " align %" PRId64, c->align);
  }
  if (!model || model->place != c->place || model->devices != c->devices) {
    if (c->place == DLF__PLACE_LIST) {
      put_devices(text, c);
    }
    if (c->place == DLF__PLACE_SAME) {
      dlf__put(text, " samedevice");
    }
    if (c->place == DLF__PLACE_ANY) {
      dlf__put(text, " anydevice");
    }
  }
}

static void put_derived(dlf__text *text, const dlf_contract *self, const void *item) {
  const dlf__derived *d = item;
  static const char *const verbs[] = {[DLF__SOURCE_STRIDE] = "stride",
                                      [DLF__SOURCE_LD] = "ld",
                                      [DLF__SOURCE_ORDER] = "order",
                                      [DLF__SOURCE_DTYPE] = "dtype",
                                      [DLF__SOURCE_BYTES] = "bytes"};
  if (d->source < DLF__SOURCE_STRIDE || d->source == DLF__SOURCE_PARAMETER) {
    dlf__put(text, "%s", d->text);
    return;
  }
  dlf__put(text, "%s(%s", verbs[d->source], self->names[d->tensor]);
  for (int32_t i = 1; i < d->tensor_count; i++) {
    dlf__put(text, ", %s", self->names[d->tensors[i]]);
  }
  if (d->axis >= 0) {
    dlf__put(text, ", %d", (int)d->axis);
  }
  dlf__put(text, ")%s", d->blas ? " blas" : "");
  for (int32_t i = 0; i < d->choice_count; i++) {
    const dlf__choice *choice = &d->choices[i];
    dlf__put(text, i ? ", " : " {");
    if (d->source == DLF__SOURCE_DTYPE) {
      put_dtypes(text, &choice->dtype, 1);
    } else if (d->relative) {
      dlf__put(text, choice->columns ? "other" : "same");
    } else {
      dlf__put(text, choice->columns ? "columns" : "rows");
    }
    dlf__put(text, ": %s", choice->value);
  }
  if (d->choice_count) {
    dlf__put(text, "}");
  }
}

static void put_array(dlf__text *text, const dlf_contract *self, const void *item) {
  const dlf__array *a = item;
  if (a->dtype.bits) {
    put_dtypes(text, &a->dtype, 1);
  } else {
    dlf__put(text, a->dtype.code == kDLOpaqueHandle ? "in" : "text");
  }
  dlf__put(text, " *%s", self->symbols[a->symbol].name);
}

/* ---- the whole ---- */

/* Begin a clause. */
static void put_next(dlf__text *text, const char *start) {
  dlf__put(text, text->length ? "; %s" : "%s", start);
}

static const char *text_of(const dlf_contract *self, int32_t parameter) {
  const dlf__clause *c = dlf__contract_clause(self, parameter);
  const dlf__array *a = dlf__contract_array(self, parameter);
  if (a) {
    return a->text;
  }
  if (c) {
    return c->text;
  }
  return NULL;
}

/* "out", "opt f64" */
static void put_single(dlf__text *text, const dlf_contract *self, int32_t parameter) {
  if (self->outs[parameter]) {
    dlf__put(text, " out");
  }
  if (self->inouts[parameter]) {
    dlf__put(text, " inout");
  }
  if (self->opts[parameter]) {
    dlf__put(text, " opt");
  }
  if (self->ones[parameter]) {
    dlf__put(text, " %s", self->ones[parameter]);
  }
}

static void put_parameter(dlf__text *text, const dlf_contract *self, int32_t i) {
  const dlf__clause *c = dlf__contract_clause(self, i);
  const dlf__derived *d = dlf__contract_derived(self, i);
  const char *said = text_of(self, i);
  const bool single = self->outs[i] || self->inouts[i] || self->opts[i] || self->ones[i];
  if ((!d && !said && !single) || (c && c->implicit)) {
    return;
  }
  put_next(text, self->names[i]);
  if (d) {
    dlf__put(text, " := %s", d->text);
  } else if (said) {
    dlf__put(text, ": %s", said);
  } else {
    dlf__put(text, ":");
    put_single(text, self, i);
  }
}

/* Tell whether `like` names a later parameter, whose clause must be read before. */
static bool follows_model(const dlf_contract *self, const dlf__clause *c) {
  if (!c || c->like < 0) {
    return false;
  }
  const dlf__clause *model = &self->clauses[c->like];
  return model->parameter > c->parameter || follows_model(self, model);
}

/* Models bind before what is like them, so the order of binding suits those that wait. */
static void put_parameters(dlf__text *text, const dlf_contract *self) {
  for (int32_t i = 0; i < self->parameter_count; i++) {
    if (!follows_model(self, dlf__contract_clause(self, i))) {
      put_parameter(text, self, i);
    }
  }
  DLF__EACH_CLAUSE (c, self) {
    if (follows_model(self, c)) {
      put_parameter(text, self, c->parameter);
    }
  }
}

static void put_letters(dlf__text *text, const dlf_contract *self, int32_t parameter) {
  put_next(text, self->names[parameter]);
  for (const char *c = self->letters[parameter]; *c; c++) {
    dlf__put(text, c > self->letters[parameter] ? "|'%c'" : " in '%c'", *c);
  }
}

static void put_status(dlf__text *text, const dlf_contract *self) {
  put_next(text, self->returns_from ? "return: value from" : "return: status");
  if (self->returns_from) {
    dlf__put(text, " %" PRId64, self->ok);
  } else if (self->ok_word) {
    dlf__put(text, " ok %s", self->ok_word);
  } else {
    dlf__put(text, " ok %" PRId64, self->ok);
  }
  if (self->info) {
    dlf__put(text, " info");
  }
  if (self->status_text) {
    dlf__put(text, " text %s", self->status_text);
  }
  if (self->status_message) {
    dlf__put(text, " text \"%s\"", self->status_message);
  }
}

static void put_contract(dlf__text *text, const dlf_contract *self, const void *item) {
  (void)item;
  put_parameters(text, self);
  DLF__EACH_LIMIT (limit, self) {
    put_next(text, self->symbols[limit->symbol].name);
    if (limit->place < 0) {
      dlf__put(text, " := result");
    } else {
      dlf__put(text, " := *%s", self->names[limit->place]);
    }
  }
  DLF__EACH_CONSTRAINT (c, self) {
    put_next(text, c->text);
  }
  DLF__EACH (const dlf__constraint, c, self->afterwards, self->afterward_count) {
    put_next(text, c->text);
  }
  for (int32_t i = 0; i < self->parameter_count; i++) {
    if (self->letters[i]) {
      put_letters(text, self, i);
    }
  }
  DLF__EACH_DEFAULT (d, self) {
    const char *quote = "";
    if (d->kind == DLF__DEFAULT_STRING) {
      quote = "\"";
    }
    put_next(text, self->names[d->parameter]);
    dlf__put(text, " = %s%s%s", quote, d->text, quote);
  }
  if (self->threadsafe) {
    put_next(text, "threadsafe");
  }
  if (self->slow) {
    put_next(text, "slow");
  }
  if (self->fast) {
    put_next(text, "fast");
  }
  if (self->returns_status || self->returns_from) {
    put_status(text, self);
  }
  if (self->returns_opt) {
    put_next(text, "return: opt");
  }
}

typedef void put_function(dlf__text *text, const dlf_contract *self, const void *item);

/* Measure, allocate, write. */
static bool make_text(dlf_contract *self, put_function *put, const void *item, char **out) {
  dlf__text text = dlf__text_in(NULL, 0);
  put(&text, self, item);
  const int64_t size = text.length + 1;
  char *made = dlf__contract_alloc(self, (size_t)size, 1);
  if (!made) {
    return false;
  }
  text = dlf__text_in(made, size);
  put(&text, self, item); /* which may read *out */
  *out = made;
  return true;
}

dlf_status dlf__contract_make_texts(dlf_contract *self, dlf_error *error) {
  bool made = true;
  DLF__EACH (dlf__clause, c, self->clauses, self->clause_count) {
    made &= make_text(self, put_clause, c, &c->text);
  }
  DLF__EACH (dlf__array, a, self->arrays, self->array_count) {
    made &= make_text(self, put_array, a, &a->text);
  }
  DLF__EACH (dlf__derived, d, self->derived, self->derived_count) {
    made &= make_text(self, put_derived, d, &d->text);
  }
  DLF__EACH (dlf__hook, hook, self->hooks, self->hook_count) {
    DLF__EACH (dlf__derived, d, hook->sources, hook->source_count) {
      made &= make_text(self, put_derived, d, &d->text);
    }
  }
  if (made && make_text(self, put_contract, NULL, &self->text)) {
    return DLF_OK;
  }
  return dlf__fail(error, DLF_NO_MEMORY, "%s: contract: out of memory", self->function);
}

int64_t dlf_contract_format(const dlf_contract *self, int32_t which, char *buffer,
                            int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  const char *said = NULL;
  if (self && which == -1) {
    said = self->text;
  } else if (self) {
    said = text_of(self, which);
  }
  if (said) {
    dlf__put(&text, "%s", said);
  }
  return text.length;
}
