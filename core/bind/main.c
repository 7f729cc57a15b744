/* SPDX-License-Identifier: Apache-2.0 */
/* The command dlferry-bind. */
#include "bind/base/system.h"
#include "bind/cases/cases.h"
#include "bind/diff/diff.h"
#include "bind/emit/query.h"
#include "bind/ir/json.h"
#include "bind/twin/twin.h"
#include "coverage.h"
#include "emitters.h"
#include "explain.h"
#include "inputs.h"
#include "new.h"
#include "options.h"
#include "readme.h"
#include "skeleton.h"
#include <stdio.h>
#include <string.h>

/* Check the names in all languages before the first file is written. */
static bool main_settle(bind_ir *ir, const command_options *o) {
  bool good = true;
  for (const bind_emitter *e = bind_emitters; e->name; e++) {
    const char *words = bind_string(",%s,", o->languages);
    if (e->settle && strstr(words, bind_string(",%s,", e->name))) {
      good &= e->settle(ir);
    }
  }
  const bool refused = ir->left_out && o->read.strict;
  if (refused) {
    bind_error("%d declarations are not bound, and --strict is given", ir->left_out);
  }
  return good && !refused;
}

static int main_emit(bind_ir *ir, command_options *o) {
  const bool packages = *o->languages != 0;
  if (!bind_next_function(ir, NULL)) {
    const bool includes = !ir->function_count && strstr(ir->headers->data, "include");
    const char *why = "";
    if (ir->hidden) {
      why = bind_string(": `hide` leaves %d out", ir->hidden);
    } else if (includes && !o->preprocess) {
      why = ": it declares none, and included headers are not read; give the header that declares "
            "them, or --preprocess";
    }
    bind_error("%s: no function that can be bound%s", *o->read.headers, why);
    return 1;
  }
  if (!main_settle(ir, o)) {
    return 1;
  }
  bind_emit_twins(ir, &o->out);
  if (packages) {
    inputs_look_for_includes(ir, o);
  }
  if (packages && !o->no_tests) {
    bind_make_cases(ir);
  }
  char *list = bind_string("%s", o->languages);
  for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
    const bind_emitter *emitter = bind_find_emitter(word);
    bind_write_package(emitter, ir, &o->out);
    readme_write(ir, &o->out, emitter);
  }
  return o->out.different || o->out.failed;
}

/* Read a version of the headers for --diff. False if the headers themselves cannot be read. */
static bool main_read_version(command_options *o, diff_version *out) {
  bind_ir *ir = bind_alloc(1, sizeof *ir);
  bind_text mistakes = {0};
  if (!inputs_read(ir, o)) {
    return false;
  }
  bind_collect(&mistakes);
  const bool suits = bind_read(ir, &o->read);
  bind_collect(NULL);
  bind_put_string(&mistakes, "");
  *out = (diff_version){ir, &o->read, suits, bind_keep(&mistakes)};
  if (!ir->declared) {
    bind_error("%s", bind_sized(out->mistakes, strlen(out->mistakes) - 1));
  }
  return ir->declared != NULL;
}

static int main_diff(command_options *o) {
  command_options before = *o;
  diff_version old;
  diff_version now;
  before.headers = o->old_headers;
  before.read.headers = o->old_headers.items;
  if (o->old_folders.count) {
    before.folders = o->old_folders;
  }
  if (!main_read_version(&before, &old) || !main_read_version(o, &now)) {
    return 2;
  }
  const int breaks = diff_print(&old, &now, stdout);
  if (breaks < 0) {
    return 2;
  }
  return breaks > 0;
}

static int main_run(int argc, char **argv) {
  command_options o;
  bind_ir ir = {0};
  const int status = options_read(argc, argv, &o);
  if (status >= 0) {
    return status;
  }
  if (o.project) {
    return new_project(o.project, o.folder);
  }
  if (o.old_headers.count) {
    return main_diff(&o);
  }
  if (!inputs_read(&ir, &o)) {
    return 1;
  }
  const bind_ir unread = ir;
  const accept_inputs inputs = {&unread, &o.read};
  if (!bind_read(&ir, &o.read)) {
    return 1;
  }
  if (o.skeleton) {
    return skeleton_write(&inputs, &ir, o.skeleton);
  }
  if (o.explain) {
    return explain_function(&inputs, &ir, o.explain, stdout);
  }
  if (o.coverage) {
    return coverage_print(&inputs, &ir, strcmp(o.coverage, "json") == 0, stdout);
  }
  if (o.ir) {
    return bind_emit_ir(&ir, stdout);
  }
  if (o.cases) {
    bind_make_cases(&ir);
    return bind_emit_cases(&ir, stdout);
  }
  return main_emit(&ir, &o);
}

/* Run the command from a program whose main is not C's, such as Go's. Never call it from two
 * threads at once. */
int dlf_bind_main(int argc, char **argv);

int dlf_bind_main(int argc, char **argv) {
  bind_begin_output();
  const int status = main_run(argc, argv);
  bind_free_all();
  return status;
}

#ifndef DLF_BIND_NO_MAIN
int main(int argc, char **argv) {
  setvbuf(stderr,
          NULL,
          _IOFBF,
          1 << 16); /* a large header has thousands of lines for it, each else a call of write */
  return dlf_bind_main(argc, argv);
}
#endif
