/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of one function. f_checked: match the contract, check what contracts do not cover,
 * call, check the results. f_new: make the outputs, then the same. */
#include "bind/base/escape.h"
#include "bind/ir/parameters.h"
#include "parts.h"
#include <string.h>

/* ---- questions about a function ---- */

static bool call_has_contract(const bind_function *f) {
  bool has = f->hook_count;
  BIND_EACH_PARAM (p, f) {
    const bind_kind kind = p->type.kind;
    has |= kind == BIND_TENSOR || kind == BIND_LIST || kind == BIND_ARRAY || kind == BIND_GIVEN ||
           *p->limits;
  }
  return has;
}

static bool call_may_refuse(bind_kind kind) {
  return kind == BIND_GIVEN || kind == BIND_HANDLE || kind == BIND_STRING || kind == BIND_ENUM ||
         kind == BIND_CHAR || kind == BIND_STRUCT;
}

/* A struct is refused for its fields. */
static bool call_may_refuse_value(const bind_type *type) {
  if (type->structure) {
    return *struct_checks(type->structure, "", "", true) != '\0';
  }
  return call_may_refuse(type->kind);
}

/* True if a result may be refused. */
static bool call_brings_back(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->returned && call_may_refuse(p->type.kind)) {
      return true;
    }
  }
  return cut_needed(f) || keep_in_result(f) || files_needed(f) || f->fact_count ||
         (f->returns == BIND_RETURN_VALUE && !f->result_optional &&
          (f->result_behind || call_may_refuse_value(&f->result)));
}

static bool call_rest_uses_error(const bind_function *f) {
  return f->takes_error || f->from || f->report || f->returns == BIND_RETURN_STATUS ||
         call_brings_back(f) || derive_may_refuse(f) || keep_needed(f) || *derive_offsets(f);
}

static bool call_uses_error(const bind_function *f) {
  bool uses = call_has_contract(f) || call_rest_uses_error(f);
  BIND_EACH_PARAM (p, f) {
    uses |= p->returned || (call_may_refuse(p->type.kind) && !p->optional) ||
            *give_unlent(f, p, p->name) || *keep_untaken(f, p, p->name) || *keep_unmade(f, p);
  }
  return uses;
}

/* ---- the contract ---- */

static const char call_prepared[] = "static const dlf_parameter dlferry_parameters_$own[] = {\n"
                                    "  $parameters\n"
                                    "};\n"
                                    "static dlferry_once dlferry_once_$own = {\n"
                                    "  \"$contract\",\n"
                                    "  \"$function\", dlferry_parameters_$own, $count, NULL,\n"
                                    "};\n"
                                    "\n";

void twin_put_once(bind_text *c, const bind_function *f) {
  static const char *const kinds[] = {[DLF_PARAMETER_INPUT] = "INPUT",
                                      [DLF_PARAMETER_OUTPUT] = "OUTPUT",
                                      [DLF_PARAMETER_INTEGER] = "INTEGER",
                                      [DLF_PARAMETER_UNSIGNED] = "UNSIGNED",
                                      [DLF_PARAMETER_REAL] = "REAL",
                                      [DLF_PARAMETER_OTHER] = "OTHER",
                                      [DLF_PARAMETER_LIST] = "LIST",
                                      [DLF_PARAMETER_ARRAY] = "ARRAY",
                                      [DLF_PARAMETER_GIVEN] = "GIVEN"};
  const dlf_parameter *parameters = bind_contract_parameters(f);
  bind_text rows = {0};
  for (int i = 0; i < f->c_param_count; i++) {
    bind_line(&rows, "{\"%s\", DLF_PARAMETER_%s},", parameters[i].name, kinds[parameters[i].kind]);
  }
  bind_fill(c,
            call_prepared,
            {"function", f->short_name},
            {"own", f->own},
            {"parameters", bind_keep(&rows)},
            {"contract", bind_doc_escape(BIND_DOC_C_STRING, f->contract)},
            {"count", bind_number(f->c_param_count)});
}

static const char *const call_values[BIND_OTHER] = {
    [BIND_TENSOR] = "{$name, 0, 0, NULL},\n",
    [BIND_LIST] = "{{NULL, 0}, ${name}_count, 0, $name},\n",
    [BIND_ARRAY] = "{{NULL, 0}, ${name}_count, 0, $name},\n",
    [BIND_INTEGER] = "{{NULL, 0}, (int64_t)$star$name, 0, NULL},\n",
    [BIND_REAL] = "{{NULL, 0}, 0, $star$name, NULL},\n",
};

/* The arguments for the contract. */
const char *twin_value_list(const bind_function *f, bool make) {
  bind_text rows = {0};
  BIND_EACH_C_PARAM (from, f) {
    const bind_param *p = from->param;
    const bool here = p && bind_is_read(p) && !(make && p->made) && !bind_is_behind(p);
    const char *row = NULL;
    if (here && p->type.kind < BIND_OTHER) {
      row = call_values[p->type.kind];
    }
    if (from->count_of) {
      row = "{{NULL, 0}, ${name}_count, 0, NULL},\n";
    }
    const char *name = from->name;
    if (p) {
      name = p->name;
    } else if (from->count_of) {
      name = from->count_of->name;
    }
    bind_fill(&rows,
              bind_or(row, "{{NULL, 0}, 0, 0, NULL},\n"),
              {"name", name},
              {"star", bind_when(p && p->returned, "*")});
  }
  BIND_EACH (const bind_hook, hook, f->hooks, f->hook_count) {
    bind_line(&rows, "{{NULL, 0}, 0, 0, NULL}, /* %s */", hook->text);
  }
  return bind_filled("${const}dlf_value dlf_values[] = {\n"
                     "  $rows\n"
                     "};\n",
                     {"const", f->hook_count || bind_has_kind(f, BIND_GIVEN) ? "" : "const "},
                     {"rows", bind_keep(&rows)});
}

/* The contract of the family says more than that of a member, but does not know which dtypes follow
 * from its own. */
static const char *call_family(const bind_function *f, const char *verb) {
  if (f->family) {
    return bind_string("dlf_verdict = dlferry_%s(&dlferry_once_%s, dlf_values, error);\n"
                       "if (dlf_verdict) return dlf_verdict;\n",
                       verb,
                       f->family->own);
  }
  return "";
}

static const char *call_match(const bind_function *f, bool predicate) {
  if (!call_has_contract(f)) {
    return "";
  }
  const bind_field *fields = bind_fields({"function", f->own},
                                         {"values", twin_value_list(f, false)},
                                         {"hooks", hooks_statements(f)},
                                         {"looked_at", bind_predicate_arguments(f, false)},
                                         {"family", call_family(f, "match")});
  const char *match = bind_filled_template(
      "$values\n"
      "$hooks\n"
      "$family\n"
      "dlf_verdict = dlferry_match(&dlferry_once_$function, dlf_values, error);\n"
      "if (dlf_verdict) return dlf_verdict;\n",
      fields);
  if (!predicate) {
    return match;
  }
  return bind_filled_template("if (!dlferry_fits_$function($looked_at)) {\n"
                              "  $match\n"
                              "}\n",
                              bind_with(fields, {"match", match}));
}

/* ---- the call ---- */

/* Check the lengths that C counts in less than 64 bits. */
static const char *call_counts(const bind_function *f) {
  bind_text counts = {0};
  BIND_EACH_C_PARAM (c, f) {
    const bind_param *p = c->count_of;
    const char *above = "";
    if (p) {
      above = platform_above(&c->type, bind_string("%s_count", p->name));
    }
    if (!*above) {
      continue;
    }
    bind_fill(&counts,
              "if ($above)\n"
              "  return dlf_error_set(error, DLF_OVERFLOW, \"$where: expected at most $most, got "
              "more\");\n",
              {"above", above},
              {"where", argument_where(f, p)},
              {"most", bind_number(platform_most(&c->type))});
  }
  return bind_keep(&counts);
}

/* Refuse a list in which a text is missing. */
static const char *call_texts(const bind_function *f) {
  bind_text checks = {0};
  BIND_EACH_PARAM (p, f) {
    if (bind_is_text_list(p)) {
      bind_fill(&checks,
                "for (int64_t i = 0; i < ${name}_count; i++)\n"
                "  if (!$name[i])\n"
                "    return dlferry_fail(error, DLF_INVALID, \"$where[%lld] (from 0): expected "
                "text, got NULL\", (long long)i);\n",
                {"name", p->name},
                {"where", argument_where(f, p)});
    }
  }
  return bind_keep(&checks);
}

static const char *call_lists(const bind_function *f, const bind_field *shares) {
  if (*bind_field_of(shares, "lists")) {
    return bind_filled_template("$lists\n"
                                "$opened\n"
                                "if (dlf_verdict) {\n"
                                "  $closed\n"
                                "  $undone\n"
                                "  return dlf_verdict;\n"
                                "}\n",
                                bind_with(shares, {"undone", keep_undone(f)}));
  }
  return "";
}

/* LAPACK: -i is about argument i. */
static const char *call_refused(const bind_function *f) {
  bind_text names = {0};
  if (!f->info) {
    return "";
  }
  for (int i = 0; i < f->c_param_count; i++) {
    bind_put(&names, "%s\"%s\"", bind_when(i, ", "), f->c_params[i].name);
  }
  return bind_filled("static const char *const dlf_names[] = {$names};\n"
                     "if (dlf_code < 0 && dlf_code >= -$count)\n"
                     "  return dlferry_refused(\"$function\", dlf_names[-1 - dlf_code], (long "
                     "long)dlf_code, error);\n",
                     {"names", bind_keep(&names)},
                     {"count", bind_number(f->c_param_count)},
                     {"function", f->short_name});
}

/* Python must tell torch of writes, also if the function fails after it has begun. */
static const char *call_begun(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->type.kind == BIND_TENSOR && p->direction != BIND_IN) {
      return "DLFERRY_BEGUN();\n";
    }
  }
  return "";
}

/* What C has freed is no longer the caller's. */
static const char *call_ended(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (p->ended) {
      bind_line(&t, "*dlf_ended_%s = NULL;", p->name);
    }
  }
  return bind_keep(&t);
}

/* The call of C; a struct behind the pointer that it returns is copied at once. */
static const char *call_called(const bind_function *f) {
  const char *called = texts_call(f, kernel_received(f), kernel_call(f));
  if (f->returns != BIND_RETURN_VALUE || !f->result_behind) {
    return called;
  }
  const char *type = f->result.own;
  return bind_string("%sconst %sdlf_value_of_call = dlf_place_of_call ? *dlf_place_of_call : "
                     "(%s){0};\n",
                     called,
                     type,
                     bind_sized(type, strlen(type) - 1));
}

/* The kernel told the text of its failure, which may lie in what is freed. */
static const char call_fault[] =
    "if ($test) {\n"
    "  $begun\n"
    "  const dlf_status dlf_failure = dlferry_failed(\"$function\", $code, $text, $status, $own, "
    "error);\n"
    "  $forgotten\n"
    "  $freed\n"
    "  return dlf_failure;\n"
    "}\n"
    "$freed\n";

/* What C gave, which a failure drops. */
static const char *call_forgotten(const bind_function *f, const bind_field *shares) {
  return bind_string("%s%s%s%s%s",
                     bind_field_of(shares, "forgotten"),
                     keep_undone(f),
                     texts_forgotten(f),
                     collect_forgotten(f),
                     give_forgotten(f));
}

/* The text of a kernel that fails. */
static const char *call_outcome(const bind_function *f, const bind_field *shares) {
  const bool ours = strcmp(f->result.c, "dlf_status ") == 0;
  const char *text = hooks_status_text(f);
  if (f->fault) {
    text = texts_fault(f);
  } else if (f->report) {
    text = reported_text(f);
  }
  if (ours && !f->status_text && !f->status_message) {
    text = "dlf_status_name((int32_t)dlf_code)";
  }
  const bind_field *fields;
  if (f->returns == BIND_RETURN_STATUS || f->report) {
    fields = bind_fields(
        {"test", hooks_failed(f)},
        {"code", "(long long)dlf_code"},
        {"text", text},
        {"status", ours ? "dlferry_failure((int32_t)dlf_code, DLF_FOREIGN)" : "DLF_FOREIGN"});
  } else if (f->from) {
    fields = bind_fields({"test", hooks_failed(f)},
                         {"code", "(long long)dlf_value_of_call"},
                         {"text", text},
                         {"status", "DLF_FOREIGN"});
  } else {
    fields = bind_fields({"test", "dlf_own.status != DLF_OK"},
                         {"code", "dlf_own.status"},
                         {"text", "NULL"},
                         {"status", "DLF_FOREIGN"});
  }
  if (f->returns != BIND_RETURN_STATUS && !f->from && !f->takes_error && !f->report) {
    return "";
  }
  fields = bind_with(fields,
                     {"function", f->short_name},
                     {"own", f->takes_error ? "&dlf_own" : "NULL"},
                     {"forgotten", call_forgotten(f, shares)},
                     {"refused", call_refused(f)},
                     {"begun", call_begun(f)});
  const char *freed = bind_string("%s%s", texts_fault_freed(f), reported_freed(f));
  if (f->fault || *freed) {
    return bind_filled_template(call_fault, bind_with(fields, {"freed", freed}));
  }
  return bind_filled_template(
      *bind_field_of(fields, "forgotten") || f->info || *call_begun(f)
          ? "if ($test) {\n"
            "  $begun\n"
            "  $forgotten\n"
            "  $refused\n"
            "  return dlferry_failed(\"$function\", $code, $text, $status, $own, error);\n"
            "}\n"
          : "if ($test)\n"
            "  return dlferry_failed(\"$function\", $code, $text, $status, $own, error);\n",
      fields);
}

/* ---- results ---- */

static const char *call_let_go(const char *released) {
  if (*released) {
    return bind_filled("if (dlf_verdict) {\n"
                       "  $released\n"
                       "}\n",
                       {"released", released});
  }
  return "";
}

/* Store the value in the caller's place for it. */
static const char *call_handed_over(const bind_function *f) {
  if (f->returns != BIND_RETURN_VALUE || f->frees_result) {
    return "";
  }
  if (f->result.structure) {
    return struct_handed_over(f);
  }
  return bind_filled(f->result.handle ? "*$result = dlf_value_of_call;\n"
                                      : "if ($result) *$result = dlf_value_of_call;\n",
                     {"result", bind_result_name(f)});
}

/* ---- f_checked ---- */

static const char call_rest[] = "$offsets\n"
                                "$counts\n"
                                "$derived\n"
                                "$unused\n"
                                "$own\n"
                                "$given_places\n"
                                "$cleared\n"
                                "$count_room\n"
                                "$keeping\n"
                                "$list_room\n"
                                "$memory\n"
                                "$opened_texts\n"
                                "$structs\n"
                                "$fields\n"
                                "$scratch\n"
                                "$report\n"
                                "$called\n"
                                "$scratch_given_back\n"
                                "$reported\n"
                                "$fields_back\n"
                                "$closed\n"
                                "$stopped\n"
                                "$outcome\n"
                                "$counted\n"
                                "$value_check\n"
                                "$results\n"
                                "$keeping_result\n"
                                "$gifts\n"
                                "$extents\n"
                                "$accepted\n"
                                "$match_again\n"
                                "$let_go\n"
                                "$handed_over\n"
                                "return DLF_OK;\n";

/* The code after the contract; apart: in a separate function, which f_new also calls. */
static const char *call_rest_of(const bind_function *f, const bind_field *shares, bool apart) {
  const bool brings_back = call_brings_back(f);
  const char *released = bind_string("%s%s", call_begun(f), bind_field_of(shares, "released"));
  const char *ends = bind_string("%sif (dlf_verdict) return dlf_verdict;\n", call_let_go(released));
  const char *let_go = bind_string("%s%s%s", texts_narrowed(f), files_closed(f), structs_freed(f));
  const char *match_again = "";
  if (bind_has_kind(f, BIND_GIVEN)) {
    match_again = bind_filled("if (!dlf_verdict) dlf_verdict = dlferry_match("
                              "&dlferry_once_$function, dlf_values, error);\n",
                              {"function", f->own});
  }
  bool uses_error = call_uses_error(f);
  if (apart) {
    uses_error = call_rest_uses_error(f);
  }
  const char *undone = bind_string("%s%s", bind_field_of(shares, "closed"), keep_undone(f));
  const char *opened = bind_string("%s%s%s", undone, inplace_undone(f), texts_dropped(f));
  const char *scratches = bind_string("%s%s", scratch_given_back(f), struct_lists_given_back(f));
  return bind_filled_template(
      call_rest,
      bind_with(
          shares,
          {"offsets", derive_offsets(f)},
          {"counts", bind_string("%s%s", call_counts(f), call_texts(f))},
          {"derived", derive_statements(f)},
          {"unused", bind_when(!uses_error, "(void)error;\n")},
          {"own",
           bind_when(
               f->takes_error,
               "dlf_error dlf_own;\ndlf_own.status = DLF_OK;\ndlf_own.message[0] = '\\0';\n")},
          {"count_room", cut_places(f)},
          {"counted", bind_string("%s%s", inplace_handed_over(f), cut_counted(f))},
          {"list_room", call_lists(f, shares)},
          {"memory", inplace_taken(f, undone)},
          {"opened_texts", texts_opened(f, bind_string("%s%s", undone, inplace_undone(f)))},
          {"structs", struct_places(f)},
          {"fields", kernel_fields(f)},
          {"fields_back", kernel_fields_back(f)},
          {"scratch", bind_string("%s%s", scratch_taken(f, opened), struct_lists_taken(f, opened))},
          {"scratch_given_back", scratches},
          {"report", reported_made(f, bind_string("%s%s", opened, scratches))},
          {"called", bind_string("%s%s", facts_doubted(f), call_called(f))},
          {"reported", bind_string("%s%s", call_ended(f), reported_code(f))},
          {"given_places",
           bind_string("%s%s%s", give_places(f), texts_places(f), collect_places(f))},
          {"gifts", give_statements(f)},
          {"extents", give_values(f)},
          {"cleared", give_cleared(f)},
          {"keeping", keep_before(f)},
          {"keeping_result", bind_string("%s%s", keep_after(f), facts_noted(f))},
          {"stopped", collect_stopped(f, call_forgotten(f, shares))},
          {"outcome", call_outcome(f, shares)},
          {"match_again", match_again},
          {"let_go", bind_string("%s%s", let_go, bind_when(brings_back, ends))},
          {"handed_over", call_handed_over(f)}));
}

/* The caller's arguments, for another function with the same parameters; made outputs are places
 * there. */
static const char *call_arguments(const bind_function *f, bool make) {
  bind_text list = {0};
  BIND_EACH_PARAM (p, f) {
    const bool counted = p->type.kind == BIND_LIST || p->type.kind == BIND_ARRAY;
    const char *argument = "${name}, ";
    if (make && p->made) {
      argument = "(dlf_arg){&(*$name)->dl_tensor, 0}, ";
    } else if (make && p->counts) {
      argument = "&dlf_count_$name, ";
    } else if (p->kept) {
      argument = "dlf_kept_$name, ";
    } else if (p->ended) {
      argument = "dlf_ended_$name, ";
    } else if (counted) {
      argument = "$name, ${name}_count, ";
    }
    bind_fill(&list, argument, {"name", p->name});
  }
  if (f->returns == BIND_RETURN_VALUE) {
    bind_put(&list, "%s, ", bind_result_name(f));
  }
  bind_put(&list, "error");
  return bind_keep(&list);
}

static const char call_checked[] = "$declaration {\n"
                                   "  $verdict\n"
                                   "  $kept\n"
                                   "  $rooms\n"
                                   "  $places\n"
                                   "  $checks\n"
                                   "  $match\n"
                                   "  $rest\n"
                                   "}\n"
                                   "\n";

/* Shared with f_new, whose contract holds. */
static const char call_apart[] = "DLFERRY_INLINE $declaration {\n"
                                 "  $verdict\n"
                                 "  $kept\n"
                                 "  $rooms\n"
                                 "  $rest\n"
                                 "}\n"
                                 "\n";

/* The contract is checked inside too; what C gives is copied before another thread comes. */
static const char call_locked[] =
    "$declaration {\n"
    "  dlf_lock_enter(\"$lock\");\n"
    "  const dlf_status dlf_verdict = dlferry_locked_$function($arguments);\n"
    "  dlf_lock_leave(\"$lock\");\n"
    "  return dlf_verdict;\n"
    "}\n"
    "\n";

/* The members of a family are called by its twins alone. */
static const char *call_declaration(const bind_function *f, const char *declaration) {
  return bind_string("%s%s", bind_when(f->family, "static "), declaration);
}

static void call_put_locked(bind_text *c, const bind_function *f) {
  bind_fill(c,
            call_locked,
            {"declaration", call_declaration(f, bind_declare_checked(f))},
            {"lock", f->lock},
            {"function", f->own},
            {"arguments", call_arguments(f, false)});
}

static const char call_verdict[] = "dlf_status dlf_verdict = DLF_OK;\n";

/* f_new enters behind the contract, so that part is a function of its own. Returns the statement
 * that calls it. */
static const char *call_put_apart(bind_text *c, const bind_function *f, const bind_field *shares) {
  const char *name = bind_string("dlferry_call_%s", f->own);
  bind_template(c,
                call_apart,
                bind_with(shares,
                          {"declaration", bind_declare_twin(f, name)},
                          {"verdict", bind_when(call_brings_back(f), call_verdict)},
                          {"rest", call_rest_of(f, shares, true)}));
  return bind_string("return %s(%s);\n", name, call_arguments(f, false));
}

/* Put f_checked, or the function behind its lock; rest: what follows the match. */
static void call_put_entry(bind_text *c, const bind_function *f, const bind_field *fields,
                           const char *match, const char *rest) {
  const bool has_verdict = call_has_contract(f) || call_brings_back(f);
  const char *declaration = call_declaration(f, bind_declare_checked(f));
  if (f->lock) {
    const char *name = bind_string("dlferry_locked_%s", f->own);
    declaration = bind_string("static %s", bind_declare_twin(f, name));
  }
  bind_template(c,
                call_checked,
                bind_with(fields,
                          {"declaration", declaration},
                          {"verdict", bind_when(has_verdict, call_verdict)},
                          {"match", match},
                          {"rest", rest}));
}

/* Put f_checked. predicate: dlferry_fits_F exists, and a call that it accepts skips the match.
 * makes_quickly: dlferry_make_F exists too, so f_new enters behind the match; never with `lock`. */
static void call_put_checked(bind_text *c, const bind_function *f, bool predicate,
                             bool makes_quickly) {
  const bind_field *shares = twin_shares(f, false);
  const char *match = call_match(f, predicate);
  if (makes_quickly) {
    const char *rest = call_put_apart(c, f, shares);
    call_put_entry(c, f, bind_all_fields(bind_fields({"rooms", ""}), shares), match, rest);
    return;
  }
  call_put_entry(c, f, shares, match, call_rest_of(f, shares, false));
  if (f->lock) {
    call_put_locked(c, f);
  }
}

/* ---- f_new ---- */

static const char call_new[] = "$declaration {\n"
                               "  dlf_status dlf_verdict = DLF_OK;\n"
                               "  $kept\n"
                               "  $count_variables\n"
                               "  $rooms\n"
                               "  $made_places\n"
                               "  $made_emptied\n"
                               "  $places\n"
                               "  $checks\n"
                               "  $body\n"
                               "  $cut\n"
                               "  $let_go\n"
                               "  return dlf_verdict;\n"
                               "}\n"
                               "\n";

/* Make outputs by the interpreter. */
static const char call_made_slowly[] = "$values\n"
                                       "$hooks\n"
                                       "$created\n"
                                       "if (!dlf_verdict)\n"
                                       "  dlf_verdict = $twin($arguments);\n";

/* Make outputs from the unchecked inputs; release them if the check refuses. */
static const char call_made_quickly[] = "if (dlferry_make_$function($looked_at)) {\n"
                                        "  dlf_verdict = dlferry_call_$function($arguments);\n"
                                        "} else {\n"
                                        "  $made_released\n"
                                        "  $slowly\n"
                                        "}\n";

static void call_put_new(bind_text *c, const bind_function *f, bool makes_quickly) {
  const bind_field *shares = twin_shares(f, true);
  bind_text created = {0};
  for (int i = 0; i < f->c_param_count; i++) {
    const bind_param *p = f->c_params[i].param;
    if (p && p->made) {
      bind_fill(&created,
                "${if}dlf_verdict = dlferry_create(&dlferry_once_$function, dlf_values, $index, "
                "$name, error);\n",
                {"if", bind_when(created.length, "if (!dlf_verdict) ")},
                {"function", f->own},
                {"index", bind_number(i)},
                {"name", p->name});
    }
  }
  const bind_field *fields =
      bind_with(shares,
                {"declaration", call_declaration(f, bind_declare_new(f))},
                {"function", f->own},
                {"twin", f->checked_name},
                {"values", twin_value_list(f, true)},
                {"hooks", bind_string("%s%s", hooks_statements(f), call_family(f, "match_inputs"))},
                {"created", bind_keep(&created)},
                {"arguments", call_arguments(f, true)},
                {"looked_at", bind_predicate_arguments(f, false)},
                {"let_go", call_let_go(bind_field_of(shares, "released"))});
  const char *slowly = bind_filled_template(call_made_slowly, fields);
  const char *body = slowly;
  if (makes_quickly) {
    body = bind_filled_template(call_made_quickly, bind_with(fields, {"slowly", slowly}));
  }
  bind_template(
      c,
      call_new,
      bind_with(
          fields, {"body", body}, {"count_variables", cut_variables(f)}, {"cut", cut_made(f)}));
}

static void call_put_twins(bind_text *c, const bind_function *f) {
  const bool contract = call_has_contract(f);
  if (contract) {
    twin_put_once(c, f);
  }
  bind_put(c, "%s%s%s", platform_assertions(f), struct_spread_assertions(f), give_functions(f));
  bind_add(c, collect_function(f));
  const bool predicate = contract && bind_put_predicate(c, f);
  const bool makes_quickly = predicate && f->new_name && !f->lock;
  if (makes_quickly) {
    bind_put_make(c, f);
  }
  call_put_checked(c, f, predicate, makes_quickly);
  if (f->new_name) {
    call_put_new(c, f, makes_quickly);
  }
}

void bind_put_twins(bind_text *c, const bind_function *f) {
  const bind_function *renamed = rename_needed(f);
  bind_text text = {0};
  if (renamed == f) {
    call_put_twins(c, f);
    return;
  }
  call_put_twins(&text, renamed);
  rename_put_back(c, bind_keep(&text));
}
