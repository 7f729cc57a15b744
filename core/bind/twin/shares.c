/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of parameter's contribution to each part of a twin. */
#include "bind/emit/slots.h"
#include "parts.h"

static bool share_hooks_take(const bind_function *f, const bind_param *p) {
  BIND_EACH (const bind_hook, hook, f->hooks, f->hook_count) {
    for (int k = 0; k < hook->arg_count; k++) {
      if (hook->args[k].param == p) {
        return true;
      }
    }
  }
  return false;
}

/* In the order of share_parts. */
enum {
  SHARE_ROOMS,
  SHARE_PLACES,
  SHARE_CHECKS,
  SHARE_LISTS,
  SHARE_OPENED,
  SHARE_CLOSED,
  SHARE_FORGOTTEN,
  SHARE_VALUE_CHECK,
  SHARE_RESULTS,
  SHARE_ACCEPTED,
  SHARE_RELEASED,
  SHARE_MADE_PLACES,
  SHARE_MADE_EMPTIED,
  SHARE_MADE_RELEASED,
  SHARE_KEPT,
  SHARE_PARTS
};

static const bind_part share_parts[SHARE_PARTS] = {
    {"rooms", "", BIND_C_ORDER},  /* room for tensors as kernels get them */
    {"places", "", BIND_C_ORDER}, /* places for results, emptied: values left by a failing kernel
                                     are not read */
    {"checks", "", BIND_C_ORDER}, /* checks beyond contracts; first, since hooks get these arguments
                                   */
    {"lists", "", BIND_C_ORDER},  /* lists for kernels, */
    {"opened", "", BIND_C_ORDER}, /* filled */
    {"closed", "", BIND_C_ORDER}, /* and freed */
    {"forgotten", "", BIND_C_ORDER},    /* after a kernel's failure */
    {"value_check", "", BIND_C_ORDER},  /* of what the kernel returned */
    {"results", "", BIND_C_ORDER},      /* checked after a kernel's success */
    {"accepted", "", BIND_C_ORDER},     /* given tensors, for the second match */
    {"released", "", BIND_C_ORDER},     /* on failure the caller keeps nothing */
    {"made_places", "", BIND_C_ORDER},  /* places for made outputs, */
    {"made_emptied", "", BIND_C_ORDER}, /* emptied */
    {"made_released", "", BIND_C_ORDER},
    {"kept", "", BIND_C_ORDER}, /* tensors that C keeps, as those that are only lent */
};

#define SHARE_PLACE(result, nothing)                                                               \
  [SHARE_PLACES] =                                                                                 \
      "if (!$name)\n"                                                                              \
      "  return dlf_error_set(error, DLF_INVALID, \"$where: expected a place for the " result      \
      ", got NULL\");\n"                                                                           \
      "*$name = " nothing ";\n"

#define SHARE_ENUM_RESULT                                                                          \
  [SHARE_RESULTS] =                                                                                \
      "if (!dlf_verdict)\n"                                                                        \
      "  $test\n"                                                                                  \
      "    dlf_verdict = dlferry_not_in(\"$where\", (long long)*$name, \"$labels\", "              \
      "DLF_FOREIGN, error);\n"

#define SHARE_STRUCT_RESULT                                                                        \
  [SHARE_RESULTS] = "if (!dlf_verdict) {\n"                                                        \
                    "  $result_checks\n"                                                           \
                    "}\n"                                                                          \
                    "if (!dlf_verdict) dlferry_from_$c_struct($name, &dlf_struct_$name);\n"

#define SHARE_RELEASE "dlf_dlpack_release(*$name);\n*$name = NULL;\n"

static const char *const share_passed[BIND_OTHER][SHARE_PARTS] = {
    [BIND_TENSOR] = {[SHARE_ROOMS] = "dlferry_room dlf_room_$name;\n"},
    [BIND_ENUM] = {[SHARE_CHECKS] =
                       "$test\n"
                       "  return dlferry_not_in(\"$where\", (long long)$name, \"$labels\", "
                       "DLF_INVALID, error);\n"},
    [BIND_CHAR] =
        {[SHARE_CHECKS] =
             "if ($strange)\n"
             "  return dlferry_no_letter(\"$where\", $name, \"$letters\", DLF_INVALID, error);\n"},
    [BIND_STRING] = {[SHARE_CHECKS] = "if (!$name) return dlf_error_set(error, DLF_INVALID, "
                                      "\"$where: expected text, got NULL\");\n"},
    [BIND_HANDLE] = {[SHARE_CHECKS] =
                         "if (!$name)\n"
                         "  return dlf_error_set(error, DLF_INVALID, \"$refusal\");\n"},
    [BIND_STRUCT] = {[SHARE_CHECKS] = "if (!$name)\n"
                                      "  return dlf_error_set(error, DLF_INVALID, \"$where: "
                                      "expected a $struct, got NULL\");\n"
                                      "$read_checks\n"},
    [BIND_LIST] =
        {[SHARE_LISTS] = "dlferry_list dlf_list_$name;\n"
                         "dlf_list_$name.tensors = dlf_list_$name.few;\n"
                         "dlf_list_$name.rooms = NULL;\n",
         [SHARE_OPENED] =
             "if (!dlf_verdict)\n"
             "  dlf_verdict = dlferry_list_open(\"$where: expected memory for a list, got none\", "
             "$name, ${name}_count,\n"
             "                                  &dlf_list_$name, error);\n",
         [SHARE_CLOSED] = "dlferry_list_close(&dlf_list_$name);\n"},
};

/* Places that the caller passes; the function's return value has a separate row below. */
static const char *const share_returned[BIND_OTHER][SHARE_PARTS] = {
    [BIND_INTEGER] = {SHARE_PLACE("value", "${cast}0")},
    [BIND_COMPLEX] = {SHARE_PLACE("value", "$cast{0, 0}")},
    [BIND_ENUM] = {SHARE_PLACE("value", "${cast}0"), SHARE_ENUM_RESULT},
    [BIND_STRUCT] = {SHARE_PLACE("$struct", "${cast}{0}"),
                     SHARE_STRUCT_RESULT,
                     [SHARE_FORGOTTEN] = "$freed"},
    [BIND_TENSOR] = {SHARE_PLACE("tensor", "NULL"),
                     [SHARE_FORGOTTEN] = "*$name = NULL;\n",
                     [SHARE_ACCEPTED] = "if (!dlf_verdict)\n"
                                        "  dlf_verdict = dlferry_accept_given(\"$where\", *$name, "
                                        "&dlf_values[$index].tensor, error);\n",
                     [SHARE_RELEASED] = SHARE_RELEASE},
    [BIND_STRING] = {SHARE_PLACE("text", "NULL"),
                     [SHARE_RESULTS] = "$taken",
                     [SHARE_RELEASED] = "free((void *)(uintptr_t)*$name);\n*$name = NULL;\n"},
    [BIND_HANDLE] = {SHARE_PLACE("$handle", "$none"),
                     [SHARE_FORGOTTEN] = "*$name = $none;\n",
                     [SHARE_RESULTS] = "if (!dlf_verdict && !*$name)\n"
                                       "  dlf_verdict = dlf_error_set(error, DLF_FOREIGN, "
                                       "\"$function: kernel made no $handle\");\n",
                     [SHARE_RELEASED] = "$freed\n"
                                        "*$name = $none;\n"},
};

#define SHARE_CHANGED                                                                              \
  [SHARE_PLACES] = "if (!$name)\n"                                                                 \
                   "  return dlf_error_set(error, DLF_INVALID, \"$where: expected a place with a " \
                   "value, got NULL\");\n"

/* Numbers that C reads and writes. */
static const char *const share_changed[BIND_OTHER][SHARE_PARTS] = {
    [BIND_INTEGER] = {SHARE_CHANGED},
    [BIND_STRUCT] = {SHARE_CHANGED, [SHARE_CHECKS] = "$read_checks\n", SHARE_STRUCT_RESULT},
    [BIND_ENUM] = {SHARE_CHANGED,
                   [SHARE_CHECKS] =
                       "$test\n"
                       "  return dlferry_not_in(\"$where\", (long long)*$name, \"$labels\", "
                       "DLF_INVALID, error);\n",
                   SHARE_ENUM_RESULT},
};

static const char *const share_made[SHARE_PARTS] = {
    [SHARE_MADE_PLACES] =
        "if (!$name)\n"
        "  return dlf_error_set(error, DLF_INVALID, \"$where: expected a place for the tensor, got "
        "NULL\");\n",
    [SHARE_MADE_EMPTIED] = "*$name = NULL;\n",
    [SHARE_MADE_RELEASED] = SHARE_RELEASE,
    [SHARE_RELEASED] = SHARE_RELEASE};

static const char *const share_kept[SHARE_PARTS] = {
    [SHARE_KEPT] = "const dlf_arg $name = {dlf_dltensor(dlf_kept_$name), dlf_kept_$name ? "
                   "dlf_flags(dlf_kept_$name) : 0};\n"
                   "(void)$name;\n"};

/* C frees it: the caller's place is emptied then. */
static const char *const share_ended[SHARE_PARTS] = {
    [SHARE_KEPT] = "${c}$name = dlf_ended_$name ? *dlf_ended_$name : NULL;\n"};

/* Memory of the twin's for an object that the call makes ready. */
static const char *const share_in_place[SHARE_PARTS] = {
    [SHARE_FORGOTTEN] = "free(dlf_memory_$name);\n", [SHARE_RESULTS] = ""};

static const bind_rows share_rows = {.passed = share_passed[0],
                                     .results = share_returned[0],
                                     .changed = share_changed[0],
                                     .kept = share_kept};

/* A char of more than ASCII is no character of its own in UTF-8. */
static const char *share_letter_test(const bind_param *p) {
  bind_text test = {0};
  for (const char *c = p->letters; *c; c++) {
    bind_put(&test, "%s%s != '%c'", bind_when(c > p->letters, " && "), p->name, *c);
  }
  if (test.length) {
    return bind_keep(&test);
  }
  return bind_string("(unsigned char)%s > 127", p->name);
}

/* What the templates say of an object's type, and of an enum's value in a place. */
static const bind_field *share_type_fields(const bind_function *f, const bind_field *fields,
                                           const bind_type *type, const char *place) {
  const bind_handle *handle = type->handle;
  const bind_enum *e = type->enumeration;
  const char *freed = "";
  if (handle && !f->borrows && handle->free_name) {
    freed = bind_string("%s(%s);", handle->free_checked_name, place);
  }
  if (handle) {
    fields = bind_with(fields,
                       {"handle", handle->short_name},
                       {"freed", freed},
                       {"none", handle->is_integer ? "0" : "NULL"});
  }
  if (e) {
    fields =
        bind_with(fields, {"test", argument_enum_test(e, place)}, {"labels", argument_labels(e)});
  }
  return fields;
}

/* A struct that C did not give is not looked at. */
static const char *share_struct_checks(const bind_function *f, const bind_param *p) {
  const char *of_c = bind_string("dlf_struct_%s.", p->name);
  const char *checks = struct_checks(p->type.structure, argument_where(f, p), of_c, true);
  const char *copied = struct_copied(f, p);
  if (*copied && *checks) {
    checks = bind_filled("if (!dlf_verdict) {\n  $checks\n}\n", {"checks", checks});
  }
  return bind_string("%s%s", copied, checks);
}

static const bind_field *share_param_fields(const bind_function *f, const bind_param *p) {
  const bind_field *fields = bind_fields({"name", p->name},
                                         {"function", f->short_name},
                                         {"where", argument_where(f, p)},
                                         {"cast", bind_cast_to(p->type.c)},
                                         {"index", bind_number(bind_c_index(f, p))});
  if (p->text && p->returned) {
    fields = bind_with(fields, {"taken", p->collected ? collect_taken(f, p) : texts_taken(f, p)});
  }
  if (p->type.handle) {
    fields = bind_with(fields, {"refusal", argument_closed(f, p)});
  }
  if (p->type.structure) {
    const bind_struct *s = p->type.structure;
    const char *where = argument_where(f, p);
    fields =
        bind_with(fields,
                  {"struct", s->short_name},
                  {"c_struct", s->name},
                  {"freed", struct_freed(p)},
                  {"read_checks", struct_checks(s, where, bind_string("%s->", p->name), false)},
                  {"result_checks", share_struct_checks(f, p)});
  }
  if (p->type.kind == BIND_CHAR) {
    fields = bind_with(fields, {"strange", share_letter_test(p)}, {"letters", argument_letters(p)});
  }
  const char *place = bind_string("%s%s", bind_when(p->returned, "*"), p->name);
  return share_type_fields(f, fields, &p->type, place);
}

/* C may lend one object twice, so that two boxes, or two references of Rust, lead to it. */
static const char *share_same_object(const bind_function *f, const bind_param *p) {
  bind_text tests = {0};
  for (const bind_param *earlier = f->params; earlier < p; earlier++) {
    if (bind_may_be_one(f, earlier, p)) {
      bind_fill(&tests,
                "if ($name == $earlier)\n"
                "  return dlf_error_set(error, DLF_INVALID, \"$function: $name: expected another "
                "$handle than $earlier, got the same one\");\n",
                {"name", p->name},
                {"earlier", earlier->name},
                {"function", f->short_name},
                {"handle", p->type.handle->short_name});
    }
  }
  return bind_keep(&tests);
}

/* ---- the return value ---- */

#define SHARE_VALUE_PLACE                                                                          \
  [SHARE_PLACES] =                                                                                 \
      "if (!$name)\n"                                                                              \
      "  return dlf_error_set(error, DLF_INVALID, \"$function: expected a place for the "          \
      "$handle, got NULL\");\n"                                                                    \
      "*$name = $none;\n"

static const char *const share_value[BIND_OTHER][SHARE_PARTS] = {
    [BIND_HANDLE] =
        {SHARE_VALUE_PLACE,
         [SHARE_VALUE_CHECK] =
             "if (!dlf_value_of_call)\n"
             "  dlf_verdict = dlf_error_set(error, DLF_FOREIGN, \"$function: kernel made no "
             "$handle\");\n",
         [SHARE_RELEASED] = "$freed\n"},
    [BIND_STRUCT] = {[SHARE_VALUE_CHECK] = "$value_checks\n"},
    [BIND_CHAR] =
        {[SHARE_VALUE_CHECK] =
             "if ((unsigned char)dlf_value_of_call > 127)\n"
             "  dlf_verdict = dlferry_no_letter(\"$function: its result\", dlf_value_of_call,\n"
             "                                  \"a character of ASCII\", DLF_FOREIGN, error);\n"},
    [BIND_STRING] =
        {[SHARE_VALUE_CHECK] =
             "if (!dlf_value_of_call)\n"
             "  dlf_verdict = dlf_error_set(error, DLF_FOREIGN, \"$function: kernel returned NULL, "
             "expected text\");\n"},
    [BIND_ENUM] = {[SHARE_VALUE_CHECK] =
                       "$test\n"
                       "  dlf_verdict = dlferry_not_in(\"$function: its result\", (long "
                       "long)dlf_value_of_call, \"$labels\", DLF_FOREIGN, error);\n"},
};

/* An object that may be none. */
static const char *const share_maybe_object[SHARE_PARTS] = {SHARE_VALUE_PLACE,
                                                            [SHARE_RELEASED] = "$freed\n"};

/* In f_new it is in the caller's place already. */
static const char *const share_made_value[SHARE_PARTS] = {SHARE_VALUE_PLACE,
                                                          [SHARE_RELEASED] = "$freed\n"
                                                                             "*$name = $none;\n"};

static void share_put_value(const bind_function *f, const bind_slots *slots, bind_slot *slot,
                            bool make) {
  const bind_type *type = &f->result;
  const bool nameless = type->kind == BIND_ENUM && !type->enumeration->count;
  const char *const *row = share_value[type->kind];
  const char *place = "dlf_value_of_call";
  if (nameless || (f->result_optional && !type->handle)) {
    return;
  }
  if (f->result_optional) {
    row = share_maybe_object;
  }
  if (make && type->kind == BIND_HANDLE) {
    row = share_made_value;
    place = bind_string("*%s", slot->p->name);
  }
  const bind_field *fields = bind_fields({"function", f->short_name}, {"name", slot->p->name});
  if (type->structure) {
    const char *where = bind_string("%s: result", f->short_name);
    const char *checks = struct_checks(type->structure, where, "dlf_value_of_call.", true);
    if (f->result_behind) {
      checks =
          bind_string("if (!dlf_place_of_call)\n"
                      "  dlf_verdict = dlf_error_set(error, DLF_FOREIGN, \"%s: kernel returned "
                      "NULL, expected a %s\");\n%s",
                      f->short_name,
                      type->structure->short_name,
                      checks);
    }
    if (f->frees_result) {
      checks =
          bind_string("%s%sif (dlf_place_of_call) (void)%s((%s*)(uintptr_t)dlf_place_of_call);\n",
                      checks,
                      struct_handed_over(f),
                      type->structure->freed,
                      type->own);
    }
    fields = bind_with(fields, {"value_checks", checks});
  }
  bind_share_row(slots, slot, row, share_type_fields(f, fields, type, place));
}

/* ---- all of them ---- */

const bind_field *twin_shares(const bind_function *f, bool make) {
  const bind_slots slots = bind_slots_of(f, make, share_parts, SHARE_PARTS);
  for (int i = 0; i < slots.count; i++) {
    bind_slot *slot = &slots.items[i];
    const bind_param *p = slot->p;
    if (slot->is_value) {
      share_put_value(f, &slots, slot, make);
      continue;
    }
    const bind_field *fields = share_param_fields(f, p);
    const bool nameless = p->type.kind == BIND_ENUM && !p->type.enumeration->count;
    if (make && p->made) {
      bind_share_row(&slots, slot, share_made, fields);
    } else {
      bind_share_rows(&slots, slot, &share_rows, fields);
    }
    if (p->collected && !p->text) {
      slot->shares[SHARE_RESULTS] = collect_taken(f, p);
    }
    if (p->in_place) {
      bind_share_row(&slots, slot, share_in_place, fields);
    }
    if (p->ended) {
      bind_share_row(&slots, slot, share_ended, bind_with(fields, {"c", p->type.c}));
    }
    const bool absent = p->optional && (p->type.kind == BIND_STRING || p->type.kind == BIND_HANDLE);
    if (nameless && p->returned) {
      slot->shares[SHARE_RESULTS] = "";
    }
    if ((nameless || absent) && bind_is_read(p)) {
      slot->shares[SHARE_CHECKS] = "";
    }
    if (bind_is_object_list(p)) {
      slot->shares[SHARE_CHECKS] = objects_checks(f, p);
    } else if (p->type.handle && !p->returned) {
      slot->shares[SHARE_CHECKS] = bind_string("%s%s%s%s%s",
                                               slot->shares[SHARE_CHECKS],
                                               keep_untaken(f, p, p->name),
                                               keep_unmade(f, p),
                                               share_same_object(f, p),
                                               give_unlent(f, p, p->name));
    }
    const bool only_kernel = !share_hooks_take(f, p);
    if ((only_kernel && (make || keep_is_struct(p))) || p->pointer) {
      slot->shares[SHARE_ROOMS] = "";
    }
  }
  return bind_joined(&slots);
}
