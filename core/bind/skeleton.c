/* SPDX-License-Identifier: Apache-2.0 */
/* Each guess has the mark `?`, so that the reader passes over it until a person removes the mark. */
#include "skeleton.h"
#include "bind/base/names.h"
#include "bind/base/text.h"
#include "bind/read/parameters.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char skeleton_head[] =
    "# Contracts of %s. A clause that begins with a question mark is a guess and does nothing: compare it with\n"
    "# the library's own documents, correct it, and remove the mark.\n";

static bool skeleton_begins(const char *name, const char *starts) {
  const char *snake = bind_snake(name);
  for (const char *start = starts; *start; start += strcspn(start, " "), start += *start == ' ') {
    const size_t size = strcspn(start, " ");
    if (strncmp(snake, start, size) == 0) return true;
  }
  return false;
}

/* The elements behind a pointer, or NULL for another parameter. */
static const char *skeleton_elements(const bind_param *p) {
  const bind_kind kind = p->type.kind;
  if (kind == BIND_ARRAY || (p->returned && (kind == BIND_INTEGER || kind == BIND_REAL)))
    return bind_scalar_name(p->type.scalar);
  if (p->returned && kind == BIND_BOOL) return "bool";
  if (kind != BIND_OTHER) return NULL;
  if (strstr(p->type.c, "void *")) return "any";
  if (strstr(p->type.c, "uint8_t *") || strstr(p->type.c, "char *")) return "u8";
  return strstr(p->type.c, "int8_t *") ? "i8" : NULL;
}

/* The integer that may be a pointer's length: just behind it or before it, else one with such a name. -1 for none. */
static int skeleton_length(const bind_function *f, int pointer) {
  static const char lengths[] = "n len size count num";
  if (bind_is_integer(f, pointer + 1) && skeleton_begins(f->params[pointer + 1].name, lengths)) return pointer + 1;
  if (bind_is_integer(f, pointer - 1) && skeleton_begins(f->params[pointer - 1].name, lengths)) return pointer - 1;
  for (int i = 0; i < f->param_count; i++)
    if (bind_is_integer(f, i) && skeleton_begins(f->params[i].name, lengths)) return i;
  return -1;
}

static void skeleton_put_pointer(bind_text *t, const bind_function *f, int i, bool *lengths) {
  const bind_param *p = &f->params[i], *next = bind_is_integer(f, i + 1) ? p + 1 : NULL;
  const bool constant = strncmp(p->type.c, "const ", 6) == 0, number = p->returned && !next;
  const char *use = constant ? "" : "inout ", *elements = skeleton_elements(p);
  const int length = skeleton_length(f, i);
  const char *extent = length < 0 ? "_" : f->params[length].name;
  if (number && length < 0) {
    bind_line(t, "?%s: out;", p->name);
  } else if (next && skeleton_begins(next->name, "ld lead")) {
    bind_line(t, "?%s: %s%s[_, _] strided;  ?%s := ld(%s);", p->name, use, elements, next->name, p->name);
  } else if (next && skeleton_begins(next->name, "inc strid step")) {
    bind_line(t, "?%s: %s%s[%s] strided;  ?%s := stride(%s);", p->name, use, elements, extent, next->name, p->name);
  } else {
    bind_line(t, "?%s: %s%s[%s];", p->name, use, elements, extent);
  }
  if (length >= 0) lengths[length] = true;
}

static bool skeleton_can_guess(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (skeleton_elements(&f->params[i])) return true;
  return false;
}

static void skeleton_put_function(bind_text *t, const bind_function *f) {
  bool *lengths = bind_alloc((size_t)f->param_count + 1, sizeof *lengths);
  bind_line(t, "\n# %s", f->unbound);
  bind_open(t, "%s {", f->name);
  for (int i = 0; i < f->param_count; i++)
    if (skeleton_elements(&f->params[i])) skeleton_put_pointer(t, f, i, lengths);
  for (int i = 0; i < f->param_count; i++)
    if (lengths[i]) bind_line(t, "?%s := %s;", f->params[i].name, f->params[i].name);
  bind_close(t, "}");
}

int skeleton_write(const bind_ir *ir, const char *path) {
  bind_text text = {0};
  bind_put(&text, skeleton_head, ir->title);
  for (int i = 0; i < ir->function_count; i++)
    if (ir->functions[i].unbound && !ir->functions[i].named && skeleton_can_guess(&ir->functions[i]))
      skeleton_put_function(&text, &ir->functions[i]);
  errno = 0;
  FILE *file = fopen(path, "wxb");
  const bool written = file && fwrite(text.data, 1, text.length, file) == text.length;
  const bool closed = file && fclose(file) == 0;
  bind_text_free(&text);
  if (written && closed) return 0;
  bind_error("cannot write %s: %s", path, strerror(errno ? errno : EIO));
  return 1;
}
