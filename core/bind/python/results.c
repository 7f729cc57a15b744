/* SPDX-License-Identifier: Apache-2.0 */
/* The results of calls. Several are a named tuple, whose class the module defines:
 *
 *   class RangeResult(NamedTuple):
 *       low: float
 *       high: float */
#include "results.h"
#include "bind/base/names.h"
#include "bind/base/template.h"
#include "bind/emit/query.h"
#include "bind/emit/slots.h"
#include "python.h"
#include <string.h>

/* Tell whether a result is always the array that the caller gave. */
static bool results_is_given_back(const bind_param *p) {
  return p->type.kind == BIND_TENSOR && p->direction == BIND_OUT && !p->optional && !p->made;
}

bool python_is_array(const bind_param *p) {
  return p->made || p->type.kind == BIND_GIVEN || p->type.kind == BIND_TENSOR;
}

bool python_counts(const bind_function *f) {
  bool counts = false;
  bool makes = false;
  BIND_EACH_PARAM (p, f) {
    counts |= p->counts;
    makes |= p->made;
  }
  return counts && makes;
}

static bool results_has(const bind_function *f, bool make, const bind_param *p) {
  const bool cut = python_counts(f);
  if (cut && !make) {
    return p->returned;
  }
  if (cut && p->counts) {
    return false;
  }
  if (bind_count_results(f, true) > 0 || bind_count_results(f, false) > 0) {
    return p->returned || p->made;
  }
  return results_is_given_back(p);
}

bind_param python_value(const bind_function *f) {
  bind_param value = bind_value_param(f);
  value.name = "";
  return value;
}

const bind_param *python_next_result(const bind_function *f, bool make, const bind_param *value,
                                     const bind_param *before) {
  int i = 0;
  if (!before && f->returns == BIND_RETURN_VALUE) {
    return value;
  }
  if (before && before != value) {
    i = (int)(before - f->params) + 1;
  }
  while (i < f->param_count && !results_has(f, make, &f->params[i])) {
    i++;
  }
  if (i < f->param_count) {
    return &f->params[i];
  }
  return NULL;
}

static int results_count(const bind_function *f) {
  int count = 0;
  PYTHON_EACH_RESULT(p, f, true) {
    count++;
  }
  return count;
}

const bind_param *python_only_output(const bind_function *f) {
  const bind_param *only = NULL;
  PYTHON_EACH_RESULT(p, f, true) {
    if (only || !*p->name) {
      return NULL;
    }
    only = p;
  }
  return only;
}

const bind_param *python_sole_output(const bind_function *f) {
  if (bind_count_results(f, true)) {
    return NULL;
  }
  return python_only_output(f);
}

const char *python_results_name(const bind_ir *ir, const bind_function *f) {
  const char *name = bind_string("%sResult", bind_pascal(f->short_name));
  if (results_count(f) < 2) {
    return NULL;
  }
  if (bind_find_place(&ir->types, name) < 0) {
    return name;
  }
  return bind_string("%ss", name);
}

/* No field may begin with '_', and one called "count" would hide a method that every tuple has. */
static const char *results_field(const bind_param *p) {
  const char *name = p->name + strspn(p->name, "_");
  const bool letter = bind_is_lower(*name) || bind_is_upper(*name);
  return bind_escape(python_name(letter ? name : bind_string("field%s", name)), "count index");
}

const char *python_field_name(const bind_function *f, const bind_param *p) {
  const bool is_value = !*p->name;
  const char *name = "value";
  if (!is_value) {
    name = results_field(p);
  }
  PYTHON_EACH_RESULT(output, f, true) {
    if (output == p) {
      break;
    }
    if (!*output->name || strcmp(results_field(output), name) != 0) {
      continue;
    }
    if (is_value) {
      name = "result";
    } else {
      name = bind_string("%s_", name);
    }
  }
  return name;
}

const char *python_one_dtype(const bind_param *p) {
  const char *text = p->contract;
  const char *bracket = strchr(text, '[');
  if (!bracket || memchr(text, '|', (size_t)(bracket - text))) {
    return NULL;
  }
  for (const char *at = text; at < bracket; at++) {
    if (*at == ' ') {
      text = at + 1;
    }
  }
  if (bind_begins(text, "any[")) {
    return NULL;
  }
  return text;
}

/* Count the extents; a run of any number counts as a thousand. */
static int results_axes(const char *clause) {
  const char *at = clause + strcspn(clause, "[");
  at += *at == '[';
  int count = *at != ']';
  for (; *at && *at != ']'; at++) {
    if (*at == ',') {
      count += 1;
    } else if (bind_begins(at, "...")) {
      count += 1000;
    }
  }
  return count;
}

bool python_is_like_first(const bind_function *f, const bind_param *p) {
  const bind_param *first = bind_first_tensor(f);
  if (!first || !(p->made || p->type.kind == BIND_GIVEN)) {
    return false;
  }
  const char *like = bind_string("like %s ", first->name);
  if (strncmp(bind_string("%s ", p->contract), like, strlen(like)) == 0) {
    return true;
  }
  const char *ours = python_one_dtype(p);
  const char *its = python_one_dtype(first);
  if (!ours || !its || strncmp(ours, its, strcspn(its, "[") + 1) != 0) {
    return false;
  }
  return results_axes(ours) == results_axes(its);
}

bool python_results_vary(const bind_function *f) {
  PYTHON_EACH_RESULT(p, f, true) {
    if (python_is_like_first(f, p)) {
      return true;
    }
  }
  return false;
}

bool python_has_results(const bind_ir *ir, bool arrays) {
  BIND_EACH_FUNCTION (f, ir) {
    if (!python_results_name(ir, f)) {
      continue;
    }
    if (!arrays) {
      return true;
    }
    PYTHON_EACH_RESULT(p, f, true) {
      if (python_is_array(p)) {
        return true;
      }
    }
  }
  return false;
}

static const char results_class[] = "class $name($bases):\n"
                                    "    \"\"\"The results of $function.\"\"\"\n"
                                    "\n"
                                    "    $fields\n";

void python_put_results(bind_text *t, const bind_ir *ir, const bind_function *f, bool stub) {
  const char *home = "";
  if (bind_home(f)) {
    home = bind_string("%s.", python_class_name(bind_home(f)));
  }
  const char *bases = python_plain(ir, "NamedTuple");
  bind_text fields = {0};
  PYTHON_EACH_RESULT(p, f, true) {
    const char *any = python_plain(ir, "Any");
    const char *array = any;
    if (stub && python_is_like_first(f, p)) {
      array = "_Like";
    }
    bind_line(&fields,
              "%s: %s",
              python_field_name(f, p),
              python_is_array(p) ? array : python_result_hint(ir, p));
  }
  if (stub && python_results_vary(f)) {
    bases = bind_string("%s, %s[_Like]", bases, python_plain(ir, "Generic"));
  }
  bind_fill(t,
            results_class,
            {"name", python_results_name(ir, f)},
            {"bases", bases},
            {"function", bind_string("%s%s", home, python_function_name(f))},
            {"fields", bind_keep(&fields)});
}
