/* SPDX-License-Identifier: Apache-2.0 */
/* NAME_dlferry.h and NAME_dlferry.c: each function's twins. All languages call these, so that a
 * check and its text exist once. */
#include "twin.h"
#include "bind/base/embedded.h"
#include "bind/base/escape.h"
#include "bind/emit/package.h"
#include "parts.h"
#include <string.h>

/* ---- header ---- */

/* What C callers must know of a parameter beside its clause. */
static const char *twin_about(const bind_param *p) {
  if (bind_is_given_text(p)) {
    return bind_string("; gives: %s frees it", p->text->release);
  }
  if (p->ended) {
    return "; its place is NULL afterwards, since C frees it, unless it is refused";
  }
  return bind_when(p->optional, "; tensor NULL when absent");
}

static void twin_put_c_doc(bind_text *h, const bind_function *f, bool made) {
  bind_text doc = {0};
  bind_line(&doc, "%s", bind_summary(f, ""));
  if (made) {
    bind_line(&doc, "Makes its outputs: gives each. Otherwise as %s.", f->checked_name);
  } else {
    bind_line(
        &doc,
        "Calls %s once its arguments are checked. Fails as dlf_contract_match does, or as %s does.",
        f->name,
        f->name);
  }
  if (!made && *f->description) {
    bind_line(&doc, "\n%s\n", f->description);
  }
  for (int i = 0; i < f->param_count && !made; i++) {
    const bind_param *p = &f->params[i];
    const char *wanted = bind_said_or(p->contract, p->limits);
    if (!*p->doc && !*wanted && !bind_is_given_text(p)) {
      continue;
    }
    bind_line(&doc,
              "@param %s %s%s%s%s",
              p->name,
              p->doc,
              bind_when(*p->doc && *wanted, ": "),
              wanted,
              twin_about(p));
  }
  if (*f->contract && !made) {
    bind_line(&doc, "Contract: %s", f->contract);
  }
  bind_line(h, "/**");
  bind_put_doc(h, BIND_DOC_C, " * ", doc.data);
  bind_line(h, " */");
  bind_text_free(&doc);
}

/* C++ and most languages know no _Complex, and two numbers side by side are passed like one. */
static const char twin_complex[] =
    "#ifndef DLFERRY_COMPLEX\n"
    "#define DLFERRY_COMPLEX\n"
    "/** A complex number as its real and imaginary part, in memory like C's. */\n"
    "typedef struct dlf_c64 {\n"
    "  float re, im;\n"
    "} dlf_c64;\n"
    "typedef struct dlf_c128 {\n"
    "  double re, im;\n"
    "} dlf_c128;\n"
    "#endif\n"
    "\n";

static const char twin_header[] =
    "/* $title with its contracts checked: f_checked calls f once its arguments hold, f_new makes "
    "the outputs too.\n"
    " * Needs dlferry $major.$minor or later of the same major version. */\n"
    "#ifndef ${guard}_DLFERRY_H\n"
    "#define ${guard}_DLFERRY_H\n"
    "\n"
    "#include <dlferry.h>\n"
    "$includes\n"
    "\n"
    "#if DLF_VERSION_MAJOR != $major || DLF_VERSION_MINOR < $minor\n"
    "#error \"${name}_dlferry.h was made by dlferry-bind $version; this dlferry.h is of another or "
    "an older version\"\n"
    "#endif\n"
    "\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n"
    "$complex\n"
    "$declarations\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n"
    "\n"
    "#endif\n";

static void twin_put_declarations(bind_text *h, const bind_ir *ir) {
  struct_put_layouts(h, ir);
  BIND_EACH_HANDLE (handle, ir) {
    if (!handle->free_name) {
      continue;
    }
    bind_line(h,
              "/** Call %s. %s does nothing. */",
              handle->free_name,
              handle->is_integer ? "0" : "NULL");
    bind_line(h, "DLF_API void %s(%sowned);\n", handle->free_checked_name, handle->c);
  }
  if (bind_free_text(ir)) {
    bind_line(h, "/** Free a text that a function below gives. NULL does nothing. */");
    bind_line(h, "DLF_API void %s(const char *owned);\n", bind_free_text(ir));
  }
  BIND_EACH_FUNCTION (f, ir) {
    twin_put_c_doc(h, f, false);
    bind_line(h, "DLF_API %s;\n", bind_declare_checked(f));
    if (f->new_name) {
      twin_put_c_doc(h, f, true);
      bind_line(h, "DLF_API %s;\n", bind_declare_new(f));
    }
  }
}

static void twin_put_header(bind_text *h, const bind_ir *ir) {
  bind_text includes = {0};
  bind_text declarations = {0};
  for (int i = 0; i < ir->include_count; i++) {
    bind_line(&includes, "#include \"%s\"", ir->includes[i]);
  }
  twin_put_declarations(&declarations, ir);
  bind_first_line(h, ir, BIND_C_FILE, NULL);
  bind_fill(h,
            twin_header,
            {"title", ir->title},
            {"major", bind_number(DLF_VERSION_MAJOR)},
            {"minor", bind_number(DLF_VERSION_MINOR)},
            {"guard", bind_upper(ir->name)},
            {"includes", bind_keep(&includes)},
            {"name", ir->name},
            {"version", ir->version},
            {"complex", bind_when(bind_any_kind(ir, BIND_COMPLEX), twin_complex)},
            {"declarations", bind_keep(&declarations)});
}

/* ---- helpers ---- */

/* What a package needs of the twins' helpers. */
typedef struct twin_needs {
  bool hooks, makes, derives, gives, holds, info, interfaces, families, cuts, locks, texts, wide,
      files, gathers, in_place, owners, structs, origins, facts, filled, elements, reals;
} twin_needs;

static void twin_add_needs(const bind_function *f, twin_needs *n) {
  n->locks |= f->lock != NULL;
  n->structs |= f->spread_count > 0;
  n->elements |= hooks_read_elements(f, false);
  n->reals |= hooks_read_elements(f, true);
  n->hooks |= f->hook_count > 0 || (f->member_count && f->new_name);
  n->families |= f->member_count > 0;
  n->cuts |= cut_needed(f);
  n->makes |= f->new_name != NULL;
  n->derives |= derive_needed(f) || give_needed(f);
  n->gives |= give_needed(f);
  n->holds |= give_owns(f) || keep_needed(f);
  n->facts |= f->fact_count > 0;
  n->info |= f->info;
  n->texts |= texts_needed(f) || f->collect;
  n->wide |= texts_are_wide(f);
  n->files |= files_needed(f);
  n->gathers |= texts_gather(f) || f->collect;
  n->cuts |= texts_count(f);
  n->locks |= texts_take_lock(f);
  BIND_EACH_PARAM (p, f) {
    n->derives |= p->lowest;
    n->interfaces |= p->interface;
    n->origins |= p->made_from != NULL;
    n->filled |= p->gift && p->gift->filled;
  }
}

static twin_needs twin_find_needs(const bind_ir *ir) {
  twin_needs n = {0};
  BIND_EACH_STRUCT(s, ir) {
    n.structs = true;
  }
  BIND_EACH_HANDLE (h, ir) {
    n.holds |= h->holds;
    n.in_place |= h->in_place;
    n.owners |= h->owner != NULL;
  }
  BIND_EACH_FUNCTION (f, ir) {
    twin_add_needs(f, &n);
  }
  return n;
}

static bool twin_needs_section(const bind_ir *ir, const twin_needs *n, const char *name) {
  const struct {
    const char *name;
    bool needed;
  } sections[] = {{"all", true},
                  {"made", n->makes},
                  {"structs", n->structs},
                  {"derived", n->derives || n->hooks || n->cuts},
                  {"cut", n->cuts},
                  {"interface", n->interfaces},
                  {"info", n->info},
                  {"families", n->families},
                  {"letters", bind_any_kind(ir, BIND_CHAR)},
                  {"complex", bind_any_kind(ir, BIND_COMPLEX)},
                  {"hooks", n->hooks},
                  {"lists", bind_takes_kind(ir, BIND_LIST)},
                  {"given", bind_takes_kind(ir, BIND_GIVEN)},
                  {"gifts", n->gives || n->holds},
                  {"locks", n->locks || n->holds},
                  {"texts", n->texts},
                  {"wide", n->wide},
                  {"files", n->files},
                  {"gathered", n->gathers},
                  {"holders", n->holds},
                  {"origins", n->origins},
                  {"facts", n->facts},
                  {"elements", n->elements},
                  {"reals", n->reals},
                  {"owners", n->owners},
                  {"filled", n->filled},
                  {"place", n->in_place}};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    if (strncmp(name, sections[i].name, strlen(sections[i].name)) == 0) {
      return sections[i].needed;
    }
  }
  return false;
}

static void twin_put_sections(bind_text *c, const bind_ir *ir, const twin_needs *n,
                              const char *const *file) {
  static const char mark[] = "/* @section ";
  bind_text text = {0};
  bool needed = false;
  size_t size = 0;
  bind_put_embedded(&text, file);
  for (const char *line = text.data; *line; line += size) {
    const char *word = line + strspn(line, " "); /* a part of a struct stands farther right */
    const bool begins = bind_begins(word, mark);
    size = strcspn(line, "\n") + 1;
    if (begins) {
      needed = twin_needs_section(ir, n, word + sizeof mark - 1);
    }
    if (needed && !begins) {
      bind_put_bytes(c, line, size);
    }
  }
  bind_text_free(&text);
}

/* Callers are told in their own language. */
static const char twin_deprecates[] =
    "#if defined(__GNUC__)\n"
    "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n"
    "#elif defined(_MSC_VER)\n"
    "#pragma warning(disable : 4996)\n"
    "#endif\n";

/* The sections of twin_helpers.h and its other parts that this package needs. */
static void twin_put_helpers(bind_text *c, const bind_ir *ir) {
  bind_line(c, "#define DLFERRY_MAKER \"%s: made by dlferry-bind %s\"", ir->name, ir->version);
  bind_line(c,
            "#define DLFERRY_MADE_MAJOR %d\n#define DLFERRY_MADE_MINOR %d",
            DLF_VERSION_MAJOR,
            DLF_VERSION_MINOR);
  bind_line(c, "#define DLFERRY_NOT_IN \"%s\"\n", ARGUMENT_NOT_IN);
  bind_put(c, "%s", bind_when(ir->deprecates, twin_deprecates));
  const twin_needs needs = twin_find_needs(ir);
  twin_put_sections(c, ir, &needs, bind_embedded_twin_helpers_h);
  twin_put_sections(c, ir, &needs, bind_embedded_twin_helpers_memory_h);
  twin_put_sections(c, ir, &needs, bind_embedded_twin_helpers_holders_h);
  twin_put_sections(c, ir, &needs, bind_embedded_twin_helpers_lenders_h);
  twin_put_sections(c, ir, &needs, bind_embedded_twin_helpers_texts_h);
  twin_put_sections(c, ir, &needs, bind_embedded_twin_helpers_wide_h);
  twin_put_sections(c, ir, &needs, bind_embedded_twin_helpers_files_h);
  bind_put(c, "\n");
}

/* ---- the files ---- */

static bind_file twin_take_file(const char *name, bind_text *text) {
  while (text->length > 1 && text->data[text->length - 2] == '\n') {
    text->data[--text->length] = 0;
  }
  const size_t length = text->length;
  return (bind_file){name, bind_keep(text), length};
}

static void twin_put_free_call(bind_text *c, const bind_handle *handle) {
  if (handle->error_made) {
    bind_line(c, "%serror = %s();", handle->free_error, handle->error_made);
    bind_line(c, "if (error) (void)%s;", handle->free_call);
    bind_line(c, "%s(error);", handle->error_freed);
    inplace_put_free(c, handle);
    return;
  }
  if (handle->free_error) {
    bind_line(c, "%serror = %s0;", handle->free_error, bind_cast_to(handle->free_error));
  }
  bind_line(c, "(void)%s;", handle->free_call);
  inplace_put_free(c, handle);
}

/* With a holder, the last tensor that needs the handle frees it. */
static void twin_put_free(bind_text *c, const bind_handle *handle) {
  if (handle->owner) {
    bind_line(c,
              "if (owned) dlferry_drop((void *)%sowned, dlferry_end_later, NULL);",
              bind_when(!handle->is_integer, "(uintptr_t)"));
  } else if (handle->holds) {
    bind_line(c,
              "if (owned) dlferry_drop((void *)%sowned, dlferry_end_%s, %s);",
              bind_when(!handle->is_integer, "(uintptr_t)"),
              handle->short_name,
              handle->lock ? bind_string("\"%s\"", handle->lock) : "NULL");
  } else if (handle->free_error || handle->in_place) {
    bind_open(c, "if (owned) {");
    twin_put_free_call(c, handle);
    bind_close(c, "}");
  } else {
    bind_line(c, "if (owned) (void)%s;", handle->free_call);
  }
}

static void twin_put_object(bind_text *c, const bind_handle *handle, const char *name,
                            const char *address) {
  bind_line(c,
            "%s%s = %s%s%s;",
            handle->c,
            name,
            bind_cast_to(handle->c),
            bind_when(handle->is_integer, "(uintptr_t)"),
            address);
}

static void twin_put_end(bind_text *c, const bind_handle *handle) {
  if (!handle->holds) {
    return;
  }
  const bind_handle *owner = handle->owner;
  bind_open(c,
            "static void dlferry_end_%s(%svoid *handle) {",
            handle->short_name,
            bind_when(owner, "void *keeper, "));
  twin_put_object(c, handle, "owned", "handle");
  if (owner) {
    twin_put_object(c, owner, "owner", "keeper");
  }
  twin_put_free_call(c, handle);
  bind_close(c, "}\n");
}

void bind_emit_twins(bind_ir *ir, bind_out *out) {
  bind_text h = {0};
  bind_text c = {0};
  twin_put_header(&h, ir);
  bind_first_line(&c, ir, BIND_C_FILE, NULL);
  bind_line(&c, "#include \"%s_dlferry.h\"\n", ir->name);
  bind_line(&c,
            "#ifndef DLFERRY_CONTRACT_H /* the amalgamated dlferry.h holds it */\n#include "
            "<dlferry/contract.h>\n#endif\n");
  twin_put_helpers(&c, ir);
  struct_put_functions(&c, ir);
  BIND_EACH_HANDLE (handle, ir) {
    if (!handle->free_name) {
      continue;
    }
    twin_put_end(&c, handle);
    bind_open(&c, "void %s(%sowned) {", handle->free_checked_name, handle->c);
    twin_put_free(&c, handle);
    bind_close(&c, "}\n");
  }
  if (bind_free_text(ir)) {
    bind_open(&c, "void %s(const char *owned) {", bind_free_text(ir));
    bind_line(&c, "free((void *)(uintptr_t)owned);");
    bind_close(&c, "}\n");
  }
  BIND_EACH_FUNCTION (f, ir) {
    bind_line(&c, "/* ---- %s ---- */\n", f->short_name);
    (f->member_count ? twin_put_family : bind_put_twins)(&c, f);
  }
  ir->twin_h = twin_take_file(bind_string("%s_dlferry.h", ir->name), &h);
  ir->twin_c = twin_take_file(bind_string("%s_dlferry.c", ir->name), &c);
  bind_copy(out, "", &ir->twin_h);
  bind_copy(out, "", &ir->twin_c);
}
