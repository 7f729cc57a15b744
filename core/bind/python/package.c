/* SPDX-License-Identifier: Apache-2.0 */
/* The Python package around its interface: NAME/__init__.py with the enums, stubs, and files for scikit-build-core. */
#include "bind/emit/package.h"
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/base/template.h"
#include "bind/cases/cases.h"
#include "bind/emit/query.h"
#include "python.h"
#include <stdlib.h>
#include <string.h>

static const char python_keywords[] =
    "False None True and as assert async await break class continue def del elif else "
    "except finally for from global if "
    "import in is lambda nonlocal not or pass raise return try while with yield";

const char *python_name(const char *name) { return bind_escape(name, python_keywords); }

const char *python_class_name(const bind_handle *h) { return python_name(bind_pascal(h->short_name)); }

const char *python_enum_name(const bind_enum *e) { return python_name(bind_pascal(e->short_name)); }

/* An enum must not have members "mro", "_x_" and "__x". */
const char *python_member_name(const bind_enumerator *v) {
  const size_t size = strlen(v->label);
  const bool own = *v->label == '_' && v->label[size - 1] == '_', hidden = strncmp(v->label, "__", 2) == 0;
  return own      ? bind_string("%s_", v->label)
         : hidden ? bind_string("%s___", v->label)
                  : bind_escape(python_name(v->label), "mro");
}

const char *python_plain(const bind_ir *ir, const char *word) {
  bool hidden = false;
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    hidden = hidden || strcmp(python_is_free(f) ? f->short_name : f->method_name, word) == 0;
  const bool is_class = *word >= 'A' && *word <= 'Z';
  for (int i = 0; is_class && i < ir->handle_count; i++)
    hidden = hidden || strcmp(bind_pascal(ir->handles[i].short_name), word) == 0;
  for (int i = 0; is_class && i < ir->enum_count; i++)
    hidden = hidden || strcmp(bind_pascal(ir->enums[i].short_name), word) == 0;
  return hidden ? bind_string("_%s", word) : word;
}

const char *python_import(const bind_ir *ir, const char *word) {
  const char *name = python_plain(ir, word);
  return strcmp(name, word) == 0 ? word : bind_string("%s as %s", word, name);
}

bool python_is_free(const bind_function *f) { return !f->method_of && !f->creates; }

/* Every class has its own "close". */
const char *python_function_name(const bind_function *f) {
  if (python_is_free(f)) return python_name(f->short_name);
  return bind_escape(python_name(f->method_name), "close");
}

const bind_function *python_constructor(const bind_ir *ir, const bind_handle *h) {
  const bind_function *f = NULL;
  while ((f = bind_next_function(ir, f)) && f->creates != h) {}
  return f;
}

/* 0 required, 1 has a default, 2 an output that may be left out. */
static int python_rank_of(const bind_param *p) {
  if (p->made) return 2;
  return p->optional || p->def.kind != BIND_NO_DEFAULT;
}

static int python_take_slot(python_params *params, const bind_param *p) {
  switch (p->type.kind) {
  case BIND_TENSOR: return params->tensors++;
  case BIND_LIST: return params->lists++;
  case BIND_ARRAY: return params->arrays++;
  case BIND_HANDLE: return params->objects++;
  default: return -1;
  }
}

python_params python_order(const bind_function *f) {
  python_params params = {.list = bind_alloc((size_t)f->param_count + 1, sizeof *params.list),
                          .slot = bind_alloc((size_t)f->param_count + 1, sizeof *params.slot),
                          .self = f->method_of ? 1 : 0};
  for (int rank = 0; rank < 3; rank++) {
    for (int i = 0; i < f->param_count; i++) {
      const bind_param *p = &f->params[i];
      if (!bind_is_passed(p, false) || python_rank_of(p) != rank) continue;
      params.slot[params.count] = python_take_slot(&params, p);
      params.list[params.count++] = p;
      params.required += rank == 0;
      params.made += rank == 2;
    }
  }
  return params;
}

int python_place_of(const python_params *params, const bind_param *p) {
  int i = 0;
  while (params->list[i] != p) i++;
  return i;
}

bool python_next_result(const bind_function *f, int *at, const bind_param **p, const bind_type **type) {
  while (*at <= f->param_count) {
    const int i = (*at)++ - 1;
    *p = i < 0 ? NULL : &f->params[i];
    *type = *p ? &(*p)->type : &f->result;
    if (*p ? (*p)->returned || (*p)->made : f->returns == BIND_RETURN_VALUE) return true;
  }
  return false;
}

/* inspect looks up names of a method's signature among the modules, those of a function in its module. */
const char *python_signature(const bind_ir *ir, const bind_function *f, const python_params *params) {
  const char *text = params->self ? "$self" : "";
  for (int i = params->self; i < params->count; i++) {
    const bind_param *p = params->list[i];
    const char *value = python_default(p);
    const bool outside = p->def.kind == BIND_DEFAULT_ENUMERATOR && !python_is_free(f);
    text = bind_string("%s%s%s%s%s%s%s", text, *text ? ", " : "", python_name(p->name), value ? "=" : "",
                       outside ? ir->name : "", outside ? "." : "", value ? value : "");
  }
  return bind_string("(%s)", text);
}

const char *python_default(const bind_param *p) {
  switch (p->def.kind) {
  case BIND_DEFAULT_NUMBER: return p->def.text;
  case BIND_DEFAULT_BOOL: return p->def.truth ? "True" : "False";
  case BIND_DEFAULT_STRING: return bind_string(strchr(p->def.text, '\'') ? "\"%s\"" : "'%s'", p->def.text);
  case BIND_DEFAULT_ENUMERATOR:
    return bind_string("%s.%s", python_enum_name(p->type.enumeration), python_member_name(p->def.enumerator));
  default: return p->made || p->optional ? "None" : NULL;
  }
}

/* ---- The module ---- */

static const char python_enum[] = "class $name($base):\n"
                                  "    \"\"\"$doc\"\"\"\n"
                                  "\n"
                                  "    $values\n";

static void python_put_enum(bind_text *t, const bind_ir *ir, const bind_enum *e) {
  bind_text values = {0};
  for (const bind_enumerator *v = e->values; v < e->values + e->count; v++) {
    bind_put_doc(&values, BIND_DOC_LINE, "# ", v->doc);
    bind_line(&values, "%s = %lld", python_member_name(v), (long long)v->value);
  }
  bind_fill(t, python_enum, {"name", python_enum_name(e)}, {"base", python_plain(ir, e->flags ? "IntFlag" : "IntEnum")},
            {"doc", bind_doc_escape(BIND_DOC_PYTHON, *e->summary ? e->summary : e->name)},
            {"values", bind_keep(&values)});
}

/* Formatters want two blank lines before a class, one in stubs. */
void python_put_enums(bind_text *t, const bind_ir *ir, int blank) {
  for (int i = 0; i < ir->enum_count; i++) {
    if (!bind_enum_is_used(ir, &ir->enums[i])) continue;
    for (int k = 0; k < blank; k++) bind_line(t, "%s", "");
    python_put_enum(t, ir, &ir->enums[i]);
  }
}

static bool python_has_enums(const bind_ir *ir, bool flags) {
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i]) && ir->enums[i].flags == flags) return true;
  return false;
}

void python_put_enum_import(bind_text *t, const bind_ir *ir) {
  if (!python_has_enums(ir, false) && !python_has_enums(ir, true)) return;
  bind_line(t, "from enum import %s",
            bind_join(python_has_enums(ir, false) ? python_import(ir, "IntEnum") : "", ", ",
                      python_has_enums(ir, true) ? python_import(ir, "IntFlag") : ""));
}

static int python_by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* List the names of the extension module in the linters' order of imports: classes, functions, NULL. */
static const char **python_sorted_names(const bind_ir *ir) {
  const char **names = bind_alloc((size_t)(ir->function_count + ir->handle_count) + 1, sizeof *names);
  size_t count = 0;
  for (int i = 0; i < ir->handle_count; i++) names[count++] = python_class_name(&ir->handles[i]);
  qsort(names, count, sizeof *names, python_by_text);
  const size_t classes = count;
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    if (python_is_free(f)) names[count++] = python_function_name(f);
  qsort(names + classes, count - classes, sizeof *names, python_by_text);
  return names;
}

void python_put_all(bind_text *t, const bind_ir *ir) {
  const char **names = python_sorted_names(ir);
  bind_open(t, "__all__ = [");
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) bind_line(t, "\"%s\",", python_enum_name(&ir->enums[i]));
  for (int i = 0; names[i]; i++) bind_line(t, "\"%s\",", names[i]);
  bind_close(t, "]");
}

static const char python_init[] = "\"\"\"$doc\"\"\"\n"
                                  "\n"
                                  "$enum_import\n"
                                  "from ._$package import (\n"
                                  "    $names\n"
                                  ")\n"
                                  "$enums\n"
                                  "\n"
                                  "$all\n";

static void python_emit_init(const bind_ir *ir, bind_out *out) {
  const bool has_enums = python_has_enums(ir, false) || python_has_enums(ir, true);
  const char **sorted = python_sorted_names(ir);
  bind_text t = {0}, import = {0}, names = {0}, enums = {.unit = "    "}, all = {.unit = "    "};
  python_put_enum_import(&import, ir);
  python_put_enums(&enums, ir, 2);
  python_put_all(&all, ir);
  if (has_enums) bind_put(&import, "\n"), bind_put(&enums, "\n");
  for (int i = 0; sorted[i]; i++) bind_line(&names, "%s,", sorted[i]);
  bind_first_line(&t, ir, "#", "", "python");
  bind_fill(&t, python_init, {"doc", bind_doc_escape(BIND_DOC_PYTHON, *ir->summary ? ir->summary : ir->name)},
            {"enum_import", bind_keep(&import)}, {"package", ir->name}, {"names", bind_keep(&names)},
            {"enums", bind_keep(&enums)}, {"all", bind_keep(&all)});
  bind_write(out, bind_string("python/%s/__init__.py", ir->name), &t);
  bind_text_free(&t);
}

static const char python_project[] = "[build-system]\n"
                                     "requires = [\"scikit-build-core>=1.1\", \"swig>=4.4\", \"dlferry>=$version\"]\n"
                                     "build-backend = \"scikit_build_core.build\"\n"
                                     "\n"
                                     "[project]\n"
                                     "name = \"$package\"\n"
                                     "version = \"0.1.0\"\n"
                                     "description = \"$summary\"\n"
                                     "requires-python = \">=3.10\"\n"
                                     "dependencies = [\"dlferry>=$version\"]\n"
                                     "\n"
                                     "$tests\n"
                                     "[tool.scikit-build]\n"
                                     "minimum-version = \"1.1\"\n"
                                     "wheel.packages = [\"$package\"]\n";

static const char python_project_tests[] = "[project.optional-dependencies]\n"
                                           "test = [\"numpy\", \"pytest\"]\n"
                                           "\n"
                                           "[tool.pytest.ini_options]\n"
                                           "testpaths = [\"tests\"]\n"
                                           "\n";

static const char python_cmake[] =
    "cmake_minimum_required(VERSION 3.25)\n"
    "project($package LANGUAGES C)\n"
    "find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)\n"
    "execute_process(COMMAND $${Python_EXECUTABLE} -c \"import dlferry; print(dlferry.get_cmake_dir())\"\n"
    "  OUTPUT_VARIABLE dlferry_cmake OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)\n"
    "include($${dlferry_cmake}/DlferryPython.cmake)\n"
    "dlferry_python_module($package MADE_BY $version INTERFACE $package.i SOURCES$sources$libraries)\n";

static void python_emit_filled(const bind_ir *ir, bind_out *out, const char *path, const char *template) {
  const char *sources = bind_string(" c/%s", ir->twin_c.name), *libraries = ir->link_count ? " LIBRARIES" : "";
  const char *summary = bind_doc_escape(BIND_DOC_STRING, *ir->summary ? ir->summary : ir->name);
  bind_text t = {0};
  for (int i = 0; i < ir->source_count; i++) sources = bind_string("%s c/%s", sources, ir->sources[i].name);
  for (int i = 0; i < ir->link_count; i++) libraries = bind_string("%s %s", libraries, ir->links[i]);
  bind_first_line(&t, ir, "#", "", "python");
  bind_fill(&t, template, {"package", ir->name}, {"version", ir->version}, {"summary", summary},
            {"tests", bind_has_cases(ir) ? python_project_tests : ""}, {"sources", sources}, {"libraries", libraries});
  (template == python_project ? bind_write_manifest : bind_write)(out, path, &t);
  bind_text_free(&t);
}

void python_emit_package(const bind_ir *ir, bind_out *out) {
  python_emit_init(ir, out);
  python_emit_filled(ir, out, "python/pyproject.toml", python_project);
  python_emit_filled(ir, out, "python/CMakeLists.txt", python_cmake);
}
