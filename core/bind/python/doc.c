/* SPDX-License-Identifier: Apache-2.0 */
/* Docstrings in NumPy's style; inspect and help() read the signature on their first line. */
#include "bind/base/escape.h"
#include "bind/emit/query.h"
#include "python.h"
#include "results.h"
#include <string.h>

static void python_put_doc_line(bind_text *t, const char *line) {
  bind_line(t, "\"%s\\n\"", bind_doc_escape(BIND_DOC_C_STRING, line));
}

static void python_put_doc_lines(bind_text *t, const char *indent, const char *doc) {
  while (*doc) {
    const size_t size = strcspn(doc, "\n");
    python_put_doc_line(t, size ? bind_string("%s%.*s", indent, (int)size, doc) : "");
    doc += size + (doc[size] == '\n');
  }
}

static void python_put_heading(bind_text *t, const char *heading) {
  char line[16] = "---------------";
  line[strlen(heading)] = 0;
  python_put_doc_line(t, "");
  python_put_doc_line(t, heading);
  python_put_doc_line(t, line);
}

/* Return the type of a parameter for the docstring: "T[h, w], optional". */
static const char *python_kind_text(const bind_param *p) {
  const char *value = python_default(p);
  const char *text = "";
  switch (p->type.kind) {
  case BIND_TENSOR:
    text = bind_said_or(p->words, "array");
    break;
  case BIND_LIST:
    text = bind_string("sequence of %s", bind_said_or(p->words, "arrays"));
    break;
  case BIND_ARRAY:
    text = bind_string("sequence of %s", bind_said_or(p->words, python_hint(&p->type)));
    break;
  default:
    text = python_hint(&p->type);
  }
  if (p->made || p->optional) {
    return bind_string("%s, optional", text);
  }
  if (value) {
    return bind_string("%s, default %s", text, value);
  }
  return text;
}

static void python_put_parameters(bind_text *t, const python_params *params) {
  if (params->count > params->self) {
    python_put_heading(t, "Parameters");
  }
  for (int i = params->self; i < params->count; i++) {
    const bind_param *p = params->list[i];
    python_put_doc_line(t, bind_string("%s : %s", python_name(p->name), python_kind_text(p)));
    python_put_doc_lines(t, "    ", p->doc);
    if (*p->limits) {
      python_put_doc_line(t, bind_string("    %s", p->limits_words));
    }
    if (p->made) {
      python_put_doc_line(t, "    made if left out");
    }
  }
}

static void python_put_returns(bind_text *t, const bind_function *f) {
  const char *array = "    a dlferry.Tensor";
  if (bind_first_tensor(f)) {
    array = "    an array of the first argument's framework, or the given one";
  }
  bool headed = false;
  PYTHON_EACH_RESULT(p, f, true) {
    if (!headed) {
      python_put_heading(t, "Returns");
    }
    headed = true;
    const bool tensor = p->made || p->type.kind == BIND_GIVEN;
    const char *hint = python_hint(&p->type);
    if (tensor) {
      hint = bind_said_or(p->words, "array");
    }
    if (!*p->name && f->result_optional) {
      hint = bind_string("%s or None", hint);
    }
    python_put_doc_line(t, *p->name ? bind_string("%s : %s", python_name(p->name), hint) : hint);
    python_put_doc_lines(t, "    ", p->doc);
    if (tensor) {
      python_put_doc_line(t, array);
    }
  }
}

static void python_put_counts(bind_text *t, const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (!p->counts || !python_counts(f)) {
      continue;
    }
    python_put_doc_line(t, bind_string("%s : int, instead of arrays", p->name));
    python_put_doc_lines(t, "    ", p->doc);
  }
}

static void python_put_function_doc(bind_text *t, const bind_function *f) {
  const python_params params = python_order(f);
  python_put_parameters(t, &params);
  python_put_returns(t, f);
  python_put_counts(t, f);
  python_put_heading(t, "Notes");
  if (*f->contract) {
    python_put_doc_line(t, bind_string("Contract: %s", f->contract));
    python_put_doc_line(t, "");
  }
  bind_line(t, "\"C: %s%s\";", bind_c_names(f, ", "), bind_derived_words(f));
}

static void python_put_summary(bind_text *t, const char *summary, const char *description) {
  python_put_doc_line(t, summary);
  if (*description) {
    python_put_doc_line(t, "");
  }
  python_put_doc_lines(t, "", description);
}

/* "int; it can be set: 1 <= level <= 9" */
static void python_put_property(bind_text *t, const bind_function *f) {
  const bind_function *setter = f->setter;
  const char *hint = python_hint(bind_property_type(f));
  const char *limits = "";
  if (setter) {
    limits = setter->params[1].limits_words;
  }
  if (f->result_optional) {
    hint = bind_string("%s or None", hint);
  }
  python_put_doc_line(t,
                      bind_string("%s, %s%s%s",
                                  hint,
                                  setter ? "may be set" : "read-only",
                                  bind_when(*limits, ": "),
                                  limits));
  python_put_doc_lines(t, "", f->returns_doc);
  if (setter) {
    python_put_doc_lines(t, "", bind_join(setter->summary, "\n", setter->description));
  }
  python_put_heading(t, "Notes");
  bind_line(t, "\"C: %s%s%s\";", f->name, bind_when(setter, ", "), setter ? setter->name : "");
}

/* "blur(image, sigma=1.0)", which inspect reads before the mark. */
static void python_put_signature(bind_text *t, const bind_ir *ir, const bind_function *f,
                                 const char *name) {
  const python_params params = python_order(f);
  python_put_doc_line(t, bind_string("%s%s", name, python_signature(ir, f, &params)));
  python_put_doc_line(t, "--");
  python_put_doc_line(t, "");
}

void python_put_docstring(bind_text *t, const bind_ir *ir, const bind_function *f) {
  if (f->sets || python_constructs(f)) {
    return; /* the docs are those of the property, or of the class */
  }
  bind_line(t, "static const char doc_%s[] =", f->short_name);
  t->depth++;
  if (!f->property) {
    python_put_signature(t, ir, f, python_function_name(f));
  }
  python_put_summary(t, bind_summary(f, ""), f->description);
  if (f->deprecated) {
    python_put_doc_line(t, "");
  }
  python_put_doc_lines(t, "", bind_deprecation(f));
  if (f->property) {
    python_put_doc_line(t, "");
    python_put_property(t, f);
  } else {
    python_put_function_doc(t, f);
  }
  t->depth--;
}

void python_put_class_doc(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const bind_function *constructor = python_constructor(h);
  bind_line(t, "static const char doc_class_%s[] =", h->short_name);
  t->depth++;
  if (constructor) {
    python_put_signature(t, ir, constructor, python_class_name(h));
  }
  python_put_summary(t, bind_said_or(h->summary, h->name), h->description);
  python_put_doc_line(t, "");
  python_put_doc_line(t,
                      h->free_name
                          ? "A context manager. It is freed at the end of a with block, by "
                            "close(), or with its last reference."
                          : "A context manager. It keeps the object that lent it until the end of "
                            "a with block, close(), or its last reference.");
  if (constructor) {
    python_put_function_doc(t, constructor);
  } else {
    bind_line(t, "\"C: %s\";", h->name);
  }
  t->depth--;
}
