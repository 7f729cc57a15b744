/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the Julia module: f(...) calls f_new, which makes its outputs; f!(out, ...), or
 * f(...) without outputs to make, calls f_checked. */
#include "bind/base/escape.h"
#include "bind/emit/query.h"
#include "julia.h"
#include <string.h>

/* In the order of julia_parts. */
enum {
  JULIA_WRITTEN,
  JULIA_RESULTS,
  JULIA_ARGUMENTS,
  JULIA_VALUE,
  JULIA_ABOUT,
  JULIA_COLUMNS,
  JULIA_ROWS,
  JULIA_PARTS
};

static const bind_part julia_parts[JULIA_PARTS] = {
    {"written", ", ", BIND_C_ORDER}, /* tensors that callers pass to be written */
    {"results", ", ", BIND_CALLER_ORDER},
    {"arguments", ", ", BIND_C_ORDER}, /* of the call of @kernel */
    {"value", "", BIND_C_ORDER},       /* the value that C returns to @kernel */
    {"about", "\n", BIND_C_ORDER},     /* of the docs */
    {"columns", ", ", BIND_C_ORDER},   /* tensors of which the contract wants a layout */
    {"rows", ", ", BIND_C_ORDER},
};

/* Return the docs of a parameter. */
static const char *julia_about(const bind_param *p) {
  const char *about = bind_join(
      p->doc, "; ", bind_when(*p->contract, bind_string("%s: `%s`", p->words, p->contract)));
  about = bind_join(about, "; ", bind_when(*p->limits, bind_string("`%s`", p->limits_words)));
  if (p->type.kind == BIND_TENSOR && p->optional) {
    about = bind_join(about, "; ", "may be left out");
  }
  about = bind_doc_escape(BIND_DOC_JULIA, about);
  if (p->type.kind != BIND_STREAM) {
    return about;
  }
  return bind_join(about, "; ", "an address; `C_NULL` is the device's default stream");
}

static void julia_share(bind_slot *slot, const bind_function *f, bool makes) {
  const bind_param *p = slot->p;
  const char *name = julia_name(p->name);
  const char *kind = julia_kind(f, slot);
  const char *about = julia_about(p);
  const bool tensors = !slot->result && (p->type.kind == BIND_TENSOR || p->type.kind == BIND_LIST);
  if (slot->is_value) {
    const char *name_of_type = julia_result_name(&p->type);
    slot->shares[JULIA_RESULTS] =
        f->result_optional ? bind_string("Union{%s,Nothing}", name_of_type) : name_of_type;
    slot->shares[JULIA_VALUE] = bind_string("::%s", kind);
    return;
  }
  slot->shares[JULIA_ARGUMENTS] = bind_string("%s::%s", name, kind);
  if (slot->result) {
    slot->shares[JULIA_RESULTS] = slot->changes ? bind_string("new %s", name) : name;
  }
  if (julia_is_written(p, makes)) {
    slot->shares[JULIA_WRITTEN] = name;
  }
  if (*about) {
    const char *role = bind_when(p->returned, " (returned)");
    if (makes && p->made) {
      role = " (made)";
    } else if (slot->changes) {
      role = " (and returned)";
    }
    slot->shares[JULIA_ABOUT] =
        bind_filled("- `$name`$role: $about", {"name", name}, {"about", about}, {"role", role});
  }
  if (tensors && julia_wants(f, p, true)) {
    slot->shares[JULIA_COLUMNS] = bind_string("`%s`", name);
  }
  if (tensors && julia_wants(f, p, false)) {
    slot->shares[JULIA_ROWS] = bind_string("`%s`", name);
  }
}

static const char *julia_tuple(const char *names) {
  if (strchr(names, ',')) {
    return bind_string("(%s)", names);
  }
  return names;
}

/* Return "sigma = 1.0" for the docs, "sigma::Real = 1.0" for the definition, where `typed` is not
 * NULL. */
static const char *julia_declared(const bind_param *p, const void *typed) {
  const char *name = bind_string("%s%s", julia_name(p->name), typed ? julia_annotation(p) : "");
  if (julia_is_keyword(p)) {
    return bind_string("%s = %s", name, julia_default(p));
  }
  return name;
}

/* Break a line that is too long at this depth. */
static const char *julia_wrapped(int depth, const char *line) {
  bind_text t = {.unit = "    ", .depth = depth};
  bind_wrapped(&t, line);
  return bind_keep(&t);
}

/* The fields for the templates of a function. */
static const bind_field *julia_fields(const bind_function *f, bool makes) {
  const bind_slots slots = bind_slots_of(f, makes, julia_parts, JULIA_PARTS);
  for (int i = 0; i < slots.count; i++) {
    julia_share(&slots.items[i], f, makes);
  }
  const bind_field *fields = bind_joined(&slots);
  const char *results = julia_tuple(bind_field_of(fields, "results"));
  const char *written = julia_tuple(bind_field_of(fields, "written"));
  const char *given = written;
  if (*results) {
    given = results;
  }
  return bind_all_fields(bind_fields({"results", results},
                                     {"written", written},
                                     {"name", julia_name(f->short_name)},
                                     {"given", bind_when(*given, bind_string(" -> %s", given))},
                                     {"signature", julia_signature(f, makes, julia_declared, NULL)},
                                     {"typed", julia_signature(f, makes, julia_declared, "typed")},
                                     {"function", f->short_name},
                                     {"twin", makes ? f->new_name : f->checked_name},
                                     {"c", bind_c_names(f, "`, `")},
                                     {"derived", bind_derived_words(f)}),
                         fields);
}

/* ---- the docs ---- */

static const char julia_columns[] = "\n"
                                    "Column-major, like a plain `Matrix`: $columns.\n";

static const char julia_rows_wanted[] = "\n"
                                        "Row-major: $rows.\n"
                                        "A plain `Matrix` is column-major and is refused. Pass "
                                        "`DLFerry.rowmajor(A)`, which reverses the dimensions, a\n"
                                        "transpose, or a row-major `DLArray`.\n";

static const char julia_deprecated[] = "\n"
                                       "!!! warning \"Deprecated\"\n"
                                       "    $text\n";

static const char *julia_why(const bind_function *f) {
  if (*f->deprecated) {
    return bind_doc_escape(BIND_DOC_JULIA, f->deprecated);
  }
  return "The C header says so.";
}

static const char *julia_arguments(const bind_function *f, const bind_field *fields) {
  bind_text t = {0};
  const char *about = bind_field_of(fields, "about");
  if (*f->returns_doc) {
    about = bind_join(
        about, "\n", bind_string("- returns: %s", bind_doc_escape(BIND_DOC_JULIA, f->returns_doc)));
  }
  if (f->deprecated) {
    bind_template(&t, julia_deprecated, bind_fields({"text", julia_why(f)}));
  }
  if (*about) {
    bind_line(&t, "\n%s", about);
  }
  if (*f->contract) {
    bind_put_doc(&t, BIND_DOC_JULIA, "", bind_string("\nContract: `%s`", f->contract));
  }
  if (*bind_field_of(fields, "columns")) {
    bind_template(&t, julia_columns, fields);
  }
  if (*bind_field_of(fields, "rows")) {
    bind_template(&t, julia_rows_wanted, fields);
  }
  return bind_keep(&t);
}

/* The method that makes the outputs has the whole doc; the other one refers to it. */
static const char *julia_docs(const bind_function *f, bool makes, const bind_field *fields) {
  const bool whole = makes || !f->new_name;
  const char *doc = julia_doc(bind_summary(f, "`"), "", whole ? f->description : "");
  if (whole) {
    return bind_string("%s%s", doc, julia_arguments(f, fields));
  }
  const char *returned = " and returns it";
  if (*bind_field_of(fields, "results")) {
    returned = "";
  }
  const char *made = julia_signature(
      f, true, julia_declared, NULL); /* its name ends in ! if it writes into others */
  return bind_string("%s%s",
                     doc,
                     bind_filled("\nLike [`$name`](@ref), but writes into `$written`$returned.\n",
                                 {"written", bind_field_of(fields, "written")},
                                 {"returned", returned},
                                 {"name", bind_sized(made, strcspn(made, "("))}));
}

/* ---- the function ---- */

static const char julia_title[] = "$signature$given";

static const char julia_function[] = "\n"
                                     "\"\"\"\n"
                                     "    $title\n"
                                     "    $block\n"
                                     "\n"
                                     "$docs\n"
                                     "\n"
                                     "C: `$c`$derived\n"
                                     "\"\"\"\n"
                                     "$definition\n"
                                     "    $deprecated\n"
                                     "$call\n"
                                     "    $end\n"
                                     "end\n"
                                     "$closing\n";

/* Julia prints it with --depwarn=yes, as in tests. */
static const char *julia_warning(const bind_function *f, const char *name) {
  if (!f->deprecated) {
    return "";
  }
  const char *text = bind_doc_escape(
      BIND_DOC_JULIA, bind_string("%s%s", bind_when(*f->deprecated, ": "), f->deprecated));
  const char *line = bind_one_line(text);
  return bind_string("Base.depwarn(\"`%s` is deprecated%s\", :%s)", name, line, name);
}

/* A do block calls f(use, ...). */
static const char julia_closing[] = "$name(use::Base.Function, given...; options...) =\n"
                                    "    DLFerry.closing(use, $name(given...; options...))\n";

static void julia_put_function(bind_text *t, const bind_function *f, bool makes) {
  const bind_field *fields = julia_fields(f, makes);
  const char *results = bind_field_of(fields, "results");
  const char *written = bind_field_of(fields, "written");
  const bool opens = f->creates && !f->result_optional && bind_count_results(f, makes) == 1;
  const char *call =
      bind_filled_template("@kernel \"$function\" kernels.$twin($arguments)$value", fields);
  const char *end = "";
  if (*results) {
    call = bind_string("return %s", call);
  } else {
    end = bind_string("return %s", bind_said_or(written, "nothing"));
  }
  const char *block = "";
  const char *closing = "";
  if (opens) {
    block =
        bind_string("%s do %s ... end", bind_field_of(fields, "signature"), f->creates->short_name);
    closing = bind_filled_template(julia_closing, fields);
  }
  bind_template(
      t,
      julia_function,
      bind_with(fields,
                {"title", bind_filled_template(julia_title, fields)},
                {"block", block},
                {"docs", julia_docs(f, makes, fields)},
                {"definition", julia_wrapped(0, bind_filled_template("function $typed", fields))},
                {"deprecated", julia_warning(f, bind_field_of(fields, "name"))},
                {"call", julia_wrapped(1, call)},
                {"end", end},
                {"closing", closing}));
}

void julia_put_functions(bind_text *t, const bind_function *f) {
  if (f->new_name) {
    julia_put_function(t, f, true);
  }
  julia_put_function(t, f, false);
}

void bind_explain_julia(const bind_ir *ir, const bind_function *f, bind_text *t) {
  (void)ir;
  for (int makes = f->new_name != NULL; makes >= 0; makes--) {
    bind_line(t, "%s", bind_filled_template(julia_title, julia_fields(f, makes)));
  }
  if (f->property) {
    bind_line(t,
              f->sets ? "%s.%s = %s" : "%s.%s",
              julia_name(f->params[0].name),
              julia_name(f->property),
              julia_name(f->params[f->sets ? 1 : 0].name));
  }
}
