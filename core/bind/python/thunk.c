/* SPDX-License-Identifier: Apache-2.0 */
/* One METH_FASTCALL thunk for each function: sort the arguments, describe each to C, call the twin,
 * wrap its results.
 *
 * A table has the shares of each kind of parameter, templates below put them together. */
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/base/template.h"
#include "bind/c/scalar.h"
#include "bind/emit/declare.h"
#include "bind/emit/query.h"
#include "bind/ir/parameters.h"
#include "python.h"
#include "results.h"

/* The local names of a thunk. */
static const char python_thunk_words[] =
    "module given count words room names interned signature v t l a h g call made "
    "error status answer result stream roles box changed absent";

/* What a thunk calls its copy of a parameter. */
static const char *python_local(const bind_function *f, const char *name) {
  const char *own = bind_twin_param_name(f, name);
  if (own == name && bind_word_in(name, python_thunk_words)) {
    return bind_string(BIND_OWN_NAME "%s", name);
  }
  return own;
}

/* The same for a result: the value, without a name, is "result". */
static const char *python_local_of(const bind_function *f, const bind_param *p) {
  if (!*p->name) {
    return "result";
  }
  return python_local(f, p->name);
}

/* ---- What a parameter adds ---- */

const python_row python_rows[BIND_OTHER] = {
    [BIND_TENSOR] = {.reads = "!dlfpy_tensor$ornone(&call, &t[$slot], $say, $value, $written)",
                     .passed = "t[$slot].c",
                     .object = "Py_NewRef($value)"},
    [BIND_LIST] = {.reads = "!dlfpy_list(&call, $say, $value, &l[$slot])",
                   .passed = "l[$slot].items, (int64_t)l[$slot].count"},
    [BIND_ARRAY] = {.reads = "!dlfpy_array(&call, $say, $value, DLFPY_$width, &a[$slot])",
                    .passed = "a[$slot].data, (int64_t)a[$slot].count"},
    [BIND_HANDLE] = {.reads = "!dlfpy_use$ornone($say, $value, &type_$handle, &h[$slot])",
                     .passed = "${cast_handle}h[$slot].pointer",
                     .object = "dlfpy_object(&type_$handle, box)"},
    [BIND_GIVEN] = {.passed = "&g[$which]", .object = "dlfpy_give($like, g[$which])"},
    [BIND_STREAM] = {.passed = "stream"},
    [BIND_STRUCT] = {.local = "$layout$name;",
                     .reads =
                         "!dlfpy_copy_struct($say, $value, &type_$struct, &$name, sizeof $name)",
                     .passed = "&$name",
                     .object = "dlfpy_new_struct(&type_$struct, &$name, sizeof $name)"},
    [BIND_REAL] = {.local = "double $name = $default;",
                   .reads = "!dlfpy_$real($say, $value, &$name)",
                   .passed = "$cast$name",
                   .object = "PyFloat_FromDouble((double)$name)"},
    [BIND_COMPLEX] = {.local = "$cname $name = {$default};",
                      .reads = "!dlfpy_$complex($say, $value, &$name.re, &$name.im)",
                      .passed = "$name",
                      .object = "PyComplex_FromDoubles((double)$name.re, (double)$name.im)"},
    [BIND_CHAR] = {.local = "char $name = $default;",
                   .reads = "!dlfpy_char($say, $value, &$name)",
                   .passed = "$name",
                   .object = "PyUnicode_FromStringAndSize(&$name, 1)"},
    [BIND_BOOL] = {.local = "bool $name = $default;",
                   .reads = "!dlfpy_bool($say, $value, &$name)",
                   .passed = "$name",
                   .object = "PyBool_FromLong($name)"},
    [BIND_STRING] = {.local = "const char *$name = $default;",
                     .reads = "!dlfpy_string($say, $value, &$name)",
                     .passed = "$name",
                     .object = "dlfpy_text($name)"},
    [BIND_INTEGER] = {.local = "$wide $name = $default;",
                      .reads = "!dlfpy_$reader($say, $value, $limits, &$name)",
                      .passed = "$cast$name",
                      .object = "PyLong_From$long$name)"},
    [BIND_ENUM] = {.local = "$wide $name = $default;",
                   .reads = "(!dlfpy_enumerator($say, \"$package\", \"$enum\", &enum_$enumeration, "
                            "$value) ||\n      !dlfpy_$reader($say, $value, $limits, &$name))",
                   .passed = "$cast$name",
                   .object =
                       "dlfpy_enum(\"$package\", \"$enum\", &enum_$enumeration, (long long)$name)"},
};

/* A tensor that C keeps: its handle is owned until the call ends, and C's holder keeps it longer.
 */
static const python_row python_kept_tensor = {
    .reads = "!dlfpy_tensor_to_keep(&call, &t[$slot], $say, $value, $written)",
    .passed = "t[$slot].handle"};

/* An object that C frees: the use is emptied. */
static const python_row python_ended = {.reads =
                                            "!dlfpy_use($say, $value, &type_$handle, &h[$slot])",
                                        .passed = "($cname*)&h[$slot].pointer"};

/* Texts for C. */
static const python_row python_texts = {.reads = "!dlfpy_texts(&call, $say, $value, &a[$slot])",
                                        .passed = "a[$slot].data, (int64_t)a[$slot].count"};

/* Objects for C. */
static const python_row python_objects = {
    .reads = "!dlfpy_objects(&call, $say, $value, &type_$handle, &(const dlf_use){$use}, &h, "
             "&dlf_used, &a[$slot])",
    .passed = "dlfpy_pointers(&a[$slot], h), (int64_t)a[$slot].count"};

static const python_row *python_row_of(const bind_param *p) {
  if (bind_is_object_list(p)) {
    return &python_objects;
  }
  if (bind_is_text_list(p)) {
    return &python_texts;
  }
  if (p->kept) {
    return &python_kept_tensor;
  }
  if (p->ended) {
    return &python_ended;
  }
  return &python_rows[p->type.kind];
}

/* A text that C lends in a call with objects: its owner may change or vanish once they are left. */
static const char python_kept[] = "dlfpy_kept_text($name)";
static const char python_kept_or_none[] = "absent ? Py_NewRef(Py_None) : dlfpy_kept_text($name)";
static const char python_object_or_none[] =
    "absent ? Py_NewRef(Py_None) : dlfpy_object(&type_$handle, box)";

/* A text in memory of the caller. */
static const char python_given_text[] = "dlfpy_given_text($name, $release)";
static const char python_given_list[] = "dlfpy_given_texts($name, $release)";

/* A number that C finds behind a pointer if callers give it. */
static const char python_behind[] = "dlfpy_is_given($value) ? &($cname){$cast$name} : NULL";
static const char python_complex_behind[] = "dlfpy_is_given($value) ? &$name : NULL";

/* An output that the twin makes. */
static const python_row python_made = {.passed = "&made[$which]",
                                       .object = "dlfpy_give($like, made[$which])"};

/* How a call uses an object. */
static const char *python_use(const bind_function *f, const bind_param *p) {
  return bind_string(".size = sizeof(dlf_use), .name = \"%s\", .type = \"%s\", .mode = %s",
                     p->name,
                     p->type.handle->short_name,
                     bind_use_mode(f, p));
}

/* The state of one function's thunk. */
typedef struct python_thunk {
  const bind_ir *ir;
  const bind_function *f;
  python_params params;
} python_thunk;

static const char *python_default_in_c(const bind_param *p) {
  switch (p->def.kind) {
  case BIND_DEFAULT_NUMBER:
    return p->def.text;
  case BIND_DEFAULT_BOOL:
    return bind_truth(p->def.truth);
  case BIND_DEFAULT_STRING:
    return bind_string("\"%s\"", bind_doc_escape(BIND_DOC_C_STRING, p->def.text));
  case BIND_DEFAULT_ENUMERATOR: {
    const char *all = p->def.enumerator->name;
    for (const bind_default *next = p->def.next; next; next = next->next) {
      all = bind_string("%s | %s", all, next->enumerator->name);
    }
    return all;
  }
  case BIND_DEFAULT_CHARACTER:
    return bind_string("'%s'", p->def.text);
  case BIND_DEFAULT_COMPLEX: {
    const char *narrow = bind_when(p->type.scalar == BIND_C64, "(float)");
    return bind_string("%s%s, %s%s", narrow, p->def.text, narrow, p->def.imaginary);
  }
  default:
    if (p->type.kind == BIND_BOOL) {
      return "false";
    }
    if (p->type.kind == BIND_STRING) {
      return "NULL";
    }
    return "0";
  }
}

/* Return the argument that decides the framework of results. */
static const char *python_like(const python_thunk *it) {
  const bind_param *like = bind_first_tensor(it->f);
  if (!like) {
    return "NULL";
  }
  const int place = python_place_of(&it->params, like);
  if (like->type.kind == BIND_LIST) {
    return bind_string("dlfpy_first_of(&l[%d])", it->params.slot[place]);
  }
  return bind_string("v[%d]", place - it->params.self);
}

/* Count the outputs that are made, or the tensors that C gives, before one of them. */
static int python_which(const bind_function *f, const bind_param *p) {
  int which = 0;
  for (const bind_param *q = f->params; q < p; q++) {
    which += (p->made && q->made) || (!p->made && q->type.kind == BIND_GIVEN);
  }
  return which;
}

static const char *python_fill(const python_thunk *it, const char *template, const bind_param *p) {
  const bind_type *type = &p->type;
  const bool passed = bind_is_passed(p, false);
  int place = 0;
  if (passed) {
    place = python_place_of(&it->params, p);
  }
  const char *value = "module";
  if (place >= it->params.self) {
    value = bind_string("v[%d]", place - it->params.self);
  }
  const char *slot = "";
  if (passed) {
    slot = bind_number(it->params.slot[place]);
  }
  const char *which = "";
  if (p->made || type->kind == BIND_GIVEN) {
    which = bind_number(python_which(it->f, p));
  }
  const bind_field *fields =
      bind_fields({"name", python_local_of(it->f, p)},
                  {"say", bind_string("\"%s: %s\"", it->f->short_name, p->name)},
                  {"value", value},
                  {"slot", slot},
                  {"which", which},
                  {"ornone", bind_when(p->optional, "_or_none")},
                  {"written", bind_truth(p->direction != BIND_IN)},
                  {"default", python_default_in_c(p)},
                  {"like", python_like(it)},
                  {"release", p->text ? p->text->release : ""},
                  {"use", type->handle ? python_use(it->f, p) : ""},
                  {"package", it->ir->name});
  return bind_filled_template(template, python_type_fields(fields, type));
}

/* ---- The parts of a thunk ---- */

static const char *python_reading(const python_thunk *it, int i) {
  const bind_param *p = it->params.list[i];
  const bool absent = p->optional && p->type.kind != BIND_TENSOR && p->type.kind != BIND_HANDLE;
  const char *value = bind_string("v[%d]", i - it->params.self);
  const char *test = "";
  if (p->def.kind != BIND_NO_DEFAULT) {
    test = bind_string("%s && ", value);
  } else if (absent) {
    test = bind_string("dlfpy_is_given(%s) && ", value);
  }
  return bind_string("if (%s%s) goto end;\n", test, python_fill(it, python_row_of(p)->reads, p));
}

/* Reading a number or a list may run Python code, which may change or free a tensor that is
 * borrowed already. */
static int python_turn_of(const bind_param *p) {
  if (p->type.kind == BIND_TENSOR) {
    return 2;
  }
  if (p->type.kind == BIND_LIST || bind_is_object_list(p)) {
    return 1;
  }
  return 0;
}

static const char *python_readings(const python_thunk *it) {
  bind_text t = {0};
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < it->params.count; i++) {
      if (python_turn_of(it->params.list[i]) == turn && !it->params.list[i]->made) {
        bind_add(&t, python_reading(it, i));
      }
    }
  }
  return bind_keep(&t);
}

/* Append "dlfpy_tensors l[2];", or nothing for none. */
static void python_put_room(bind_text *t, const char *format, int count) {
  if (count) {
    bind_put(t, format, count);
  }
}

/* List the objects of a call in the order of their slots. */
static const char *python_uses(const python_thunk *it) {
  const char *uses = "";
  for (int i = 0; i < it->params.count; i++) {
    const bind_param *p = it->params.list[i];
    if (p->type.kind == BIND_HANDLE) {
      uses = bind_string("%s{%s}, ", uses, python_use(it->f, p));
    }
  }
  if (it->params.object_lists) {
    return bind_string("%sdlf_use *h = %s;\nint32_t dlf_used = %d;\n",
                       bind_when(*uses, bind_string("dlf_use dlf_single[] = {%s};\n", uses)),
                       *uses ? "dlf_single" : "NULL",
                       it->params.objects);
  }
  return bind_when(*uses, bind_string("dlf_use h[] = {%s};\n", uses));
}

/* Tell whether a call enters objects. */
static bool python_enters(const python_thunk *it) {
  return it->params.objects || it->params.object_lists;
}

/* "h, 2" */
static const char *python_used(const python_thunk *it) {
  if (it->params.object_lists) {
    return "h, dlf_used";
  }
  if (it->params.objects) {
    return bind_string("h, %d", it->params.objects);
  }
  return "NULL, 0";
}

static const char *python_zero_place(const bind_param *p) {
  if (p->type.kind == BIND_COMPLEX) {
    return "%s%s = {0, 0};";
  }
  if (p->type.kind == BIND_STRUCT) {
    return "%s%s = {0};";
  }
  return "%s%s = 0;";
}

static const char *python_locals(const python_thunk *it) {
  bind_text t = {0};
  int given = 0;
  BIND_EACH_PARAM (p, it->f) {
    given += p->type.kind == BIND_GIVEN;
  }
  bind_put(&t, "dlfpy_arg t[%d];\n", it->params.tensors ? it->params.tensors : 1);
  python_put_room(&t, "dlfpy_tensors l[%d];\n", it->params.lists);
  python_put_room(&t, "dlfpy_numbers a[%d];\n", it->params.arrays);
  bind_add(&t, python_uses(it));
  bind_put(&t, "dlfpy_call call = {.function = \"%s\", .args = t, .end = t};\n", it->f->short_name);
  python_put_room(&t, "DLManagedTensorVersioned *made[%d] = {NULL};\n", it->params.made);
  python_put_room(&t, "DLManagedTensorVersioned *g[%d] = {NULL};\n", given);
  for (int i = 0; i < it->params.count; i++) {
    const bind_param *p = it->params.list[i];
    const char *local = python_rows[p->type.kind].local;
    if (local) {
      bind_line(&t, "%s", python_fill(it, local, p));
    }
  }
  const char *changed = "";
  PYTHON_EACH_RESULT(p, it->f, !python_counts(it->f)) {
    if (p->returned && bind_is_read(p)) {
      changed = bind_string("%s%s%s; ", changed, p->type.c, p->name);
    } else if (p->returned && p->type.kind != BIND_GIVEN) {
      bind_line(&t, python_zero_place(p), p->type.c, python_local_of(it->f, p));
    }
  }
  if (*changed) {
    bind_line(&t, "struct { %s} changed;", changed);
  }
  return bind_keep(&t);
}

/* A number that C reads and writes has a second variable, of C's own type. */
static const char *python_changed(const python_thunk *it, const bind_param *p) {
  const char *value = python_rows[p->type.kind].passed;
  if (p->type.structure) {
    value = "$name";
  }
  return bind_filled("($place = $value, &$place)",
                     {"place", bind_string("changed.%s", p->name)},
                     {"value", python_fill(it, value, p)});
}

/* The role of each tensor for a stream. */
static const char *python_roles(const python_thunk *it) {
  bind_text t = {0};
  if (!bind_has_kind(it->f, BIND_STREAM)) {
    return "";
  }
  bind_put(&t, "static const dlfpy_role roles[] = {");
  for (int made = 0; made < 2; made++) { /* in the order of their slots */
    for (int i = 0; i < it->params.count; i++) {
      if (it->params.list[i]->type.kind == BIND_TENSOR && it->params.list[i]->made == made) {
        bind_add(&t, python_fill(it, "{$say, $written}, ", it->params.list[i]));
      }
    }
  }
  bind_line(&t, "{NULL, false}};\ndlf_stream stream;");
  return bind_keep(&t);
}

static const char *python_argument(const python_thunk *it, const bind_param *p, bool make) {
  if (make && p->made) {
    return python_fill(it, python_made.passed, p);
  }
  if (p->returned && p->type.kind != BIND_GIVEN) {
    if (bind_is_read(p)) {
      return python_changed(it, p);
    }
    return python_fill(it, "&$name", p);
  }
  if (!bind_is_behind(p)) {
    return python_fill(it, python_row_of(p)->passed, p);
  }
  if (p->type.kind == BIND_COMPLEX) {
    return python_fill(it, python_complex_behind, p);
  }
  return python_fill(it, python_behind, p);
}

static const char *python_passed(const python_thunk *it, bool make) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, it->f) {
    if (!(make && p->counts)) {
      bind_put(&t, "%s, ", python_argument(it, p, make));
    }
  }
  return bind_keep(&t);
}

/* The call that boxes a new object, or one that C frees with its owner's. */
static const char *python_box(const python_thunk *it, const bind_param *p) {
  const bind_function *f = it->f;
  if (!f->borrows) {
    return bind_string("dlfpy_box(status, free_$handle, %s$name, %s)",
                       bind_when(p->type.handle->is_integer, "(void *)"),
                       python_used(it));
  }
  const char *owner = "NULL";
  if (f->owner) {
    const int place = python_place_of(&it->params, bind_find_param(f, f->owner));
    owner = bind_string("&h[%d]", it->params.slot[place]);
  }
  return bind_string("dlfpy_borrow(status, (void *)(uintptr_t)$name, %s)", owner);
}

/* Convert results while the objects that may own them are still entered. */
static const char *python_inside(const python_thunk *it, bool make) {
  bind_text t = {0};
  PYTHON_EACH_RESULT(p, it->f, make) {
    const bool text = p->type.kind == BIND_STRING && python_enters(it) && !bind_is_given_text(p);
    const bool optional = !*p->name && it->f->result_optional;
    if ((text || p->type.handle) && optional) {
      bind_put(&t, "const bool absent = !result;\n");
    }
    if (p->returned && p->type.handle) {
      const char *box = bind_string(
          "dlf_object *box = %s%s;\n", bind_when(optional, "absent ? NULL : "), python_box(it, p));
      bind_add(&t, python_fill(it, box, p));
    }
    if (text && p->returned) {
      bind_add(&t, python_fill(it, "$name = dlfpy_keep_text(status, $name);\n", p));
    }
  }
  return bind_keep(&t);
}

/* The Python object of a result. */
static const char *python_object(const python_thunk *it, const bind_param *p, bool make) {
  const bool optional = !*p->name && it->f->result_optional;
  if (make && p->made) {
    return python_fill(it, python_made.object, p);
  }
  if (bind_is_given_text(p)) {
    return python_fill(it, bind_is_given_list(p) ? python_given_list : python_given_text, p);
  }
  if (optional && p->type.handle) {
    return python_fill(it, python_object_or_none, p);
  }
  if (p->type.kind == BIND_STRING && python_enters(it)) {
    return python_fill(it, optional ? python_kept_or_none : python_kept, p);
  }
  const char *object = python_rows[p->type.kind].object;
  if (optional && p->type.handle) {
    object = bind_string("absent ? Py_NewRef(Py_None) : %s", object);
  }
  if (!p->returned || !bind_is_read(p)) {
    return python_fill(it, object, p);
  }
  bind_param changed = *p;
  changed.name = bind_string("changed.%s", p->name);
  changed.direction = BIND_OUT;
  return python_fill(it, object, &changed);
}

static const char *python_answer(const python_thunk *it, bool make) {
  const char *list = "";
  int count = 0;
  PYTHON_EACH_RESULT(p, it->f, make) {
    list = bind_join(list, ", ", python_object(it, p, make));
    count++;
  }
  if (count > 1 && !make && python_counts(it->f)) {
    return bind_string("Py_BuildValue(\"(%.*s)\", %s)", count, "NNNNNNNNNNNNNNNN", list);
  }
  const char *class = python_results_name(it->ir, it->f);
  if (count < 2) {
    if (count) {
      return list;
    }
    return "Py_NewRef(Py_None)";
  }
  return bind_filled(
      "dlfpy_results(\"$package\", \"$class\", &results_$short, (PyObject *[]){$list}, $count)",
      {"package", it->ir->name},
      {"class", class},
      {"short", it->f->short_name},
      {"list", list},
      {"count", bind_number(count)});
}

/* ---- The thunk ---- */

/* A call releases the GIL from this number of bytes on. */
static const char *python_limit(const bind_function *f) {
  if (f->speed == BIND_SLOW) {
    return "0";
  }
  if (f->speed == BIND_FAST) {
    return "UINT64_MAX";
  }
  return "dlfpy_gil_limit";
}

static const char *python_run_call(const python_thunk *it, bool make) {
  int tensors = it->params.tensors;
  const char *twin = it->f->checked_name;
  if (make) {
    tensors -= it->params.made;
    twin = it->f->new_name;
  }
  const char *end = bind_number(tensors);
  const char *stream = "";
  if (bind_has_kind(it->f, BIND_STREAM)) {
    stream = bind_string("if (!dlfpy_stream(&call, &t[%s], roles, &stream)) goto end;\n", end);
  }
  const char *how = "";
  if (python_enters(it)) {
    how = "_objects";
  } else if (it->f->speed == BIND_SLOW) {
    how = "_released";
  } else if (it->f->speed == BIND_FAST) {
    how = "_holding";
  }
  const char *used = bind_when(python_enters(it), bind_string(", %s", python_used(it)));
  return bind_filled(
      "$stream\n"
      "if (!dlfpy_enter$how(&call, &t[$end]$used$limit)) goto end;\n"
      "status = $twin($passed$result&error);\n"
      "$inside\n"
      "$leave\n"
      "dlfpy_leave(&call, status);\n"
      "answer = status ? dlfpy_raise(status, &error) : $answer;\n",
      {"stream", stream},
      {"how", how},
      {"used", used},
      {"limit", bind_when(*used, bind_string(", %s", python_limit(it->f)))},
      {"inside", python_inside(it, make)},
      {"leave", bind_when(*used, bind_string("dlfpy_leave_objects(&call%s);", used))},
      {"end", end},
      {"twin", twin},
      {"passed", python_passed(it, make)},
      {"result", bind_when(it->f->returns == BIND_RETURN_VALUE, "&result, ")},
      {"answer", python_answer(it, make)});
}

/* Callers leave out all such outputs, or none. */
static const char *python_making(const python_thunk *it) {
  const int made = it->params.made;
  const char *none = "";
  const char *outputs = "";
  const char *places = "";
  for (int i = 0; i < it->params.count; i++) {
    if (!it->params.list[i]->made) {
      continue;
    }
    none = bind_string(
        "%s%s!dlfpy_is_given(v[%d])", none, bind_when(*none, " && "), i - it->params.self);
    outputs = bind_string("%s%s", outputs, python_reading(it, i));
    places = bind_string("%s%d, ", places, i - it->params.self);
  }
  if (!made) {
    return "";
  }
  return bind_filled(
      "if ($none) {\n"
      "  $call\n"
      "  goto end;\n"
      "}\n"
      "$all\n"
      "$outputs\n",
      {"none", none},
      {"call", python_run_call(it, true)},
      {"outputs", outputs},
      {"all",
       made > 1 ? bind_string("if (!dlfpy_all_given(&signature, v, (const int[]){%s-1})) goto end;",
                              places)
                : ""});
}

/* A warning may be an exception. */
static const char *python_warning(const bind_function *f, bool constructs) {
  if (!f->deprecated) {
    return "";
  }
  const char *name = python_function_name(f);
  if (constructs) {
    name = python_class_name(f->creates);
  }
  const char *text = bind_string("%s%s is deprecated%s%s",
                                 name,
                                 bind_when(!f->property, "()"),
                                 bind_when(*f->deprecated, ": "),
                                 f->deprecated);
  return bind_string("if (PyErr_WarnEx(PyExc_DeprecationWarning, \"%s\", 1)) return NULL;",
                     bind_doc_escape(BIND_DOC_C_STRING, text));
}

bool python_is_bare(const bind_function *f) {
  const python_params params = python_order(f);
  return f->method_of && params.self == 1 && params.count == 1;
}

/* How Python's arguments become v. */
static const char python_takes_none[] =
    "static PyObject *py_$short(PyObject *module, PyObject *unused) {\n"
    "  PyObject *answer = NULL;\n"
    "  $locals\n"
    "  $roles\n"
    "  dlf_error error;\n"
    "  dlf_status status;\n"
    "  (void)unused;\n"
    "  $deprecated\n";

static const char python_takes[] =
    "static PyObject *py_$short(PyObject *module, PyObject *const *given, Py_ssize_t count, "
    "PyObject *words) {\n"
    "  static const char *const names[] = {${names}NULL};\n"
    "  static PyObject *interned[$room];\n"
    "  static const dlfpy_signature signature = {\"$shown\", $required, $words, names, interned};\n"
    "  PyObject *room[$room], *const *v, *answer = NULL;\n"
    "  $locals\n"
    "  $roles\n"
    "  dlf_error error;\n"
    "  dlf_status status;\n"
    "  (void)module;\n"
    "  $deprecated\n"
    "  if (!(v = dlfpy_bind(&signature, given, count, words, room))) return NULL;\n";

void python_put_thunk(bind_text *t, const bind_ir *ir, const bind_function *f) {
  const python_thunk it = {ir, f, python_order(f)};
  const int self = it.params.self;
  const int words = it.params.count - self;
  const bool constructs = python_constructs(f);
  const char *names = "";
  for (int i = self; i < it.params.count; i++) {
    names = bind_string("%s\"%s\", ", names, python_name(it.params.list[i]->name));
  }
  bind_template(
      t,
      python_is_bare(f) ? python_takes_none : python_takes,
      bind_fields({"short", f->short_name},
                  {"deprecated", python_warning(f, constructs)},
                  {"names", names},
                  {"room", bind_number(words ? words : 1)},
                  {"shown", constructs ? python_class_name(f->creates) : python_function_name(f)},
                  {"required", bind_number(it.params.required - self)},
                  {"words", bind_number(words)},
                  {"locals", python_locals(&it)},
                  {"roles", python_roles(&it)}));
  bind_fill(t,
            "  dlfpy_drain();\n"
            "  $readings\n"
            "  $making\n"
            "  $call\n"
            "end:\n"
            "  dlfpy_end(&call);\n"
            "  return answer;\n"
            "}\n"
            "\n",
            {"readings", python_readings(&it)},
            {"making", python_making(&it)},
            {"call", python_run_call(&it, false)});
}
