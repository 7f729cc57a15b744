/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses in words. The texts of clauses are normal forms, such as "opt T[h, w] *n strided noalias
 * align 64 cpu|cuda". */
#include "words.h"
#include "bind/base/names.h"
#include "bind/base/text.h"
#include "parameters.h"
#include <dlferry.h>
#include <string.h>

/* ---- dtypes ---- */

/* "f32|f64" is "float32 or float64". */
static const char *words_dtypes(const char *types, size_t size) {
  const char *text = "";
  for (const char *end = types + size; types < end;) {
    const size_t length = strcspn(types, "| ;[");
    size_t word = length;
    if (types + length > end) {
      word = (size_t)(end - types);
    }
    const char *name = bind_string("%.*s", (int)word, types);
    char whole[DLF_NAME_CAPACITY];
    DLDataType dtype;
    if (dlf_dtype_parse(name, &dtype, NULL) == DLF_OK &&
        dlf_dtype_format(dtype, whole, sizeof whole) > 0) {
      name = bind_string("%s", whole);
    }
    types += word + (types[word] == '|');
    text = bind_join(text, types < end ? ", " : " or ", name);
  }
  return text;
}

/* Return the types of a clause: after the words before it, up to '[' or a blank. */
static const char *words_types(const char *clause, size_t *size) {
  static const char *const before[] = {"inout ", "out ", "in ", "opt "};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    if (strncmp(clause, before[i], strlen(before[i])) == 0) {
      clause += strlen(before[i]);
      i = (size_t)-1;
    }
  }
  *size = strcspn(clause, "[ ");
  return clause;
}

/* Return the dtypes that a type variable may have, "f32|f64", or NULL if the word is none. */
static const char *words_variable(const bind_function *f, const char *name, size_t size,
                                  size_t *length) {
  const char *start = bind_string("%.*s in ", (int)size, name);
  for (const char *at = f->contract; (at = strstr(at, start)); at++) {
    if (at > f->contract && at[-1] != ' ') {
      continue;
    }
    *length = strcspn(at + strlen(start), ";");
    return at + strlen(start);
  }
  return NULL;
}

/* " of float32 or float64", " of the dtype of image" for a variable that an earlier argument has,
 * or "" for any. */
static const char *words_elements(const bind_function *f, const bind_param *p, const char *types,
                                  size_t size) {
  size_t length, other;
  if (strncmp(types, "any", size) == 0 && size == 3) {
    return " of any dtype";
  }
  const char *variable = words_variable(f, types, size, &length);
  if (!variable) {
    return bind_string(" of %s", words_dtypes(types, size));
  }
  for (const bind_param *q = f->params; q < p; q++) {
    const char *its = words_types(q->contract, &other);
    if (other == size && strncmp(its, types, size) == 0) {
      return bind_string(" of the dtype of %s", q->name);
    }
  }
  if (strncmp(variable, "any", length) == 0 && length == 3) {
    return " of any dtype";
  }
  return bind_string(" of %s", words_dtypes(variable, length));
}

/* ---- shapes ---- */

/* "m/^2" is "m/2 rounded up", "hook(f)" is "f(...)", "m<=n" is "m". Return the end of the extent.
 */
static const char *words_extent(bind_text *t, const char *at) {
  size_t size = 0;
  const char *rounded = "";
  const char *most = strstr(at, "<=");
  for (int depth = 0; at[size] && (depth || (at[size] != ',' && at[size] != ']')); size++) {
    depth += (at[size] == '(') - (at[size] == ')');
  }
  if (most && most < at + size) {
    bind_raw(t, at, (size_t)(most - at));
    return at + size;
  }
  if (strncmp(at, "hook(", 5) == 0) {
    bind_put(t, "%.*s(...)", (int)strcspn(at + 5, "(,)"), at + 5);
    return at + size;
  }
  if (*at == '_' && size == 1) {
    bind_put(t, "any");
    return at + size;
  }
  for (size_t i = 0; i < size; i++) {
    if (at[i] == '/') {
      if (at[i + 1] == '^') {
        rounded = " rounded up";
      } else {
        rounded = " rounded down";
      }
    }
    if (at[i] != '^') {
      bind_raw(t, at + i, 1);
    }
  }
  bind_put(t, "%s", rounded);
  return at + size;
}

/* "m is at most 2*n, as C reports" for [m<=2*n], or "". */
static const char *words_most(const char *clause) {
  const char *most = strstr(clause, "<=");
  const char *name = most;
  bind_text t = {0};
  if (!most) {
    return "";
  }
  while (name > clause && !strchr("[ ", name[-1])) {
    name--;
  }
  if (most[2] == '_') {
    return bind_string("%.*s is what C reports", (int)(most - name), name);
  }
  words_extent(&t, most + 2);
  return bind_string("%.*s is at most %s, as C reports", (int)(most - name), name, bind_keep(&t));
}

/* What becomes of memory that the library owns or keeps. */
static const char *words_memory(const bind_function *f, const bind_param *p) {
  const bind_gift *gift = p->gift;
  if (gift && gift->kind == BIND_GIFT_LENT) {
    return bind_string("it is memory of %s, which it keeps open",
                       bind_or(gift->handle, "the object"));
  }
  if (gift && gift->kind == BIND_GIFT_FREED) {
    return bind_string("%s frees its memory", gift->freed);
  }
  if (gift) {
    return "it is a copy";
  }
  if (p->kept) {
    return bind_string("C keeps it as long as the %s",
                       p->kept_in ? p->kept_in : f->creates->short_name);
  }
  return "";
}

static const char *words_shape(const char *clause, int *axes) {
  const char *at = strchr(clause, '[');
  bind_text t = {0};
  *axes = -1;
  if (!at) {
    return "";
  }
  const char *end = strchr(at, ']');
  const bool run = end && strstr(at, "...") && strstr(at, "...") < end;
  if (strncmp(at, "[...]", 5) == 0) {
    return " of any shape";
  }
  *axes = 0;
  if (at[1] == ']') {
    return " without axes";
  }
  bind_put(&t, " with shape (");
  for (at++; *at && *at != ']'; at += strspn(at, ", ")) {
    at = words_extent(&t, at);
    (*axes)++;
    if (*at == ',') {
      bind_put(&t, ", ");
    }
  }
  bind_put(&t, *axes == 1 && !run ? ",)" : ")");
  if (run) {
    *axes = -1;
  }
  return bind_keep(&t);
}

/* ---- the words after the shape ---- */

static const struct words_row {
  const char *word, *text;
} words_rows[] = {
    {"strided", "any strides"},
    {"rows", "no gaps inside a row"},
    {"fortran", "column-major"},
    {"dense", "no gaps, axes in any order"},
    {"samelayout", "strides like those of the first array of this rank"},
    {"noalias", "no memory shared with other arguments"},
    {"samedevice", "on the device of the first array"},
    {"anydevice", "on any device"},
};

/* Return the part of a clause behind types, shape and count. */
static const char *words_rest(const char *clause) {
  const char *close = strchr(clause, ']');
  size_t size;
  const char *at = words_types(clause, &size) + size;
  if (strncmp(at - size, "like ", 5) == 0) {
    at += 1 + strcspn(at + 1, " ");
  }
  if (close) {
    at = close + 1;
  }
  at += strspn(at, " ");
  if (*at == '*') {
    at += strcspn(at, " ");
  }
  return at + strspn(at, " ");
}

/* Tell whether an argument of C is computed from a parameter: its source is "ld(a)", or "order(a,
 * b) {...}". */
static bool words_computes(const char *derived, const char *source, const char *name) {
  const size_t size = strlen(source);
  if (!derived || strncmp(derived, source, size) != 0 || derived[size] != '(') {
    return false;
  }
  const char *at = derived + size + 1;
  const char *end = strchr(at, ')');
  for (; end && at < end; at += strspn(at, ", ")) {
    const size_t length = strcspn(at, ",)");
    if (strlen(name) == length && strncmp(at, name, length) == 0) {
      return true;
    }
    at += length;
  }
  return false;
}

/* The strides of a `strided` tensor that C can be told: "rows or columns ..., in the same order as
 * u and vt". */
static const char *words_strides(const bind_function *f, const bind_param *p) {
  const char *matrix = NULL;
  const char *others = "";
  bool walks = false;
  for (int i = 0; i < f->c_param_count; i++) {
    const char *derived = f->c_params[i].derived;
    const bool ordered = words_computes(derived, "order", p->name);
    const bool same = ordered && !strstr(derived, "same: ");
    walks |= words_computes(derived, "stride", p->name) && strstr(derived, ") blas");
    if (ordered) {
      matrix = "rows or columns without gaps between their elements";
    }
    if (!matrix && words_computes(derived, "ld", p->name)) {
      matrix = "rows without gaps between their elements";
    }
    if (!same || *others) {
      continue;
    }
    BIND_EACH (const bind_param, q, f->params, f->param_count) {
      if (q != p && words_computes(derived, "order", q->name)) {
        others = bind_join(others, " and ", q->name);
      }
    }
  }
  if (*others) {
    return bind_string("%s, in the same order as %s", matrix, others);
  }
  if (matrix) {
    return matrix;
  }
  if (walks) {
    return "any stride but 0";
  }
  return "any strides";
}

static const char *words_properties(const bind_function *f, const bind_param *p, const char *clause,
                                    int axes) {
  const char *text = "";
  const char *order = "row-major";
  if (axes == 0) {
    order = "";
  } else if (axes == 1) {
    order = "contiguous";
  }
  bool like = strstr(clause, "like ") != NULL;
  for (const char *at = words_rest(clause); *at;) {
    const size_t size = strcspn(at, " ");
    const char *word = bind_string("%.*s", (int)size, at);
    const char *said = "";
    at += size + strspn(at + size, " ");
    for (size_t i = 0; i < sizeof words_rows / sizeof *words_rows; i++) {
      if (strcmp(word, words_rows[i].word) == 0) {
        said = words_rows[i].text;
      }
    }
    if (strcmp(word, "strided") == 0) {
      said = words_strides(f, p);
    }
    if (bind_word_in(word, "strided rows fortran dense samelayout")) {
      order = "";
    }
    if (strcmp(word, "align") == 0) {
      said = bind_string("aligned to %.*s bytes", (int)strcspn(at, " "), at);
      at += strcspn(at, " ");
      at += strspn(at, " ");
    }
    DLDevice device;
    if (dlf_device_parse(bind_string("%.*s", (int)strcspn(word, "|"), word), &device, NULL) ==
        DLF_OK) {
      said = "on ";
      for (const char *c = word; *c; c += strcspn(c, "|"), c += *c == '|') {
        said = bind_string("%s%s%.*s", said, bind_when(c > word, " or "), (int)strcspn(c, "|"), c);
      }
    }
    text = bind_join(text, ", ", said);
  }
  return bind_join(like ? "" : order, ", ", text);
}

/* ---- clauses ---- */

static const char *words_of_clause(const bind_function *f, const bind_param *p) {
  const char *clause = p->contract;
  const char *star = strstr(clause, " *");
  const char *text;
  size_t size;
  const char *types = words_types(clause, &size);
  int axes = -1;
  if (!*clause) {
    return "";
  }
  if (p->type.kind == BIND_ARRAY) {
    return bind_string("numbers, %s", words_dtypes(types, size));
  }
  if (strncmp(types, "like ", 5) == 0) {
    text = bind_string(
        "array of the dtype and shape of %.*s", (int)strcspn(types + 5, " "), types + 5);
  } else {
    const char *elements = words_elements(f, p, types, size);
    const char *shape = words_shape(clause, &axes);
    text = bind_string("array%s%s", elements, shape);
  }
  text = bind_join(text, ", ", words_properties(f, p, clause, axes));
  if (p->type.kind == BIND_LIST && star) {
    text = bind_string("%.*s arrays, each an %s", (int)strcspn(star + 2, " "), star + 2, text);
  }
  text = bind_join(text, "; ", words_most(clause));
  text = bind_join(text, "; ", words_memory(f, p));
  if (p->direction == BIND_INOUT) {
    text = bind_string("%s; it is read and written", text);
  }
  return text;
}

/* "k < hook(total(index))" is "k < total(...)". */
static const char *words_without_hooks(const char *text) {
  bind_text t = {0};
  for (const char *hook; (hook = strstr(text, "hook(")); text = hook) {
    bind_raw(&t, text, (size_t)(hook - text));
    bind_put(&t, "%.*s(...)", (int)strcspn(hook + 5, "(,) "), hook + 5);
    int depth = 0;
    do {
      depth += (*hook == '(') - (*hook == ')');
    } while (*hook++ && (depth || hook[-1] != ')'));
  }
  bind_put(&t, "%s", text);
  return bind_keep(&t);
}

/* "n % 3" is "n is a multiple of 3", "n in 0..3" is "0 <= n <= 3". */
static const char *words_of_constraint(const dlf__constraint *k) {
  switch (k->kind) {
  case DLF__RANGE:
    return bind_string("%s <= %s <= %s", k->right_text, k->left_text, k->high_text);
  case DLF__MULTIPLE:
    return bind_string("%s is a multiple of %s", k->left_text, k->right_text);
  default:
    return k->text;
  }
}

/* "'U' or 'L'" */
static const char *words_of_letters(const char *letters) {
  const char *text = "";
  for (const char *letter = letters; *letter; letter++) {
    text = bind_join(text, " or ", bind_string("'%c'", *letter));
  }
  return text;
}

static const char *words_of_limits(const bind_function *f, const bind_param *p) {
  const char *text = "";
  for (int32_t i = 0; i < f->compiled->constraint_count; i++) {
    const dlf__constraint *k = &f->compiled->constraints[i];
    if (bind_is_limited(p, k)) {
      text = bind_join(text, " and ", words_without_hooks(words_of_constraint(k)));
    }
  }
  if (p->type.kind == BIND_CHAR && *p->letters) {
    text = bind_join(text, " and ", bind_string("%s is %s", p->name, words_of_letters(p->letters)));
  }
  return text;
}

void words_describe(bind_function *f) {
  if (!f->compiled) { /* after a failure nothing is emitted */
    return;
  }
  for (int i = 0; i < f->param_count; i++) {
    f->params[i].words = words_of_clause(f, &f->params[i]);
    f->params[i].limits_words = words_of_limits(f, &f->params[i]);
  }
  f->derived_words = "";
  for (int i = 0; i < f->c_param_count; i++) {
    if (f->c_params[i].derived) {
      f->derived_words = bind_join(f->derived_words, ", ", f->c_params[i].name);
    }
  }
}
