/* SPDX-License-Identifier: Apache-2.0 */
/* Safe functions over the twins.
 *
 * A tensor that is read is an &impl Arg, one that is written an &mut impl ArgMut. It describes
 * itself in a slot, a temporary of the expression that calls C. So &x and &mut x cannot meet in one
 * call. If the contract lets an output share memory with its model, an _inplace form takes one
 * tensor for both. Places for results free them if a later step fails. */
#include "bind/base/escape.h"
#include "bind/emit/query.h"
#include "bind/emit/slots.h"
#include "rust.h"
#include <string.h>

/* The forms of a function. */
typedef enum rust_form {
  RUST_NO_FORM,
  RUST_NEW,    /* calls f_new, which returns outputs */
  RUST_INTO,   /* calls f_checked */
  RUST_INPLACE /* calls f_checked with one tensor for both the model and its output */
} rust_form;

/* ---- who is what in a form ---- */

static bool rust_is_written(const bind_function *f, const bind_param *p, rust_form form) {
  return p->direction != BIND_IN || (form == RUST_INPLACE && p == bind_inplace_model(f));
}

static bool rust_is_self(const bind_function *f, const bind_param *p) {
  return f->method_of && p == f->params;
}

static const char *rust_form_name(const bind_function *f, rust_form form) {
  const char *name = rust_function_name(f);
  if (form == RUST_INPLACE) {
    return bind_string("%s_inplace", name);
  }
  if (form == RUST_INTO && f->new_name) {
    return bind_string("%s_into", name);
  }
  return bind_escape(name, rust_words);
}

/* ---- the parts of a function, and the shares of each kind of parameter ---- */

/* In the order of rust_parts. */
enum {
  RUST_DOCS,
  RUST_PARAMETERS,
  RUST_TYPES,
  RUST_LISTS,
  RUST_PLACES,
  RUST_ARGUMENTS,
  RUST_KEPT,
  RUST_RESULTS,
  RUST_EXTERNS,
  RUST_PARTS
};

static const bind_part rust_parts[RUST_PARTS] = {
    {"docs", "\n", BIND_C_ORDER},         /* a line for each parameter */
    {"parameters", ",\n", BIND_C_ORDER},  /* of the safe function */
    {"types", ", ", BIND_CALLER_ORDER},   /* of results */
    {"lists", "\n", BIND_C_ORDER},        /* in one piece of memory for C, and texts */
    {"places", "\n", BIND_CALLER_ORDER},  /* for results */
    {"arguments", "\n", BIND_C_ORDER},    /* of the twin */
    {"kept", "", BIND_CALLER_ORDER},      /* handles that a new one needs */
    {"results", ", ", BIND_CALLER_ORDER}, /* the values of the places after the call */
    {"externs", "", BIND_C_ORDER},        /* parameters of the twin */
};

#define RUST_EXTERN [RUST_EXTERNS] = "$c: $c_type,\n"

/* Kinds without a row use that of integers. */
static const char *const rust_passed[BIND_OTHER][RUST_PARTS] = {
    [BIND_TENSOR] = {[RUST_ARGUMENTS] = "$name.$lend(&mut Slot::new()).raw(),", RUST_EXTERN},
    [BIND_LIST] = {[RUST_LISTS] = "let mut $name = List::new($name);",
                   [RUST_ARGUMENTS] = "$name.lend(),\n$name.count(),",
                   [RUST_EXTERNS] = "$c: *const dlf_arg,\n${raw}_count: i64,\n"},
    [BIND_ARRAY] = {[RUST_ARGUMENTS] = "$name.as_ptr(),\n$name.len() as i64,",
                    [RUST_EXTERNS] = "$c: *const $c_type,\n${raw}_count: i64,\n"},
    [BIND_STRING] = {[RUST_LISTS] = "let $name = Terminated::new(\"$function: $raw\", $value)?;",
                     [RUST_ARGUMENTS] = "$name.as_ptr(),",
                     RUST_EXTERN},
    [BIND_CHAR] = {[RUST_ARGUMENTS] = "$value as $c_type,", RUST_EXTERN},
    [BIND_ENUM] = {[RUST_ARGUMENTS] = "$value.0,", RUST_EXTERN},
    [BIND_HANDLE] = {[RUST_ARGUMENTS] = "$name.0.raw(),", RUST_EXTERN},
    [BIND_STREAM] = {[RUST_ARGUMENTS] = "$value.raw(),", RUST_EXTERN},
    [BIND_STRUCT] = {[RUST_LISTS] = "let $name = $value.lend();",
                     [RUST_ARGUMENTS] = "&$name,",
                     [RUST_EXTERNS] = "$c: *const $c_type,\n"},
    [BIND_INTEGER] = {[RUST_ARGUMENTS] = "$value,", RUST_EXTERN},
};

#define RUST_RESULT(type, place, reach, result)                                                    \
  {[RUST_TYPES] = type,                                                                            \
   [RUST_PLACES] = "let mut $name = " place ";",                                                   \
   [RUST_ARGUMENTS] = reach ",",                                                                   \
   [RUST_RESULTS] = result,                                                                        \
   [RUST_EXTERNS] = "$c: *mut $c_type,\n"}

static const char *const rust_results[BIND_OTHER][RUST_PARTS] = {
    [BIND_TENSOR] = RUST_RESULT("$made", "Given::new()", "$name.place()", "$name.$collect?"),
    [BIND_STRING] = RUST_RESULT("String", "Text::new()", "$name.place()", "$name.string()"),
    [BIND_HANDLE] =
        RUST_RESULT("$handle", "$handle(Object::$new)", "$name.0.place()$cast", "$name"),
    [BIND_COMPLEX] = RUST_RESULT("$type", "<$c_type>::default()", "&mut $name", "$name"),
    [BIND_STRUCT] =
        RUST_RESULT("$struct", "ffi::$c_type::default()", "&mut $name", "$struct::take($name)"),
    [BIND_CHAR] = RUST_RESULT("u8", "0 as $c_type", "&mut $name", "$name as u8"),
    [BIND_ENUM] = RUST_RESULT("$type", "0$c_type", "&mut $name", "$type($name)"),
    /* Not a bool: C may write any byte there, and a Rust bool other than 0 and 1 is undefined
       behaviour. */
    [BIND_BOOL] = RUST_RESULT("bool", "0u8", "(&raw mut $name).cast()", "$name != 0"),
    [BIND_INTEGER] = RUST_RESULT("$c_type", "0$c_type", "&mut $name", "$name"),
};

/* Numbers that C reads and writes. */
static const char *const rust_changed[BIND_OTHER][RUST_PARTS] = {
    [BIND_ENUM] = RUST_RESULT("$type", "$value.0", "&mut $name", "$type($name)"),
    [BIND_BOOL] = RUST_RESULT("bool", "u8::from($value)", "(&raw mut $name).cast()", "$name != 0"),
    [BIND_STRUCT] = RUST_RESULT("$struct", "$value.lend()", "&mut $name", "$struct::take($name)"),
    [BIND_INTEGER] = RUST_RESULT("$c_type", "$value", "&mut $name", "$name"),
};
/* Texts, numbers and objects that may be absent, and a returned text or object. */
static const char *const rust_optional_text[RUST_PARTS] = {
    [RUST_LISTS] =
        "let $name = $value.map(|text| Terminated::new(\"$function: $raw\", text)).transpose()?;",
    [RUST_ARGUMENTS] = "$name.as_ref().map_or(std::ptr::null(), Terminated::as_ptr),"};
static const char *const rust_optional_number[RUST_PARTS] = {
    [RUST_ARGUMENTS] = "$value.as_ref().map_or(std::ptr::null(), std::ptr::from_ref),",
    [RUST_EXTERNS] = "$c: *const $c_type,\n"};
static const char *const rust_optional_object[RUST_PARTS] = {
    [RUST_ARGUMENTS] = "$name.as_ref().map_or(std::ptr::null_mut(), |object| object.0.raw()),"};
static const char *const rust_optional_made[RUST_PARTS] = {
    [RUST_TYPES] = "Option<$handle>",
    [RUST_RESULTS] = "(!$name.0.raw().is_null()).then_some($name)"};
static const char *const rust_optional_result[RUST_PARTS] = {[RUST_TYPES] = "Option<String>",
                                                             [RUST_RESULTS] = "$name.option()"};

/* Texts for C. */
static const char *const rust_text_list[RUST_PARTS] = {
    [RUST_LISTS] = "let $name = Texts::new(\"$function: $raw\", $name)?;",
    [RUST_ARGUMENTS] = "$name.as_ptr(),\n$name.count(),",
    [RUST_EXTERNS] = "$c: *const *const c_char,\n${raw}_count: i64,\n"};

/* Objects for C. */
static const char *const rust_object_list[RUST_PARTS] = {
    [RUST_LISTS] = "let raw_$name: std::vec::Vec<_> = $name.iter().map(|object| "
                   "object.0.raw()).collect();",
    [RUST_ARGUMENTS] = "raw_$name.as_ptr(),\nraw_$name.len() as i64,"};

/* A text in memory of the caller. */
static const char *const rust_given_text[RUST_PARTS] = {
    [RUST_PLACES] = "let mut $name = Text::given(ffi::$release);"};
static const char *const rust_optional_given_text[RUST_PARTS] = {
    [RUST_TYPES] = "Option<String>",
    [RUST_PLACES] = "let mut $name = Text::given(ffi::$release);",
    [RUST_RESULTS] = "$name.option()"};

static const char *const rust_given_list[RUST_PARTS] = {
    [RUST_TYPES] = "Vec<String>",
    [RUST_PLACES] = "let mut $name = Text::given(ffi::$release);",
    [RUST_RESULTS] = "$name.list()"};

/* A tensor that C keeps: the handle takes it, since what C keeps must not be reachable by other
 * references. */
static const char *const rust_kept[RUST_PARTS] = {
    [RUST_LISTS] = "let $name = Unshared::$use(\"$function: $raw\", $name)?;",
    [RUST_ARGUMENTS] = "$name.raw(),",
    [RUST_KEPT] = "$keeper.0.keep_tensor(\"$raw\", $name);\n",
    [RUST_EXTERNS] = "$c: *mut dlf_tensor,\n"};

/* C frees it: the object has been moved here, and is emptied. */
static const char *const rust_ended[RUST_PARTS] = {[RUST_ARGUMENTS] = "$name.0.place()$cast,",
                                                   [RUST_EXTERNS] = "$c: *mut $c_type,\n"};

static const bind_rows rust_rows = {rust_passed[0],
                                    rust_results[0],
                                    rust_changed[0],
                                    rust_kept,
                                    rust_optional_text,
                                    rust_optional_number,
                                    rust_optional_object,
                                    rust_optional_result,
                                    rust_optional_made,
                                    rust_given_text,
                                    rust_optional_given_text,
                                    rust_given_list,
                                    rust_text_list,
                                    rust_object_list};

/* ---- filling them in ---- */

/* The twin keeps an object in another one. Here it is noted, since the twin does not know what it
 * was made from, and since it lends no element of what it keeps while C may reach it through its
 * keeper. */
static bool rust_is_noted(const bind_param *p) {
  return p->kept_object && p->kept_in;
}

static bool rust_is_keeper(const bind_function *f, const bind_param *p) {
  BIND_EACH_PARAM (q, f) {
    if (rust_is_noted(q) && strcmp(q->kept_in, p->name) == 0) {
      return true;
    }
  }
  return false;
}

/* C may write what a handle keeps in any function, while `&self` lends its elements. */
bool rust_is_exclusive(const bind_function *f, const bind_param *p) {
  return p->type.handle->keeps || rust_is_keeper(f, p) ||
         (!bind_is_const(&p->type) && !f->threadsafe);
}

/* "&Codec", "Option<&mut Codec>", or "Codec" if C frees it */
static const char *rust_object_type(const bind_function *f, const bind_param *p) {
  if (p->ended) {
    return rust_handle_name(p->type.handle);
  }
  const char *type = bind_string(
      "&%s%s", bind_when(rust_is_exclusive(f, p), "mut "), rust_handle_name(p->type.handle));
  return bind_string(p->optional ? "Option<%s>" : "%s", type);
}

static const char *rust_parameter(const bind_function *f, const bind_param *p, rust_form form) {
  const bool written = rust_is_written(f, p, form);
  const char *name = rust_name(p->name);
  if (rust_is_self(f, p)) {
    if (p->ended) {
      return "mut self";
    }
    if (rust_is_exclusive(f, p)) {
      return "&mut self";
    }
    return "&self";
  }
  if (p->type.kind == BIND_HANDLE) {
    return bind_string("%s%s: %s", bind_when(p->ended, "mut "), name, rust_object_type(f, p));
  }
  if (p->kept) {
    return bind_string("%s: Tensor", name);
  }
  if (bind_is_text_list(p)) {
    return bind_string("%s: &[impl AsRef<str>]", name);
  }
  if (bind_is_object_list(p)) {
    return bind_string(
        "%s: &%s[%s]", name, bind_when(rust_is_exclusive(f, p), "mut "), rust_object_type(f, p));
  }
  if (p->type.kind != BIND_TENSOR) {
    return bind_string("%s: %s", name, rust_argument_type(&p->type, ""));
  }
  if (p->optional) {
    return bind_string("%s%s: Option<&%s>",
                       bind_when(written, "mut "),
                       name,
                       written ? "mut dyn ArgMut" : "dyn Arg");
  }
  return bind_string(
      "%s: &%s", name, written ? "mut (impl ArgMut + ?Sized)" : "(impl Arg + ?Sized)");
}

/* All options are one parameter in the place of the first, which may also be passed as its value
 * alone: one more option of C then breaks no caller. */
static const char *rust_options_parameter(const bind_function *f, const bind_param *p) {
  while (p-- > f->params) {
    if (bind_is_option(p)) {
      return "";
    }
  }
  return bind_string("options: impl Into<%s>", rust_options_type(f, "'a"));
}

/* Let a handle keep another one, or a list of them. */
static const char *rust_keep_one(const char *keeper, const bind_param *p, const char *name) {
  if (bind_is_object_list(p)) {
    return bind_string("%s.iter().for_each(|object| %s.0.keep(&object.0));\n", name, keeper);
  }
  if (p->optional) {
    return bind_string("if let Some(object) = &%s {\n    %s.0.keep(&object.0);\n}\n", name, keeper);
  }
  return bind_string("%s.0.keep(&%s.0);\n", keeper, name);
}

/* A new handle may use the handles of the call, so they must outlive it; a borrowed one keeps its
 * owner alone. */
static const char *rust_keep(const bind_function *f, const char *child) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (!bind_is_object(p) && !bind_is_object_list(p)) {
      continue;
    }
    const char *name = rust_is_self(f, p) ? "self" : rust_name(p->name);
    if (!f->borrows) {
      bind_add(&t, rust_keep_one(child, p, name));
    } else if (strcmp(p->name, bind_or(f->owner, "")) == 0) {
      bind_line(&t, "%s.0.borrow_from(&%s.0);", child, name);
    }
  }
  return bind_keep(&t);
}

/* What a tensor keeps, it frees on the thread that drops it: then it must stay on this one, with
 * the handle. */
static const bind_param *rust_lender(const bind_function *f, const bind_param *p) {
  const bind_param *lender = f->params;
  if (!p->gift || !p->gift->handle) {
    return NULL;
  }
  while (strcmp(lender->name, p->gift->handle) != 0) {
    lender++;
  }
  return lender;
}

/* How a place with a tensor becomes one. */
static const char *rust_collect(const bind_function *f, const bind_param *p) {
  const bind_param *lender = rust_lender(f, p);
  if (lender) {
    return bind_string("%s(&%s.0)",
                       p->gift->kind == BIND_GIFT_LENT ? "lent" : "freed",
                       rust_is_self(f, lender) ? "self" : rust_name(lender->name));
  }
  const bool is_managed = p->type.kind == BIND_GIVEN && !p->gift;
  if (is_managed) {
    return "managed()";
  }
  return "tensor()";
}

/* The handle that keeps a tensor or an object. */
static const char *rust_name_keeper(const bind_function *f, const bind_param *p) {
  if (f->returns == BIND_RETURN_VALUE && f->result.handle == f->creates && !p->kept_in) {
    return "result";
  }
  BIND_EACH_PARAM (q, f) {
    if (p->kept_in && strcmp(q->name, p->kept_in) == 0) {
      return rust_is_self(f, q) ? "self" : rust_name(q->name);
    }
    if (!p->kept_in && q->returned && q->type.handle == f->creates) {
      return rust_name(q->name);
    }
  }
  return "";
}

static const char *rust_role(const bind_slot *slot) {
  if (!slot->result) {
    return "";
  }
  if (slot->changes) {
    return " (and returned)";
  }
  if (slot->p->returned) {
    return " (returned)";
  }
  return " (made)";
}

static void rust_share(const bind_function *f, rust_form form, const bind_slots *slots,
                       bind_slot *slot) {
  const bind_param *p = slot->p;
  const bind_handle *handle = p->type.handle;
  const bool self = rust_is_self(f, p);
  const bool option = bind_is_option(p);
  const bool tensor = slot->result && (p->type.kind == BIND_TENSOR || p->type.kind == BIND_GIVEN);
  const char *ffi_type = "*mut DLManagedTensorVersioned";
  if (!tensor) {
    ffi_type = rust_c_type(&p->type);
  }
  const char *name;
  if (self) {
    name = "self";
  } else if (slot->is_value) {
    name = p->name;
  } else {
    name = rust_name(p->name);
  }
  const char *about = rust_about(p);
  const bind_field *fields =
      bind_fields({"name", name},
                  {"raw", p->name},
                  {"function", f->short_name},
                  {"c_type", ffi_type},
                  {"type", rust_argument_type(&p->type, "")},
                  {"c", slot->is_value ? p->name : rust_name(p->name)},
                  {"value", option ? bind_string("options.%s", name) : name},
                  {"lend", rust_is_written(f, p, form) ? "lend_mut" : "lend"},
                  {"collect", rust_collect(f, p)},
                  {"release", p->text ? p->text->release : ""},
                  {"made", rust_lender(f, p) ? "LocalTensor" : "Tensor"});
  if (handle) {
    const bool is_new = slot->result && !f->borrows;
    fields = bind_with(
        fields,
        {"handle", rust_handle_name(handle)},
        {"new", is_new ? bind_string("new(ffi::%s)", handle->free_checked_name) : "borrowed()"},
        {"cast", bind_when(bind_is_const(&p->type), ".cast()")});
  }
  if (p->type.structure) {
    fields = bind_with(fields, {"struct", rust_struct_name(p->type.structure)});
  }
  if (p->kept) {
    fields = bind_with(fields,
                       {"keeper", rust_name_keeper(f, p)},
                       {"use", p->direction == BIND_IN ? "to_read" : "to_write"});
  }
  bind_share_rows(slots, slot, &rust_rows, fields);
  if (p->ended) {
    bind_share_row(slots, slot, rust_ended, fields);
  }
  if (slot->result && handle) {
    slot->shares[RUST_KEPT] = rust_keep(f, name);
  }
  if (rust_is_noted(p)) {
    slot->shares[RUST_KEPT] = rust_keep_one(rust_name_keeper(f, p), p, name);
  }
  if (!slot->is_value && !self) {
    slot->shares[RUST_DOCS] = bind_string("- `%s%s`%s%s%s",
                                          bind_when(option, "options."),
                                          name,
                                          rust_role(slot),
                                          bind_when(*about, ": "),
                                          about);
  }
  if (!slot->result || slot->changes) {
    slot->shares[RUST_PARAMETERS] =
        option ? rust_options_parameter(f, p) : rust_parameter(f, p, form);
  }
  if (form != RUST_INPLACE) {
    return;
  }
  if (p == bind_inplace_output(f)) {
    slot->shares[RUST_PARAMETERS] = "";
  }
  if (p == bind_inplace_output(f) || p == bind_inplace_model(f)) {
    slot->shares[RUST_ARGUMENTS] = "given,";
  }
}

/* Return the results, in brackets unless there is one; a single fallible result is the outcome
 * itself. */
static const char *rust_outcome(bool sure, int count, const char *results) {
  const size_t size = strlen(results);
  if (sure) {
    if (count == 1) {
      return results;
    }
    if (count) {
      return bind_string("(%s)", results);
    }
    return "";
  }
  if (count == 1 && results[size - 1] == '?') {
    return bind_sized(results, size - 1);
  }
  return bind_string(count == 1 ? "Ok(%s)" : "Ok((%s))", results);
}

/* " -> Result<(f64, f64)>", " -> i64", or nothing. */
static const char *rust_returned(bool sure, int count, const char *types) {
  const char *type = types;
  if (count != 1) {
    type = bind_string("(%s)", types);
  }
  if (sure) {
    if (count) {
      return bind_string(" -> %s", type);
    }
    return "";
  }
  return bind_string(" -> Result<%s>", type);
}

/* The fields for the templates of a function. */
static const bind_field *rust_fields(const bind_function *f, rust_form form) {
  const bind_slots slots = bind_slots_of(f, form == RUST_NEW, rust_parts, RUST_PARTS);
  const int results = bind_count_results(f, form == RUST_NEW);
  const bool sure = f->sure;
  const char *life = "";
  const char *options = "";
  if (rust_count_options(f)) {
    life = bind_when(strstr(rust_options_type(f, "'a"), "'a"), "<'a>");
    options = bind_string("let options: %s = options.into();", rust_options_type(f, "'_"));
  }
  for (int i = 0; i < slots.count; i++) {
    rust_share(f, form, &slots, &slots.items[i]);
  }
  const bind_field *fields = bind_joined(&slots);
  return bind_with(fields,
                   {"name", rust_form_name(f, form)},
                   {"path", rust_path(f)},
                   {"twin", form == RUST_NEW ? f->new_name : f->checked_name},
                   {"life", life},
                   {"returned", rust_returned(sure, results, bind_field_of(fields, "types"))},
                   {"how", sure ? "sure" : "call"},
                   {"end", bind_when(!sure, "?")},
                   {"options", options},
                   {"model", form == RUST_INPLACE ? rust_name(bind_inplace_model(f)->name) : ""},
                   {"outcome", rust_outcome(sure, results, bind_field_of(fields, "results"))});
}

/* ---- the function ---- */

/* Append head, items and tail on one line if that is short, else each item on its own line. */
static void rust_put_list(bind_text *t, const char *head, const char *items, const char *tail) {
  bind_text line = {0};
  for (const char *c = items; *c; c++) {
    bind_raw(&line, *c == '\n' ? " " : c, 1);
  }
  const char *all = bind_string("%s%s%s", head, bind_keep(&line), tail);
  if (!*items || strlen(all) + 4 * (size_t)t->depth <= 100) {
    bind_line(t, "%s", all);
  } else {
    bind_fill(t,
              "$head\n"
              "    $items\n"
              "$tail\n",
              {"head", head},
              {"items", bind_string("%s,", items)},
              {"tail", tail});
  }
}

static void rust_put_signature(bind_text *t, const bind_field *fields) {
  rust_put_list(t,
                bind_filled_template("pub fn $name$life(", fields),
                bind_field_of(fields, "parameters"),
                bind_filled_template(")$returned {", fields));
}

/* The docs of the first form; the other forms refer to it. */
static const char rust_first[] = "$summary\n"
                                 "$between\n"
                                 "$lines\n"
                                 "$returns\n";
static const char rust_into[] = "/// Like [`$path`], but write into the given tensors.";
static const char rust_inplace[] = "/// Like [`$path`], but write into `$model` itself.";

static const char rust_given[] = "let mut slot = Slot::new();\n"
                                 "let given = $model.lend_mut(&mut slot).raw();\n";

static const char rust_head[] = "\n"
                                "$first\n"
                                "$contract\n"
                                "$errors\n"
                                "$deprecated\n"
                                "$alias\n";

static const char rust_errors[] = "///\n"
                                  "/// # Errors\n"
                                  "/// Fails if the call breaks the contract$own.\n"
                                  "/// The message has the expected and the actual value.\n";

static const char rust_body[] =
    "    $options\n"
    "    $lists\n"
    "    $places\n"
    "    $given\n"
    "    // SAFETY: all arguments outlive the call, and C checks them.\n"
    "    plumbing::$how(|error| unsafe {\n"
    "        ffi::$twin(\n"
    "            $arguments\n"
    "            error,\n"
    "        )\n"
    "    })$end;\n"
    "    $kept\n"
    "    $outcome\n"
    "}\n";

static const char *rust_deprecated(const bind_function *f) {
  if (!f->deprecated) {
    return "";
  }
  if (!*f->deprecated) {
    return "#[deprecated]";
  }
  return bind_string("#[deprecated = \"%s\"]", bind_doc_escape(BIND_DOC_STRING, f->deprecated));
}

static const char *rust_contract_docs(const bind_function *f) {
  const char *derived = bind_derived_words(f);
  if (*f->contract) {
    return rust_doc("/// ", bind_string("\nContract: `%s`%s", f->contract, derived));
  }
  if (*derived) {
    return rust_doc("/// ", bind_string("\nC: `%s`%s", bind_c_names(f, "`, `"), derived));
  }
  return "";
}

static void rust_put_form(bind_text *t, const bind_function *f, rust_form form) {
  const bind_field *fields = rust_fields(f, form);
  const char *docs;
  const char *given = "";
  if (form == RUST_INPLACE) {
    docs = rust_inplace;
    given = bind_filled_template(rust_given, fields);
  } else if (form == RUST_INTO && f->new_name) {
    docs = rust_into;
  } else {
    docs = rust_first;
  }
  fields = bind_with(
      fields,
      {"summary", rust_docs(bind_summary(f, "`"), "", f->description)},
      {"between", bind_when(f->param_count > (f->method_of != NULL), "///")},
      {"lines", rust_doc("/// ", bind_field_of(fields, "docs"))},
      {"returns",
       bind_when(*f->returns_doc, rust_doc("/// ", bind_string("\nReturns %s", f->returns_doc)))},
      {"contract", rust_contract_docs(f)},
      {"deprecated", rust_deprecated(f)},
      {"own",
       bind_when(f->returns == BIND_RETURN_STATUS || f->takes_error || f->report,
                 " or the function itself fails")},
      {"alias", rust_aliases(f, rust_form_name(f, form))},
      {"given", given});
  const char *errors = bind_when(!f->sure, bind_filled_template(rust_errors, fields));
  bind_template(
      t,
      rust_head,
      bind_with(fields, {"first", bind_filled_template(docs, fields)}, {"errors", errors}));
  rust_put_signature(t, fields);
  bind_template(t, rust_body, fields);
}

/* Step to the next form of a function, from none to the first; false at the end. */
static bool rust_next_form(const bind_function *f, rust_form *form) {
  if (*form == RUST_NO_FORM && !f->new_name) {
    *form = RUST_INTO;
  } else {
    *form = (rust_form)(*form + 1);
  }
  return *form < RUST_INPLACE || (*form == RUST_INPLACE && bind_inplace_output(f));
}

void rust_put_function(bind_text *t, const bind_function *f) {
  for (rust_form form = RUST_NO_FORM; rust_next_form(f, &form);) {
    rust_put_form(t, f, form);
  }
}

void rust_add_names(const bind_ir *ir, const bind_function *f, bind_names *own,
                    bind_names *locals) {
  (void)ir;
  for (rust_form form = RUST_NO_FORM; rust_next_form(f, &form);) {
    bind_add_name(own, bind_string("%s%s", rust_home(f), rust_form_name(f, form)), f->name);
  }
  if (rust_count_options(f)) {
    bind_add_name(own, bind_options_name(f), bind_string("the options of %s", f->name));
  }
  BIND_EACH_PARAM (p, f) {
    bind_add_name(locals, rust_name(p->name), bind_string("%s: %s", f->name, p->name));
    if (bind_is_object_list(p)) {
      bind_add_name(locals, bind_string("raw_%s", rust_name(p->name)), f->name);
    }
  }
}

void bind_explain_rust(const bind_ir *ir, const bind_function *f, bind_text *t) {
  const int depth = t->depth;
  (void)ir;
  for (rust_form form = RUST_NO_FORM; rust_next_form(f, &form); t->depth = depth) {
    if (bind_home(f)) {
      bind_open(t, "impl %s {", rust_handle_name(bind_home(f)));
    }
    rust_put_signature(t, rust_fields(f, form));
  }
}

/* ---- the extern block: pub fn photo_blur_new(image: dlf_arg, ..., error: *mut dlf_error) ->
 * dlf_status; ---- */

static void rust_put_extern(bind_text *t, const bind_function *f, rust_form form) {
  const bind_field *fields = rust_fields(f, form);
  rust_put_list(t,
                bind_filled_template("pub fn $twin(", fields),
                bind_filled_template("${externs}error: *mut dlf_error", fields),
                ") -> dlf_status;");
}

void rust_put_externs(bind_text *t, const bind_function *f) {
  rust_put_extern(t, f, RUST_INTO);
  if (f->new_name) {
    rust_put_extern(t, f, RUST_NEW);
  }
}
