/* SPDX-License-Identifier: Apache-2.0 */
/* The results of calls. Several are a named tuple, whose class the module defines:
 *
 *   class RangeResult(NamedTuple):
 *       low: float
 *       high: float */
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/base/template.h"
#include "bind/emit/query.h"
#include "python.h"
#include <string.h>

/* Tell whether a result is always the array that the caller gave. */
static bool results_is_given_back(const bind_param *p) {
  return p->type.kind == BIND_TENSOR && p->direction == BIND_OUT && !p->optional && !p->made;
}

bool python_is_array(const bind_param *p) {
  return p && (p->made || p->type.kind == BIND_GIVEN || p->type.kind == BIND_TENSOR);
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

bool python_next_result(const bind_function *f, bool make, int *at, const bind_param **p,
                        const bind_type **type) {
  const bool cut = python_counts(f);
  const bool counted = !make && cut;
  const bool computes = bind_count_results(f, true) > 0 || bind_count_results(f, false) > 0;
  while (*at <= f->param_count) {
    const int i = (*at)++ - 1;
    if (i < 0) {
      *p = NULL;
    } else {
      *p = &f->params[i];
    }
    if (*p) {
      *type = &(*p)->type;
    } else {
      *type = &f->result;
    }
    if (!*p && f->returns == BIND_RETURN_VALUE) {
      return true;
    }
    if (*p && counted && (*p)->returned) {
      return true;
    }
    if (*p && !counted && !(cut && (*p)->counts) &&
        (computes ? (*p)->returned || (*p)->made : results_is_given_back(*p))) {
      return true;
    }
  }
  return false;
}

static int results_count(const bind_function *f) {
  const bind_param *p;
  const bind_type *type;
  int count = 0;
  for (int at = 0; python_next_result(f, true, &at, &p, &type);) {
    count++;
  }
  return count;
}

const bind_param *python_sole_output(const bind_function *f) {
  const bind_param *p = NULL;
  const bind_type *type;
  if (bind_count_results(f, true) || results_count(f) != 1) {
    return NULL;
  }
  python_next_result(f, true, &(int){0}, &p, &type);
  return p;
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
  const bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
  return bind_escape(python_name(letter ? name : bind_string("field%s", name)), "count index");
}

const char *python_field_name(const bind_function *f, const bind_param *p) {
  const char *name = "value";
  if (p) {
    name = results_field(p);
  }
  const bind_param *other;
  const bind_type *type;
  for (int at = 1; python_next_result(f, true, &at, &other, &type) && other != p;) {
    if (strcmp(results_field(other), name) == 0) {
      if (p) {
        name = bind_string("%s_", name);
      } else {
        name = "result";
      }
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
  if (strncmp(text, "any[", 4) == 0) {
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
    } else if (strncmp(at, "...", 3) == 0) {
      count += 1000;
    }
  }
  return count;
}

bool python_is_like_first(const bind_function *f, const bind_param *p) {
  const bind_param *first = bind_first_tensor(f);
  if (!first || !p || !(p->made || p->type.kind == BIND_GIVEN)) {
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
  const bind_param *p;
  const bind_type *type;
  for (int at = 0; python_next_result(f, true, &at, &p, &type);) {
    if (p && python_is_like_first(f, p)) {
      return true;
    }
  }
  return false;
}

bool python_has_results(const bind_ir *ir, bool arrays) {
  BIND_EACH_FUNCTION (f, ir) {
    const bind_param *p;
    const bind_type *type;
    if (!python_results_name(ir, f)) {
      continue;
    }
    if (!arrays) {
      return true;
    }
    for (int at = 0; python_next_result(f, true, &at, &p, &type);) {
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
  const bind_param *p;
  const bind_type *type;
  const char *home = "";
  const bind_handle *owner = f->creates;
  if (!owner) {
    owner = f->method_of;
  }
  if (owner) {
    home = bind_string("%s.", python_class_name(owner));
  }
  const char *bases = python_plain(ir, "NamedTuple");
  bind_text fields = {0};
  for (int at = 0; python_next_result(f, true, &at, &p, &type);) {
    const char *any = python_plain(ir, "Any");
    const char *array = any;
    if (stub && python_is_like_first(f, p)) {
      array = "_Like";
    }
    bind_line(&fields,
              "%s: %s",
              python_field_name(f, p),
              python_is_array(p) ? array : python_plain_hint(ir, type));
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
