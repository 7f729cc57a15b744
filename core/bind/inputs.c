/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the command is given: the header, and the sources that packages carry. */
#include "inputs.h"
#include "bind/base/names.h"
#include "bind/c/lex.h"
#include "package_file.h"
#include "preprocess.h"
#include <dlferry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool inputs_read_file(const char *path, bind_file *out) {
  bind_text text = {0};
  const bool good = bind_read_file(&text, path);
  if (!good) {
    bind_error("cannot read %s: %s", path, strerror(errno ? errno : EIO));
  }
  bind_put_string(&text, ""); /* an empty file's text ends with NUL, too */
  bind_own(text.data, free);
  *out = (bind_file){bind_string("%s", options_base_name(path)), text.data, text.length};
  return good;
}

/* Tell whether packages carry a header of this name. */
static bool inputs_is_header(const bind_ir *ir, const char *name) {
  for (int i = 0; ir->carried && i < ir->header_count; i++) {
    if (strcmp(ir->headers[i].name, name) == 0) {
      return true;
    }
  }
  return false;
}

/* Packages keep all C in one folder and compile the files that end in .c. */
static bool inputs_are_sources(const bind_ir *ir) {
  bool good = true;
  for (int i = 0; i < ir->source_count; i++) {
    const char *name = ir->sources[i].name;
    const char *dot = strrchr(name, '.');
    if (!dot || !bind_word_in(dot, ".c .h .inc .def")) {
      bind_error("--source %s: packages carry C; make it a library of its own and say --link",
                 name);
      good = false;
    }
    for (int k = -1; k < i; k++) {
      if (k < 0 ? !inputs_is_header(ir, name) : strcmp(name, ir->sources[k].name) != 0) {
        continue;
      }
      bind_error("--source %s: packages have one folder for C, and another file has this name",
                 name);
      good = false;
    }
  }
  return good;
}

static bool inputs_is_carried(const bind_ir *ir, const char *name) {
  bool carried = inputs_is_header(ir, name) || bind_word_in(name, "dlpack/dlpack.h dlferry.h") ||
                 strcmp(name, bind_string("%s_dlferry.h", ir->name)) == 0;
  BIND_EACH (const bind_file, source, ir->sources, ir->source_count) {
    carried |= strcmp(source->name, name) == 0;
  }
  return carried;
}

/* Print which lines `#include "deep/x.h"` find a file of the user's that packages do not have at
 * that place. */
static void inputs_look_in(const bind_ir *ir, const char *path, const char *text) {
  int line = 1;
  for (const char *p = text; *p; line++, p += strcspn(p, "\n"), p += *p != 0) {
    const char *mark = p + strspn(p, " \t");
    if (*mark != '#') {
      continue;
    }
    const char *word = mark + strspn(mark, " \t#");
    if (!bind_begins(word, "include")) {
      continue;
    }
    const char *name = word + 7 + strspn(word + 7, " \t");
    if (*name++ != '"') {
      continue;
    }
    name = bind_sized(name, strcspn(name, "\"\n"));
    if (inputs_is_carried(ir, name)) {
      continue;
    }
    FILE *found =
        fopen(bind_string("%.*s%s", (int)(options_base_name(path) - path), path, name), "rb");
    if (!found) {
      continue;
    }
    fclose(found);
    bind_error("%s:%d: packages do not carry \"%s\": name it with --source, and include it without "
               "a folder",
               path,
               line,
               name);
  }
}

static bool inputs_read_headers(bind_ir *ir, const command_options *o) {
  const char **names = bind_items(o->headers.count, sizeof *names);
  ir->headers = bind_items(o->headers.count, sizeof *ir->headers);
  ir->title = "";
  for (; ir->header_count < o->headers.count; ir->header_count++) {
    bind_file *file = &ir->headers[ir->header_count];
    if (!inputs_read_file(o->headers.items[ir->header_count], file)) {
      return false;
    }
    for (int i = 0; i < ir->header_count; i++) {
      if (strcmp(names[i], file->name) != 0) {
        continue;
      }
      bind_error("%s: expected headers with different names, got %s twice",
                 o->headers.items[ir->header_count],
                 file->name);
      return false;
    }
    names[ir->header_count] = file->name;
    ir->title = bind_join(ir->title, ", ", file->name);
  }
  ir->carried = !o->includes.count;
  ir->includes = o->includes.items;
  ir->include_count = o->includes.count;
  if (ir->carried) {
    ir->includes = names;
    ir->include_count = ir->header_count;
  }
  if (o->preprocess) {
    ir->preprocessed = preprocess_headers(o);
  }
  return !o->preprocess || ir->preprocessed;
}

/* The files beside it keep their names in the packages. */
static bool inputs_read_package_file(bind_package *package, const char *path) {
  bind_file file;
  *package = (bind_package){.version = "", .license = "", .homepage = ""};
  if (!path) {
    return true;
  }
  if (!inputs_read_file(path, &file) || !lex_is_utf8(path, file.data, file.size) ||
      !package_file_parse(path, file.data, package)) {
    return false;
  }
  for (int i = 0; i < package->license_file_count; i++) {
    bind_file *license = &package->license_files[i];
    const char *folder = bind_sized(path, (size_t)(options_base_name(path) - path));
    if (!inputs_read_file(bind_string("%s%s", *license->name == '/' ? "" : folder, license->name),
                          license)) {
      return false;
    }
  }
  return true;
}

bool inputs_read(bind_ir *ir, command_options *o) {
  ir->version = dlf_version();
  ir->go_module = bind_or(o->go_package, bind_or(o->go_module, o->read.name));
  ir->go_inside = o->go_package != NULL;
  if (!inputs_read_package_file(&ir->package, o->package_file)) {
    return false;
  }
  ir->links = o->links.items;
  ir->link_count = o->links.count;
  ir->sources = bind_items(o->sources.count, sizeof *ir->sources);
  if (!inputs_read_headers(ir, o)) {
    return false;
  }
  bind_file contracts;
  if (o->read.contracts && !inputs_read_file(o->read.contracts, &contracts)) {
    return false;
  }
  if (o->read.contracts) {
    if (!lex_is_utf8(o->read.contracts, contracts.data, contracts.size)) {
      return false; /* a NUL would end the text */
    }
    o->read.contracts_text = contracts.data;
  }
  if (o->skeleton && !o->read.contracts) { /* the header as it is bound beside the new file */
    o->read.contracts = o->skeleton;
    o->read.contracts_text = "";
  }
  for (; ir->source_count < o->sources.count; ir->source_count++) {
    if (!inputs_read_file(o->sources.items[ir->source_count], &ir->sources[ir->source_count])) {
      return false;
    }
  }
  return inputs_are_sources(ir);
}

void inputs_look_for_includes(const bind_ir *ir, const command_options *o) {
  for (int i = 0; ir->carried && i < ir->header_count; i++) {
    inputs_look_in(ir, o->headers.items[i], ir->headers[i].data);
  }
  for (int i = 0; i < ir->source_count; i++) {
    inputs_look_in(ir, o->sources.items[i], ir->sources[i].data);
  }
}
