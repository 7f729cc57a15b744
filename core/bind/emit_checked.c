/* SPDX-License-Identifier: Apache-2.0 */
/* NAME_dlferry.h and NAME_dlferry.c: for each function its checked twin and, where the contract determines the outputs,
 * the function that makes them. All languages call these, so that a check and its text exist once. */
#include "emit.h"
#include "emit_predicate.h"
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
  bind_line(h, "#include <dlferry.h>\n#include \"%s\"\n", ir->header.name);
  bind_line(h, "#if DLF_VERSION_MAJOR != %d || DLF_VERSION_MINOR < %d", DLF_VERSION_MAJOR, DLF_VERSION_MINOR);
  bind_line(h, "#error \"%s_dlferry.h was made by dlferry-bind %s; this dlferry.h is of another or an older version\"",
            ir->name, ir->version);
  bind_line(h, "#endif\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
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

/* ---- what all functions share ---- */

/* Compiled at first need and kept for the life of the process; of two threads that race one throws its work away. */
static const char checked_shared_code[] =
    "typedef struct dlferry_once {\n"
    "  const char *text, *function;\n"
    "  const dlf_parameter *parameters;\n"
    "  int32_t count;\n"
    "  _Atomic(dlf_contract *) compiled;\n"
    "} dlferry_once;\n"
    "\n"
    "DLFERRY_HELPER dlf_status dlferry_compile(dlferry_once *once, const dlf_contract **out, dlf_error *error) {\n"
    "  dlf_contract *found = atomic_load_explicit(&once->compiled, memory_order_acquire), *made = NULL;\n"
    "  if (!found) {\n"
    "    dlf_status status = dlferry_accept_core(error);\n"
    "    if (!status)\n"
    "      status = dlf_contract_compile(once->text, once->function, once->parameters, once->count, &made, error);\n"
    "    if (status) return status;\n"
    "    if (atomic_compare_exchange_strong(&once->compiled, &found, made)) found = made;\n"
    "    else dlf_contract_free(made);\n"
    "  }\n"
    "  *out = found;\n"
    "  return DLF_OK;\n"
    "}\n"
    "\n"
    "/* The verdict and its text, once the fast check has said no. */\n"
    "DLFERRY_HELPER dlf_status dlferry_match(dlferry_once *once, const dlf_value *values, dlf_error *error) {\n"
    "  const dlf_contract *contract;\n"
    "  const dlf_status status = dlferry_compile(once, &contract, error);\n"
    "  return status ? status : dlf_contract_match(contract, values, error);\n"
    "}\n"
    "\n"
    "/* An enum argument that is none of the enum's values. */\n"
    "DLFERRY_HELPER dlf_status dlferry_not_in(const char *name, long long value, const char *wanted, dlf_error *error) "
    "{\n"
    "  char message[512];\n"
    "  snprintf(message, sizeof message, \"%s is %lld, wanted %s\", name, value, wanted);\n"
    "  return dlf_error_set(error, DLF_INVALID, message);\n"
    "}\n"
    "\n"
    "/* Kernels never see NULL strides: NULL means row-major (DLPack before 1.2). */\n"
    "typedef struct dlferry_strided_copy {\n"
    "  DLTensor tensor;\n"
    "  int64_t strides[DLF_MAX_NDIM];\n"
    "} dlferry_strided_copy;\n"
    "\n"
    "DLFERRY_HELPER const DLTensor *dlferry_with_strides(const DLTensor *tensor, dlferry_strided_copy *copy) {\n"
    "  if (!tensor || tensor->strides || tensor->ndim == 0) return tensor;\n"
    "  copy->tensor = *tensor;\n"
    "  copy->tensor.strides = copy->strides;\n"
    "  dlf_compact_strides(tensor->ndim, tensor->shape, DLF_ROW_MAJOR, copy->strides, NULL);\n"
    "  return &copy->tensor;\n"
    "}\n"
    "\n"
    "/* A kernel's own failure: its text as it is, else what it returned, by name where text gives one. */\n"
    "DLFERRY_HELPER dlf_status dlferry_failed(const char *name, long long code, const char *text, dlf_status status,\n"
    "                                        const dlf_error *own, dlf_error *error) {\n"
    "  char message[512];\n"
    "  if (own && own->status > DLF_OK && own->status <= DLF_UNSUPPORTED) status = (dlf_status)own->status;\n"
    "  if (own && own->message[0]) return dlf_error_set(error, status, own->message);\n"
    "  if (text) snprintf(message, sizeof message, \"%s: kernel returned %lld (%s)\", name, code, text);\n"
    "  else snprintf(message, sizeof message, \"%s: kernel returned %lld\", name, code);\n"
    "  return dlf_error_set(error, status, message);\n"
    "}\n";

static void checked_put_accept_core(bind_text *c, const bind_ir *ir) {
  bind_line(c, "/* The core that is linked may be older than the header that this was compiled with. */");
  bind_open(c, "DLFERRY_HELPER dlf_status dlferry_accept_core(dlf_error *error) {");
  bind_line(c, "const char *version = dlf_version();");
  bind_line(c, "int major = 0, minor = 0;");
  bind_line(c, "char message[160];");
  bind_line(c, "if (sscanf(version, \"%%d.%%d\", &major, &minor) == 2 && major == %d && minor >= %d) return DLF_OK;",
            DLF_VERSION_MAJOR, DLF_VERSION_MINOR);
  bind_line(c, "snprintf(message, sizeof message, \"%s: made by dlferry-bind %s, got dlferry %%.32s\", version);",
            ir->name, ir->version);
  bind_line(c, "return dlf_error_set(error, DLF_VERSION, message);");
  bind_close(c, "}\n");
}

/* ---- one function ---- */

static bool checked_has_contract(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_TENSOR || *f->params[i].limits) return true;
  return false;
}

static const char *checked_parameter_kind(const bind_param *p) {
  switch (p->type.kind) {
  case BIND_TENSOR: return p->direction == BIND_IN ? "DLF_PARAMETER_INPUT" : "DLF_PARAMETER_OUTPUT";
  case BIND_INTEGER: return p->type.scalar == BIND_U64 ? "DLF_PARAMETER_UNSIGNED" : "DLF_PARAMETER_INTEGER";
  case BIND_REAL: return "DLF_PARAMETER_REAL";
  default: return "DLF_PARAMETER_OTHER";
  }
}

static void checked_put_once(bind_text *c, const bind_function *f) {
  bind_open(c, "static const dlf_parameter dlferry_parameters_%s[] = {", f->short_name);
  for (int i = 0; i < f->param_count; i++)
    bind_line(c, "{\"%s\", %s},", f->params[i].name, checked_parameter_kind(&f->params[i]));
  bind_close(c, "};");
  bind_open(c, "static dlferry_once dlferry_once_%s = {", f->short_name);
  bind_line(c, "\"%s\",", bind_doc_escape(BIND_DOC_STRING, f->contract));
  bind_line(c, "\"%s\", dlferry_parameters_%s, %d, NULL,", f->short_name, f->short_name, f->param_count);
  bind_close(c, "};\n");
}

static void checked_put_values(bind_text *c, const bind_function *f, bool made) {
  bind_open(c, "const dlf_value dlf_values[] = {");
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind == BIND_TENSOR && !(made && p->made))
      bind_line(c, "{%s, 0, 0},", p->name);
    else if (p->type.kind == BIND_INTEGER)
      bind_line(c, "{{NULL, 0}, (int64_t)%s, 0},", p->name);
    else if (p->type.kind == BIND_REAL)
      bind_line(c, "{{NULL, 0}, 0, %s},", p->name);
    else
      bind_line(c, "{{NULL, 0}, 0, 0},");
  }
  bind_close(c, "};");
}

/* A value that the enum does not have would be undefined behaviour in many a switch. */
static void checked_put_enum_check(bind_text *c, const bind_function *f, const bind_param *p) {
  const bind_enum *e = p->type.enumeration;
  bind_text values = {0};
  if (e->flags) {
    bind_put(c, "if ((long long)%s & ~(0LL", p->name);
    for (int i = 0; i < e->count; i++) bind_put(c, " | %s", e->values[i].name);
    bind_line(c, "))");
  } else {
    bind_put(c, "if (");
    for (int i = 0; i < e->count; i++) bind_put(c, "%s%s != %s", i ? " &&\n    " : "", p->name, e->values[i].name);
    bind_line(c, ")");
  }
  for (int i = 0; i < e->count && values.length < 400; i++) bind_put(&values, "%s%s", i ? "|" : "", e->values[i].label);
  bind_line(c, "  return dlferry_not_in(\"%s: %s\", (long long)%s, \"%s\", error);", f->short_name, p->name, p->name,
            values.data);
  bind_text_free(&values);
}

static void checked_put_argument_checks(bind_text *c, const bind_function *f) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind == BIND_ENUM && p->type.enumeration->count) checked_put_enum_check(c, f, p);
    if (p->type.kind == BIND_STRING)
      bind_line(c, "if (!%s) return dlf_error_set(error, DLF_INVALID, \"%s: %s: expected text, got NULL\");", p->name,
                f->short_name, p->name);
  }
}

static bool checked_uses_error(const bind_function *f) {
  bool uses = checked_has_contract(f) || f->takes_error || f->returns == BIND_RETURN_STATUS;
  for (int i = 0; i < f->param_count; i++)
    uses |= f->params[i].type.kind == BIND_ENUM || f->params[i].type.kind == BIND_STRING;
  return uses;
}

/* The kernel's call, one argument a line. */
static void checked_put_call(bind_text *c, const bind_function *f) {
  const int count = f->param_count + f->takes_error;
  bind_put(c, "%s(%s", f->name, count ? "\n" : "");
  c->depth += 2;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const char *end = i + 1 < count ? ",\n" : "";
    const char *cast = p->direction == BIND_IN ? "" : "(DLTensor *)(uintptr_t)";
    if (p->type.kind == BIND_TENSOR)
      bind_put(c, "%sdlferry_with_strides(%s.tensor, &dlf_copy_%s)%s", cast, p->name, p->name, end);
    else
      bind_put(c, "%s%s", p->name, end);
  }
  if (f->takes_error) bind_put(c, "&dlf_own");
  c->depth -= 2;
  bind_line(c, ");");
}

static void checked_put_outcome(bind_text *c, const bind_function *f) {
  const char *own = f->takes_error ? "&dlf_own" : "NULL";
  if (f->returns == BIND_RETURN_STATUS) {
    const bool ours = strcmp(f->result.c, "dlf_status ") == 0;
    const char *text = f->status_text ? bind_string("%s(dlf_code)", f->status_text)
                       : ours         ? "dlf_status_name((int32_t)dlf_code)"
                                      : "NULL";
    const char *status =
        ours ? "dlf_code > DLF_OK && dlf_code <= DLF_UNSUPPORTED ? dlf_code : DLF_FOREIGN" : "DLF_FOREIGN";
    bind_open(c, "if (dlf_code != %lld)", (long long)f->ok);
    bind_line(c, "return dlferry_failed(\"%s\", (long long)dlf_code, %s, %s, %s, error);", f->short_name, text, status,
              own);
    c->depth--;
  } else if (f->takes_error) {
    bind_open(c, "if (dlf_own.status != DLF_OK)");
    bind_line(c, "return dlferry_failed(\"%s\", dlf_own.status, NULL, DLF_FOREIGN, %s, error);", f->short_name, own);
    c->depth--;
  }
  if (f->returns == BIND_RETURN_VALUE) bind_line(c, "if (result) *result = dlf_value_of_call;");
  bind_line(c, "return DLF_OK;");
}

static void checked_put_checked_function(bind_text *c, const bind_function *f, bool predicate) {
  bind_put_checked(c, f);
  bind_open(c, " {");
  if (checked_has_contract(f)) {
    if (predicate) {
      bind_put(c, "if (!dlferry_fits_%s(", f->short_name);
      bind_put_predicate_arguments(c, f);
      bind_open(c, ")) {");
    }
    checked_put_values(c, f, false);
    bind_line(c, "const dlf_status dlf_verdict = dlferry_match(&dlferry_once_%s, dlf_values, error);", f->short_name);
    bind_line(c, "if (dlf_verdict) return dlf_verdict;");
    if (predicate) bind_close(c, "}");
  }
  checked_put_argument_checks(c, f);
  if (!checked_uses_error(f)) bind_line(c, "(void)error;");
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_TENSOR) bind_line(c, "dlferry_strided_copy dlf_copy_%s;", f->params[i].name);
  if (f->takes_error) bind_line(c, "dlf_error dlf_own;\ndlf_own.status = DLF_OK;\ndlf_own.message[0] = '\\0';");
  if (f->returns == BIND_RETURN_STATUS) bind_put(c, "const %sdlf_code = ", f->result.c);
  if (f->returns == BIND_RETURN_VALUE) bind_put(c, "const %sdlf_value_of_call = ", f->result.c);
  checked_put_call(c, f);
  checked_put_outcome(c, f);
  bind_close(c, "}\n");
}

static void checked_put_new_function(bind_text *c, const bind_function *f) {
  const int made = bind_count_made(f);
  bind_put_new(c, f);
  bind_open(c, " {");
  checked_put_values(c, f, true);
  bind_line(c, "const dlf_contract *dlf_contract_of_call;");
  bind_line(c, "dlf_tensor *dlf_made[%d] = {NULL};", made);
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].made)
      bind_line(
          c,
          "if (!%s) return dlf_error_set(error, DLF_INVALID, \"%s: %s: expected a place for the tensor, got NULL\");",
          f->params[i].name, f->short_name, f->params[i].name);
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].made) bind_line(c, "*%s = NULL;", f->params[i].name);
  bind_line(c, "dlf_status dlf_verdict = dlferry_compile(&dlferry_once_%s, &dlf_contract_of_call, error);",
            f->short_name);
  for (int i = 0, k = 0; i < f->param_count; i++)
    if (f->params[i].made)
      bind_line(c,
                "if (!dlf_verdict) dlf_verdict = dlf_contract_create(dlf_contract_of_call, dlf_values, %d, "
                "&dlf_made[%d], error);",
                i, k++);
  bind_put(c, "if (!dlf_verdict)\n  dlf_verdict = %s(", f->checked_name);
  for (int i = 0, k = 0; i < f->param_count; i++) {
    if (f->params[i].made)
      bind_put(c, "(dlf_arg){dlf_dltensor(dlf_made[%d]), 0}, ", k++);
    else
      bind_put(c, "%s, ", f->params[i].name);
  }
  bind_line(c, "%serror);", f->returns == BIND_RETURN_VALUE ? "result, " : "");
  for (int i = 0, k = 0; i < f->param_count; i++)
    if (f->params[i].made)
      bind_line(c, "if (!dlf_verdict) dlf_verdict = dlf_to_dlpack(dlf_made[%d], %s, error);", k++, f->params[i].name);
  for (int i = 0; i < f->param_count && made > 1; i++) {
    if (!f->params[i].made) continue;
    bind_open(c, "if (dlf_verdict) {");
    bind_line(c, "dlf_dlpack_release(*%s);\n*%s = NULL;", f->params[i].name, f->params[i].name);
    bind_close(c, "}");
  }
  for (int k = 0; k < made; k++) bind_line(c, "dlf_release(dlf_made[%d]);", k);
  bind_line(c, "return dlf_verdict;");
  bind_close(c, "}\n");
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
  bind_line(&c, "#include <stdatomic.h>\n#include <stdio.h>\n");
  bind_line(&c, "#if defined(__GNUC__)\n#define DLFERRY_HELPER static inline __attribute__((unused))\n#else");
  bind_line(&c, "#define DLFERRY_HELPER static inline\n#endif\n");
  checked_put_accept_core(&c, ir);
  bind_line(&c, "%s", checked_shared_code);
  bind_put_predicate_helpers(&c);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    bind_line(&c, "/* ---- %s ---- */\n", f->short_name);
    if (checked_has_contract(f)) checked_put_once(&c, f);
    const bool predicate = checked_has_contract(f) && bind_put_predicate(&c, f);
    checked_put_checked_function(&c, f, predicate);
    if (f->new_name) checked_put_new_function(&c, f);
  }
  ir->checked_h = checked_take_file(bind_string("%s_dlferry.h", ir->name), &h);
  ir->checked_c = checked_take_file(bind_string("%s_dlferry.c", ir->name), &c);
  bind_copy(out, "", &ir->checked_h);
  bind_copy(out, "", &ir->checked_c);
  return 0;
}
