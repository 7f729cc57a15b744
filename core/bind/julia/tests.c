/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Julia package: test/golden.txt has the calls as data, and test/runtests.jl, from
 * runtests.jl.in, runs them. Only its table is the package's:
 *
 *   "mean" => call -> Photo.mean(tensor(call, "image")), */
#include "bind/base/embedded.h"
#include "bind/cases/cases.h"
#include "bind/emit/query.h"
#include "julia.h"

/* Return the runner's reader of a parameter's values. */
static const char *julia_reader(const bind_param *p) {
  switch (p->type.kind) {
  case BIND_TENSOR:
    return "tensor";
  case BIND_LIST:
    return "tensors";
  case BIND_COMPLEX:
    return "complex_number";
  case BIND_CHAR:
    return "character";
  case BIND_HANDLE:
    return "object";
  default:
    return "value";
  }
}

/* Return tensor(call, "image"), or "" to leave a stream out. */
static const char *julia_read(const bind_param *p, const void *ir) {
  if (p->type.kind == BIND_STREAM) {
    return "";
  }
  const char *read = bind_string("%s(call, \"%s\")", julia_reader(p), p->name);
  if (p->type.kind == BIND_STRUCT) {
    read =
        bind_string("%s.%s()", julia_package(ir), julia_type_name(p->type.structure->short_name));
  }
  if (p->type.kind == BIND_ENUM && !p->type.enumeration->flags) {
    const char *module = julia_package(ir);
    read = bind_string("%s.%s(%s)", module, julia_type_name(p->type.enumeration->short_name), read);
  }
  if (julia_is_keyword(p)) {
    return bind_string("%s = %s", julia_name(p->name), read);
  }
  return read;
}

static const char *julia_call(const bind_ir *ir, const bind_function *f, bool makes) {
  const char *call = julia_signature(f, makes, julia_read, ir);
  return bind_string("%s.%s", julia_package(ir), call);
}

/* A function that can make its outputs has two forms. */
static void julia_put_calls(bind_text *functions, const bind_ir *ir, const bind_function *f) {
  bind_text t = {.unit = "    ", .depth = 1};
  const char *given = julia_call(ir, f, false);
  if (f->new_name) {
    bind_open(&t, "\"%s\" => function (call)", f->short_name);
    bind_open(&t, "if given(call, \"%s\")", bind_first_made(f)->name);
    bind_wrapped(&t, given);
    bind_close(&t, "else");
    t.depth++;
    bind_wrapped(&t, julia_call(ir, f, true));
    bind_close(&t, "end");
    bind_close(&t, "end,");
  } else {
    bind_wrapped(&t, bind_string("\"%s\" => call -> %s,", f->short_name, given));
  }
  bind_raw(functions, t.data, t.length);
  bind_text_free(&t);
}

/* An @enum cannot hold an unknown value. */
void julia_emit_tests(const bind_ir *ir, bind_out *out) {
  bind_write_tests(ir,
                   out,
                   &(bind_tests){.package = julia_package(ir),
                                 .runner_kind = BIND_HASH_FILE,
                                 .runner = bind_embedded_runtests_jl_in,
                                 .runner_path = "julia/test/runtests.jl",
                                 .golden_path = "julia/test/golden.txt",
                                 .unsayable = BIND_BROKEN_ENUM,
                                 .put_function = julia_put_calls});
}
