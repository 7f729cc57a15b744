/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Rust crate: tests/golden.txt has the calls as data, and tests/contract.rs, from
 * contract.rs.in, runs them. Only the arms of its match are the crate's:
 *
 *   "mean" => photo::mean(&call.tensor("image")).map(said), */
#include "bind/base/embedded.h"
#include "bind/cases/cases.h"
#include "bind/emit/query.h"
#include "rust.h"

static const char *rust_call(const bind_ir *ir, const bind_function *f, bool make);

/* Return call.object("codec", |call| photo::Codec::open(call.text("path")).ok())?, by the function
 * that makes it in the golden file; that may return other things as well. */
static const char *rust_read_object(const bind_ir *ir, const bind_function *f,
                                    const bind_param *p) {
  const bind_function *maker = bind_value_of(f->cases, p)->maker;
  const bool make = bind_maker_case(maker)->make;
  const char *part =
      bind_when(bind_count_results(maker, make) > 1,
                bind_string(".map(|made| made.%d)", bind_place_of_handle(maker, make)));
  return bind_string("call.%s(\"%s\", |call| %s.ok()%s)?",
                     p->optional ? "maybe" : "object",
                     p->name,
                     rust_call(ir, maker, make),
                     part);
}

static const char *rust_read_tensor(const bind_param *p) {
  const bool written = p->direction != BIND_IN;
  if (p->kept) {
    return bind_string("call.tensor(\"%s\")", p->name);
  }
  if (p->optional) {
    return bind_string(
        "call.optional(\"%s\").%s().map(|x| x as _)", p->name, written ? "as_mut" : "as_ref");
  }
  return bind_string("&%scall.tensor(\"%s\")", bind_when(written, "mut "), p->name);
}

/* Return how the runner reads a parameter's values. */
static const char *rust_read(const bind_ir *ir, const bind_function *f, const bind_param *p) {
  switch (p->type.kind) {
  case BIND_TENSOR:
    return rust_read_tensor(p);
  case BIND_LIST:
    return bind_string("&call.tensors(\"%s\")", p->name);
  case BIND_ARRAY:
    if (bind_is_text_list(p)) {
      return bind_string("&call.texts(\"%s\").collect::<Vec<_>>()", p->name);
    }
    return bind_string("&call.numbers(\"%s\")", p->name);
  case BIND_COMPLEX:
    return bind_string(
        "dlferry::Complex::new(call.part(\"%s\", 0), call.part(\"%s\", 1))", p->name, p->name);
  case BIND_CHAR:
    return bind_string("call.letter(\"%s\")", p->name);
  case BIND_STRING:
    return bind_string("call.text(\"%s\")", p->name);
  case BIND_STREAM:
    return "Default::default()";
  case BIND_STRUCT:
    return bind_string("&%s::%s::default()", ir->name, rust_struct_name(p->type.structure));
  case BIND_HANDLE: {
    if (p->optional && f->creates == p->type.handle) {
      return "None"; /* to make one it would be made first, without an end */
    }
    const char *object = rust_read_object(ir, f, p);
    const bool changes = rust_is_exclusive(f, p);
    if (p->ended) {
      return object;
    }
    if (p->optional) {
      return bind_string("%s.%s()", object, changes ? "as_mut" : "as_ref");
    }
    return bind_string("&%s%s", bind_when(changes, "mut "), object);
  }
  case BIND_ENUM:
    return bind_string(
        "%s::%s(call.value(\"%s\"))", ir->name, rust_enum_name(p->type.enumeration), p->name);
  default:
    return bind_string("call.value(\"%s\")", p->name);
  }
}

/* photo::BlurOptions { sigma: call.value("sigma") } */
static const char *rust_read_options(const bind_ir *ir, const bind_function *f) {
  const char *fields = "";
  BIND_EACH_PARAM (p, f) {
    if (!bind_is_option(p)) {
      continue;
    }
    const char *value = rust_read(ir, f, p);
    if (bind_is_optional_value(p)) {
      value = bind_string("call.has(\"%s\").then(|| %s)", p->name, value);
    }
    fields = bind_join(fields, ", ", bind_string("%s: %s", rust_name(p->name), value));
  }
  return bind_string("%s::%s { %s }", ir->name, bind_options_name(f), fields);
}

static const char *rust_read_arguments(const bind_ir *ir, const bind_function *f, bool make) {
  const char *arguments = "";
  bool options = false;
  BIND_EACH_PARAM (p, f) {
    const bool object = f->method_of && p == f->params;
    const char *argument = "";
    if (bind_is_option(p) && !options) {
      argument = rust_read_options(ir, f);
      options = true;
    } else if (!bind_is_option(p) && !object && bind_is_passed(p, make)) {
      argument = rust_read(ir, f, p);
    }
    arguments = bind_join(arguments, ", ", argument);
  }
  return arguments;
}

/* photo::blur_into(&call.tensor("image"), photo::BlurOptions { sigma: call.value("sigma") },
 * &mut call.tensor("out")) */
static const char *rust_call(const bind_ir *ir, const bind_function *f, bool make) {
  const char *home = bind_string("%s::", ir->name);
  const char *name = rust_function_name(f);
  if (f->method_of) {
    home = bind_string("%s.", rust_read_object(ir, f, f->params));
  } else if (f->creates) {
    home = bind_string("%s%s::", home, rust_handle_name(f->creates));
  }
  if (f->new_name && !make) {
    name = bind_string("%s_into", name);
  } else {
    name = bind_escape(name, rust_words);
  }
  const char *call = bind_string("%s%s(%s)", home, name, rust_read_arguments(ir, f, make));
  if (f->sure) {
    return bind_string("Ok::<_, dlferry::Error>(%s)", call);
  }
  return call;
}

/* A function that can make its outputs has two forms. */
static void rust_put_arms(bind_text *arms, const bind_ir *ir, const bind_function *f) {
  const char *given = "";
  if (f->new_name) {
    given = bind_string(" if call.has(\"%s\")", bind_first_made(f)->name);
  }
  bind_line(arms, "\"%s\"%s => %s.map(said),", f->short_name, given, rust_call(ir, f, false));
  if (f->new_name) {
    const bool tensor = bind_count_results(f, true) == 1;
    const char *shown = tensor ? "elements" : "said";
    bind_line(arms, "\"%s\" => %s.map(%s),", f->short_name, rust_call(ir, f, true), shown);
  }
}

/* A closed object has been moved away. */
void rust_emit_tests(const bind_ir *ir, bind_out *out) {
  bind_write_tests(ir,
                   out,
                   &(bind_tests){.package = ir->name,
                                 .runner_kind = BIND_SLASHES_FILE,
                                 .runner = bind_embedded_contract_rs_in,
                                 .runner_path = "rust/tests/contract.rs",
                                 .golden_path = "rust/tests/golden.txt",
                                 .unsayable = BIND_BROKEN_CLOSED,
                                 .put_function = rust_put_arms});
}
