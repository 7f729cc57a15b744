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
 * name of the call that makes it, then maybe "closed"; a struct is "defaults". */
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

static void cases_put_json(bind_text *t, const bind_case *c) {
  bind_text arguments = {0};
  BIND_EACH_PARAM (p, c->function) {
    const char *value = bind_case_argument(c, p);
    if (value) {
      bind_append(&arguments, ", ", bind_string("\"%s\": %s", p->name, value));
    }
  }
  bind_put(t,
           "  {\"name\": \"%s\", \"call\": \"%s\", \"make\": %s, \"args\": {%s}",
           c->full_name,
           c->function->short_name,
           bind_truth(c->make),
           bind_keep(&arguments));
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
  BIND_EACH_FUNCTION (f, ir) {
    for (const bind_case *c = f->cases; c; c = c->next) {
      bind_put(&t, "%s\n", between);
      cases_put_json(&t, c);
      between = ",";
    }
  }
  bind_put(&t, "\n], \"untested\": [");
  between = "";
  BIND_EACH_FUNCTION (f, ir) {
    for (const char *rule = f->untested; rule && *rule; between = ",") {
      const size_t size = strcspn(rule, "\n");
      bind_put(&t, "%s\n  \"%s: %.*s\"", between, f->short_name, (int)size, rule);
      rule += size + (rule[size] != 0);
    }
  }
  bind_line(&t, "\n]}");
  return !bind_print(&t, file);
}
