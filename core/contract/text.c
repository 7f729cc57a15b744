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

static void put_clause(dlf__text *text, const dlf_contract *self, const dlf__clause *c) {
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

static void put_derived(dlf__text *text, const dlf_contract *self, const dlf__derived *d) {
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

static void put_array(dlf__text *text, const dlf_contract *self, const dlf__array *a) {
  put_dtypes(text, &a->dtype, 1);
  dlf__put(text, " *%s", self->symbols[a->symbol].name);
}

/* "out", "opt f64" */
static void put_one(dlf__text *text, const dlf_contract *self, int32_t parameter) {
  const char *words[4] = {NULL, NULL, NULL, self->ones[parameter]};
  if (self->outs[parameter]) {
    words[0] = "out";
  }
  if (self->inouts[parameter]) {
    words[1] = "inout";
  }
  if (self->opts[parameter]) {
    words[2] = "opt";
  }
  const char *between = "";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!words[i]) {
      continue;
    }
    dlf__put(text, "%s%s", between, words[i]);
    between = " ";
  }
}

static void put_letters(dlf__text *text, const char *letters) {
  for (const char *c = letters; *c; c++) {
    dlf__put(text, c > letters ? "|'%c'" : "'%c'", *c);
  }
}

static void put_status(dlf__text *text, const dlf_contract *self) {
  dlf__put(text, "return: status");
  if (self->ok_word) {
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

static void put_contract(dlf__text *text, const dlf_contract *self) {
  const char *between = "";
  for (int32_t i = 0; i < self->parameter_count; i++) {
    const dlf__clause *c = dlf__contract_clause(self, i);
    const dlf__array *a = dlf__contract_array(self, i);
    const dlf__derived *d = dlf__contract_derived(self, i);
    const bool one = self->outs[i] || self->inouts[i] || self->opts[i] || self->ones[i];
    if (!a && !d && !one && (!c || c->implicit)) {
      continue;
    }
    dlf__put(text, "%s%s%s ", between, self->names[i], d ? " :=" : ":");
    if (d) {
      put_derived(text, self, d);
    } else if (one) {
      put_one(text, self, i);
    } else if (a) {
      put_array(text, self, a);
    } else if (c) {
      put_clause(text, self, c);
    }
    between = "; ";
  }
  for (int32_t i = 0; i < self->limit_count; i++, between = "; ") {
    const dlf__limit *limit = &self->limits[i];
    dlf__put(text,
             "%s%s := %s%s",
             between,
             self->symbols[limit->symbol].name,
             limit->place < 0 ? "result" : "*",
             limit->place < 0 ? "" : self->names[limit->place]);
  }
  for (int32_t i = 0; i < self->constraint_count; i++, between = "; ") {
    dlf__put(text, "%s%s", between, self->constraints[i].text);
  }
  for (int32_t i = 0; i < self->afterward_count; i++, between = "; ") {
    dlf__put(text, "%s%s", between, self->afterwards[i].text);
  }
  for (int32_t i = 0; i < self->parameter_count; i++) {
    if (!self->letters[i]) {
      continue;
    }
    dlf__put(text, "%s%s in ", between, self->names[i]);
    put_letters(text, self->letters[i]);
    between = "; ";
  }
  for (int32_t i = 0; i < self->default_count; i++, between = "; ") {
    const char *quote = "";
    if (self->defaults[i].kind == DLF__DEFAULT_STRING) {
      quote = "\"";
    }
    dlf__put(text,
             "%s%s = %s%s%s",
             between,
             self->names[self->defaults[i].parameter],
             quote,
             self->defaults[i].text,
             quote);
  }
  const char *words[3] = {NULL, NULL, NULL};
  if (self->threadsafe) {
    words[0] = "threadsafe";
  }
  if (self->slow) {
    words[1] = "slow";
  }
  if (self->fast) {
    words[2] = "fast";
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!words[i]) {
      continue;
    }
    dlf__put(text, "%s%s", between, words[i]);
    between = "; ";
  }
  if (!self->returns_status && !self->returns_opt) {
    return;
  }
  dlf__put(text, "%s", between);
  if (self->returns_status) {
    put_status(text, self);
  } else {
    dlf__put(text, "return: opt");
  }
}

/* Measure, allocate, write: a clause, an array or what derives an argument, or the whole for NULL.
 */
static char *make_text(dlf_contract *self, const dlf__clause *c, const dlf__array *a,
                       const dlf__derived *d) {
  char *out = NULL;
  for (int64_t size = 0;;) {
    dlf__text text = dlf__text_in(out, size);
    if (c) {
      put_clause(&text, self, c);
    } else if (a) {
      put_array(&text, self, a);
    } else if (d) {
      put_derived(&text, self, d);
    } else {
      put_contract(&text, self);
    }
    if (out) {
      return out;
    }
    size = text.length + 1;
    out = dlf__contract_alloc(self, (size_t)size, 1);
    if (!out) {
      return NULL;
    }
  }
}

dlf_status dlf__contract_make_texts(dlf_contract *self, dlf_error *error) {
  bool made = (self->text = make_text(self, NULL, NULL, NULL)) != NULL;
  for (int32_t i = 0; i < self->clause_count && made; i++) {
    made = (self->clauses[i].text = make_text(self, &self->clauses[i], NULL, NULL)) != NULL;
  }
  for (int32_t i = 0; i < self->array_count && made; i++) {
    made = (self->arrays[i].text = make_text(self, NULL, &self->arrays[i], NULL)) != NULL;
  }
  for (int32_t i = 0; i < self->derived_count && made; i++) {
    made = (self->derived[i].text = make_text(self, NULL, NULL, &self->derived[i])) != NULL;
  }
  DLF__EACH (dlf__hook, hook, self->hooks, self->hook_count) {
    for (int32_t k = 0; k < hook->source_count && made; k++) {
      made = (hook->sources[k].text = make_text(self, NULL, NULL, &hook->sources[k])) != NULL;
    }
  }
  if (made) {
    return DLF_OK;
  }
  return dlf__fail(error, DLF_NO_MEMORY, "%s: contract: out of memory", self->function);
}

int64_t dlf_contract_format(const dlf_contract *self, int32_t which, char *buffer,
                            int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  if (!self) {
    return text.length;
  }
  const dlf__clause *c = dlf__contract_clause(self, which);
  const dlf__array *a = dlf__contract_array(self, which);
  if (which == -1 || c || a) {
    const char *said = self->text;
    if (c) {
      said = c->text;
    } else if (a) {
      said = a->text;
    }
    dlf__put(&text, "%s", said);
  }
  return text.length;
}
