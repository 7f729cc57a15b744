/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Go package: testdata/golden.txt has the calls as data, and NAME_contract_test.go,
 * from contract_test.go.in, runs them. Only its table is the package's:
 *
 *   {"blur", BlurInto, "image out"},
 *   {"blur", Blur, "image"},
 *   {"", FormatDefaults, ""}, for a struct */
#include "bind/base/embedded.h"
#include "bind/base/names.h"
#include "bind/cases/cases.h"
#include "bind/emit/query.h"
#include "go.h"
#include "parts.h"
#include <string.h>

/* Return the callable: Blur, Stack[dlferry.Arg], (*Codec).Encode. */
static const char *go_callable(const go_call *call) {
  const bind_function *f = call->f;
  const char *name = go_function_name(call);
  const char *types = "";
  BIND_EACH_PARAM (p, f) {
    if (go_is_generic(f, p)) {
      types = bind_join(types, ", ", go_type(&p->type) + strlen("[]"));
    }
  }
  if (f->method_of) {
    name = bind_string("(*%s).%s", bind_pascal(f->method_of->short_name), name);
  }
  return bind_string(*types ? "%s[%s]" : "%s", name, types);
}

static void go_put_form(bind_text *forms, const go_call *call) {
  const bind_function *f = call->f;
  const char *names = "";
  BIND_EACH_PARAM (p, f) {
    if (bind_is_passed(p, call->make) && !bind_is_option(p)) {
      names = bind_join(names, " ", p->name);
    }
  }
  bind_line(forms, "{\"%s\", %s, \"%s\"},", f->short_name, go_callable(call), names);
}

/* The runner finds the defaults of a struct by its type, at a function without a name. */
static void go_put_defaults(bind_text *forms, const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->type.structure && bind_is_read(p)) {
      bind_line(forms, "{\"\", %s, \"\"},", go_defaults_name(p->type.structure));
    }
  }
}

static void go_put_forms(bind_text *forms, const bind_ir *ir, const bind_function *f) {
  go_put_defaults(forms, f);
  go_put_form(forms, &(go_call){ir, f, false});
  if (f->new_name) {
    go_put_form(forms, &(go_call){ir, f, true});
  }
}

void go_emit_tests(const bind_ir *ir, bind_out *out) {
  const char *path = bind_string("go/%s_contract_test.go", ir->name);
  bind_write_tests(ir,
                   out,
                   &(bind_tests){.package = ir->name,
                                 .runner_kind = BIND_SLASHES_FILE,
                                 .runner = bind_embedded_contract_test_go_in,
                                 .runner_path = path,
                                 .golden_path = "go/testdata/golden.txt",
                                 .put_function = go_put_forms});
}
