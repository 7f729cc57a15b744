/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs, NAME/__init__.pyi, for type checkers.
 *
 *   def blur(image: _Like, sigma: float = 1.0, out: None = None) -> _Like: ... */
#include "bind/base/escape.h"
#include "bind/base/template.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "python.h"
#include "results.h"
#include <string.h>

/* Return the type variable of a parameter: _Like if results have its type, _Given if it is itself a
 * result; else NULL. A buffer is never a result of its own type, so _Like is an array of a
 * framework. */
static const char *python_variable(const bind_function *f, const bind_param *p) {
  const bind_param *sole = python_sole_output(f);
  if (p == sole) {
    return "_Given";
  }
  bool like = python_is_like_first(f, p);
  if (p == bind_first_tensor(f)) {
    like = python_results_vary(f);
  }
  if (like && !sole) {
    return "_Like";
  }
  return NULL;
}

static bool python_has_like(const bind_function *f) {
  const bind_param *first = bind_first_tensor(f);
  const char *variable = NULL;
  if (first) {
    variable = python_variable(f, first);
  }
  return variable && strcmp(variable, "_Like") == 0;
}

/* The forms of a function, each an overload if there are several. */
typedef enum python_form {
  PYTHON_FORM_PLAIN,  /* of any function that has none of the last four */
  PYTHON_FORM_BUFFER, /* beside one with _Like: of a buffer or a capsule */
  PYTHON_FORM_PASSED, /* of one that cuts its outputs: they are passed, and it returns how much of
                        them was written */
  /* Of one whose only result is an array, which it makes or is given: */
  PYTHON_FORM_NUMPY,     /* NumPy's array, whose type tells a dtype that the result does not have */
  PYTHON_FORM_LIKE,      /* any framework's array, whose type tells no dtype, or the result's */
  PYTHON_FORM_OUT_NAMED, /* the output is given, and comes back */
  PYTHON_FORM_OUT,       /* the same by position, behind parameters that may be left out */
  PYTHON_FORM_COUNT
} python_form;

/* Return the array that is the only result and that a call makes unless it is given; else NULL. */
static const bind_param *stub_sole_result(const bind_function *f) {
  const bind_param *first = bind_first_tensor(f);
  if (!first || first->optional || first->made || python_counts(f)) {
    return NULL;
  }
  const bind_param *p = python_only_output(f);
  if (p && p->made && p->type.kind == BIND_TENSOR) {
    return p;
  }
  return NULL;
}

static bool stub_takes_out(python_form form) {
  return form == PYTHON_FORM_OUT_NAMED || form == PYTHON_FORM_OUT;
}

static const char *stub_any_numpy(const bind_ir *ir) {
  return bind_string("_numpy_typing.NDArray[%s]", python_plain(ir, "Any"));
}

/* Return the type of an array that is passed. */
static const char *stub_array_hint(const bind_ir *ir, const bind_function *f, const bind_param *p,
                                   python_form form) {
  const char *any = python_plain(ir, "Array");
  const bool is_first = p == bind_first_tensor(f);
  if (form == PYTHON_FORM_PLAIN) {
    return bind_or(python_variable(f, p), any);
  }
  if (is_first && form == PYTHON_FORM_NUMPY) {
    return stub_any_numpy(ir);
  }
  if (is_first && form == PYTHON_FORM_LIKE) {
    return "_Like";
  }
  return any;
}

static const char *python_argument_hint(const bind_ir *ir, const bind_function *f,
                                        const bind_param *p, python_form form) {
  const char *array = stub_array_hint(ir, f, p, form);
  if (p->made && python_counts(f)) {
    if (form == PYTHON_FORM_PASSED) {
      return array;
    }
    return "None";
  }
  if (p->made && stub_takes_out(form)) {
    return "_Given";
  }
  if (p == stub_sole_result(f) && form != PYTHON_FORM_PLAIN) {
    return "None";
  }
  const char *sequence = python_plain(ir, "Iterable");
  switch (p->type.kind) {
  case BIND_TENSOR:
    if (p->made || p->optional) {
      return bind_string("%s | None", array);
    }
    return array;
  case BIND_LIST:
    return bind_string("%s[%s]", sequence, array);
  case BIND_ARRAY:
    if (bind_is_text_list(p)) {
      return bind_string("%s[%s]", sequence, python_plain(ir, "str"));
    }
    return bind_string("%s[%s]", sequence, python_plain_hint(ir, &p->type));
  default:
    return bind_string(p->optional ? "%s | None" : "%s", python_plain_hint(ir, &p->type));
  }
}

/* Return NumPy's type of a tensor that C gives, if its dtype is known: "NDArray[float64]". */
static const char *python_numpy_hint(const bind_param *p) {
  static const char known[] = "f16 f32 f64 c64 c128 i8 i16 i32 i64 u8 u16 u32 u64";
  const char *clause = python_one_dtype(p);
  if (!clause) {
    return NULL;
  }
  const char *dtype = bind_sized(clause, strcspn(clause, "["));
  if (strcmp(dtype, "bool") == 0) {
    return "_numpy_typing.NDArray[_numpy.bool_]";
  }
  if (!bind_word_in(dtype, known)) {
    return NULL;
  }
  return bind_string("_numpy_typing.NDArray[_numpy.%s]", bind_scalar_long(dtype));
}

/* Return the type of a returned array. What a made one is without a first array, or with a given
 * one, no type tells. */
static const char *python_array_hint(const bind_ir *ir, const bind_function *f, const bind_param *p,
                                     bool buffer) {
  if (p == python_sole_output(f)) {
    return "_Given";
  }
  const bool sure = p->type.kind == BIND_GIVEN || python_counts(f);
  const char *numpy = NULL;
  if (sure && !bind_first_tensor(f)) {
    numpy = python_numpy_hint(p);
  }
  if (numpy) {
    return numpy;
  }
  if (python_is_like_first(f, p) && !buffer) {
    return "_Like";
  }
  return python_plain(ir, "Any");
}

/* The results beside given outputs: how much of them was written, and what C computes else. */
static const char *stub_passed_hint(const bind_ir *ir, const bind_function *f) {
  const char *all = "";
  int count = 0;
  PYTHON_EACH_RESULT(p, f, false) {
    all = bind_join(
        all, ", ", python_is_array(p) ? python_plain(ir, "Any") : python_plain_hint(ir, &p->type));
    count++;
  }
  if (count == 1) {
    return all;
  }
  return bind_string("%s[%s]", python_plain(ir, "tuple"), all);
}

/* The result of the forms that only a function with one made array has. */
static const char *stub_sole_hint(const bind_ir *ir, const bind_function *f, python_form form) {
  const char *numpy = python_numpy_hint(stub_sole_result(f));
  if (stub_takes_out(form)) {
    return "_Given";
  }
  if (form == PYTHON_FORM_LIKE) {
    return "_Like";
  }
  return bind_or(numpy, stub_any_numpy(ir));
}

static const char *python_return_hint(const bind_ir *ir, const bind_function *f, python_form form) {
  const char *several = python_results_name(ir, f);
  const char *hint = "None";
  const bool buffer = form == PYTHON_FORM_BUFFER;
  if (form == PYTHON_FORM_PASSED) {
    return stub_passed_hint(ir, f);
  }
  if (several && python_results_vary(f)) {
    return bind_string("%s[%s]", several, buffer ? python_plain(ir, "Any") : "_Like");
  }
  if (several) {
    return several;
  }
  PYTHON_EACH_RESULT(p, f, true) {
    if (python_is_array(p)) {
      hint = python_array_hint(ir, f, p, buffer);
    } else {
      hint = python_result_hint(ir, p);
    }
  }
  if (form >= PYTHON_FORM_NUMPY) {
    hint = stub_sole_hint(ir, f, form);
  }
  if (f->result_optional) {
    hint = bind_string("%s | None", hint);
  }
  return hint;
}

/* Return the default of a parameter in a form, or NULL for one that must be passed. */
static const char *stub_default(const bind_param *p, python_form form, bool is_before_made) {
  if (p->made && (form == PYTHON_FORM_PASSED || stub_takes_out(form))) {
    return NULL; /* the output is what these forms take */
  }
  if (is_before_made && form == PYTHON_FORM_OUT) {
    return NULL; /* it passes the output by position, so everything before it must be passed too */
  }
  return python_default(p);
}

static void python_put_form(bind_text *t, const bind_ir *ir, const bind_function *f,
                            python_form form) {
  const bool constructs = python_constructs(f);
  const char *name = python_function_name(f);
  const char *first = bind_when(f->method_of, "self");
  if (constructs) {
    name = "__new__";
    first = "cls";
  }
  const python_params params = python_order(f);
  /* python_order has put parameters without a default first. Only an output that this form
   * requires, and that others make, may stand behind a default: Python then wants it named. */
  bool optional = false;
  bool named = false;
  bool is_before_made = true; /* the output can be passed by position if all before it are passed */
  bind_put(t, "def %s(%s", name, first);
  for (int i = params.self; i < params.count; i++) {
    const bind_param *p = params.list[i];
    const char *value = stub_default(p, form, is_before_made);
    const bool must_be_named = optional && !value && p->made && !named;
    if (i > params.self || *first) {
      bind_put(t, ", ");
    }
    if (must_be_named) {
      bind_put(t, "*, ");
      named = true;
    }
    bind_put(t, "%s: %s", python_name(p->name), python_argument_hint(ir, f, p, form));
    if (value) {
      bind_put(t, " = %s", value);
      optional = true;
    }
    if (p->made) {
      is_before_made = false;
    }
  }
  bind_line(
      t, ") -> %s: ...", constructs ? python_plain(ir, "Self") : python_return_hint(ir, f, form));
}

/* Tell whether a parameter that may be left out comes before the array that is made. */
static bool stub_has_default_before(const bind_function *f, const bind_param *made) {
  const python_params params = python_order(f);
  for (int i = params.self; i < params.count && params.list[i] != made; i++) {
    if (python_default(params.list[i])) {
      return true;
    }
  }
  return false;
}

static int stub_plain_forms(const bind_function *f, python_form *forms) {
  int count = 0;
  forms[count++] = PYTHON_FORM_PLAIN;
  if (python_has_like(f)) {
    forms[count++] = PYTHON_FORM_BUFFER;
  }
  if (python_counts(f)) {
    forms[count++] = PYTHON_FORM_PASSED;
  }
  return count;
}

/* A function with a sole result has a first tensor, see stub_sole_result. */
static int stub_sole_result_forms(const bind_function *f, const bind_param *sole_result,
                                  python_form *forms) {
  int count = 0;
  if (!python_has_like(f) && bind_first_tensor(f)->type.kind == BIND_TENSOR) {
    forms[count++] = PYTHON_FORM_NUMPY;
  }
  forms[count++] = PYTHON_FORM_LIKE;
  forms[count++] = PYTHON_FORM_OUT_NAMED;
  if (stub_has_default_before(f, sole_result)) {
    forms[count++] = PYTHON_FORM_OUT;
  }
  forms[count++] = PYTHON_FORM_BUFFER;
  return count;
}

/* List the forms of a function; returns how many there are. A constructor's result is its object.
 */
static int stub_forms(const bind_function *f, python_form *forms) {
  const bind_param *sole_result = stub_sole_result(f);
  if (!sole_result || python_constructs(f)) {
    return stub_plain_forms(f, forms);
  }
  return stub_sole_result_forms(f, sole_result, forms);
}

static void stub_put_deprecated(bind_text *t, const bind_ir *ir, const bind_function *f) {
  if (f->deprecated) {
    bind_line(t,
              "@%s(\"%s\")",
              python_plain(ir, "deprecated"),
              bind_doc_escape(BIND_DOC_STRING, f->deprecated));
  }
}

static void python_put_stub(bind_text *t, const bind_ir *ir, const bind_function *f) {
  python_form forms[PYTHON_FORM_COUNT];
  const int count = stub_forms(f, forms);
  for (int i = 0; i < count; i++) {
    if (count > 1) {
      bind_line(t, "@%s", python_plain(ir, "overload"));
    }
    stub_put_deprecated(t, ir, f);
    if (bind_is_static(f) && !python_constructs(f)) {
      bind_line(t, "@%s", python_plain(ir, "staticmethod"));
    }
    python_put_form(t, ir, f, forms[i]);
  }
}

/* A type checker wants the setter just after the getter. */
static void stub_put_property(bind_text *t, const bind_ir *ir, const bind_function *f) {
  bind_line(t,
            f->sets ? "@%s.setter" : "@%s",
            f->sets ? python_function_name(f) : python_plain(ir, "property"));
  stub_put_deprecated(t, ir, f);
  python_put_form(t, ir, f, PYTHON_FORM_PLAIN);
  if (f->setter) {
    stub_put_property(t, ir, f->setter);
  }
}

static const char python_class_stub[] =
    "\n"
    "@$final\n"
    "class $name:\n"
    "    \"\"\"$doc\"\"\"\n"
    "\n"
    "    $methods\n"
    "    def close(self) -> None: ...\n"
    "    def __enter__(self) -> $self: ...\n"
    "    def __exit__(self, *exception: $object) -> None: ...\n";

static void python_put_class_stub(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const bind_function *constructor = python_constructor(h);
  bind_text methods = {0};
  if (constructor) {
    python_put_stub(&methods, ir, constructor);
  }
  BIND_EACH_AT (f, h) {
    if (bind_is_static(f) && f != constructor) {
      python_put_stub(&methods, ir, f);
    }
    if (f->method_of != h) {
      continue;
    }
    if (bind_is_getter(f)) {
      stub_put_property(&methods, ir, f);
    }
    if (!f->property) {
      python_put_stub(&methods, ir, f);
    }
  }
  bind_fill(t,
            python_class_stub,
            {"final", python_plain(ir, "final")},
            {"name", python_class_name(h)},
            {"doc", bind_doc_escape(BIND_DOC_PYTHON, bind_said_or(h->summary, h->name))},
            {"methods", bind_keep(&methods)},
            {"self", python_plain(ir, "Self")},
            {"object", python_plain(ir, "object")});
}

/* ---- imports: those that the text below them needs ---- */

static bool stub_has_word(const char *text, const char *word) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  for (const char *at = text; (at = strstr(at, word)); at++) {
    if ((at == text || !strchr(letters, at[-1])) &&
        !memchr(letters, at[strlen(word)], sizeof letters - 2)) {
      return true;
    }
  }
  return false;
}

/* Append "from MODULE import ..." of the names, which are in order, that the text uses. */
static void stub_put_import(bind_text *t, const bind_ir *ir, const char *text, const char *module,
                            const char *names) {
  const char *list = "";
  for (size_t size; (size = strcspn(names, " ")) > 0; names += size + (names[size] == ' ')) {
    const char *name = bind_sized(names, size);
    if (stub_has_word(text, python_plain(ir, name))) {
      list = bind_join(list, ", ", python_import(ir, name));
    }
  }
  if (*list) {
    bind_line(t, "from %s import %s", module, list);
  }
}

static void stub_put_variable(bind_text *t, const bind_ir *ir, const char *text, const char *name,
                              const char *bound) {
  if (stub_has_word(text, name)) {
    bind_line(t,
              "%s = %s(\"%s\", bound=%s)",
              name,
              python_plain(ir, "TypeVar"),
              name,
              python_plain(ir, bound));
  }
}

/* Functions and classes, below the type variables. */
static const char *stub_body(const bind_ir *ir) {
  bind_text t = {.unit = "    "};
  python_put_all(&t, ir);
  python_put_enums(&t, ir, 1);
  BIND_EACH_STRUCT(s, ir) {
    python_put_struct_stub(&t, ir, s);
  }
  BIND_EACH_HANDLE (h, ir) {
    python_put_class_stub(&t, ir, h);
  }
  BIND_EACH_FUNCTION (f, ir) {
    if (python_results_name(ir, f)) {
      bind_put(&t, "\n");
      python_put_results(&t, ir, f, true);
    }
  }
  bind_put(&t, "\n");
  BIND_EACH_FUNCTION (f, ir) {
    if (python_is_free(f)) {
      python_put_stub(&t, ir, f);
    }
  }
  return bind_keep(&t);
}

static const char *stub_variables(const bind_ir *ir, const char *body) {
  bind_text t = {0};
  stub_put_variable(&t, ir, body, "_Like", "SupportsDLPack");
  stub_put_variable(&t, ir, body, "_Given", "Array");
  if (t.length) {
    bind_put(&t, "\n");
  }
  return bind_keep(&t);
}

void python_emit_stubs(const bind_ir *ir, bind_out *out) {
  const char *body = stub_body(ir);
  const char *variables = stub_variables(ir, body);
  const char *all = bind_string("%s%s", variables, body);
  bind_text t = {0};
  bind_text marker = {0};
  bind_first_line(&t, ir, BIND_HASH_FILE, "python");
  python_put_builtins(&t, ir, NULL);
  stub_put_import(&t, ir, all, "collections.abc", "Iterable");
  python_put_enum_import(&t, ir);
  stub_put_import(&t, ir, all, "typing", "Any Generic NamedTuple TypeVar final overload");
  const size_t standard = t.length;
  if (strstr(all, "_numpy_typing.")) {
    bind_put(&t, "\nimport numpy as _numpy\nimport numpy.typing as _numpy_typing\n");
  }
  if (t.length == standard) {
    bind_put(&t, "\n");
  }
  stub_put_import(&t, ir, all, "dlferry.typing", "Array SupportsDLPack");
  stub_put_import(&t, ir, all, "typing_extensions", "Self deprecated");
  bind_put(&t, t.data[t.length - 2] == '\n' ? "%s%s" : "\n%s%s", variables, body);
  bind_write(out, bind_string("python/%s/__init__.pyi", ir->name), &t);
  bind_write(out, bind_string("python/%s/py.typed", ir->name), &marker);
  bind_text_free(&t);
}

void bind_explain_python(const bind_ir *ir, const bind_function *f, bind_text *t) {
  const bind_handle *home = bind_home(f);
  const bool constructs = python_constructs(f);
  if (home) {
    bind_open(t, "class %s:", python_class_name(home));
  }
  if (bind_is_static(f) && !constructs) {
    bind_line(t, "@staticmethod");
  }
  if (f->property) {
    bind_line(t, f->sets ? "@%s.setter" : "@property", python_function_name(f));
  }
  if (stub_sole_result(f) && !constructs) {
    python_put_form(t, ir, f, PYTHON_FORM_LIKE);
    python_put_form(t, ir, f, PYTHON_FORM_OUT_NAMED);
  } else {
    python_put_form(t, ir, f, PYTHON_FORM_PLAIN);
  }
  if (home) {
    t->depth--;
  }
}
