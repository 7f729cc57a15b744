/* SPDX-License-Identifier: Apache-2.0 */
/* A function or method of the Go package, and the C that it calls in NAME_go.h.
 *
 * Go memory that C gets must not point to other Go memory, so a tensor travels by value as
 * generated.Flat and becomes a DLTensor on C's stack. Values that cgo would search for Go pointers
 * at every call travel as numbers. */
#include "bind/base/names.h"
#include "bind/c/scalar.h"
#include "bind/emit/declare.h"
#include "bind/emit/query.h"
#include "bind/emit/slots.h"
#include "bind/ir/parameters.h"
#include "go.h"
#include "parts.h"
#include <string.h>

/* ---- the parts of a function, and the shares of each kind of parameter ---- */

/* In the order of go_parts. */
enum {
  GO_GENERICS,
  GO_PARAMETERS,
  GO_DOCS,
  GO_PREPARED,
  GO_PLACES,
  GO_ARGUMENTS,
  GO_DONE,
  GO_TYPES,
  GO_RESULTS,
  GO_ZEROS,
  GO_C_PARAMETERS,
  GO_C_PLACES,
  GO_C_LISTS,
  GO_C_MEMORY,
  GO_C_USES,
  GO_C_LISTED,
  GO_C_ARGUMENTS,
  GO_C_FREED,
  GO_C_TAKEN,
  GO_C_UNDONE,
  GO_C_GIVEN,
  GO_PARTS
};

static const bind_part go_parts[GO_PARTS] = {
    /* in Go */
    {"generics", ", ", BIND_C_ORDER},
    {"parameters", ", ", BIND_C_ORDER},
    {"docs", "\n", BIND_CALLER_ORDER},
    {"prepared",
     "\n",
     BIND_C_ORDER}, /* steps that may fail; they end the use of earlier arguments */
    {"places", "\n", BIND_CALLER_ORDER},
    {"arguments", ", ", BIND_C_ORDER},
    {"done", "\n", BIND_C_ORDER}, /* after the call; no defer, which takes 4 ns a tensor */
    {"types", "", BIND_CALLER_ORDER},
    {"results", "", BIND_CALLER_ORDER},
    {"zeros", "", BIND_CALLER_ORDER}, /* results beside an error */
    /* in C */
    {"c_parameters", ", ", BIND_C_ORDER},
    {"c_places", "\n", BIND_C_ORDER},
    {"c_lists", "\n", BIND_C_ORDER},
    {"c_memory", " && ", BIND_C_ORDER}, /* pointers that must not be NULL */
    {"c_uses", "\n", BIND_C_ORDER},     /* objects, as they are entered, */
    {"c_listed", "\n", BIND_C_ORDER},   /* and those in lists, which follow them */
    {"c_arguments", "", BIND_C_ORDER},
    {"c_freed", "\n", BIND_C_ORDER},
    {"c_taken", "\n", BIND_C_ORDER},  /* tensors become handles, texts copies */
    {"c_undone", "\n", BIND_C_ORDER}, /* undoes the rest if one of them fails */
    {"c_given", "\n", BIND_C_ORDER},
};

#define GO_PREPARE(call)                                                                           \
  [GO_PREPARED] = "in_$c, err := generated." call "\"$function: $raw\", $value)\n"                 \
                  "if err != nil {\n"                                                              \
                  "\t$before\n"                                                                    \
                  "\treturn ${zeros}err\n"                                                         \
                  "}"

/* Kinds without a row use that of integers. */
static const char *const go_passed[BIND_OTHER][GO_PARTS] = {
    [BIND_TENSOR] = {GO_PREPARE("Flatten$optional("),
                     [GO_DONE] = "generated.Done($name)",
                     [GO_ARGUMENTS] = "flat(in_$c)",
                     [GO_C_PARAMETERS] = "dlfgo_flat $c",
                     [GO_C_PLACES] = "dlfgo_room dlf_room_$c;",
                     [GO_C_ARGUMENTS] = "dlfgo_arg(&$c, &dlf_room_$c), "},
    [BIND_LIST] = {GO_PREPARE("FlattenList("),
                   [GO_DONE] = "in_$c.Close()",
                   [GO_ARGUMENTS] = "(*C.dlfgo_flat)(in_$c.First()), C.int64_t(in_$c.Len())",
                   [GO_C_PARAMETERS] = "const dlfgo_flat *$c, int64_t ${c}_count",
                   [GO_C_LISTS] = "dlf_arg *dlf_list_$c = dlfgo_list($c, ${c}_count);",
                   [GO_C_MEMORY] = "dlf_list_$c",
                   [GO_C_ARGUMENTS] = "dlf_list_$c, ${c}_count, ",
                   [GO_C_FREED] = "free(dlf_list_$c);"},
    [BIND_ARRAY] =
        {[GO_ARGUMENTS] =
             "(*C.$shim)(unsafe.Pointer(unsafe.SliceData($value))), C.int64_t(len($value))",
         [GO_C_PARAMETERS] = "const $shim *$c, int64_t ${c}_count",
         [GO_C_ARGUMENTS] = "(const void *)$c, ${c}_count, "}, /* C may spell uint64_t otherwise */
    [BIND_STRING] = {GO_PREPARE("Terminate(new([64]byte), "),
                     [GO_ARGUMENTS] = "(*C.char)(unsafe.Pointer(in_$c))",
                     [GO_C_PARAMETERS] = "const char *$c",
                     [GO_C_ARGUMENTS] = "$c, "},
    [BIND_HANDLE] =
        {[GO_ARGUMENTS] = "C.uintptr_t($object.Lend())",
         [GO_DONE] = "$object.Keep()",
         [GO_C_PARAMETERS] = "$shim $c",
         [GO_C_USES] =
             "{.size = sizeof(dlf_use), .object = (dlf_object *)$c, .name = \"$raw\", .type = "
             "\"$object_type\", .mode = $mode},",
         [GO_C_ARGUMENTS] = "($c_type$star)${from_pointer}${address}dlf_uses[$which].pointer, "},
    [BIND_STREAM] = {[GO_ARGUMENTS] = "C.uintptr_t($value)",
                     [GO_C_PARAMETERS] = "uintptr_t $c",
                     [GO_C_ARGUMENTS] = "(dlf_stream){(void *)$c}, "},
    [BIND_ENUM] = {[GO_ARGUMENTS] = "C.$shim($value)",
                   [GO_C_PARAMETERS] = "$shim $c",
                   [GO_C_ARGUMENTS] = "($enum)$c, "},
    [BIND_COMPLEX] = {[GO_ARGUMENTS] =
                          "C.$shim{re: C.$c_part(real($value)), im: C.$c_part(imag($value))}",
                      [GO_C_PARAMETERS] = "$shim $c",
                      [GO_C_ARGUMENTS] = "$c, "},
    [BIND_STRUCT] = {[GO_ARGUMENTS] = "$value.lend()",
                     [GO_C_PARAMETERS] = "$layout $c",
                     [GO_C_ARGUMENTS] = "&$c, "},
    [BIND_INTEGER] = {[GO_ARGUMENTS] = "C.$shim($value)",
                      [GO_C_PARAMETERS] = "$shim $c",
                      [GO_C_ARGUMENTS] = "$c, "},
};

/* A tensor that C keeps: a handle of it, whose memory is pinned as long as C has it. */
static const char *const go_kept[GO_PARTS] = {GO_PREPARE("Keep("),
                                              [GO_DONE] = "in_$c.Done()",
                                              [GO_ARGUMENTS] = "C.uintptr_t(in_$c.Handle())",
                                              [GO_C_PARAMETERS] = "uintptr_t $c",
                                              [GO_C_PLACES] = "",
                                              [GO_C_ARGUMENTS] = "(dlf_tensor *)$c, "};

/* Texts, numbers and objects that may be absent, and a returned text or object. */
static const char *const go_optional_text[GO_PARTS] = {
    GO_PREPARE("TerminateOptional(new([64]byte), ")};
static const char *const go_optional_number[GO_PARTS] = {
    [GO_ARGUMENTS] = "(*C.$shim)(unsafe.Pointer($value))", [GO_C_PARAMETERS] = "const $shim *$c"};
static const char *const go_optional_object[GO_PARTS] = {
    [GO_ARGUMENTS] = "C.uintptr_t($object.LendOptional())",
    [GO_C_USES] = "{.size = sizeof(dlf_use), .object = dlfgo_object($c), .name = \"$raw\", .type = "
                  "\"$object_type\", .mode = dlfgo_mode($c, $mode)},"};
static const char *const go_optional_made[GO_PARTS] = {
    [GO_RESULTS] = "(*$handle)(generated.NewOptionalObject(uintptr($place))), ",
    [GO_C_TAKEN] = "*$c = 0;\n"
                   "if ($out)\n"
                   "  dlf_got = $box, $c, &dlf_failure);"};
static const char *const go_optional_result[GO_PARTS] = {
    [GO_RESULTS] = "generated.OptionalText(uintptr($place)), ",
    [GO_ZEROS] = "nil, ",
    [GO_C_TAKEN] = "if ($out)\n"
                   "  dlf_got = dlfgo_text(dlf_got, \"$function: expected memory for a text, got "
                   "none\", $out, $c, &dlf_failure);\n"
                   "else\n"
                   "  *$c = 0;"};

/* Texts for C: one behind another, whose addresses the shim lists. */
static const char *const go_text_list[GO_PARTS] = {
    GO_PREPARE("TerminateList("),
    [GO_ARGUMENTS] = "(*C.char)(unsafe.Pointer(unsafe.SliceData(in_$c))), C.int64_t(len($value))",
    [GO_C_PARAMETERS] = "const char *$c, int64_t ${c}_count",
    [GO_C_LISTS] = "const char **dlf_list_$c = dlfgo_texts($c, ${c}_count);",
    [GO_C_MEMORY] = "dlf_list_$c",
    [GO_C_ARGUMENTS] = "dlf_list_$c, ${c}_count, ",
    [GO_C_FREED] = "free(dlf_list_$c);"};

/* Objects for C, whose addresses replace those of their boxes. */
static const char *const go_object_list[GO_PARTS] = {
    [GO_PREPARED] = "in_$c := generated.LendList($value)",
    [GO_DONE] = "in_$c.Keep()",
    [GO_ARGUMENTS] = "(*C.uintptr_t)(in_$c.First()), C.int64_t(len($value))",
    [GO_C_PARAMETERS] = "uintptr_t *$c, int64_t ${c}_count",
    [GO_C_LISTED] = "dlfgo_add_uses(dlf_uses, $first, $c, ${c}_count, &(const dlf_use){.size = "
                    "sizeof(dlf_use), .name = \"$raw\", .type = \"$object_type\", .mode = $mode});",
    [GO_C_ARGUMENTS] = "($c_type)dlfgo_pointers(dlf_uses, $first, $c, ${c}_count), ${c}_count, "};

/* A text in memory of the caller: C's copy becomes one of Go's. */
static const char *const go_given_text[GO_PARTS] = {
    [GO_C_TAKEN] = "dlf_got = dlfgo_text(dlf_got, \"$function: expected memory for a text, got "
                   "none\", $out, $c, &dlf_failure);\n"
                   "$release($out);"};
static const char *const go_optional_given_text[GO_PARTS] = {
    [GO_RESULTS] = "generated.OptionalText(uintptr($place)), ",
    [GO_ZEROS] = "nil, ",
    [GO_C_TAKEN] = "*$c = 0;\n"
                   "if ($out)\n"
                   "  dlf_got = dlfgo_text(dlf_got, \"$function: expected memory for a text, got "
                   "none\", $out, $c, &dlf_failure);\n"
                   "$release($out);"};

static const char *const go_given_list[GO_PARTS] = {
    [GO_RESULTS] = "generated.TextList(uintptr($place)), ",
    [GO_ZEROS] = "nil, ",
    [GO_C_TAKEN] = "dlf_got = dlfgo_text_list(dlf_got, \"$function: expected memory for a list of "
                   "texts, got none\", $out, $c, &dlf_failure);\n"
                   "$release((const char *)$out);"};

#define GO_PLACED(type, result, zero, parameter, place)                                            \
  [GO_ARGUMENTS] = "&$place", [GO_PLACES] = "var $place " type, [GO_RESULTS] = result ", ",        \
  [GO_ZEROS] = zero ", ", [GO_C_PARAMETERS] = parameter " *$c", [GO_C_PLACES] = place,             \
  [GO_C_ARGUMENTS] = "&$out, "

static const char *const go_results[BIND_OTHER][GO_PARTS] = {
    [BIND_TENSOR] =
        {GO_PLACED(
             "C.dlfgo_handle",
             "generated.Adopt(uintptr($place.tensor), uintptr($place.dl), uint64($place.flags))",
             "nil", "dlfgo_handle", "DLManagedTensorVersioned *$out = NULL;"),
         [GO_C_TAKEN] = "dlf_got = dlfgo_take(dlf_got, $out, $c, &dlf_failure);",
         [GO_C_UNDONE] = "dlf_release((dlf_tensor *)$c->tensor);"},
    [BIND_HANDLE] = {GO_PLACED("C.uintptr_t", "(*$handle)(generated.NewObject(uintptr($place)))",
                               "nil", "uintptr_t", "${c_type}$out = 0;"),
                     [GO_C_TAKEN] = "dlf_got = $box, $c, &dlf_failure);",
                     [GO_C_UNDONE] = "dlf_object_release((dlf_object *)*$c);"},
    [BIND_STRING] =
        {GO_PLACED("C.uintptr_t", "generated.Text(uintptr($place))", "\"\"", "uintptr_t",
                   "${c_type}$out = NULL;"),
         [GO_C_TAKEN] =
             "dlf_got = dlfgo_text(dlf_got, \"$function: expected memory for a text, got none\", "
             "$out, $c, &dlf_failure);",
         [GO_C_UNDONE] = "free((void *)*$c);"},
    [BIND_COMPLEX] = {GO_PLACED("C.$shim", "complex($go_part($place.re), $go_part($place.im))", "0",
                                "$shim", "$shim $out = {0, 0};"),
                      [GO_C_GIVEN] = "*$c = $out;"},
    [BIND_STRUCT] = {GO_PLACED("C.$layout", "take$type($place)", "$type{}", "$layout",
                               "$layout $out = {0};"),
                     [GO_C_GIVEN] = "*$c = $out;"},
    [BIND_BOOL] = {GO_PLACED("C.$shim", "$type($place)", "false", "$shim", "${c_type}$out = 0;"),
                   [GO_C_GIVEN] = "*$c = ($shim)$out;"},
    [BIND_INTEGER] = {GO_PLACED("C.$shim", "$type($place)", "0", "$shim", "${c_type}$out = 0;"),
                      [GO_C_GIVEN] = "*$c = ($shim)$out;"},
};

/* Numbers that C reads and writes. */
static const char *const go_changed[BIND_OTHER][GO_PARTS] = {
    [BIND_INTEGER] = {[GO_ARGUMENTS] = "&$place",
                      [GO_PLACES] = "$place := C.$shim($value)",
                      [GO_RESULTS] = "$type($place), ",
                      [GO_ZEROS] = "$zero, ",
                      [GO_C_PARAMETERS] = "$shim *$c",
                      [GO_C_PLACES] = "${c_type}$out = (${c_type})*$c;",
                      [GO_C_ARGUMENTS] = "&$out, ",
                      [GO_C_GIVEN] = "*$c = ($shim)$out;"},
    [BIND_STRUCT] = {[GO_ARGUMENTS] = "&$place",
                     [GO_PLACES] = "$place := $value.lend()",
                     [GO_RESULTS] = "take$type($place), ",
                     [GO_ZEROS] = "$type{}, ",
                     [GO_C_PARAMETERS] = "$layout *$c",
                     [GO_C_ARGUMENTS] = "$c, "},
};

static const bind_rows go_rows = {go_passed[0],
                                  go_results[0],
                                  go_changed[0],
                                  go_kept,
                                  go_optional_text,
                                  go_optional_number,
                                  go_optional_object,
                                  go_optional_result,
                                  go_optional_made,
                                  go_given_text,
                                  go_optional_given_text,
                                  go_given_list,
                                  go_text_list,
                                  go_object_list};

/* ---- filling them in ---- */

static const char *go_object(const bind_param *p) {
  return bind_string("(*generated.Object)(%s)", go_local(p->name));
}

/* The call that boxes a new object, or one that C frees with its owner's, up to its place. */
static const char *go_box(const bind_ir *ir, const bind_function *f, const bind_handle *h) {
  if (!f->borrows) {
    return bind_string("dlfgo_box(dlf_got, %s, %s$out, %s",
                       go_free_shim(ir, h),
                       bind_when(h->is_integer, "(void *)"),
                       go_used(f));
  }
  const char *owner = "NULL";
  if (f->owner) {
    owner = bind_string("&dlf_uses[%d]", go_count_uses(f, bind_find_param(f, f->owner)));
  }
  return bind_string("dlfgo_borrow(dlf_got, (void *)(uintptr_t)$out, %s", owner);
}

/* All options are one parameter in the place of the first. */
static const char *go_parameter(const bind_function *f, const bind_param *p, const char *type) {
  if (!bind_is_option(p)) {
    return bind_string("%s %s", go_local(p->name), type);
  }
  if (p == go_first_option(f)) {
    return bind_string("options %s", bind_options_name(f));
  }
  return "";
}

/* Several results have names, for readers of the signature. */
static const char *go_result(const go_call *call, const bind_slot *slot, const char *type) {
  if (bind_count_results(call->f, call->make) == 1) {
    return bind_string("%s, ", type);
  }
  const char *name = "result";
  if (!slot->is_value) {
    name = slot->p->name;
  }
  if (slot->changes) {
    name = bind_string("new_%s", name);
  }
  if (!slot->is_value) {
    name = go_local(name);
  }
  return bind_string("%s %s, ", name, type);
}

/* What the templates say of an enum, of a complex number and of an object's type. Objects keep
 * what C gave as a pointer: an integer is cast from it and to it. */
static const bind_field *go_type_fields(const bind_type *type, const bind_field *fields) {
  const bind_handle *handle = type->handle;
  if (type->enumeration) {
    fields = bind_with(fields, {"enum", type->enumeration->c});
  }
  if (type->structure) {
    fields = bind_with(fields, {"layout", go_layout(type->structure)});
  }
  if (type->scalar == BIND_C64) {
    fields = bind_with(fields, {"c_part", "float"}, {"go_part", "float32"});
  } else {
    fields = bind_with(fields, {"c_part", "double"}, {"go_part", "float64"});
  }
  if (!handle) {
    return fields;
  }
  return bind_with(fields,
                   {"handle", bind_pascal(handle->short_name)},
                   {"from_pointer", bind_when(handle->is_integer, "(uintptr_t)")},
                   {"object_type", handle->short_name});
}

static void go_share(const go_call *call, const bind_slots *slots, bind_slot *slot,
                     const bind_field *fields) {
  const bind_function *f = call->f;
  const bind_param *p = slot->p;
  const bind_type *type = &p->type;
  const bind_handle *handle = type->handle;
  const bool list = type->kind == BIND_LIST;
  const bool generic = go_is_generic(f, p);
  const char *shim;
  if (handle) {
    shim = "uintptr_t";
  } else if (type->kind == BIND_BOOL) {
    shim = "bool";
  } else if (type->kind == BIND_CHAR) {
    shim = "char";
  } else {
    shim = bind_scalar_c(type->scalar);
  }
  const char *element = bind_string("%s%s", bind_pascal(p->name), list ? "Arg" : "Int");
  const bool texts = bind_is_text_list(p) || bind_is_given_list(p);
  const char *go_name = texts ? "[]string" : go_type(type);
  if (generic) {
    go_name = bind_string("[]%s", element);
  }
  if (slot->result && type->kind == BIND_TENSOR) {
    go_name = "*dlferry.Tensor";
  }
  const bool maybe_value = slot->is_value && f->result_optional && !handle;
  if (maybe_value || (bind_is_given_text(p) && p->optional)) {
    go_name = bind_string("*%s", go_name);
  }
  const char *out = "dlf_value_of_call";
  if (!slot->is_value) {
    out = bind_string("dlf_out_%s", p->name);
  }
  const char *zero = "0";
  if (type->kind == BIND_BOOL) {
    zero = "false";
  }
  fields = bind_with(fields,
                     {"c", bind_twin_param_name(f, p->name)},
                     {"raw", p->name},
                     {"name", go_local(p->name)},
                     {"object", go_object(p)},
                     {"value", go_value(p)},
                     {"optional", bind_when(p->optional, "Optional")},
                     {"type", go_name},
                     {"c_type", type->c},
                     {"star", bind_when(p->ended, "*")},
                     {"address", bind_when(p->ended, "&")},
                     {"zero", zero},
                     {"release", p->text ? p->text->release : ""},
                     {"shim", shim},
                     {"mode", bind_use_mode(f, p)},
                     {"which", bind_number(go_count_uses(f, p))},
                     {"first", bind_is_object_list(p) ? go_first_use(f, p) : ""},
                     {"place", bind_string("got_%s", p->name)},
                     {"out", out});
  fields = go_type_fields(type, fields);
  if (handle && slot->result) {
    fields = bind_with(fields, {"box", bind_filled_template(go_box(call->ir, f, handle), fields)});
  }
  bind_share_rows(slots, slot, &go_rows, fields);
  if (generic) {
    slot->shares[GO_GENERICS] = bind_string("%s dlferry.%s", element, list ? "Arg" : "Index");
  }
  if (slot->result) {
    slot->shares[GO_TYPES] = go_result(call, slot, go_name);
  }
  if (f->method_of && p == f->params) {
    return; /* the receiver */
  }
  if (!slot->result || slot->changes) {
    slot->shares[GO_PARAMETERS] = go_parameter(f, p, go_name);
  }
  if (slot->is_value && *p->doc) {
    slot->shares[GO_DOCS] = bind_string("//   - returns %s", go_one_line(p->doc));
  } else if (!slot->is_value) {
    const char *role = bind_when(slot->result, "returns ");
    if (slot->changes) {
      role = "takes and returns ";
    }
    slot->shares[GO_DOCS] = bind_string("//   - %s%s%s", role, go_argument(p), go_about(p));
  }
}

const bind_field *go_fields(const go_call *call) {
  const bind_function *f = call->f;
  const bind_slots slots = bind_slots_of(f, call->make, go_parts, GO_PARTS);
  const bind_field *fields = bind_fields({"function", f->short_name}, {"used", go_used(f)});
  for (int i = 0; i < slots.count; i++) {
    if (slots.items[i].result) {
      go_share(call, &slots, &slots.items[i], fields);
    }
  }
  fields = bind_with(fields, {"zeros", bind_joined_part(&slots, GO_ZEROS)});
  for (int i = 0; i < slots.count; i++) {
    if (slots.items[i].result) {
      continue;
    }
    const char *before = bind_joined_part(&slots, GO_DONE);
    go_share(call, &slots, &slots.items[i], bind_with(fields, {"before", before}));
  }
  const char *self = "";
  if (f->method_of) {
    self = go_local(f->params[0].name);
  }
  return bind_with(
      bind_joined(&slots),
      {"function", f->short_name},
      {"name", go_function_name(call)},
      {"shim", go_shim(call)},
      {"twin", call->make ? f->new_name : f->checked_name},
      {"used", go_used(f)},
      {"receiver",
       *self ? bind_string("(%s *%s) ", self, bind_pascal(f->method_of->short_name)) : ""});
}

/* ---- the function in Go ---- */

/* "float64, int32" for "float64, int32, " */
static const char *go_without_comma(const char *list) {
  const size_t size = strlen(list);
  if (size < 2) {
    return list;
  }
  return bind_sized(list, size - 2);
}

static const char *go_signature(const go_call *call, const bind_field *fields) {
  const char *generics = bind_field_of(fields, "generics");
  const char *types = bind_field_of(fields, "types");
  const int results = bind_count_results(call->f, call->make);
  const char *returned;
  if (results == 0) {
    returned = " error";
  } else if (results == 1) {
    returned = bind_string(" (%serror)", types);
  } else {
    returned = bind_string(" (%serr error)", types);
  }
  if (!go_can_fail(call->f)) {
    types = go_without_comma(types);
    if (results == 0) {
      returned = "";
    } else {
      returned = bind_string(results == 1 ? " %s" : " (%s)", types);
    }
  }
  return bind_filled_template(
      "func $receiver$name$brackets($parameters)$returned {",
      bind_with(fields,
                {"brackets", bind_when(*generics, bind_string("[%s]", generics))},
                {"returned", returned}));
}

static const char go_checked[] = "failure := C.$shim($arguments)\n"
                                 "$done\n"
                                 "$end\n";

static const char go_sure[] = "generated.Sure(uintptr(C.$shim($arguments)))\n"
                              "$end\n";

static const char go_end[] = "return generated.Failed(uintptr(failure))\n";

static const char go_results_end[] = "if failure != 0 {\n"
                                     "\treturn ${zeros}generated.Failed(uintptr(failure))\n"
                                     "}\n"
                                     "return ${results}nil\n";

/* Go's tools see a paragraph that begins so. */
static const char *go_deprecation(const bind_function *f) {
  if (!f->deprecated) {
    return "";
  }
  return bind_string("//\n// Deprecated: %s",
                     *f->deprecated ? go_one_line(f->deprecated) : "the C header says so.");
}

/* The call and what follows. */
static const char *go_called(const bind_function *f, const bind_field *fields) {
  const char *results = bind_field_of(fields, "results");
  const bool fails = go_can_fail(f);
  const char *end = bind_filled_template(*results ? go_results_end : go_end, fields);
  if (!fails) {
    end = bind_when(*results, bind_string("return %s", go_without_comma(results)));
  }
  return bind_filled_template(fails ? go_checked : go_sure, bind_with(fields, {"end", end}));
}

/* A function that makes all its outputs is called F; FInto writes into given ones. */
void go_put_function(bind_text *t, const go_call *call, const bind_field *fields) {
  const bind_function *f = call->f;
  const char *docs = bind_field_of(fields, "docs");
  const char *contract = go_one_line(f->contract);
  if (go_first_option(f) && call->make == (f->new_name != NULL)) {
    go_put_options(t, f);
  }
  bind_template(
      t,
      "\n"
      "$doc\n"
      "$lines\n"
      "$contract\n"
      "//\n"
      "// C: $c\n"
      "$deprecated\n"
      "$signature\n"
      "\t$prepared\n"
      "\t$places\n"
      "\t$call\n"
      "}\n",
      bind_with(fields,
                {"c", bind_string("%s%s", bind_c_names(f, ", "), bind_derived_words(f))},
                {"doc", go_doc(go_function_name(call), bind_summary(f, ""), f->description)},
                {"lines", bind_when(*docs, bind_string("//\n%s", docs))},
                {"contract", bind_when(*contract, bind_string("//\n// Contract: %s", contract))},
                {"deprecated", go_deprecation(f)},
                {"signature", go_signature(call, fields)},
                {"call", go_called(f, fields)}));
}

void bind_explain_go(const bind_ir *ir, const bind_function *f, bind_text *t) {
  for (int make = f->new_name != NULL; make >= 0; make--) {
    const go_call call = {ir, f, make};
    bind_line(t, "%s", go_signature(&call, go_fields(&call)));
  }
}

/* ---- what it calls in C ---- */

static const char go_undo[] = "if (dlf_got) {\n"
                              "  $c_undone\n"
                              "}\n";

void go_put_shim(bind_text *t, const go_call *call, const bind_field *fields) {
  const char *parameters = bind_field_of(fields, "c_parameters");
  const char *pointers = bind_field_of(fields, "c_memory");
  const char *memory = bind_when(*pointers, go_without_memory(call->f, pointers));
  const char *enter = "";
  const char *begin = "dlf_status ";
  const char *leave = "";
  if (go_enters(call->f)) {
    enter = go_entering(call->f, fields);
    begin = "if (dlf_inside) ";
    leave = go_leaving(call->f);
  }
  const char *undoing =
      bind_when(*bind_field_of(fields, "c_taken") && bind_count_results(call->f, call->make) > 1,
                bind_filled_template(go_undo, fields));
  bind_template(t,
                "DLFERRY_GO uintptr_t $shim($declared) {\n"
                "  dlf_error dlf_failure;\n"
                "  dlf_failure.message[0] = 0;\n"
                "  $c_places\n"
                "  $c_lists\n"
                "  $enter\n"
                "  ${begin}dlf_got = $memory$twin($c_arguments&dlf_failure);\n"
                "  $c_freed\n"
                "  $c_taken\n"
                "  $leave\n"
                "  $undo\n"
                "  if (dlf_got) return dlfgo_failed(dlf_got, &dlf_failure);\n"
                "  $c_given\n"
                "  return 0;\n"
                "}\n"
                "\n",
                bind_with(fields,
                          {"enter", enter},
                          {"begin", begin},
                          {"leave", leave},
                          {"declared", bind_said_or(parameters, "void")},
                          {"memory", memory},
                          {"undo", undoing}));
}
