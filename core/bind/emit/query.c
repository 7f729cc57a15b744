/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the IR that the twins, the tests and the languages ask. */
#include "query.h"
#include "contract/contract.h"
#include "declare.h"
#include <string.h>

const bind_function *bind_next_function(const bind_ir *ir, const bind_function *f) {
  for (int i = f ? (int)(f - ir->functions) + 1 : 0; i < ir->function_count; i++) {
    if (!ir->functions[i].unbound && !ir->functions[i].family) {
      return &ir->functions[i];
    }
  }
  return NULL;
}

const bind_function *bind_next_at(const bind_handle *h, const bind_function *f) {
  if (f) {
    f = f->next;
  } else {
    f = h->first;
  }
  while (f && f->unbound) {
    f = f->next;
  }
  return f;
}

int bind_c_index(const bind_function *f, const bind_param *p) {
  int i = 0;
  while (i < f->c_param_count && f->c_params[i].param != p) {
    i++;
  }
  return i;
}

const bind_spread *bind_spread_of(const bind_function *f, const bind_c_param *c,
                                  const bind_spread_field **field) {
  const char *name = c->name; /* C's, also where the twins have their own */
  if (bind_begins(name, BIND_OWN_NAME)) {
    name += sizeof BIND_OWN_NAME - 1;
  }
  BIND_EACH (const bind_spread, spread, f->spreads, f->spread_count) {
    BIND_EACH (const bind_spread_field, of, spread->fields, spread->count) {
      if (strcmp(of->name, name) == 0) {
        *field = of;
        return spread;
      }
    }
  }
  return NULL;
}

const dlf__clause *bind_clause_of(const bind_function *f, const bind_param *p) {
  return dlf__contract_clause(f->compiled, bind_c_index(f, p));
}

int bind_first_of(const bind_enum *e, int i) {
  int first = 0;
  while (e->values[first].value != e->values[i].value) {
    first++;
  }
  return first;
}

const bind_param *bind_first_made(const bind_function *f) {
  const bind_param *p = f->params;
  while (!p->made) {
    p++;
  }
  return p;
}

bool bind_is_passed(const bind_param *p, bool make) {
  return !(make && p->made) && bind_is_read(p) && p->type.kind != BIND_STREAM;
}

bool bind_is_result(const bind_param *p, bool make) {
  if (make) {
    return p->made || (p->returned && !p->counts);
  }
  return p->returned;
}

bool bind_is_optional_value(const bind_param *p) {
  return p->optional && p->type.kind != BIND_TENSOR && !p->returned;
}

bool bind_is_given_text(const bind_param *p) {
  return p->text && p->returned;
}

const char *bind_free_text(const bind_ir *ir) {
  BIND_EACH_FUNCTION (f, ir) {
    BIND_EACH_PARAM (p, f) {
      if (bind_is_given_text(p)) {
        return p->text->release;
      }
    }
  }
  return NULL;
}

bool bind_is_option(const bind_param *p) {
  return p->def.kind != BIND_NO_DEFAULT || p->type.kind == BIND_STREAM ||
         (bind_is_optional_value(p) && p->type.kind != BIND_HANDLE);
}

const char *bind_options_name(const bind_function *f) {
  return bind_string("%sOptions", bind_pascal(f->short_name));
}

int bind_count_results(const bind_function *f, bool make) {
  int count = f->returns == BIND_RETURN_VALUE;
  BIND_EACH_PARAM (p, f) {
    count += bind_is_result(p, make);
  }
  return count;
}

int bind_place_of_handle(const bind_function *f, bool make) {
  if (f->result.handle == f->creates) {
    return 0;
  }
  int place = f->returns == BIND_RETURN_VALUE;
  BIND_EACH_PARAM (p, f) {
    if (p->returned && p->type.handle == f->creates) {
      break;
    }
    place += bind_is_result(p, make);
  }
  return place;
}

bool bind_is_getter(const bind_function *f) {
  return f->property && !f->sets;
}

const bind_type *bind_property_type(const bind_function *getter) {
  if (getter->returns == BIND_RETURN_VALUE) {
    return &getter->result;
  }
  return &getter->params[1].type;
}

const char *bind_cast_handle(const bind_handle *h) {
  return bind_when(h->is_integer, bind_string("(%s)(uintptr_t)", h->type));
}

const char *bind_c_names(const bind_function *f, const char *between) {
  const char *all = "";
  for (int i = 0; i < f->member_count; i++) {
    all = bind_join(all, between, f->members[i].function->name);
  }
  if (f->member_count) {
    return all;
  }
  return f->name;
}

const char *bind_summary(const bind_function *f, const char *quote) {
  const char *all = "";
  if (*f->summary) {
    return f->summary;
  }
  for (int i = 0; i < f->member_count; i++) {
    const char *between = ", ";
    if (i == 0) {
      between = "";
    } else if (i + 1 == f->member_count) {
      between = " or ";
    }
    all = bind_string("%s%s%s%s%s", all, between, quote, f->members[i].function->name, quote);
  }
  if (f->member_count) {
    return bind_string("Call %s, by the dtype of %s.", all, f->dispatch->name);
  }
  return bind_string("Call %s%s%s.", quote, f->name, quote);
}

const char *bind_derived_words(const bind_function *f) {
  const char *verb = "follows";
  if (strchr(f->derived_words, ',')) {
    verb = "follow";
  }
  const char *words = "";
  if (*f->derived_words) {
    words = bind_string("; %s %s from the other arguments", f->derived_words, verb);
  }
  if (f->owner) {
    words = bind_string("%s; C frees the %s with %s", words, f->creates->short_name, f->owner);
  } else if (f->borrows) {
    words = bind_string("%s; C never frees the %s", words, f->creates->short_name);
  }
  if (f->lock) {
    words = bind_string("%s; calls with the lock %s run one at a time", words, f->lock);
  }
  return words;
}

const char *bind_deprecation(const bind_function *f) {
  if (!f->deprecated) {
    return "";
  }
  if (*f->deprecated) {
    return bind_string("Deprecated: %s", f->deprecated);
  }
  return "Deprecated.";
}

bool bind_is_const(const bind_type *type) {
  return bind_begins(type->c, "const ");
}

const char *bind_use_mode(const bind_function *f, const bind_param *p) {
  if (f->threadsafe) {
    return "DLF_USE_UNLOCKED";
  }
  if (bind_is_const(&p->type)) {
    return "DLF_USE_SHARED";
  }
  return "DLF_USE_EXCLUSIVE";
}

const bind_param *bind_first_tensor(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if ((p->type.kind == BIND_TENSOR && !p->made) || p->type.kind == BIND_LIST) {
      return p;
    }
  }
  return NULL;
}

bool bind_any_kind(const bind_ir *ir, bind_kind kind) {
  BIND_EACH_STRUCT(s, ir) {
    BIND_EACH (const bind_param, field, s->fields, s->field_count) {
      if (field->type.kind == kind) {
        return true;
      }
    }
  }
  BIND_EACH_FUNCTION (f, ir) {
    if (f->returns == BIND_RETURN_VALUE && f->result.kind == kind) {
      return true;
    }
    BIND_EACH_C_PARAM (c, f) {
      if (c->type.kind == kind) {
        return true;
      }
    }
  }
  return false;
}

bool bind_has_kind(const bind_function *f, bind_kind kind) {
  BIND_EACH_PARAM (p, f) {
    if (p->type.kind == kind) {
      return true;
    }
  }
  return false;
}

bool bind_takes_kind(const bind_ir *ir, bind_kind kind) {
  BIND_EACH_FUNCTION (f, ir) {
    if (bind_has_kind(f, kind)) {
      return true;
    }
  }
  return false;
}

bool bind_takes_optional_value(const bind_ir *ir) {
  BIND_EACH_FUNCTION (f, ir) {
    BIND_EACH_PARAM (p, f) {
      if (bind_is_optional_value(p) && p->type.kind != BIND_HANDLE) {
        return true;
      }
    }
  }
  return false;
}

/* Return the input whose memory an output may share, or NULL. */
static const bind_param *query_model(const bind_function *f, const bind_param *out) {
  if (out->type.kind != BIND_TENSOR || out->direction != BIND_OUT || out->optional ||
      !*out->contract || strstr(out->contract, " noalias")) {
    return NULL;
  }
  BIND_EACH_PARAM (p, f) {
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_IN || p->optional) {
      continue;
    }
    const char *like = bind_string("like %s", p->name);
    const size_t size = strlen(like);
    const bool alike =
        !strncmp(out->contract, like, size) && (out->contract[size] == ' ' || !out->contract[size]);
    if (alike || !strcmp(out->contract, p->contract)) {
      if (strstr(p->contract, " noalias")) {
        return NULL;
      }
      return p;
    }
  }
  return NULL;
}

const bind_param *bind_inplace_output(const bind_function *f) {
  const bind_param *found = NULL;
  BIND_EACH_PARAM (p, f) {
    if (!query_model(f, p)) {
      continue;
    }
    if (found) {
      return NULL;
    }
    found = p;
  }
  return found;
}

const bind_param *bind_inplace_model(const bind_function *f) {
  const bind_param *out = bind_inplace_output(f);
  if (out) {
    return query_model(f, out);
  }
  return NULL;
}
