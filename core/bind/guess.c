/* SPDX-License-Identifier: Apache-2.0 */
#include "guess.h"
#include "bind/base/names.h"
#include "bind/read/parameters.h"
#include <string.h>

static bool guess_begins(const char *name, const char *starts) {
  const char *snake = bind_snake(name);
  for (const char *start = starts; *start; start += strcspn(start, " "), start += *start == ' ')
    if (strncmp(snake, start, strcspn(start, " ")) == 0) return true;
  return false;
}

/* Find an integer that callers pass by its name in small letters; -1 for none. */
static int guess_integer(const bind_function *f, const char *name) {
  for (int i = 0; i < f->param_count; i++)
    if (bind_is_integer(f, i) && strcmp(bind_snake(f->params[i].name), name) == 0) return i;
  return -1;
}

/* ---- pointers ---- */

/* The dtype of C's element, as it is spelled: "const float *", "const uint64_t **"; NULL if it is no number. */
static const char *guess_dtype(const char *c) {
  static const char *const known[][2] = {
      {"float", "f32"},         {"double", "f64"},       {"int", "i32"},      {"unsigned int", "u32"},
      {"unsigned", "u32"},      {"long", "i64"},         {"int8_t", "i8"},    {"signed char", "i8"},
      {"uint8_t", "u8"},        {"unsigned char", "u8"}, {"char", "u8"},      {"int16_t", "i16"},
      {"short", "i16"},         {"uint16_t", "u16"},     {"int32_t", "i32"},  {"uint32_t", "u32"},
      {"int64_t", "i64"},       {"long long", "i64"},    {"uint64_t", "u64"}, {"size_t", "u64"},
      {"unsigned long", "u64"}, {"bool", "bool"},        {"_Bool", "bool"},   {"void", "any"}};
  if (strncmp(c, "const ", 6) == 0) c += 6;
  const char *word = bind_string("%.*s", (int)strcspn(c, "*"), c);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const size_t size = strlen(known[i][0]);
    if (strncmp(word, known[i][0], size) == 0 && (!word[size] || strcmp(word + size, " ") == 0)) return known[i][1];
  }
  if (strstr(bind_snake(word), "byte")) return "u8"; /* Bytef, png_byte */
  if (strstr(bind_snake(word), "complex")) return strstr(word, "float") || strstr(word, "f_") ? "c64" : "c128";
  return NULL;
}

static int guess_stars(const char *c) {
  int stars = 0;
  for (; *c; c++) stars += *c == '*';
  return stars;
}

/* Tell whether functions seem to make and free a type. */
static bool guess_is_handle(const bind_ir *ir, const char *type) {
  for (int i = 0; i < ir->guess_count; i++)
    if (strncmp(ir->guesses[i], bind_string("handle %s ", type), strlen(type) + 8) == 0) return true;
  return false;
}

/* The elements behind a pointer, or NULL for another parameter. */
static const char *guess_elements(const bind_ir *ir, const bind_param *p) {
  const bind_kind kind = p->type.kind;
  const bool number = kind == BIND_INTEGER || kind == BIND_REAL || kind == BIND_COMPLEX;
  if (kind == BIND_ARRAY || (p->returned && number)) return bind_scalar_name(p->type.scalar);
  if (p->returned && kind == BIND_BOOL) return "bool";
  return kind == BIND_OTHER && !(p->type.alias && guess_is_handle(ir, p->type.alias)) ? p->type.elements : NULL;
}

/* Like fread's buffer, whose size is a product of two numbers: no clause says that. */
static bool guess_is_product(const bind_function *f, int pointer) {
  return bind_is_integer(f, pointer + 1) && bind_is_integer(f, pointer + 2) &&
         strcmp(bind_snake(f->params[pointer + 1].name), "size") == 0 &&
         guess_begins(f->params[pointer + 2].name, "n count num");
}

/* The part of a length's name behind a pointer's: "len" of sourceLen for source; NULL for another name. */
static const char *guess_rest(const char *length, const char *pointer) {
  const char *name = bind_snake(length), *of = bind_snake(pointer);
  const size_t size = strlen(of);
  if (!size || strncmp(name, of, size) != 0) return NULL;
  name += size + (name[size] == '_');
  return guess_begins(name, "n len size count num capacity") ? name : NULL;
}

/* The integer that may be a pointer's length: called like it, just behind it or before it, else one with such a name. -1
 * for none. */
static int guess_length(const bind_function *f, int pointer) {
  static const char lengths[] = "n len size count num";
  for (int i = 0; i < f->param_count; i++)
    if (bind_is_integer(f, i) && guess_rest(f->params[i].name, f->params[pointer].name)) return i;
  if (bind_is_integer(f, pointer + 1) && guess_begins(f->params[pointer + 1].name, lengths)) return pointer + 1;
  if (bind_is_integer(f, pointer - 1) && guess_begins(f->params[pointer - 1].name, lengths)) return pointer - 1;
  for (int i = 0; i < f->param_count; i++)
    if (bind_is_integer(f, i) && guess_begins(f->params[i].name, lengths) && !strstr(f->params[i].name, "thread"))
      return i;
  return -1;
}

/* A matrix's extents by BLAS's names: A is m by k, B is k by n, C is m by n; without k, A is m by n. */
static const char *guess_matrix(const bind_function *f, const char *name, bool *lengths) {
  const int m = guess_integer(f, "m"), n = guess_integer(f, "n"), k = guess_integer(f, "k");
  const int right = guess_integer(f, "nrhs");
  const char letter = *bind_snake(name);
  int rows = m < 0 ? n : m, columns = n;
  if (name[1]) return "_, _";
  if (k >= 0 && m >= 0 && letter == 'a') columns = k;
  if (k >= 0 && m >= 0 && letter == 'b') rows = k;
  if (right >= 0 && letter == 'b') columns = right;
  if (rows < 0 || columns < 0 || !strchr("abc", letter)) return "_, _";
  lengths[rows] = lengths[columns] = true;
  return bind_string("%s, %s", f->params[rows].name, f->params[columns].name);
}

static bool guess_is_matrix(const bind_ir *ir, const bind_function *f, int i) {
  return guess_elements(ir, &f->params[i]) && bind_is_integer(f, i + 1) &&
         guess_begins(f->params[i + 1].name, "ld lead");
}

/* LAPACK takes one order for all matrices. */
static void guess_put_layout(bind_text *t, const bind_ir *ir, const bind_function *f, const char *name,
                             const char *mark) {
  const char *all = "";
  for (int i = 0; i < f->param_count; i++)
    if (guess_is_matrix(ir, f, i)) all = bind_join(all, ", ", f->params[i].name);
  if (*all)
    bind_line(t, "%s%s := order(%s) {rows: LAPACK_ROW_MAJOR, columns: LAPACK_COL_MAJOR};", mark, name, all);
  else
    bind_line(t, "%s%s := LAPACK_ROW_MAJOR;", mark, name);
}

static const char *guess_use(const bind_param *p) {
  if (p->type.kind == BIND_ARRAY || strncmp(p->type.c, "const ", 6) == 0) return "";
  return guess_begins(p->name, "out result dst dest") ? "out " : "inout ";
}

/* The most that a function writes: compressBound(sourceLen) for compress2; "_", since only the caller knows it. */
static const char *guess_bound(const bind_ir *ir, const bind_function *f) {
  size_t size = strlen(f->name);
  while (size && f->name[size - 1] >= '0' && f->name[size - 1] <= '9') size--;
  for (const bind_function *g = ir->functions; g < ir->functions + ir->function_count; g++)
    if (strncmp(g->name, f->name, size) == 0 && guess_begins(g->name + size, "bound _bound max_ _max") &&
        g->param_count == 1 && bind_is_integer(g, 0) && g->result.kind == BIND_INTEGER &&
        guess_integer(f, bind_snake(g->params[0].name)) >= 0)
      return bind_string("hook(%s(%s))", g->name, g->params[0].name);
  return "_";
}

/* The number that says how many bytes C wrote of those behind a pointer: itself a pointer, as in `dest, uLong *destLen`, or
 * the room, where the function's result says it, as in `dest, size_t destSize`. NULL for another pointer. */
static const bind_param *guess_count(const bind_ir *ir, const bind_function *f, int i) {
  const bind_param *p = &f->params[i];
  const char *elements = guess_elements(ir, p);
  if (!elements || !*guess_use(p) || !(strcmp(elements, "u8") == 0 || strcmp(elements, "any") == 0)) return NULL;
  for (const bind_param *q = f->params; q < f->params + f->param_count; q++)
    if (q->type.kind == BIND_INTEGER && guess_rest(q->name, p->name) && (q->returned || f->result.kind == BIND_INTEGER))
      return q;
  return NULL;
}

static bool guess_is_count(const bind_ir *ir, const bind_function *f, const bind_param *count) {
  for (int i = 0; i < f->param_count; i++)
    if (guess_count(ir, f, i) == count) return true;
  return false;
}

static void guess_put_part(bind_text *t, const bind_ir *ir, const bind_function *f, int i, const char *mark) {
  const bind_param *p = &f->params[i], *count = guess_count(ir, f, i);
  bind_line(t, "%s%s: out u8[written <= %s];", mark, p->name, count->returned ? guess_bound(ir, f) : "_");
  if (count->returned)
    bind_line(t, "%swritten := *%s;", mark, count->name);
  else
    bind_line(t, "%s%s := written;  %swritten := result;", mark, count->name, mark);
}

/* Tell whether a length beside `void *` counts bytes, not elements: nbytes, size, src_len. */
static bool guess_in_bytes(const char *name) {
  const char *snake = bind_snake(name);
  return strstr(snake, "byte") || strstr(snake, "size") || strstr(snake, "len");
}

/* C changes the length of an input: no clause says that. */
static bool guess_is_beyond(const bind_ir *ir, const bind_function *f) {
  for (int i = 1; i < f->param_count; i++) {
    const bind_param *p = &f->params[i], *in = p - 1;
    if (p->returned && p->type.kind == BIND_INTEGER && guess_elements(ir, in) && !*guess_use(in) &&
        guess_rest(p->name, in->name))
      return true;
  }
  return false;
}

/* Tell whether the length of a `void *` is that of an earlier one. */
static bool guess_has_length(const bind_ir *ir, const bind_function *f, int i) {
  for (int k = 0; k < i; k++)
    if (guess_elements(ir, &f->params[k]) && strcmp(guess_elements(ir, &f->params[k]), "any") == 0 &&
        guess_length(f, k) == guess_length(f, i))
      return true;
  return false;
}

/* ---- what handles keep ---- */

/* The handle that a function makes, if guesses are right: "fftw_plan"; NULL for none. */
static const char *guess_made(const bind_ir *ir, const bind_function *f) {
  if (f->creates) return f->creates->name;
  return f->result.alias && guess_is_handle(ir, f->result.alias) ? f->result.alias : NULL;
}

static bool guess_takes(const bind_param *p, const char *handle) {
  return (p->type.handle && strcmp(p->type.handle->name, handle) == 0) ||
         (p->type.alias && strcmp(p->type.alias, handle) == 0);
}

/* Tell whether the handle that a function makes keeps what it is given, since one like fftw_execute takes it alone. */
static bool guess_keeps(const bind_ir *ir, const bind_function *f) {
  const char *handle = guess_made(ir, f);
  for (const bind_function *g = ir->functions; handle && g < ir->functions + ir->function_count; g++) {
    const char *name = bind_snake(g->short_name);
    if (g->param_count == 1 && g->result.kind == BIND_VOID && guess_takes(&g->params[0], handle) &&
        (strstr(name, "execute") || strstr(name, "run") || strstr(name, "compute")))
      return true;
  }
  return false;
}

/* Planners of a library that has fftw_make_planner_thread_safe, and functions whose comment says so, need a lock. */
static bool guess_locks(const bind_ir *ir, const bind_function *f, bool makes) {
  const char *doc = bind_string("%s %s", f->summary, f->description);
  if (strstr(doc, "not thread-safe") || strstr(doc, "not thread safe") || strstr(doc, "not reentrant")) return true;
  for (const bind_function *g = ir->functions; makes && g < ir->functions + ir->function_count; g++)
    if (strstr(bind_snake(g->name), "thread_safe")) return true;
  return false;
}

static void guess_put_attributes(bind_text *t, const bind_ir *ir, const bind_function *f, const char *mark) {
  const bool keeps = guess_keeps(ir, f);
  for (int i = 0; keeps && i < f->param_count; i++)
    if (f->unbound && guess_elements(ir, &f->params[i]) && f->params[i].type.kind != BIND_ARRAY)
      bind_line(t, "%skeeps %s in result;", mark, f->params[i].name);
  if (!f->lock && guess_locks(ir, f, keeps)) bind_line(t, "%slock %s;", mark, ir->name);
  const bool value = f->returns == BIND_RETURN_VALUE && f->result.kind >= BIND_INTEGER && f->result.kind <= BIND_ENUM;
  if (f->method_of && !f->property && !f->said_method && f->param_count == 1 && value &&
      strncmp(f->params[0].type.c, "const ", 6) == 0)
    bind_line(t, "%sproperty;", mark);
}

static void guess_put_pointer(bind_text *t, const bind_ir *ir, const bind_function *f, int i, const char *mark,
                              bool *lengths) {
  const bind_param *p = &f->params[i], *next = bind_is_integer(f, i + 1) ? p + 1 : NULL;
  const char *use = guess_use(p), *elements = guess_elements(ir, p);
  const int length = guess_length(f, i);
  const char *extent = length < 0 ? "_" : f->params[length].name;
  if (p->returned && !next && !guess_keeps(ir, f) && (length < 0 || guess_begins(p->name, "info rcond"))) {
    bind_line(t, "%s%s: out;", mark, p->name);
  } else if (guess_is_matrix(ir, f, i)) {
    bind_line(t, "%s%s: %s%s[%s] strided;  %s%s := ld(%s);", mark, p->name, use, elements,
              guess_matrix(f, p->name, lengths), mark, next->name, p->name);
  } else if (next && guess_begins(next->name, "inc strid step")) {
    const char *blas = guess_begins(next->name, "inc") ? " blas" : "";
    bind_line(t, "%s%s: %s%s[%s] strided;  %s%s := stride(%s)%s;", mark, p->name, use, elements, extent, mark,
              next->name, p->name, blas);
    if (length >= 0) lengths[length] = true;
  } else if (strcmp(elements, "any") == 0 && length >= 0 && guess_has_length(ir, f, i)) {
    return; /* one number is the length of one pointer */
  } else if (strcmp(elements, "any") == 0 && length >= 0 && guess_in_bytes(extent)) {
    bind_line(t, "%s%s: %sany[...];  %s%s := bytes(%s);", mark, p->name, use, mark, extent, p->name);
  } else {
    bind_line(t, "%s%s: %s%s[%s];", mark, p->name, use, elements, extent);
    if (length >= 0) lengths[length] = true;
  }
}

static const char guess_extents[] = "n len size count num out_len out_size out_n out_dim dim rank";

/* `const float **out`: memory of the library, whose length C gives. */
static bool guess_put_gift(bind_text *t, const bind_function *f, int i, const char *mark) {
  const bind_param *p = &f->params[i], *next = i + 1 < f->param_count ? p + 1 : NULL;
  const char *elements = guess_dtype(p->type.c), *extent = "_";
  if (p->type.kind != BIND_OTHER || guess_stars(p->type.c) != 2 || strncmp(p->type.c, "const ", 6) != 0) return false;
  if (next && next->returned && next->type.kind == BIND_INTEGER && guess_begins(next->name, "out_dim dim rank ndim"))
    return true; /* a list of extents, which another one names */
  if (!elements) return false;
  for (int k = 0; k + 1 < f->param_count; k++) {
    const bind_param *shape = &f->params[k], *rank = shape + 1;
    const bool counts = rank->returned && rank->type.kind == BIND_INTEGER;
    if (k != i && guess_stars(shape->type.c) == 2 && counts && guess_begins(rank->name, "out_dim dim rank ndim"))
      extent = bind_string("%s[%s]", shape->name, rank->name);
  }
  for (int k = 0; k < f->param_count && *extent == '_'; k++)
    if (f->params[k].returned && f->params[k].type.kind == BIND_INTEGER &&
        guess_begins(f->params[k].name, guess_extents))
      extent = f->params[k].name;
  if (*extent == '_') return false;
  bind_line(t, "%s%s: gives %s[%s] copied;", mark, p->name, elements, extent);
  return true;
}

/* Tell whether C writes the length of memory that it gives. */
static bool guess_is_extent(const bind_function *f, int i) {
  const bind_param *p = &f->params[i];
  bool gives = false;
  for (int k = 0; k < f->param_count; k++)
    gives |= f->params[k].type.kind == BIND_OTHER && guess_stars(f->params[k].type.c) == 2 &&
             strncmp(f->params[k].type.c, "const ", 6) == 0;
  return gives && p->returned && p->type.kind == BIND_INTEGER && guess_begins(p->name, guess_extents);
}

/* ---- other parameters ---- */

static const char *guess_enumerator(const bind_enum *e, const char *word, const char *not) {
  for (int i = 0; e && i < e->count; i++) {
    const char *name = bind_snake(e->values[i].name);
    if (strstr(name, word) && !(not && strstr(name, not))) return e->values[i].name;
  }
  return NULL;
}

static void guess_put_enum(bind_text *t, const bind_ir *ir, const bind_function *f, const bind_param *p,
                           const char *mark) {
  const bind_enum *e = p->type.enumeration;
  const char *rows = guess_enumerator(e, "row_major", NULL), *as_is = guess_enumerator(e, "no_trans", NULL);
  const char *turned = guess_enumerator(e, "trans", "no_trans");
  const char letter = *p->name ? bind_snake(p->name)[strlen(bind_snake(p->name)) - 1] : 0;
  if (rows) bind_line(t, "%s%s := %s;", mark, p->name, rows);
  for (int i = 0; as_is && turned && i < f->param_count; i++)
    if (guess_elements(ir, &f->params[i]) && !f->params[i].name[1] && *bind_snake(f->params[i].name) == letter)
      bind_line(t, "%s%s := order(%s) {rows: %s, columns: %s};", mark, p->name, f->params[i].name, as_is, turned);
}

static bool guess_put_interface(bind_text *t, const bind_param *p, const char *mark) {
  if (p->type.kind != BIND_STRING || !(strstr(p->doc, "array_interface") || strstr(p->name, "interface"))) return false;
  bind_line(t, "%s%s: f32|f64[...] strided;  %s%s := array_interface(%s);", mark, p->name, mark, p->name, p->name);
  return true;
}

/* A function that names a code, or the last failure. */
static const bind_function *guess_text(const bind_ir *ir) {
  for (const bind_function *f = ir->functions; f < ir->functions + ir->function_count; f++)
    if (f->result.kind == BIND_STRING && strstr(bind_snake(f->name), "err") &&
        (f->param_count == 0 || (f->param_count == 1 && bind_is_integer(f, 0))))
      return f;
  return NULL;
}

/* Tell whether a function has a place for results: then its own result may be a code. */
static bool guess_writes(const bind_function *f) {
  for (const bind_param *p = f->params; p < f->params + f->param_count; p++)
    if (p->returned || (p->type.kind == BIND_OTHER && !p->type.alias && strchr(p->type.c, '*') &&
                        strncmp(p->type.c, "const ", 6) != 0))
      return true;
  return false;
}

/* LAPACKE's functions have it first. */
static bool guess_is_lapack(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (bind_is_integer(f, i) && strcmp(f->params[i].name, "matrix_layout") == 0) return true;
  return false;
}

/* Names of results that are no codes. */
static bool guess_is_value(const bind_ir *ir, const bind_function *f) {
  for (int i = 0; i < f->param_count; i++) /* read and write return how much they did */
    if (guess_elements(ir, &f->params[i]) && strcmp(guess_elements(ir, &f->params[i]), "any") == 0) return true;
  const char *name = bind_string("_%s_", bind_snake(f->short_name));
  static const char *const words[] = {"eof_", "_count_", "_num_", "_size_", "_length_", "_version_",
                                      "_is_", "_has_",   "_get_", "_find_", "_index_",  "_compare_"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(name, words[i])) return !guess_writes(f);
  return false;
}

static void guess_put_status(bind_text *t, const bind_ir *ir, const bind_function *f, const char *mark) {
  const bind_function *text = guess_text(ir);
  const bool code = f->result.kind == BIND_ENUM && f->unbound;
  if (f->returns != BIND_RETURN_VALUE) return;
  if (!code && (f->result.kind != BIND_INTEGER || f->result.scalar != BIND_I32)) return;
  if (guess_is_value(ir, f)) return;
  if (guess_is_lapack(f))
    bind_line(t, "%sreturn: status info;", mark);
  else if (text)
    bind_line(t, "%sreturn: status text %s;", mark, text->name);
  else if (f->unbound && guess_writes(f))
    bind_line(t, "%sreturn: status;", mark);
}

void guess_put_handles(bind_text *t, const bind_ir *ir, const bind_function *f) {
  for (int i = 0; i < ir->guess_count; i++) {
    const char *type = ir->guesses[i] + sizeof "handle";
    const size_t size = strcspn(type, " ");
    bool used = false;
    for (const bind_param *p = f->params; p < f->params + f->param_count; p++) {
      const char *name = p->type.alias ? p->type.alias : p->type.c + (strncmp(p->type.c, "const ", 6) ? 0 : 6);
      used |= strncmp(name, type, size) == 0 && strchr(" *", name[size]);
    }
    if (used) bind_line(t, "%s;", ir->guesses[i]);
  }
}

/* Tell whether a function frees a handle, so that callers do not get it. */
static bool guess_frees(const bind_ir *ir, const bind_function *f) {
  for (int i = 0; i < ir->guess_count; i++) {
    const char *freed = strstr(ir->guesses[i], " freed ") + 7;
    if (strncmp(freed, f->name, strlen(f->name)) == 0 && (!freed[strlen(f->name)] || freed[strlen(f->name)] == ' '))
      return true;
  }
  return false;
}

void guess_put_function(bind_text *t, const bind_ir *ir, const bind_function *f, const char *mark) {
  bool *lengths = bind_alloc((size_t)f->param_count + 1, sizeof *lengths), counted = false;
  bind_open(t, "%s {", f->name);
  const bool hide = f->unbound && guess_is_beyond(ir, f), skip = hide || guess_frees(ir, f);
  if (hide) bind_line(t, "%shide;", mark);
  for (int i = 0; i < f->param_count && !skip; i++) {
    const bind_param *p = &f->params[i];
    if (guess_put_interface(t, p, mark) || guess_put_gift(t, f, i, mark)) continue;
    if (p->type.enumeration && !p->returned) guess_put_enum(t, ir, f, p, mark);
    if (bind_is_integer(f, i) && strcmp(p->name, "matrix_layout") == 0) guess_put_layout(t, ir, f, p->name, mark);
    if (!f->unbound || !guess_elements(ir, p) || guess_is_extent(f, i) || guess_is_count(ir, f, p) ||
        guess_is_product(f, i))
      continue;
    if (guess_count(ir, f, i)) {
      guess_put_part(t, ir, f, i, mark);
      counted |= !guess_count(ir, f, i)->returned;
    } else {
      guess_put_pointer(t, ir, f, i, mark, lengths);
    }
  }
  for (int i = 0; i < f->param_count; i++)
    if (lengths[i]) bind_line(t, "%s%s := %s;", mark, f->params[i].name, f->params[i].name);
  if (!skip) guess_put_attributes(t, ir, f, mark);
  if (!skip && !counted) guess_put_status(t, ir, f, mark);
  bind_close(t, "}");
}

/* ---- types of the whole header ---- */

/* "gemm" for cblas_sgemm without its prefix; NULL if no function for doubles goes with it. */
static const char *guess_family(const bind_function *f) {
  return f->short_name[0] == 's' && f->short_name[1] && f->short_name[1] != '_' ? f->short_name + 1 : NULL;
}

static const bind_function *guess_member(const bind_ir *ir, const bind_function *first, char letter) {
  const char *name = bind_string("%c%s", letter, first->short_name + 1);
  for (const bind_function *f = ir->functions; f < ir->functions + ir->function_count; f++)
    if (f->param_count == first->param_count && strcmp(f->short_name, name) == 0) return f;
  return NULL;
}

void guess_put_types(bind_text *t, const bind_ir *ir, const char *mark) {
  static const char *const members[] = {"df64", "cc64", "zc128"};
  for (int i = 0; i < ir->guess_count; i++) bind_line(t, "%s%s;", mark, ir->guesses[i]);
  for (const bind_function *f = ir->functions; f < ir->functions + ir->function_count; f++) {
    const char *name = guess_family(f);
    if (!name || f->family || !guess_member(ir, f, 'd')) continue;
    bind_put(t, "%sfamily %s { T in f32: %s", mark, name, f->name);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
      const bind_function *member = guess_member(ir, f, *members[i]);
      if (member) bind_put(t, " | %s: %s", members[i] + 1, member->name);
    }
    bind_put(t, " }\n");
  }
}
