/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Python package, for pytest: tests/golden.txt has the calls as data, and
 * tests/test_contract.py, from test_contract.py.in, runs them. Only its table is the package's:
 *
 *   "blur": reads(photo.blur, image=tensor, sigma=plain, out=tensor), */
#include "bind/base/embedded.h"
#include "bind/cases/cases.h"
#include "bind/emit/query.h"
#include "python.h"
#include <string.h>

enum { PYTHON_WIDTH = 120 };

/* Return the runner's reader of a parameter's values. */
static const char *python_reader(const bind_ir *ir, const bind_param *p) {
  switch (p->type.kind) {
  case BIND_TENSOR:
    return "tensor";
  case BIND_LIST:
    return "tensors";
  case BIND_COMPLEX:
    return "complex_number";
  case BIND_HANDLE:
    return "made";
  case BIND_STRUCT:
    return bind_string("defaults(%s.%s)", ir->name, python_struct_name(p->type.structure));
  case BIND_ENUM:
    return bind_string("member(%s.%s)", ir->name, python_enum_name(p->type.enumeration));
  default:
    return "plain";
  }
}

/* Return the callable: "photo.blur", the class for its constructor, the descriptor of a property.
 */
static const char *python_callable(const bind_ir *ir, const bind_function *f) {
  const bind_handle *class = bind_home(f);
  if (!class) {
    return bind_string("%s.%s", ir->name, python_function_name(f));
  }
  if (python_constructs(f)) {
    return bind_string("%s.%s", ir->name, python_class_name(class));
  }
  return bind_string("%s.%s.%s", ir->name, python_class_name(class), python_function_name(f));
}

static void python_put_reads(bind_text *rows, const bind_ir *ir, const bind_function *f) {
  const char *words = python_callable(ir, f);
  const char *lines = words;
  BIND_EACH_PARAM (p, f) {
    if (bind_is_passed(p, false)) {
      const char *argument = bind_string("%s=%s", python_name(p->name), python_reader(ir, p));
      words = bind_join(words, ", ", argument);
      lines = bind_join(lines, ",\n    ", argument);
    }
  }
  const char *row = bind_string("\"%s\": reads(%s),", f->short_name, words);
  if (4 + strlen(row) > PYTHON_WIDTH) {
    row = bind_string("\"%s\": reads(\n    %s,\n),", f->short_name, lines);
  }
  bind_line(rows, "%s", row);
}

/* Python itself refuses unknown values of enums. */
void python_emit_tests(const bind_ir *ir, bind_out *out) {
  bind_write_tests(ir,
                   out,
                   &(bind_tests){.package = ir->name,
                                 .runner_kind = BIND_HASH_FILE,
                                 .runner = bind_embedded_test_contract_py_in,
                                 .runner_path = "python/tests/test_contract.py",
                                 .golden_path = "python/tests/golden.txt",
                                 .unsayable = BIND_BROKEN_ENUM,
                                 .put_function = python_put_reads});
}
