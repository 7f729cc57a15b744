/* SPDX-License-Identifier: Apache-2.0 */
/* Write the tests of a package: the calls as data, and the runner that reads them. */
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "cases.h"
#include <string.h>

/* A value of flags may have any bits. */
static bool golden_can_say(const bind_tests *tests, const bind_case *c) {
  if (c->broken == BIND_BROKEN_NOTHING || c->broken != tests->unsayable) {
    return true;
  }
  return c->broken == BIND_BROKEN_ENUM && c->param->type.enumeration->flags;
}

static void golden_put_arguments(bind_text *golden, const bind_case *c) {
  BIND_EACH_PARAM (p, c->function) {
    const char *value = bind_case_argument(c, p);
    if (value) {
      bind_put(golden, "\t%s=%s", p->name, value);
    }
  }
  bind_put(golden, "\n");
}

/* Rules of contracts that no case breaks, such as a device. */
static void golden_put_unbroken(bind_text *golden, const bind_ir *ir) {
  BIND_EACH_FUNCTION (f, ir) {
    for (const char *line = f->untested; line && *line;) {
      const size_t size = strcspn(line, "\n");
      bind_line(golden, "# no case breaks %s: %.*s", f->short_name, (int)size, line);
      line += size + (line[size] != 0);
    }
  }
}

/* Write golden.txt; return the number of its calls. */
static int golden_write(const bind_ir *ir, bind_out *out, const bind_tests *tests) {
  bind_text golden = {0};
  int count = 0;
  bind_line(&golden, "# Calls of %s: name, status, text, arguments.", ir->name);
  BIND_EACH_FUNCTION (f, ir) {
    for (const bind_case *c = f->cases; c; c = c->next) {
      if (!golden_can_say(tests, c)) {
        continue;
      }
      const char *status = dlf_status_name((int32_t)c->status);
      bind_put(&golden, "%s\t%s\t%s", c->full_name, status, c->text);
      golden_put_arguments(&golden, c);
      count++;
    }
  }
  golden_put_unbroken(&golden, ir);
  bind_write_filled(
      ir, out, BIND_HASH_FILE, tests->golden_path, "$golden\n", {"golden", bind_keep(&golden)});
  return count;
}

void bind_write_tests(const bind_ir *ir, bind_out *out, const bind_tests *tests) {
  bind_text template = {0};
  bind_text functions = {0};
  bind_put_embedded(&template, tests->runner);
  /* Our license is on the first line; the package has its own. */
  const char *const runner = strchr(template.data, '\n') + 1;
  BIND_EACH_FUNCTION (f, ir) {
    if (f->cases) {
      tests->put_function(&functions, ir, f);
    }
  }
  const int count = golden_write(ir, out, tests);
  bind_write_filled(ir,
                    out,
                    tests->runner_kind,
                    tests->runner_path,
                    runner,
                    {"package", tests->package},
                    {"functions", bind_keep(&functions)},
                    {"hook", BIND_CASE_HOOK},
                    {"hooked", BIND_CASE_HOOKED},
                    {"wanted", BIND_CASE_WANTED},
                    {"count", bind_number(count)});
  bind_text_free(&template);
}
