/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a function for its contract. */
#include "parameters.h"
#include "bind/base/text.h"
#include <stdlib.h>
#include <string.h>

static bool parameters_hook_reads(const dlf_contract *c, const dlf__hook *hook, const char *name);

/* Tell whether one of these symbols has the name, or is a hook to which it is passed. */
static bool parameters_name(const dlf_contract *c, uint64_t symbols, const char *name) {
  for (int32_t i = 0; i < c->symbol_count; i++) {
    const dlf__symbol *symbol = &c->symbols[i];
    if (!(symbols >> i & 1)) {
      continue;
    }
    if (symbol->hook >= 0 && parameters_hook_reads(c, &c->hooks[symbol->hook], name)) {
      return true;
    }
    if (strcmp(symbol->name, name) == 0) {
      return true;
    }
  }
  return false;
}

static bool parameters_hook_reads(const dlf_contract *c, const dlf__hook *hook, const char *name) {
  BIND_EACH (const dlf__derived, d, hook->sources, hook->source_count) {
    const bool passed = d->word && strcmp(d->word, name) == 0;
    const bool tensor = d->tensor >= 0 && strcmp(c->names[d->tensor], name) == 0;
    if (passed || tensor) {
      return true;
    }
    if (d->node >= 0 && parameters_name(c, dlf__contract_names(c, d->node), name)) {
      return true;
    }
  }
  return false;
}

bool bind_is_limited(const bind_param *p, const dlf_contract *c,
                     const dlf__constraint *constraint) {
  return p->type.kind != BIND_TENSOR && constraint->kind != DLF__TYPE_IN &&
         parameters_name(c, constraint->needs, p->name);
}

static dlf_parameter_kind parameters_integer_kind(bind_scalar scalar) {
  if (scalar == BIND_U64) {
    return DLF_PARAMETER_UNSIGNED;
  }
  return DLF_PARAMETER_INTEGER;
}

/* Return the kind of a parameter in the contract. */
static dlf_parameter_kind parameters_kind(const bind_param *p) {
  if (p->type.kind == BIND_GIVEN) {
    return DLF_PARAMETER_GIVEN;
  }
  if ((p->text && !bind_is_text_list(p)) || (p->optional && p->type.kind != BIND_TENSOR)) {
    return DLF_PARAMETER_OTHER; /* it may have no value to check */
  }
  if (p->is_gift_extent && p->type.kind == BIND_INTEGER) {
    return parameters_integer_kind(p->type.scalar); /* the contract reads it after the call */
  }
  if (!bind_is_read(p)) {
    return DLF_PARAMETER_OTHER;
  }
  switch (p->type.kind) {
  case BIND_TENSOR:
    if (p->direction == BIND_IN) {
      return DLF_PARAMETER_INPUT;
    }
    return DLF_PARAMETER_OUTPUT;
  case BIND_LIST:
    return DLF_PARAMETER_LIST;
  case BIND_ARRAY:
    return DLF_PARAMETER_ARRAY;
  case BIND_INTEGER:
    return parameters_integer_kind(p->type.scalar);
  case BIND_REAL:
    return DLF_PARAMETER_REAL;
  default:
    return DLF_PARAMETER_OTHER;
  }
}

bind_param *bind_find_param(const bind_function *f, const char *name) {
  BIND_EACH (bind_param, p, f->params, f->param_count) {
    if (strcmp(p->name, name) == 0) {
      return p;
    }
  }
  return NULL;
}

bool bind_is_integer(const bind_param *p) {
  return p->type.kind == BIND_INTEGER && !p->returned;
}

const bind_param *bind_integer_beside(const bind_function *f, const bind_param *p, int distance) {
  const int place = (int)(p - f->params) + distance;
  if (place < 0 || place >= f->param_count || !bind_is_integer(&f->params[place])) {
    return NULL;
  }
  return &f->params[place];
}

static dlf_parameter_kind parameters_kind_in_c(const bind_c_param *p) {
  if (p->param) {
    return parameters_kind(p->param);
  }
  if (p->counts || p->text) {
    return DLF_PARAMETER_OTHER;
  }
  if (p->derived && p->type.kind == BIND_REAL) {
    return DLF_PARAMETER_REAL;
  }
  if (!p->count_of && p->type.kind != BIND_INTEGER) {
    return DLF_PARAMETER_OTHER;
  }
  return parameters_integer_kind(p->type.scalar);
}

const dlf_parameter *bind_contract_parameters(const bind_function *f) {
  dlf_parameter *parameters = bind_items(f->c_param_count, sizeof *parameters);
  for (int i = 0; i < f->c_param_count; i++) {
    parameters[i].name = f->c_params[i].name;
    parameters[i].kind = (int32_t)parameters_kind_in_c(&f->c_params[i]);
  }
  return parameters;
}

static void parameters_release(void *contract) {
  dlf_contract_free(contract);
}

bool bind_try_contract(bind_function *f, const char *text, dlf_error *error) {
  dlf_contract *contract = NULL;
  if (dlf_contract_compile(text,
                           f->short_name,
                           bind_contract_parameters(f),
                           f->c_param_count,
                           sizeof(dlf_parameter),
                           &contract,
                           error)) {
    return false;
  }
  bind_own(contract, parameters_release);
  f->compiled = contract;
  f->contract = contract->text;
  return true;
}

void bind_compile_contract(bind_function *f) {
  if (!bind_try_contract(f, f->contract, NULL)) {
    bind_error("out of memory"); /* its text comes from a compiled contract */
    exit(2);
  }
}
