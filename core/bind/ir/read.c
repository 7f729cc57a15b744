/* SPDX-License-Identifier: Apache-2.0 */
/* Read a header into the IR, and find names that clash. */
#include "read.h"
#include "bind/base/names.h"
#include "bind/c/lex.h"
#include "builder.h"
#include <string.h>

/* "index_flat" for IndexFlat_c.h, "fft" for lib_fft.h: names of the submodules. */
static const char *ir_module_name(const bind_ir *ir, const char *file) {
  const char *dot = strrchr(file, '.');
  size_t size;
  if (dot && dot != file) {
    size = (size_t)(dot - file);
  } else {
    size = strlen(file);
  }
  if (size > 2 && bind_begins(file + size - 2, "_c")) {
    size -= 2;
  }
  char *name = bind_sized(file, size);
  for (char *c = name; *c; c++) {
    if (!(bind_is_lower(*c) || bind_is_upper(*c) || bind_is_digit(*c))) {
      *c = '_';
    }
  }
  const char *rest = ir_strip(name, ir->prefix);
  rest = bind_snake(bind_or(rest, name));
  if (bind_is_lower(*rest)) {
    return rest;
  }
  return bind_string("h%s%s", bind_when(*rest != '_', "_"), rest);
}

/* A submodule gives way to a function of the package, and to the submodule of an earlier header. */
static void ir_name_modules(ir_builder *b, const bind_names *functions) {
  bind_ir *ir = b->ir;
  bind_names taken = {0};
  if (ir->header_count < 2) {
    return;
  }
  ir->modules = bind_items(ir->header_count, sizeof *ir->modules);
  for (int i = 0; i < ir->header_count; i++) {
    const char *file = ir->headers[i].name;
    const char *wanted = ir_module_name(ir, file);
    const char *name = wanted;
    const char *owner = NULL;
    for (const char *found = wanted; found; name = found ? bind_concat(name, "_h", "") : name) {
      found = bind_find_name(functions, name);
      if (!found) {
        found = bind_find_name(&taken, name);
      }
      if (!owner) {
        owner = found;
      }
    }
    if (owner && bind_find_name(functions, wanted)) {
      bind_error("%s:1: its submodule is called %s, since %s is called %s: write `%s { rename NAME "
                 "}` in a file of contracts",
                 b->options->headers[i],
                 name,
                 owner,
                 wanted,
                 owner);
    } else if (owner) {
      bind_error("%s:1: its submodule is called %s, since that of %s is called %s",
                 b->options->headers[i],
                 name,
                 owner,
                 wanted);
    }
    ir->modules[i] = name;
    bind_take_name(&taken, name, file);
  }
}

/* Name a type; it keeps its prefix if another type is called the same without it. */
static void ir_name_type(const ir_builder *b, bind_names *types, const char *kind, const char *name,
                         int header, int line, const char **short_name) {
  const char *own = bind_string("%s %s", kind, name);
  const char *wanted = bind_pascal(*short_name);
  const char *other = bind_find_name(types, wanted);
  if (other) {
    *short_name = name;
    while (bind_find_name(types, bind_pascal(*short_name))) {
      *short_name = bind_string("%s_%s", *short_name, kind);
    }
    bind_error("%s:%d: %s is called %s, since %s is called %s",
               b->options->headers[header],
               line,
               own,
               bind_pascal(*short_name),
               other,
               wanted);
  }
  bind_take_name(types, bind_pascal(*short_name), own);
}

/* Find names that would clash in a binding; of two functions the later one is not bound. Return
 * those of functions. */
static bind_names ir_find_clashes(ir_builder *b) {
  const bind_ir *ir = b->ir;
  bind_names functions = {0};
  bind_names types = {0};
  BIND_EACH (bind_enum, e, ir->enums, ir->enum_count) {
    ir_name_type(b, &types, "enum", e->name, e->header, e->line, &e->short_name);
  }
  BIND_EACH (bind_handle, h, ir->handles, ir->handle_count) {
    ir_name_type(b, &types, "struct", h->name, h->header, h->line, &h->short_name);
  }
  ir_use_structs(b);
  for (bind_struct *s = ir->structs; s; s = s->next) {
    if (s->used) {
      ir_name_type(b, &types, "struct", s->name, s->header, s->line, &s->short_name);
    }
  }
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    if (f->unbound || f->family) {
      continue;
    }
    const char *name = bind_snake(f->short_name);
    const char *owner = bind_find_name(&functions, name);
    if (!owner) {
      owner = bind_find_name(&types, name = bind_pascal(f->short_name));
    }
    if (owner) {
      ir_leave_out(f,
                   bind_string("%s is called %s without the prefix already: write `%s { rename "
                               "NAME }` in a file of contracts",
                               owner,
                               name,
                               f->name));
    }
    const c_function *declared = ir_find_function(b, f->checked_name);
    if (!declared && f->new_name) {
      declared = ir_find_function(b, f->new_name);
    }
    if (declared) {
      ir_leave_out(
          f,
          bind_string("its generated function would be called %s, which the header declares",
                      declared->name));
    }
    if (!f->unbound) {
      bind_take_name(&functions, bind_snake(f->short_name), f->name);
    }
  }
  return functions;
}

/* "Apache-2.0" of an SPDX line near the top: what is made from the header is under its licence. */
static const char *ir_license(const char *text) {
  static const char mark[] = "SPDX-License-Identifier:";
  const char *found = strstr(text, mark);
  if (!found || found - text > 2000) {
    return "";
  }
  found += sizeof mark - 1;
  found += strspn(found, " ");
  size_t size =
      strspn(found, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+-() ");
  while (size && found[size - 1] == ' ') {
    size--;
  }
  return bind_sized(found, size);
}

static bool ir_lex(const bind_ir *ir, const bind_options *options, lex_list *out) {
  const char **texts = bind_items(ir->header_count, sizeof *texts);
  size_t *sizes = bind_items(ir->header_count, sizeof *sizes);
  for (int i = 0; i < ir->header_count; i++) {
    texts[i] = ir->headers[i].data;
    sizes[i] = ir->headers[i].size;
  }
  const lex_input input = {.files = options->headers,
                           .texts = texts,
                           .sizes = sizes,
                           .count = ir->header_count,
                           .preprocessed = ir->preprocessed,
                           .preprocessed_size = ir->preprocessed ? strlen(ir->preprocessed) : 0,
                           .which = options->which,
                           .ignore = options->ignore};
  return lex_headers(&input, out);
}

/* An author who writes DLTensor or dlf_error into a header knows how it is bound. */
static bool ir_is_ours(const c_type *t) {
  while (t->kind == C_POINTER) {
    t = t->to;
  }
  return ir_is_struct(t, "DLTensor") || ir_is_struct(t, "dlf_error");
}

static bool *ir_find_authors(const c_header *header, int header_count) {
  bool *knows_us = bind_items(header_count, sizeof *knows_us);
  BIND_EACH (const c_function, f, header->functions, header->function_count) {
    BIND_EACH (const c_param, p, f->params, f->count) {
      if (ir_is_ours(p->type)) {
        knows_us[f->header] = true;
      }
    }
  }
  return knows_us;
}

/* How many functions one line names. */
enum { READ_FEW = 8 };

bool bind_read(bind_ir *ir, const bind_options *options) {
  lex_list *list = bind_alloc(1, sizeof *list);
  c_header *header = bind_alloc(1, sizeof *header);
  doc_comment doc;
  sidecar contracts = {0};
  ir_builder b = {
      .ir = ir, .options = options, .header = header, .list = list, .contracts = &contracts};
  ir->name = options->name;
  ir->prefix = options->prefix;
  ir->command = options->command;
  ir->license = ir_license(ir->headers[0].data);
  if (options->contracts &&
      !sidecar_read(options->contracts, options->contracts_text, &contracts)) {
    return false;
  }
  if (!ir_lex(ir, options, list) || !parse_header(list, header)) {
    return false;
  }
  ir->declared = header;
  ir->deprecates = header->deprecates;
  ir->read = list;
  b.knows_us = ir_find_authors(header, ir->header_count);
  doc_read(header->file_doc, &doc);
  ir->summary = doc.summary;
  ir_take_nameless_enums(&b, list);
  int unbound = list->lost + header->lost + ir_build_enums(&b);
  ir_read_handles(&b);
  ir_tell_plain_handles(&b, header);
  ir_index_header(&b);
  ir_index_constants(&b);
  ir_take_expressions(&b, list);
  ir_build_handles(&b);
  ir_find_owners(&b);
  ir_build_structs(&b);
  ir_build_functions(&b);
  if (sidecar_report_unused(&contracts)) {
    b.failed = true;
  }
  ir_report_every(&b);
  const bind_names names = ir_find_clashes(&b);
  ir_name_modules(&b, &names);
  ir_build_constants(&b);
  ir_complete_reasons(ir);
  ir_answer(&b);
  bind_text passed_over = {0};
  int passed_count = 0;
  BIND_EACH_DECLARED (f, ir) {
    if (!f->unbound || options->silent) {
      continue;
    }
    if (options->contracts && !options->strict && !f->named && !f->commented) {
      if (passed_count++ < READ_FEW) {
        bind_append(&passed_over, ", ", f->name);
      }
      continue;
    }
    bind_error("%s:%d: skipped %s: %s", options->headers[f->header], f->line, f->name, f->unbound);
    unbound++;
  }
  if (passed_count) {
    bind_error("%s: %d function%s a contract and %s none in %s: %s%s; --explain FUNCTION tells "
               "what one lacks",
               *options->headers,
               passed_count,
               passed_count == 1 ? " needs" : "s need",
               passed_count == 1 ? "has" : "have",
               options->contracts,
               bind_keep(&passed_over),
               bind_when(passed_count > READ_FEW, ", ..."));
  }
  if (unbound && options->strict) {
    bind_error("%d declarations are not bound, and --strict is given", unbound);
    return false;
  }
  return !b.failed;
}
