/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of one function. f_checked: match the contract, look at what contracts do not say, call, look at what came
 * back. f_new: make the outputs, then the same. */
#include "argument.h"
#include "bind/base/escape.h"
#include "bind/emit/declare.h"
#include "bind/emit/query.h"
#include "bind/read/parameters.h"
#include "bind/read/scalar.h"
#include "make.h"
#include "predicate.h"
#include "twin.h"
#include <string.h>

static bool call_has(const bind_function *f, bind_kind kind) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == kind) return true;
  return false;
}

static bool call_has_contract(const bind_function *f) {
  bool has = call_has(f, BIND_TENSOR) || call_has(f, BIND_LIST) || call_has(f, BIND_ARRAY) || call_has(f, BIND_GIVEN);
  for (int i = 0; i < f->param_count; i++) has |= *f->params[i].limits != 0;
  return has;
}

/* ---- the contract ---- */

static void call_put_once(bind_text *c, const bind_function *f) {
  static const char *const kinds[] = {"INPUT", "OUTPUT", "INTEGER", "UNSIGNED", "REAL",
                                      "OTHER", "LIST",   "ARRAY",   "GIVEN"};
  const dlf_parameter *parameters = bind_contract_parameters(f);
  bind_open(c, "static const dlf_parameter dlferry_parameters_%s[] = {", f->short_name);
  for (int i = 0; i < f->c_param_count; i++)
    bind_line(c, "{\"%s\", DLF_PARAMETER_%s},", parameters[i].name, kinds[parameters[i].kind]);
  bind_close(c, "};");
  bind_open(c, "static dlferry_once dlferry_once_%s = {", f->short_name);
  bind_line(c, "\"%s\",", bind_doc_escape(BIND_DOC_C_STRING, f->contract));
  bind_line(c, "\"%s\", dlferry_parameters_%s, %d, NULL,", f->short_name, f->short_name, f->c_param_count);
  bind_close(c, "};\n");
}

static void call_put_values(bind_text *c, const bind_function *f, bool make) {
  const bool filled = f->hook_count || call_has(f, BIND_GIVEN);
  bind_open(c, "%sdlf_value dlf_values[] = {", filled ? "" : "const ");
  for (int i = 0; i < f->c_param_count; i++) {
    const bind_param *p = f->c_params[i].param;
    const bind_kind kind = p ? p->type.kind : BIND_INTEGER;
    if (!p)
      bind_line(c, "{{NULL, 0}, %s_count, 0, NULL},", f->c_params[i].count_of->name);
    else if (kind == BIND_TENSOR && !(make && p->made))
      bind_line(c, "{%s, 0, 0, NULL},", p->name);
    else if (kind == BIND_LIST || kind == BIND_ARRAY)
      bind_line(c, "{{NULL, 0}, %s_count, 0, %s},", p->name, p->name);
    else if (kind == BIND_INTEGER && !p->returned)
      bind_line(c, "{{NULL, 0}, (int64_t)%s, 0, NULL},", p->name);
    else if (kind == BIND_REAL && !p->returned)
      bind_line(c, "{{NULL, 0}, 0, %s, NULL},", p->name);
    else
      bind_line(c, "{{NULL, 0}, 0, 0, NULL},");
  }
  for (int i = 0; i < f->hook_count; i++) bind_line(c, "{{NULL, 0}, 0, 0, NULL}, /* %s */", f->hooks[i].name);
  bind_close(c, "};");
}

/* Tensors as kernels see them. */
static const char *call_tensor(const bind_param *p) {
  const char *cast = p->direction == BIND_IN ? "" : "(DLTensor *)(uintptr_t)";
  return bind_string("%sdlferry_with_strides(%s.tensor, &dlf_copy_%s)", cast, p->name, p->name);
}

static bool call_hooks_take(const bind_function *f, const bind_param *p) {
  for (int i = 0; i < f->hook_count; i++)
    for (int k = 0; k < f->hooks[i].param_count; k++)
      if (f->hooks[i].params[k] == p) return true;
  return false;
}

static void call_put_copies(bind_text *c, const bind_function *f, bool for_hooks) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_TENSOR && (!for_hooks || call_hooks_take(f, &f->params[i])))
      bind_line(c, "dlferry_strided_copy dlf_copy_%s;", f->params[i].name);
}

/* What hooks compute from checked inputs. */
static void call_put_hooks(bind_text *c, const bind_function *f) {
  if (!f->hook_count) return;
  bind_line(c, "dlf_verdict = dlferry_match_inputs(&dlferry_once_%s, dlf_values, error);", f->short_name);
  bind_line(c, "if (dlf_verdict) return dlf_verdict;");
  for (int i = 0; i < f->hook_count; i++) {
    const bind_hook *hook = &f->hooks[i];
    bind_put(c, "dlf_values[%d].integer = (int64_t)%s(", f->c_param_count + i, hook->name);
    for (int k = 0; k < hook->param_count; k++) {
      const bind_param *p = hook->params[k];
      bind_put(c, "%s%s", k ? ", " : "", p->type.kind == BIND_TENSOR ? call_tensor(p) : p->name);
    }
    bind_line(c, ");");
  }
}

/* ---- what contracts do not say; it comes first, since hooks are given these arguments ---- */

/* A value that the enum does not have would be undefined behaviour in many a switch. */
static void call_put_enum_test(bind_text *c, const bind_enum *e, const char *value) {
  if (e->flags) {
    bind_put(c, "if ((long long)%s & ~(0LL", value);
    for (int i = 0; i < e->count; i++) bind_put(c, " | %s", e->values[i].name);
    bind_line(c, "))");
  } else {
    bind_put(c, "if (");
    for (int i = 0; i < e->count; i++) bind_put(c, "%s%s != %s", i ? " &&\n    " : "", value, e->values[i].name);
    bind_line(c, ")");
  }
}

static void call_put_argument_check(bind_text *c, const bind_function *f, const bind_param *p) {
  const char *where = argument_where(f, p);
  const bind_enum *e = p->type.enumeration;
  if (p->returned || p->type.kind == BIND_GIVEN) return;
  if (e && e->count) {
    call_put_enum_test(c, e, p->name);
    bind_line(c, "  return dlferry_not_in(\"%s\", (long long)%s, \"%s\", DLF_INVALID, error);", where, p->name,
              argument_labels(e));
  }
  if (p->type.kind == BIND_STRING)
    bind_line(c, "if (!%s) return dlf_error_set(error, DLF_INVALID, \"%s: expected text, got NULL\");", p->name, where);
  if (p->type.kind == BIND_HANDLE)
    bind_line(c, "if (!%s)\n  return dlf_error_set(error, DLF_INVALID, \"%s\");", p->name, argument_closed(f, p));
}

/* Places for results, emptied: nothing that a failing kernel leaves there is looked at. */
static void call_put_places(bind_text *c, const bind_function *f) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!p->returned) continue;
    bind_line(
        c, "if (!%s)\n  return dlf_error_set(error, DLF_INVALID, \"%s: %s: expected a place for the %s, got NULL\");",
        p->name, f->short_name, p->name,
        p->type.kind == BIND_GIVEN    ? "tensor"
        : p->type.kind == BIND_HANDLE ? p->type.handle->short_name
                                      : "value");
    bind_line(c, p->type.kind == BIND_GIVEN || p->type.kind == BIND_HANDLE ? "*%s = NULL;" : "*%s = (%s)0;", p->name,
              bind_string("%.*s", (int)strlen(p->type.c) - 1, p->type.c));
  }
  if (f->returns == BIND_RETURN_VALUE && f->result.handle) {
    bind_line(c, "if (!%s)\n  return dlf_error_set(error, DLF_INVALID, \"%s: expected a place for the %s, got NULL\");",
              bind_result_name(f), f->short_name, f->result.handle->short_name);
    bind_line(c, "*%s = NULL;", bind_result_name(f));
  }
}

static void call_put_counts(bind_text *c, const bind_function *f) {
  for (int i = 0; i < f->c_param_count; i++) {
    const bind_param *p = f->c_params[i].count_of;
    const int64_t most = p ? bind_scalar_highest(f->c_params[i].type.scalar) : INT64_MAX;
    if (most == INT64_MAX) continue;
    bind_line(c, "if (%s_count > INT64_C(%lld))", p->name, (long long)most);
    bind_line(c, "  return dlf_error_set(error, DLF_OVERFLOW, \"%s: %s: expected at most %lld, got more\");",
              f->short_name, p->name, (long long)most);
  }
}

/* ---- the call ---- */

static void call_put_lists_closed(bind_text *c, const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_LIST) bind_line(c, "dlferry_list_close(&dlf_list_%s);", f->params[i].name);
}

static void call_put_lists(bind_text *c, const bind_function *f) {
  if (!call_has(f, BIND_LIST)) return;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind != BIND_LIST) continue;
    bind_line(c, "dlferry_list dlf_list_%s;", p->name);
    bind_line(c, "dlf_list_%s.tensors = dlf_list_%s.few;\ndlf_list_%s.copies = NULL;", p->name, p->name, p->name);
  }
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind != BIND_LIST) continue;
    bind_line(c, "if (!dlf_verdict)");
    bind_line(c, "  dlf_verdict = dlferry_list_open(\"%s: %s: expected memory for a list, got none\", %s, %s_count,",
              f->short_name, p->name, p->name, p->name);
    bind_line(c, "                                  &dlf_list_%s, error);", p->name);
  }
  bind_open(c, "if (dlf_verdict) {");
  call_put_lists_closed(c, f);
  bind_line(c, "return dlf_verdict;");
  bind_close(c, "}");
}

/* One argument a line. */
static void call_put_kernel(bind_text *c, const bind_function *f) {
  const int count = f->c_param_count + f->takes_error;
  bind_put(c, "%s(%s", f->name, count ? "\n" : "");
  c->depth += 2;
  for (int i = 0; i < f->c_param_count; i++) {
    const bind_c_param *from = &f->c_params[i];
    const bind_param *p = from->param;
    const char *end = i + 1 < count ? ",\n" : "";
    if (!p)
      bind_put(c, "(%.*s)%s_count%s", (int)strlen(from->type.c) - 1, from->type.c, from->count_of->name, end);
    else if (p->type.kind == BIND_TENSOR)
      bind_put(c, "%s%s", call_tensor(p), end);
    else if (p->type.kind == BIND_LIST)
      bind_put(c, "dlf_list_%s.tensors%s", p->name, end);
    else
      bind_put(c, "%s%s", p->name, end);
  }
  if (f->takes_error) bind_put(c, "&dlf_own");
  c->depth -= 2;
  bind_line(c, ");");
}

/* ---- what came back ---- */

static bool call_is_owned(const bind_param *p) {
  return p->returned && (p->type.kind == BIND_GIVEN || p->type.kind == BIND_HANDLE);
}

static void call_put_failure(bind_text *c, const bind_function *f, const char *test, const char *code, const char *text,
                             const char *status) {
  bool places = false;
  for (int i = 0; i < f->param_count; i++) places |= call_is_owned(&f->params[i]);
  bind_open(c, "if (%s)%s", test, places ? " {" : "");
  for (int i = 0; i < f->param_count; i++)
    if (call_is_owned(&f->params[i])) bind_line(c, "*%s = NULL;", f->params[i].name);
  bind_line(c, "return dlferry_failed(\"%s\", %s, %s, %s, %s, error);", f->short_name, code, text, status,
            f->takes_error ? "&dlf_own" : "NULL");
  c->depth--;
  if (places) bind_line(c, "}");
}

static void call_put_outcome(bind_text *c, const bind_function *f) {
  const bool ours = strcmp(f->result.c, "dlf_status ") == 0;
  if (f->returns == BIND_RETURN_STATUS)
    call_put_failure(c, f, bind_string("dlf_code != %lld", (long long)f->ok), "(long long)dlf_code",
                     f->status_text ? bind_string(f->status_text_bare ? "%s()" : "%s(dlf_code)", f->status_text)
                     : ours         ? "dlf_status_name((int32_t)dlf_code)"
                                    : "NULL",
                     ours ? "dlf_code > DLF_OK && dlf_code <= DLF_UNSUPPORTED ? dlf_code : DLF_FOREIGN"
                          : "DLF_FOREIGN");
  else if (f->takes_error)
    call_put_failure(c, f, "dlf_own.status != DLF_OK", "dlf_own.status", "NULL", "DLF_FOREIGN");
}

/* A kernel that says it went well is held to it: tensors, handles, texts and enum values are what they should be. */
static void call_put_result_checks(bind_text *c, const bind_function *f) {
  const bool value = f->returns == BIND_RETURN_VALUE;
  const bind_enum *e = value ? f->result.enumeration : NULL;
  const char *where = f->short_name;
  if (value && f->result.kind == BIND_HANDLE)
    bind_line(c,
              "if (!dlf_value_of_call)\n  dlf_verdict = dlf_error_set(error, DLF_FOREIGN, \"%s: kernel made no %s\");",
              where, f->result.handle->short_name);
  if (value && f->result.kind == BIND_STRING)
    bind_line(c,
              "if (!dlf_value_of_call)\n  dlf_verdict = dlf_error_set(error, DLF_FOREIGN, \"%s: kernel returned NULL, "
              "expected text\");",
              where);
  if (e && e->count) {
    call_put_enum_test(c, e, "dlf_value_of_call");
    bind_line(
        c,
        "  dlf_verdict = dlferry_not_in(\"%s: its result\", (long long)dlf_value_of_call, \"%s\", DLF_FOREIGN, error);",
        where, argument_labels(e));
  }
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!p->returned) continue;
    if (p->type.kind == BIND_HANDLE)
      bind_line(
          c, "if (!dlf_verdict && !*%s)\n  dlf_verdict = dlf_error_set(error, DLF_FOREIGN, \"%s: kernel made no %s\");",
          p->name, where, p->type.handle->short_name);
    if (p->type.kind == BIND_ENUM && p->type.enumeration->count) {
      bind_line(c, "if (!dlf_verdict)");
      c->depth++;
      call_put_enum_test(c, p->type.enumeration, bind_string("*%s", p->name));
      bind_line(c, "  dlf_verdict = dlferry_not_in(\"%s: %s\", (long long)*%s, \"%s\", DLF_FOREIGN, error);", where,
                p->name, p->name, argument_labels(p->type.enumeration));
      c->depth--;
    }
  }
  for (int i = 0; i < f->c_param_count; i++) {
    const bind_param *p = f->c_params[i].param;
    if (p && p->type.kind == BIND_GIVEN)
      bind_line(
          c, "if (!dlf_verdict)\n  dlf_verdict = dlferry_accept_given(\"%s: %s\", *%s, &dlf_values[%d].tensor, error);",
          where, p->name, p->name, i);
  }
  if (call_has(f, BIND_GIVEN))
    bind_line(c, "if (!dlf_verdict) dlf_verdict = dlferry_match(&dlferry_once_%s, dlf_values, error);", where);
}

/* After a failure nothing stays with the caller. */
static void call_put_let_go(bind_text *c, const bind_function *f, bool make) {
  bind_text body = {0};
  body.depth = c->depth + 1;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind == BIND_GIVEN || (make && p->made))
      bind_line(&body, "dlf_dlpack_release(*%s);\n*%s = NULL;", p->name, p->name);
    else if (p->returned && p->type.kind == BIND_HANDLE)
      bind_line(&body, "%s(*%s);\n*%s = NULL;", p->type.handle->free_checked_name, p->name, p->name);
  }
  if (f->returns == BIND_RETURN_VALUE && f->result.kind == BIND_HANDLE) {
    const char *held = make ? bind_string("*%s", bind_result_name(f)) : "dlf_value_of_call";
    bind_line(&body, "%s(%s);", f->result.handle->free_checked_name, held);
    if (make) bind_line(&body, "%s = NULL;", held);
  }
  if (body.length) {
    bind_line(c, "if (dlf_verdict) {");
    bind_raw(c, body.data, body.length);
    bind_line(c, "}");
  }
  bind_text_free(&body);
}

/* ---- f_checked ---- */

static bool call_may_refuse(bind_kind kind) {
  return kind == BIND_GIVEN || kind == BIND_HANDLE || kind == BIND_STRING || kind == BIND_ENUM;
}

/* Something comes back that may be refused. */
static bool call_brings_back(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].returned && call_may_refuse(f->params[i].type.kind)) return true;
  return f->returns == BIND_RETURN_VALUE && call_may_refuse(f->result.kind);
}

static bool call_rest_uses_error(const bind_function *f) {
  return f->takes_error || f->returns == BIND_RETURN_STATUS || call_brings_back(f);
}

static bool call_uses_error(const bind_function *f) {
  bool uses = call_has_contract(f) || call_rest_uses_error(f);
  for (int i = 0; i < f->param_count; i++) uses |= f->params[i].returned || call_may_refuse(f->params[i].type.kind);
  return uses;
}

static void call_put_argument_checks(bind_text *c, const bind_function *f) {
  for (int i = 0; i < f->param_count; i++) call_put_argument_check(c, f, &f->params[i]);
}

static void call_put_match(bind_text *c, const bind_function *f, bool predicate) {
  if (predicate) {
    bind_put(c, "if (!dlferry_fits_%s(", f->short_name);
    bind_put_predicate_arguments(c, f, false);
    bind_open(c, ")) {");
  }
  call_put_values(c, f, false);
  call_put_hooks(c, f);
  bind_line(c, "dlf_verdict = dlferry_match(&dlferry_once_%s, dlf_values, error);", f->short_name);
  bind_line(c, "if (dlf_verdict) return dlf_verdict;");
  if (predicate) bind_close(c, "}");
}

/* What the twin's caller gave, for another function of the same parameters; made outputs are places then. */
static void call_put_arguments(bind_text *c, const bind_function *f, bool make) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (make && p->made)
      bind_put(c, "(dlf_arg){&(*%s)->dl_tensor, 0}, ", p->name);
    else if (p->type.kind == BIND_LIST || p->type.kind == BIND_ARRAY)
      bind_put(c, "%s, %s_count, ", p->name, p->name);
    else
      bind_put(c, "%s, ", p->name);
  }
  bind_line(c, "%s%serror);", f->returns == BIND_RETURN_VALUE ? bind_result_name(f) : "",
            f->returns == BIND_RETURN_VALUE ? ", " : "");
}

/* All that comes after the contract. */
static void call_put_rest(bind_text *c, const bind_function *f, bool apart) {
  call_put_counts(c, f);
  if (!(apart ? call_rest_uses_error(f) : call_uses_error(f))) bind_line(c, "(void)error;");
  if (f->takes_error) bind_line(c, "dlf_error dlf_own;\ndlf_own.status = DLF_OK;\ndlf_own.message[0] = '\\0';");
  call_put_lists(c, f);
  if (f->returns == BIND_RETURN_STATUS) bind_put(c, "const %sdlf_code = ", f->result.c);
  if (f->returns == BIND_RETURN_VALUE)
    bind_put(c, "%s%sdlf_value_of_call = ", strchr(f->result.c, '*') ? "" : "const ", f->result.c);
  call_put_kernel(c, f);
  call_put_lists_closed(c, f);
  call_put_outcome(c, f);
  call_put_result_checks(c, f);
  if (call_brings_back(f)) {
    call_put_let_go(c, f, false);
    bind_line(c, "if (dlf_verdict) return dlf_verdict;");
  }
  if (f->returns == BIND_RETURN_VALUE)
    bind_line(c, "%s*%s = dlf_value_of_call;", f->result.handle ? "" : bind_string("if (%s) ", bind_result_name(f)),
              bind_result_name(f));
  bind_line(c, "return DLF_OK;");
  bind_close(c, "}\n");
}

static void call_put_checked(bind_text *c, const bind_function *f, bool predicate, bool makes) {
  const bool brings_back = call_brings_back(f);
  if (makes) { /* shared with f_new, whose contract holds */
    bind_put(c, "DLFERRY_INLINE ");
    bind_put_twin(c, f, bind_string("dlferry_call_%s", f->short_name));
    bind_open(c, " {");
    if (brings_back) bind_line(c, "dlf_status dlf_verdict = DLF_OK;");
    call_put_copies(c, f, false);
    call_put_rest(c, f, true);
  }
  bind_put_checked(c, f);
  bind_open(c, " {");
  if (call_has_contract(f) || brings_back) bind_line(c, "dlf_status dlf_verdict = DLF_OK;");
  if (!makes) call_put_copies(c, f, false);
  call_put_places(c, f);
  call_put_argument_checks(c, f);
  if (call_has_contract(f)) call_put_match(c, f, predicate);
  if (!makes) {
    call_put_rest(c, f, false);
    return;
  }
  bind_put(c, "return dlferry_call_%s(", f->short_name);
  call_put_arguments(c, f, false);
  bind_close(c, "}\n");
}

/* ---- f_new ---- */

/* Of a made output: let go of what is there. */
static void call_put_emptied(bind_text *c, const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].made) bind_line(c, "dlf_dlpack_release(*%s);\n*%s = NULL;", f->params[i].name, f->params[i].name);
}

static void call_put_new(bind_text *c, const bind_function *f, bool makes) {
  bind_put_new(c, f);
  bind_open(c, " {");
  bind_line(c, "dlf_status dlf_verdict = DLF_OK;");
  call_put_copies(c, f, true);
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].made)
      bind_line(c,
                "if (!%s)\n  return dlf_error_set(error, DLF_INVALID, \"%s: %s: expected a place for the tensor, got "
                "NULL\");",
                f->params[i].name, f->short_name, f->params[i].name);
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].made) bind_line(c, "*%s = NULL;", f->params[i].name);
  call_put_places(c, f);
  call_put_argument_checks(c, f);
  if (makes) {
    bind_put(c, "if (dlferry_make_%s(", f->short_name);
    bind_put_predicate_arguments(c, f, false);
    bind_open(c, ")) {");
    bind_put(c, "dlf_verdict = dlferry_call_%s(", f->short_name);
    call_put_arguments(c, f, true);
    c->depth--;
    bind_open(c, "} else {");
    call_put_emptied(c, f);
  }
  call_put_values(c, f, true);
  call_put_hooks(c, f);
  for (int i = 0, k = 0; i < f->c_param_count; i++) {
    const bind_param *p = f->c_params[i].param;
    if (p && p->made)
      bind_line(c, "%sdlf_verdict = dlferry_create(&dlferry_once_%s, dlf_values, %d, %s, error);",
                k++ ? "if (!dlf_verdict) " : "", f->short_name, i, p->name);
  }
  bind_put(c, "if (!dlf_verdict)\n  dlf_verdict = %s(", f->checked_name);
  call_put_arguments(c, f, true);
  if (makes) bind_close(c, "}");
  call_put_let_go(c, f, true);
  bind_line(c, "return dlf_verdict;");
  bind_close(c, "}\n");
}

void bind_put_twins(bind_text *c, const bind_function *f) {
  const bool contract = call_has_contract(f);
  if (contract) call_put_once(c, f);
  const bool predicate = contract && bind_put_predicate(c, f);
  const bool makes = predicate && f->new_name && bind_put_make(c, f);
  call_put_checked(c, f, predicate, makes);
  if (f->new_name) call_put_new(c, f, makes);
}
