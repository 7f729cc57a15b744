/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Python package, for pytest: tests/golden.txt has the calls as data, and
 * tests/test_contract.py, from test_contract.py.in, runs them. Only its table is the package's:
 *
 *   "blur": reads(photo.blur, image=tensor, sigma=plain, out=tensor), */
#include "bind/base/embedded.h"
#include "bind/base/template.h"
#include "bind/cases/cases.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "python.h"
#include <string.h>

enum { PYTHON_WIDTH = 120 };

/* Python itself refuses unknown values of enums other than flags. */
static bool python_can_say(const bind_case *c) {
  return c->broken != BIND_BROKEN_ENUM || c->param->type.enumeration->flags;
}

/* Return the runner's reader of a parameter's values. */
static const char *python_reader(const bind_ir *ir, const bind_param *p) {
  switch (p->type.kind) {
  case BIND_TENSOR:
    return "tensor";
  case BIND_LIST:
    return "tensors";
  case BIND_COMPLEX:
    return "complex_number";
  case BIND_HANDLE:
    return "made";
  case BIND_ENUM:
    return bind_string("member(%s.%s)", ir->name, python_enum_name(p->type.enumeration));
  default:
    return "plain";
  }
}

/* Return the callable: "photo.blur", the class for its constructor, the descriptor of a property.
 */
static const char *python_callable(const bind_ir *ir, const bind_function *f) {
  const bind_handle *class;
  if (f->creates) {
    class = f->creates;
  } else {
    class = f->method_of;
  }
  if (!class) {
    return bind_string("%s.%s", ir->name, python_function_name(f));
  }
  if (f->creates && python_constructor(f->creates) == f) {
    return bind_string("%s.%s", ir->name, python_class_name(class));
  }
  return bind_string("%s.%s.%s", ir->name, python_class_name(class), python_function_name(f));
}

static void python_put_reads(bind_text *rows, const bind_ir *ir, const bind_function *f) {
  bind_text words = {0};
  bind_text lines = {0};
  bind_put(&words, "\"%s\": reads(%s", f->short_name, python_callable(ir, f));
  bind_put(&lines, "\"%s\": reads(\n    %s", f->short_name, python_callable(ir, f));
  BIND_EACH (const bind_param, p, f->params, f->param_count) {
    if (bind_is_passed(p, false)) {
      bind_put(&words, ", %s=%s", python_name(p->name), python_reader(ir, p));
      bind_put(&lines, ",\n    %s=%s", python_name(p->name), python_reader(ir, p));
    }
  }
  bind_put(&words, "),");
  bind_put(&lines, ",\n),");
  const bool fits = 4 + words.length <= PYTHON_WIDTH;
  bind_line(rows, "%s", fits ? words.data : lines.data);
  bind_text_free(&words);
  bind_text_free(&lines);
}

void python_emit_tests(const bind_ir *ir, bind_out *out) {
  bind_text t = {0};
  bind_text golden = {0};
  bind_text runner = {0};
  bind_text rows = {0};
  int count = 0;
  bind_first_line(&golden, ir, "#", "", "python");
  bind_line(&golden, "# Calls of %s: name, status, text, arguments.", ir->name);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->cases) {
      python_put_reads(&rows, ir, f);
    }
    for (const bind_case *c = bind_first_case(f); c; c = c->next) {
      if (python_can_say(c)) {
        bind_put_golden_call(&golden, c);
        count++;
      }
    }
  }
  bind_end_golden(&golden, ir);
  /* Our license is on the first line; the package has its own. */
  for (const char *const *line = bind_embedded_test_contract_py_in + 1; *line; line++) {
    bind_raw(&runner, *line, strlen(*line));
  }
  bind_first_line(&t, ir, "#", "", "python");
  bind_fill(&t,
            runner.data,
            {"package", ir->name},
            {"functions", bind_keep(&rows)},
            {"hook", BIND_CASE_HOOK},
            {"hooked", BIND_CASE_HOOKED},
            {"wanted", BIND_CASE_WANTED},
            {"count", bind_string("%d", count)});
  bind_write(out, "python/tests/test_contract.py", &t);
  bind_write(out, "python/tests/golden.txt", &golden);
  bind_text_free(&runner);
  bind_text_free(&t);
  bind_text_free(&golden);
}
