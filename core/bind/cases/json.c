/* SPDX-License-Identifier: Apache-2.0 */
/* --cases: the calls that generated tests make, as JSON, for other emitters of tests.
 *
 *   {"cases": [CASE, ...], "untested": ["blur: out: device", ...]}
 *   {"name": "blur/out_w", "call": "blur", "make": false, "args": {"image": "f32[2, 3]",
 * "sigma": 1.0, "out": "f32[2, 4]"}, "broken": "extent", "status": "SHAPE", "text": "blur: out[w]
 * is 4, ..."}
 *
 * A tensor is DTYPE[EXTENTS], then any of "strides N ..." (unless row-major), "read_only", "align
 * BYTES", "skew BYTES", "alias NAME"; a list has several; an array has numbers; a handle is the
 * name of the call that makes it, then maybe "closed". */
#include "bind/base/escape.h"
#include "bind/emit/query.h"
#include "cases.h"
#include <stdio.h>
#include <string.h>

static const char *const cases_broken[] = {[BIND_BROKEN_NOTHING] = "",
                                           [BIND_BROKEN_DTYPE] = "dtype",
                                           [BIND_BROKEN_NDIM] = "ndim",
                                           [BIND_BROKEN_EXTENT] = "extent",
                                           [BIND_BROKEN_LAYOUT] = "layout",
                                           [BIND_BROKEN_REPEATS] = "repeats",
                                           [BIND_BROKEN_ALIGN] = "align",
                                           [BIND_BROKEN_READ_ONLY] = "read_only",
                                           [BIND_BROKEN_SHARED] = "shared",
                                           [BIND_BROKEN_LIMIT] = "limit",
                                           [BIND_BROKEN_NUMBER] = "number",
                                           [BIND_BROKEN_ENUM] = "enum",
                                           [BIND_BROKEN_LETTER] = "letter",
                                           [BIND_BROKEN_CLOSED] = "closed"};

static void cases_put_tensor(bind_text *t, const bind_case *c, const bind_param *p,
                             const bind_case_tensor *tensor) {
  bind_put(t, "\"%s", bind_case_words(c, p, tensor));
  if (c->guest == p && tensor == bind_value_of(c, p)->tensor) {
    bind_put(t, " alias %s", c->owner->name);
  }
  bind_put(t, "\"");
}

static void cases_put_value(bind_text *t, const bind_case *c, const bind_param *p,
                            const bind_case_value *v) {
  switch (p->type.kind) {
  case BIND_TENSOR:
    cases_put_tensor(t, c, p, v->tensor);
    break;
  case BIND_LIST:
  case BIND_ARRAY:
    bind_put(t, "[");
    for (int i = 0; i < v->count; i++) {
      bind_put(t, "%s", bind_when(i, ", "));
      if (p->type.kind == BIND_LIST) {
        cases_put_tensor(t, c, p, &v->tensor[i]);
      } else {
        bind_put(t, "%s", v->text);
      }
    }
    bind_put(t, "]");
    break;
  case BIND_BOOL:
    bind_put(t, v->truth ? "true" : "false");
    break;
  case BIND_COMPLEX:
    bind_put(t, "[%s, %s]", v->text, v->imaginary);
    break;
  case BIND_CHAR:
    bind_put(t, "\"%s\"", v->text);
    break;
  case BIND_ENUM:
    bind_put(t, "%lld", (long long)v->integer);
    break;
  case BIND_STRING:
    bind_put(t, "\"%s\"", bind_doc_escape(BIND_DOC_STRING, v->text));
    break;
  case BIND_HANDLE:
    bind_put(t, "\"%s%s\"", bind_maker_case(v->maker)->full_name, bind_when(v->closed, " closed"));
    break;
  default:
    bind_put(t, "%s", v->text);
    break;
  }
}

void bind_put_arguments(bind_text *t, const bind_case *c) {
  const bind_function *f = c->function;
  const char *between = "";
  bind_put(t, "{");
  for (int i = 0; i < f->param_count; i++) {
    if (!bind_is_passed(&f->params[i], c->make) || c->values[i].absent) {
      continue;
    }
    bind_put(t, "%s\"%s\": ", between, f->params[i].name);
    cases_put_value(t, c, &f->params[i], &c->values[i]);
    between = ", ";
  }
  bind_put(t, "}");
}

static void cases_put_json(bind_text *t, const bind_case *c) {
  bind_put(t,
           "  {\"name\": \"%s\", \"call\": \"%s\", \"make\": %s, \"args\": ",
           c->full_name,
           c->function->short_name,
           c->make ? "true" : "false");
  bind_put_arguments(t, c);
  bind_put(t,
           ", \"broken\": \"%s\", \"status\": \"%s\", \"text\": \"%s\"}",
           cases_broken[c->broken],
           dlf_status_name((int32_t)c->status),
           bind_doc_escape(BIND_DOC_STRING, c->text));
}

int bind_emit_cases(const bind_ir *ir, FILE *file) {
  bind_text t = {0};
  const char *between = "";
  bind_put(&t, "{\"cases\": [");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    for (const bind_case *c = bind_first_case(f); c; c = c->next) {
      bind_put(&t, "%s\n", between);
      cases_put_json(&t, c);
      between = ",";
    }
  }
  bind_put(&t, "\n], \"untested\": [");
  between = "";
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    for (const char *rule = f->untested; rule && *rule; between = ",") {
      const size_t size = strcspn(rule, "\n");
      bind_put(&t, "%s\n  \"%s: %.*s\"", between, f->short_name, (int)size, rule);
      rule += size + (rule[size] != 0);
    }
  }
  bind_line(&t, "\n]}");
  const bool written = fwrite(t.data, 1, t.length, file) == t.length && fflush(file) == 0;
  bind_text_free(&t);
  return !written;
}
