/* SPDX-License-Identifier: Apache-2.0 */
/* Texts, lasting memory and files of the emitters. */
#include "emit.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- memory: blocks in a list, freed together ---- */

typedef struct arena_block {
  struct arena_block *next;
  max_align_t bytes[];
} arena_block;

static arena_block *arena_blocks;

static void *text_must(void *memory) {
  if (memory) return memory;
  bind_error("out of memory");
  exit(2);
}

void *bind_alloc(size_t count, size_t size) {
  if (size && count > (SIZE_MAX - sizeof(arena_block)) / size) text_must(NULL);
  arena_block *block = text_must(calloc(1, sizeof *block + count * size));
  block->next = arena_blocks;
  arena_blocks = block;
  return block->bytes;
}

void bind_free_all(void) {
  while (arena_blocks) {
    arena_block *next = arena_blocks->next;
    free(arena_blocks);
    arena_blocks = next;
  }
}

void bind_error(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("dlferry-bind: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}

/* ---- text ---- */

void bind_wrapped(bind_text *t, const char *line) {
  const int depth = t->depth;
  for (bool quoted = false;; t->depth = depth + 2, quoted = false) {
    const int width = 120 - t->depth * (int)strlen(t->unit ? t->unit : "  ");
    int end = 0;
    for (int i = 0; line[i] && i < width; i++) {
      if (line[i] == '"' && (!i || line[i - 1] != '\\')) quoted = !quoted;
      if (!quoted && line[i] == ',' && line[i + 1] == ' ') end = i + 1;
    }
    if (!end || strlen(line) <= (size_t)width) break;
    bind_line(t, "%.*s", end, line);
    line += end + 1;
  }
  bind_line(t, "%s", line);
  t->depth = depth;
}

void bind_raw(bind_text *text, const char *bytes, size_t size) {
  if (size > SIZE_MAX / 4 - text->length) text_must(NULL);
  if (text->length + size + 1 > text->capacity) {
    text->capacity = 2 * (text->length + size + 64);
    text->data = text_must(realloc(text->data, text->capacity));
  }
  if (size) memcpy(text->data + text->length, bytes, size);
  text->length += size;
  text->data[text->length] = 0;
}

/* Indent at the first character of a line, so that empty lines stay empty. */
static void text_put_bytes(bind_text *text, const char *bytes) {
  const char *unit = text->unit ? text->unit : "  ";
  while (*bytes) {
    size_t span = strcspn(bytes, "\n");
    if (span && (text->length == 0 || text->data[text->length - 1] == '\n'))
      for (int i = 0; i < text->depth; i++) bind_raw(text, unit, strlen(unit));
    if (bytes[span]) span++;
    bind_raw(text, bytes, span);
    bytes += span;
  }
}

static char *text_format(const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int size = vsnprintf(NULL, 0, format, list);
  char *bytes = text_must(size < 0 ? NULL : malloc((size_t)size + 1));
  vsnprintf(bytes, (size_t)size + 1, format, again);
  va_end(again);
  return bytes;
}

static void text_put_list(bind_text *text, const char *format, va_list list, const char *end) {
  char *bytes = text_format(format, list);
  text_put_bytes(text, bytes);
  text_put_bytes(text, end);
  free(bytes);
}

void bind_put(bind_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_put_list(text, format, list, "");
  va_end(list);
}

void bind_line(bind_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_put_list(text, format, list, "\n");
  va_end(list);
}

void bind_open(bind_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_put_list(text, format, list, "\n");
  va_end(list);
  text->depth++;
}

void bind_close(bind_text *text, const char *format, ...) {
  va_list list;
  if (text->depth) text->depth--;
  va_start(list, format);
  text_put_list(text, format, list, "\n");
  va_end(list);
}

void bind_text_free(bind_text *text) {
  free(text->data);
  *text = (bind_text){0};
}

char *bind_string_list(const char *format, va_list list) {
  char *bytes = text_format(format, list);
  size_t size = strlen(bytes) + 1;
  char *lasting = memcpy(bind_alloc(size, 1), bytes, size);
  free(bytes);
  return lasting;
}

char *bind_string(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *lasting = bind_string_list(format, list);
  va_end(list);
  return lasting;
}

/* ---- files ---- */

static bool text_make_folders(char *path) {
  for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made) return false;
  }
  return true;
}

/* Does the file hold this? With `more`, what lies behind it is somebody else's. */
static bool text_holds(const char *path, const char *data, size_t size, bool more) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  char buffer[4096];
  size_t at = 0, got;
  bool same = true;
  while (same && (got = fread(buffer, 1, sizeof buffer, file)) > 0) {
    size_t ours = got < size - at ? got : size - at;
    same = (more || ours == got) && memcmp(data + at, buffer, ours) == 0;
    at += ours;
  }
  same = same && !ferror(file) && at == size;
  fclose(file);
  return same;
}

static void text_write_bytes(bind_out *out, const char *path, const char *data, size_t size, bool more) {
  if (!out->directory) return;
  char *full = bind_string("%s/%s", out->directory, path);
  if (text_holds(full, data, size, more)) return;
  if (out->check) {
    bind_error("differs: %s", full);
    out->different++;
    return;
  }
  FILE *file = text_make_folders(full) ? fopen(full, "wb") : NULL;
  bool written = file && fwrite(data, 1, size, file) == size;
  if (file && fclose(file) != 0) written = false;
  if (written) return;
  bind_error("cannot write %s: %s", full, strerror(errno));
  out->failed++;
}

void bind_write(bind_out *out, const char *path, const bind_text *text) {
  text_write_bytes(out, path, text->data ? text->data : "", text->length, false);
}

/* The line `version = "..."` of a manifest, its first, as people write TOML; NULL for none. */
static const char *text_find_version(const char *text, size_t *size) {
  static const char start[] = "\nversion";
  const char *line = strstr(text, start), *at = line ? line + sizeof start - 1 : "";
  at += strspn(at, " \t");
  if (*at != '=') return NULL;
  at += 1 + strspn(at + 1, " \t");
  if (*at != '"' && *at != '\'') return NULL;
  const char *end = strpbrk(at + 1, *at == '"' ? "\"\n" : "'\n");
  if (!end || *end != *at) return NULL;
  *size = (size_t)(end - line) + 1;
  return line;
}

void bind_write_manifest(bind_out *out, const char *path, const bind_text *text) {
  bind_text was = {0}, kept = {0};
  char buffer[4096];
  FILE *file = out->directory ? fopen(bind_string("%s/%s", out->directory, path), "rb") : NULL;
  for (size_t got; file && (got = fread(buffer, 1, sizeof buffer, file)) > 0;) bind_raw(&was, buffer, got);
  if (file) fclose(file);
  size_t old_size = 0, size = 0;
  const char *old = was.data ? text_find_version(was.data, &old_size) : NULL;
  const char *new = text_find_version(text->data, &size);
  if (old && new) {
    bind_raw(&kept, text->data, (size_t)(new - text->data));
    bind_raw(&kept, old, old_size);
    bind_raw(&kept, new + size, text->length - (size_t)(new + size - text->data));
  }
  bind_write(out, path, kept.data ? &kept : text);
  bind_text_free(&was);
  bind_text_free(&kept);
}

void bind_write_start(bind_out *out, const char *path, const bind_text *text) {
  text_write_bytes(out, path, text->data ? text->data : "", text->length, true);
}

void bind_copy(bind_out *out, const char *folder, const bind_file *file) {
  text_write_bytes(out, *folder ? bind_string("%s/%s", folder, file->name) : file->name, file->data, file->size, false);
}

void bind_copy_sources(bind_out *out, const char *folder, const bind_ir *ir) {
  if (ir->carried) bind_copy(out, folder, &ir->header);
  for (int i = 0; i < ir->source_count; i++) bind_copy(out, folder, &ir->sources[i]);
  bind_copy(out, folder, &ir->checked_h);
  bind_copy(out, folder, &ir->checked_c);
}

void bind_first_line(bind_text *text, const bind_ir *ir, const char *open, const char *close, const char *language) {
  close += strspn(close, " ");
  bind_line(text, "%s Generated by dlferry-bind %s from %s; do not edit. Command: %s%s%s%s%s", open, ir->version,
            ir->header.name, ir->command, language ? " --lang " : "", language ? language : "", *close ? " " : "",
            close);
  if (*ir->license) bind_line(text, "%s SPDX-License-Identifier: %s%s%s", open, ir->license, *close ? " " : "", close);
}

/* ---- walking ---- */

const bind_function *bind_next_function(const bind_ir *ir, const bind_function *f) {
  for (int i = f ? (int)(f - ir->functions) + 1 : 0; i < ir->function_count; i++)
    if (!ir->functions[i].unbound) return &ir->functions[i];
  return NULL;
}

int bind_count_made(const bind_function *f) {
  int count = 0;
  for (int i = 0; i < f->param_count; i++) count += f->params[i].made;
  return count;
}

bool bind_is_passed(const bind_param *p, bool make) {
  return !(make && p->made) && !p->returned && p->type.kind != BIND_STREAM;
}

int bind_count_results(const bind_function *f, bool make) {
  int count = f->returns == BIND_RETURN_VALUE;
  for (int i = 0; i < f->param_count; i++) count += f->params[i].returned || (make && f->params[i].made);
  return count;
}

bool bind_is_const(const bind_type *type) { return strncmp(type->c, "const ", 6) == 0; }

const char *bind_use_mode(const bind_function *f, const bind_param *p) {
  if (f->threadsafe) return "DLF_USE_UNLOCKED";
  return bind_is_const(&p->type) ? "DLF_USE_SHARED" : "DLF_USE_EXCLUSIVE";
}

const bind_param *bind_first_tensor(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if ((f->params[i].type.kind == BIND_TENSOR && !f->params[i].made) || f->params[i].type.kind == BIND_LIST)
      return &f->params[i];
  return NULL;
}

bool bind_enum_is_used(const bind_ir *ir, const bind_enum *e) {
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->returns == BIND_RETURN_VALUE && f->result.enumeration == e) return true;
    for (int i = 0; i < f->param_count; i++)
      if (f->params[i].type.enumeration == e) return true;
  }
  return false;
}

/* ---- C ---- */

const char *bind_scalar_c(bind_scalar scalar) {
  static const char *const names[] = {"",         "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t",
                                      "uint16_t", "uint32_t", "uint64_t", "float",   "double"};
  return names[scalar];
}

const char *bind_scalar_name(bind_scalar scalar) {
  static const char *const names[] = {"", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"};
  return names[scalar];
}

int64_t bind_scalar_highest(bind_scalar scalar) {
  static const int64_t highest[] = {0,          INT8_MAX,   INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX,
                                    UINT16_MAX, UINT32_MAX, INT64_MAX, 0,         0};
  return highest[scalar];
}

dlf_parameter_kind bind_parameter_kind(const bind_param *p) {
  if (p->type.kind == BIND_GIVEN) return DLF_PARAMETER_GIVEN;
  if (p->returned) return DLF_PARAMETER_OTHER;
  switch (p->type.kind) {
  case BIND_TENSOR: return p->direction == BIND_IN ? DLF_PARAMETER_INPUT : DLF_PARAMETER_OUTPUT;
  case BIND_LIST: return DLF_PARAMETER_LIST;
  case BIND_ARRAY: return DLF_PARAMETER_ARRAY;
  case BIND_INTEGER: return p->type.scalar == BIND_U64 ? DLF_PARAMETER_UNSIGNED : DLF_PARAMETER_INTEGER;
  case BIND_REAL: return DLF_PARAMETER_REAL;
  default: return DLF_PARAMETER_OTHER;
  }
}

const dlf_parameter *bind_contract_parameters(const bind_function *f) {
  dlf_parameter *parameters = bind_alloc((size_t)f->c_param_count + 1, sizeof *parameters);
  for (int i = 0; i < f->c_param_count; i++) {
    const bind_c_param *p = &f->c_params[i];
    const bool wide = p->type.scalar == BIND_U64;
    parameters[i].name = p->name;
    parameters[i].kind = p->param ? bind_parameter_kind(p->param)
                         : wide   ? DLF_PARAMETER_UNSIGNED
                                  : DLF_PARAMETER_INTEGER;
  }
  return parameters;
}

void bind_put_c_param(bind_text *text, const bind_param *p, bool make) {
  if (make && p->made)
    bind_put(text, "DLManagedTensorVersioned **%s, ", p->name);
  else if (p->type.kind == BIND_TENSOR)
    bind_put(text, "dlf_arg %s, ", p->name);
  else if (p->type.kind == BIND_LIST)
    bind_put(text, "const dlf_arg *%s, int64_t %s_count, ", p->name, p->name);
  else if (p->type.kind == BIND_ARRAY)
    bind_put(text, "%s%s, int64_t %s_count, ", p->type.c, p->name, p->name);
  else
    bind_put(text, "%s%s%s, ", p->type.c, p->returned && p->type.kind != BIND_GIVEN ? "*" : "", p->name);
}

static void c_put_twin(bind_text *text, const bind_function *f, const char *name, bool make) {
  bind_put(text, "dlf_status %s(", name);
  for (int i = 0; i < f->param_count; i++) bind_put_c_param(text, &f->params[i], make);
  if (f->returns == BIND_RETURN_VALUE) bind_put(text, "%s*%s, ", f->result.c, bind_result_name(f));
  bind_put(text, "dlf_error *error)");
}

const char *bind_result_name(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (strcmp(f->params[i].name, "result") == 0) return "dlf_result";
  return "result";
}

void bind_put_twin(bind_text *text, const bind_function *f, const char *name) { c_put_twin(text, f, name, false); }

void bind_put_checked(bind_text *text, const bind_function *f) { bind_put_twin(text, f, f->checked_name); }

void bind_put_new(bind_text *text, const bind_function *f) { c_put_twin(text, f, f->new_name, true); }
