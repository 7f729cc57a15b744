/* SPDX-License-Identifier: Apache-2.0 */
/* Where C reports a failure: a variable of the call, or an object that the call makes and frees. */
#include "parts.h"

const char *reported_made(const bind_function *f, const char *undone) {
  const bind_report *r = f->report;
  if (!r) {
    return "";
  }
  if (!r->made) {
    return bind_string("%sdlf_report = %s%lld;\n", r->c, bind_cast_to(r->c), (long long)f->ok);
  }
  return bind_filled(
      "${c}dlf_report = $made();\n"
      "if (!dlf_report) {\n"
      "  $undone\n"
      "  return dlf_error_set(error, DLF_NO_MEMORY, \"$function: expected memory for "
      "its status, got none\");\n"
      "}\n",
      {"c", r->c},
      {"made", r->made},
      {"undone", undone},
      {"function", f->short_name});
}

const char *reported_argument(const bind_report *r) {
  return bind_string("%sdlf_report", bind_when(!r->made, "&"));
}

const char *reported_code(const bind_function *f) {
  const bind_report *r = f->report;
  if (!r) {
    return "";
  }
  return bind_string("const %sdlf_code = %s;\n",
                     r->code_c,
                     r->made ? bind_string("%s(dlf_report)", r->from) : "dlf_report");
}

const char *reported_text(const bind_function *f) {
  const bind_report *r = f->report;
  if (r->text && !f->status_message) {
    return bind_string("%s(dlf_report)", r->text);
  }
  return hooks_status_text(f);
}

const char *reported_freed(const bind_function *f) {
  const bind_report *r = f->report;
  return r && r->made ? bind_string("%s(dlf_report);\n", r->freed) : "";
}
