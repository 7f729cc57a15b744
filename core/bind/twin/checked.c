/* SPDX-License-Identifier: Apache-2.0 */
/* NAME_dlferry.h and NAME_dlferry.c: for each function its checked twin and, where the contract determines the outputs,
 * the function that makes them. All languages call these, so that a check and its text exist once. */
#include "checked.h"
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/emit/declare.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "make.h"
#include "predicate.h"
#include <string.h>

/* ---- header ---- */

static void checked_put_c_doc(bind_text *h, const bind_function *f, bool made) {
  bind_text doc = {0};
  const char *what = *f->summary ? f->summary : bind_string("Call %s.", f->name);
  bind_line(&doc, "%s", what);
  if (made)
    bind_line(&doc, "Makes its outputs: gives each. Otherwise as %s.", f->checked_name);
  else
    bind_line(&doc, "Calls %s once its arguments are checked. Fails as dlf_contract_match does, or as %s does.",
              f->name, f->name);
  if (!made && *f->description) bind_line(&doc, "\n%s\n", f->description);
  for (int i = 0; i < f->param_count && !made; i++) {
    const bind_param *p = &f->params[i];
    const char *wanted = *p->contract ? p->contract : p->limits;
    if (!*p->doc && !*wanted) continue;
    bind_line(&doc, "@param %s %s%s%s%s", p->name, p->doc, *p->doc && *wanted ? ": " : "", wanted,
              p->optional ? "; tensor NULL when absent" : "");
  }
  if (*f->contract && !made) bind_line(&doc, "Contract: %s", f->contract);
  bind_line(h, "/**");
  bind_put_doc(h, BIND_DOC_C, " * ", doc.data);
  bind_line(h, " */");
  bind_text_free(&doc);
}

static void checked_put_header(bind_text *h, const bind_ir *ir) {
  const char *guard = bind_string("%s_DLFERRY_H", bind_upper(ir->name));
  bind_first_line(h, ir, "/*", "*/", NULL);
  bind_line(h,
            "/* %s with its contracts checked: f_checked calls f once its arguments hold, f_new makes the outputs too.",
            ir->header.name);
  bind_line(h, " * Needs dlferry %d.%d or later of the same major version. */", DLF_VERSION_MAJOR, DLF_VERSION_MINOR);
  bind_line(h, "#ifndef %s\n#define %s\n", guard, guard);
  bind_line(h, "#include <dlferry.h>\n#include \"%s\"\n", ir->include);
  bind_line(h, "#if DLF_VERSION_MAJOR != %d || DLF_VERSION_MINOR < %d", DLF_VERSION_MAJOR, DLF_VERSION_MINOR);
  bind_line(h, "#error \"%s_dlferry.h was made by dlferry-bind %s; this dlferry.h is of another or an older version\"",
            ir->name, ir->version);
  bind_line(h, "#endif\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  for (int i = 0; i < ir->handle_count; i++) {
    const bind_handle *handle = &ir->handles[i];
    bind_line(h, "/** Call %s. NULL does nothing. */", handle->free_name);
    bind_line(h, "DLF_API void %s(%s *owned);\n", handle->free_checked_name, handle->c);
  }
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    checked_put_c_doc(h, f, false);
    bind_put(h, "DLF_API ");
    bind_put_checked(h, f);
    bind_line(h, ";\n");
    if (!f->new_name) continue;
    checked_put_c_doc(h, f, true);
    bind_put(h, "DLF_API ");
    bind_put_new(h, f);
    bind_line(h, ";\n");
  }
  bind_line(h, "#ifdef __cplusplus\n}\n#endif\n\n#endif");
}

/* ---- the files ---- */

static bind_file checked_take_file(const char *name, bind_text *text) {
  while (text->length > 1 && text->data[text->length - 2] == '\n') text->data[--text->length] = 0;
  char *data = bind_alloc(text->length + 1, 1);
  memcpy(data, text->data, text->length);
  bind_file file = {name, data, text->length};
  bind_text_free(text);
  return file;
}

int bind_emit_checked(bind_ir *ir, bind_out *out) {
  bind_text h = {0}, c = {0};
  checked_put_header(&h, ir);
  bind_first_line(&c, ir, "/*", "*/", NULL);
  bind_line(&c, "#include \"%s_dlferry.h\"\n", ir->name);
  bind_put_checked_helpers(&c, ir);
  bind_put_predicate_helpers(&c);
  bind_put_make_helpers(&c, ir);
  for (int i = 0; i < ir->handle_count; i++) {
    const bind_handle *handle = &ir->handles[i];
    bind_open(&c, "void %s(%s *owned) {", handle->free_checked_name, handle->c);
    bind_line(&c, "if (owned) %s(owned);", handle->free_name);
    bind_close(&c, "}\n");
  }
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    bind_line(&c, "/* ---- %s ---- */\n", f->short_name);
    bind_put_twins(&c, f);
  }
  ir->checked_h = checked_take_file(bind_string("%s_dlferry.h", ir->name), &h);
  ir->checked_c = checked_take_file(bind_string("%s_dlferry.c", ir->name), &c);
  bind_copy(out, "", &ir->checked_h);
  bind_copy(out, "", &ir->checked_c);
  return 0;
}
