/* SPDX-License-Identifier: Apache-2.0 */
/* Extents that C knows: hooks, which compute one before the call, and limits of outputs, which the
 * call cuts to the number that C reports. */
#include "hub/internal.h"
#include "reader.h"

#include <string.h>

/* ---- hooks ---- */

/* An argument may be what another hook finds, which runs before. */
static bool read_hook_source(contract_reader *r, dlf__derived *out) {
  const bool in_hook = r->in_hook;
  r->in_hook = true;
  const bool done = dlf__read_source(r, -1, out);
  r->in_hook = in_hook;
  return done;
}

static bool read_hook_sources(contract_reader *r, dlf__hook *hook) {
  enum { MOST = 16 };
  hook->named = true;
  hook->sources = dlf__keep(r, MOST, sizeof *hook->sources);
  if (!hook->sources) {
    return false;
  }
  if (dlf__takes_mark(r, ")")) {
    return true;
  }
  do {
    if (hook->source_count == MOST) {
      return dlf__wants(r, "expected at most 16 arguments");
    }
    if (!read_hook_source(r, &hook->sources[hook->source_count])) {
      return false;
    }
    hook->source_count++;
  } while (dlf__takes_mark(r, ","));
  return dlf__takes_mark(r, ")") || dlf__wants(r, "expected `,` or `)`");
}

/* "2]": which element of an array. */
static bool read_element(contract_reader *r) {
  const size_t size = strspn(dlf__skip_blanks(r), "0123456789");
  r->at += size;
  return (size && dlf__takes_mark(r, "]")) || dlf__wants(r, "expected a number and `]`");
}

/* "nv", "opt.size", "ne[2]": names from a struct to one of its numbers. */
static bool read_path(contract_reader *r) {
  do {
    const size_t size = dlf__word_here(r);
    if (!size) {
      return dlf__wants(r, "expected the name of a field");
    }
    r->at += size;
    if (dlf__takes_mark(r, "[") && !read_element(r)) {
      return false;
    }
  } while (dlf__takes_mark(r, "."));
  return true;
}

/* A field of the object whose name is `function` so far. */
static bool read_hook_field(contract_reader *r, dlf__hook *hook, const char *object) {
  const char *start = dlf__skip_blanks(r);
  if (!read_path(r)) {
    return false;
  }
  hook->sources = dlf__keep(r, 1, sizeof *hook->sources);
  hook->field = dlf__source_text(r, start);
  if (r->status) {
    return false;
  }
  hook->source_count = 1;
  hook->sources[0] = (dlf__derived){
      .parameter = -1,
      .source = DLF__SOURCE_PARAMETER,
      .node = -1,
      .tensor = dlf__parameter_named(r->self, hook->function, strlen(hook->function)),
      .axis = -1,
      .word = hook->function,
      .text = hook->function};
  hook->function = dlf__source_text(r, object);
  return !r->status;
}

/* "info.size": a field of the struct that a function fills. */
static bool read_hook_part(contract_reader *r, dlf__hook *hook) {
  const char *start = dlf__skip_blanks(r);
  r->at += dlf__word_here(r);
  if (!dlf__takes_mark(r, ".")) {
    r->at = start;
    return dlf__wants(r, "expected `*` and the name of a parameter");
  }
  if (!read_path(r)) {
    return false;
  }
  hook->place = dlf__source_text(r, start);
  return !r->status;
}

/* "*d" or "info.size" behind a function's arrow, or a field behind an object's. */
static bool read_hook_place(contract_reader *r, dlf__hook *hook, const char *name) {
  const size_t size = strlen(hook->function);
  if (!dlf__takes_mark(r, "*")) {
    if (!hook->named && dlf__parameter_named(r->self, hook->function, size) >= 0) {
      return read_hook_field(r, hook, name);
    }
    return read_hook_part(r, hook);
  }
  const size_t place = dlf__word_here(r);
  if (!place) {
    return dlf__wants(r, "expected the name of a parameter");
  }
  hook->place = dlf__keep_text(r, r->at, place);
  r->at += place;
  return !r->status;
}

/* hook(f), hook(f(x, n) -> *d), hook(f(x) -> info.size), hook(object->field): a known one keeps its
 * number. */
bool dlf__read_hook(contract_reader *r, int32_t *out) {
  dlf_contract *self = r->self;
  dlf__hook hook = {0};
  const char *start = dlf__skip_blanks(r);
  (void)dlf__takes_word(r, "hook");
  if (!dlf__takes_mark(r, "(")) {
    return dlf__wants(r, "expected `(`");
  }
  const size_t size = dlf__word_here(r);
  if (!size) {
    return dlf__wants(r, "expected the name of a function");
  }
  const char *name = r->at;
  hook.function = dlf__keep_text(r, name, size);
  r->at += size;
  if (dlf__takes_mark(r, "(") && !read_hook_sources(r, &hook)) {
    return false;
  }
  if (r->status || (dlf__takes_mark(r, "->") && !read_hook_place(r, &hook, name))) {
    return false;
  }
  if (!dlf__takes_mark(r, ")")) {
    return dlf__wants(r, "expected `)`");
  }
  hook.text = dlf__source_text(r, start);
  if (r->status) {
    return false;
  }
  *out = 0;
  while (*out < self->hook_count && strcmp(self->hooks[*out].text, hook.text) != 0) {
    ++*out;
  }
  if (*out == DLF_MAX_HOOKS) {
    return dlf__wants(r, "expected at most 16 hooks");
  }
  if (*out == self->hook_count) {
    self->hooks[self->hook_count++] = hook;
  }
  return true;
}

/* ---- limits ---- */

static dlf__limit *limit_named(contract_reader *r, int32_t symbol) {
  dlf_contract *self = r->self;
  DLF__EACH (dlf__limit, limit, self->limits, self->limit_count) {
    if (limit->symbol == symbol) {
      return limit;
    }
  }
  self->limited |= UINT64_C(1) << symbol;
  self->limits[self->limit_count] =
      (dlf__limit){.symbol = symbol, .node = -1, .hook = -1, .place = -1};
  return &self->limits[self->limit_count++];
}

/* After "m <=" in the extents of an output. */
bool dlf__read_limit(contract_reader *r, int32_t symbol) {
  if (r->self->symbols[symbol].parameter >= 0) {
    return dlf__wants(r, "expected a name before `<=` that no parameter has");
  }
  dlf__limit *limit = limit_named(r, symbol);
  if (limit->node >= 0 || limit->hook >= 0 || limit->open) {
    return dlf__wants(r, "expected one limit for each name");
  }
  const size_t size = dlf__word_here(r);
  if (dlf__word_is(r->at, size, "_")) {
    r->at += size;
    return limit->open = true;
  }
  if (dlf__word_is(r->at, size, "hook")) {
    return dlf__read_hook(r, &limit->hook);
  }
  limit->node = dlf__read_sum(r);
  return !r->status;
}

/* "result" or "*written", after "m :=". */
bool dlf__read_count(contract_reader *r, const char *name, size_t size) {
  dlf_contract *self = r->self;
  const int32_t symbol = dlf__symbol_named(r, name, size);
  if (symbol < 0) {
    return false;
  }
  dlf__limit *limit = limit_named(r, symbol);
  if (limit->counted) {
    return dlf__wants(r, "expected one clause for each number");
  }
  limit->counted = true;
  if (dlf__takes_word(r, "result")) {
    return true;
  }
  if (!dlf__takes_mark(r, "*")) {
    return dlf__wants(r, "expected `result`, or `*` and the name of a parameter");
  }
  const size_t length = dlf__word_here(r);
  const int32_t place = dlf__parameter_named(self, r->at, length);
  if (place < 0 || self->kinds[place] != DLF_PARAMETER_OTHER) {
    return dlf__wants(r, "expected the name of a parameter that points to an integer");
  }
  if (dlf__contract_counted(self, place)) {
    return dlf__wants(r, "expected a parameter that counts nothing else");
  }
  limit->place = place;
  r->at += length;
  return true;
}

/* ---- proofs ---- */

/* Only outputs have such an extent, alone, since nothing else knows it before the call. */
static const char *why_no_limit(const dlf_contract *self, const dlf__limit *limit) {
  const uint64_t bit = UINT64_C(1) << limit->symbol;
  if (limit->node < 0 && limit->hook < 0 && !limit->open) {
    return "expected an output with this extent and `<=`";
  }
  if (!limit->counted) {
    return "expected a clause that tells how many there are: `:= result`, or `:= *` and a "
           "parameter";
  }
  if (limit->node >= 0 && dlf__contract_names(self, limit->node) & self->limited) {
    return "expected a limit that is known before the call";
  }
  DLF__EACH_CLAUSE (c, self) {
    for (int32_t k = 0; k < c->axis_count && c->like < 0; k++) {
      const dlf__axis *axis = &c->axes[k];
      if (axis->node < 0 || !(dlf__contract_names(self, axis->node) & bit)) {
        continue;
      }
      if (axis->kind != DLF__AXIS_SYMBOL) {
        return "the number that C reports stands alone in an extent";
      }
      if (!dlf__is_output(c) || c->opt) {
        return "the number that C reports is an extent of outputs alone";
      }
    }
  }
  return NULL;
}

static bool tells(const dlf_contract *self, const dlf__derived *d, int32_t symbol) {
  const dlf__clause *of = NULL;
  if (d->source == DLF__SOURCE_BYTES) {
    of = dlf__contract_clause(self, d->tensor);
  }
  for (int32_t k = 0; of && k < of->axis_count; k++) {
    if (of->axes[k].kind == DLF__AXIS_SYMBOL && of->axes[k].symbol == symbol) {
      return true;
    }
  }
  return d->source == DLF__SOURCE_EXPRESSION && dlf__contract_names(self, d->node) >> symbol & 1;
}

dlf_status dlf__prove_limits(dlf_contract *self, dlf_error *error) {
  int32_t results = 0;
  DLF__EACH (dlf__limit, limit, self->limits, self->limit_count) {
    const char *why = why_no_limit(self, limit);
    results += limit->place < 0;
    if (!why && limit->place >= 0 &&
        (self->outs[limit->place] || self->inouts[limit->place] ||
         dlf__contract_derived(self, limit->place))) {
      why = "expected a parameter without another clause";
    }
    if (!why && limit->place < 0 && (self->returns_status || results > 1)) {
      why = "the result is a status, or counts something else";
    }
    if (why) {
      return dlf__contract_refuse(self, self->symbols[limit->symbol].name, why, error);
    }
    DLF__EACH_DERIVED (d, self) {
      limit->told |= tells(self, d, limit->symbol);
    }
    if (limit->open && !limit->told && limit->place < 0) {
      return dlf__contract_refuse(
          self,
          self->symbols[limit->symbol].name,
          "expected a parameter that tells C the extent, such as `size := m`",
          error);
    }
    limit->told |= limit->open;
  }
  DLF__EACH_DEFAULT (usual, self) {
    if (dlf__contract_counted(self, usual->parameter)) {
      return dlf__contract_refuse(
          self, self->names[usual->parameter], "a number that C reports has no default", error);
    }
  }
  return DLF_OK;
}

/* Move the constraints on what C reports to the end, into a list of their own. */
dlf_status dlf__part_constraints(dlf_contract *self, dlf_error *error) {
  int32_t before = self->constraint_count;
  for (int32_t i = 0; i < before;) {
    const dlf__constraint moved = self->constraints[i];
    if (!(moved.needs & self->limited)) {
      i++;
      continue;
    }
    if (moved.real) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "%s: contract: `%s`: a number that C reports is compared with integers",
                       self->function,
                       moved.text);
    }
    for (int32_t k = i; k + 1 < self->constraint_count; k++) {
      self->constraints[k] = self->constraints[k + 1];
    }
    self->constraints[self->constraint_count - 1] = moved;
    before--;
  }
  self->afterwards = self->constraints + before;
  self->afterward_count = self->constraint_count - before;
  self->constraint_count = before;
  return DLF_OK;
}
