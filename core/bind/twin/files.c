/* SPDX-License-Identifier: Apache-2.0 */
/* Files that the call opens for C and closes: callers give their paths. */
#include "bind/ir/parameters.h"
#include "parts.h"

static bool files_has(const bind_param *p) {
  return p->text && p->text->mode;
}

bool files_needed(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (files_has(p)) {
      return true;
    }
  }
  return false;
}

const char *files_argument(const bind_text_use *text) {
  return bind_string("dlf_file_%s", text->name);
}

/* A statement for each file. */
static const char *files_each(const bind_function *f, const char *statement, const char *undone) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (files_has(p)) {
      bind_fill(&t,
                statement,
                {"file", files_argument(p->text)},
                {"name", p->name},
                {"mode", p->text->mode},
                {"where", argument_where(f, p)},
                {"undone", undone});
    }
  }
  return bind_keep(&t);
}

const char *files_places(const bind_function *f) {
  return files_each(f, "FILE *$file = NULL;\n", "");
}

const char *files_opened(const bind_function *f, const char *undone) {
  static const char opened[] =
      "const dlf_status dlf_open_$name =\n"
      "    dlferry_open_file($name, \"$mode\", \"$where\", &$file, error);\n"
      "if (dlf_open_$name) {\n"
      "  $undone\n"
      "  return dlf_open_$name;\n"
      "}\n";
  return files_each(f, opened, undone);
}

const char *files_dropped(const bind_function *f) {
  return files_each(f, "if ($file) (void)fclose($file);\n", "");
}

const char *files_closed(const bind_function *f) {
  return files_each(
      f, "dlf_verdict = dlferry_close_file(dlf_verdict, $file, \"$where\", error);\n", "");
}
