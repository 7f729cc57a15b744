/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters through which C reports a failure. */
#include "report.h"
#include "parameters.h"
#include <stdlib.h>
#include <string.h>

/* A function that reads something of the object alone; NULL if there is none. */
static const c_function *report_reader(const ir_builder *b, const bind_handle *h,
                                       const char *name) {
  const c_function *f = ir_find_function(b, name);
  const bool alone = f && f->count == 1 && !f->variadic;
  return alone && ir_build_type(b, f->params[0].type).handle == h ? f : NULL;
}

static bool report_is_code(const c_type *t) {
  return t->kind == C_INTEGER || t->kind == C_ENUM;
}

/* Fill in what reads an object; returns what the clause lacks, or NULL. */
static const char *report_read_object(const ir_builder *b, const bind_handle *h,
                                      const report_clause *of, bind_report *out) {
  const c_function *maker = ir_plain_maker(b, h);
  const c_function *code = report_reader(b, h, of->from);
  if (!maker || !h->free_name) {
    return bind_string("%s needs `handle %s freed NAME made NAME`, where a function without "
                       "parameters makes one",
                       h->name,
                       h->name);
  }
  if (!code || !report_is_code(code->result)) {
    return bind_string("`from %s`: expected `int %s(const %s *)`, got another function",
                       of->from,
                       of->from,
                       h->name);
  }
  const c_function *text = of->text ? report_reader(b, h, of->text) : NULL;
  const bool is_text = text && text->result->kind == C_POINTER && text->result->to->kind == C_CHAR;
  if (of->text && !is_text) {
    return bind_string("`text %s`: expected `const char *%s(const %s *)`, got another function",
                       of->text,
                       of->text,
                       h->name);
  }
  out->c = h->c;
  out->made = maker->name;
  out->from = of->from;
  out->text = of->text;
  out->freed = h->free_checked_name;
  out->code_c = ir_build_type(b, code->result).c;
  return NULL;
}

static const char *report_why_not(ir_builder *b, bind_function *f, const c_type *t,
                                  const bind_param *p, const report_clause *of, bind_report *out) {
  const bool place = t->kind == C_POINTER && !t->is_array && !t->to->is_const;
  if (of->from) {
    const bool object = p->type.handle && !p->returned && !bind_begins(p->type.c, "const ");
    return object ? report_read_object(b, p->type.handle, of, out)
                  : "`from` is for an object that C may write";
  }
  if (!place || !report_is_code(t->to)) {
    return "expected a pointer to an integer or an enum that is not const, or `from FUNCTION` for "
           "an object";
  }
  out->c = out->code_c = ir_build_type(b, t->to).c;
  if (of->text) {
    ir_read_status_text(b, f, of->text);
  }
  return NULL;
}

static void report_read_ok(ir_builder *b, bind_function *f, const char *ok) {
  if (!ok) {
    return;
  }
  if (bind_is_digit(*ok)) {
    f->ok = atoll(ok);
  } else if (!ir_constant(b, ok, &f->ok)) {
    ir_fail_in(b, f, "`ok %s`: the header has no such constant", ok);
  }
}

void ir_build_report(ir_builder *b, bind_function *f, const c_function *from,
                     const clause_words *words) {
  const report_clause *of = &words->report;
  if (!of->param) {
    return;
  }
  bind_param *p = bind_find_param(f, of->param);
  bind_report *report = bind_alloc(1, sizeof *report);
  const char *why = "expected the name of a parameter";
  if (p && p - f->params < from->count) {
    why = report_why_not(b, f, from->params[p - f->params].type, p, of, report);
  }
  if (!why && f->takes_error) {
    why = "expected one place for a failure, got dlf_error * too";
  }
  if (why) {
    ir_fail_in(b, f, "%s: `status`: %s", of->param, why);
    return;
  }
  report->said = of->from ? bind_string("status from %s", of->from) : "status";
  report_read_ok(b, f, of->ok);
  f->status_message = of->message;
  f->report = p->report = report;
  p->type = (bind_type){.kind = BIND_OTHER, .c = report->c};
  p->returned = false;
  p->direction = BIND_IN;
}
