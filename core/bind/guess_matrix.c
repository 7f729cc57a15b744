/* SPDX-License-Identifier: Apache-2.0 */
#include "guess_matrix.h"
#include "bind/base/names.h"
#include "bind/ir/parameters.h"
#include "guess_length.h"
#include "guess_words.h"
#include <string.h>

/* ---- steps: BLAS's incX, GSL's stride ---- */

static bool guess_is_step(const bind_param *step, const bind_param *p) {
  const char *name = bind_snake(step->name);
  const char *of = bind_snake(p->name);
  const char *const names[] = {bind_string("inc%s", of),
                               bind_string("inc_%s", of),
                               bind_string("%sstride", of),
                               bind_string("%s_stride", of),
                               bind_string("stride%s", of + strlen(guess_stem(of)))};
  BIND_EACH_STRING (known, names) {
    if (strcmp(name, *known) == 0) {
      return true;
    }
  }
  return false;
}

/* n1 of data1, else the only length. */
static const bind_param *guess_step_length(const guess_plan *g, const bind_param *p) {
  const char *digits = bind_snake(p->name) + strlen(guess_stem(p->name));
  const bind_param *own = NULL;
  if (*digits) {
    own = guess_integer(g->f, bind_string("n%s", digits));
  }
  if (guess_integer(g->f, "m") || guess_integer(g->f, "k")) {
    return NULL; /* of a matrix */
  }
  if (own) {
    return own;
  }
  return guess_integer(g->f, "n");
}

/* C's plain char has a sign on some machines only. */
static bool guess_is_char(const bind_param *p) {
  return strcmp(p->type.c, "char *") == 0;
}

bool guess_put_strided(guess_plan *g, const bind_param *p) {
  const bind_param *length = guess_step_length(g, p);
  const bind_param *step = bind_integer_beside(g->f, p, 1);
  if (!step || !guess_is_step(step, p)) {
    return false;
  }
  if (!length || guess_is_typedef(p) || guess_is_char(p) ||
      strcmp(guess_elements(g->ir, p), "any") == 0) {
    return false;
  }
  if (!guess_is_row(p->name) && !guess_integer(g->f, "n")) {
    return false;
  }
  const bool blas = bind_begins(bind_snake(step->name), "inc");
  guess_take(g, length);
  guess_explain(g, step);
  guess_say(g,
            "high: its step is named after it",
            "%s strided; %s := stride(%s)%s",
            guess_tensor(g, p, length->name),
            step->name,
            p->name,
            bind_when(blas, " blas"));
  return true;
}

/* ---- matrices, by BLAS's and LAPACK's names ---- */

static bool guess_is_matrix(const guess_plan *g, const bind_param *p) {
  const bind_param *step = bind_integer_beside(g->f, p, 1);
  return step && guess_elements(g->ir, p) &&
         strcmp(bind_snake(step->name), bind_string("ld%s", bind_snake(p->name))) == 0;
}

static bool guess_has(const bind_function *f, const char *name) {
  BIND_EACH_PARAM (p, f) {
    if (strcmp(bind_snake(p->name), name) == 0) {
      return true;
    }
  }
  return false;
}

/* Tell whether a function has no number beside the extents and steps that these names explain. */
static bool guess_is_plain(const guess_plan *g) {
  BIND_EACH_PARAM (p, g->f) {
    const char *name = bind_snake(p->name);
    const bool step = p > g->f->params && (guess_is_matrix(g, p - 1) || guess_is_step(p, p - 1));
    if (bind_is_integer(p) && !step && !bind_word_in(name, "m n k nrhs matrix_layout itype")) {
      return false;
    }
  }
  return !guess_has(g->f, "side");
}

/* C of gemm is A times B; of a system of equations A is square, and B has the right sides. */
static bool guess_extents(const guess_plan *g, const bind_param *p, const bind_param **rows,
                          const bind_param **columns) {
  const bind_param *m = guess_integer(g->f, "m");
  const bind_param *n = guess_integer(g->f, "n");
  const bind_param *k = guess_integer(g->f, "k");
  const bind_param *right = guess_integer(g->f, "nrhs");
  const char *name = bind_snake(p->name);
  char letter = 0;
  if (!name[1]) {
    letter = *name;
  }
  *rows = *columns = n;
  if (!n || !letter || !strchr("abc", letter) || !guess_is_plain(g)) {
    return false;
  }
  if (k) {
    if (letter == 'b') {
      *rows = k;
    } else {
      *rows = m;
    }
    if (letter == 'a') {
      *columns = k;
    }
    return m && guess_has(g->f, "a") && guess_has(g->f, "b") && guess_has(g->f, "c");
  }
  if (right && letter == 'b') {
    *columns = right;
  }
  if (m) {
    *rows = m;
  }
  return !m || (!right && letter == 'a' && !guess_has(g->f, "b"));
}

bool guess_put_matrix(guess_plan *g, const bind_param *p) {
  const bind_param *rows, *columns;
  if (!guess_is_matrix(g, p) || !guess_extents(g, p, &rows, &columns)) {
    return false;
  }
  guess_take(g, rows);
  guess_take(g, columns);
  guess_explain(g, p + 1);
  /* a matrix in columns is the transposed one, whose upper part is the lower */
  const char *layout = "strided";
  if (guess_has(g->f, "uplo") && !guess_integer(g->f, "matrix_layout")) {
    layout = "rows";
  }
  const char *extents = bind_concat(rows->name, ", ", columns->name);
  guess_say(g,
            "fair: names of BLAS and LAPACK",
            "%s %s; %s := ld(%s)",
            guess_tensor(g, p, extents),
            layout,
            p[1].name,
            p->name);
  return true;
}

bool guess_put_vector(guess_plan *g, const bind_param *p) {
  const bind_param *n = guess_integer(g->f, "n");
  if (!guess_integer(g->f, "matrix_layout") || !n || guess_integer(g->f, "m") ||
      !guess_is_plain(g)) {
    return false;
  }
  if (!bind_word_in(bind_snake(p->name), "ipiv w wr wi")) {
    return false;
  }
  guess_take(g, n);
  guess_say(g, "fair: names of LAPACK", "%s", guess_tensor(g, p, n->name));
  return true;
}

void guess_put_layout(guess_plan *g, const bind_param *p) {
  const char *all = "";
  const char *order = bind_string("%s := LAPACK_ROW_MAJOR", p->name);
  BIND_EACH_PARAM (q, g->f) {
    if (guess_is_matrix(g, q)) {
      all = bind_join(all, ", ", q->name);
    }
  }
  if (*all) {
    order = bind_string(
        "%s := order(%s) {rows: LAPACK_ROW_MAJOR, columns: LAPACK_COL_MAJOR}", p->name, all);
  }
  guess_explain(g, p);
  guess_say(g, "high: LAPACK's order", "%s", order);
}

static const char *guess_enumerator(const bind_enum *e, const char *word, const char *not) {
  for (int i = 0; e && i < e->count; i++) {
    const char *name = bind_snake(e->values[i].name);
    if (strstr(name, word) && !(not && strstr(name, not))) {
      return e->values[i].name;
    }
  }
  return NULL;
}

void guess_put_enum(guess_plan *g, const bind_param *p) {
  const bind_enum *e = p->type.enumeration;
  const char *rows = guess_enumerator(e, "row_major", NULL);
  const char *as_is = guess_enumerator(e, "no_trans", NULL);
  const char *turned = guess_enumerator(e, "trans", "no_trans");
  const char *name = bind_snake(p->name);
  char letter = 0;
  if (*name) {
    letter = name[strlen(name) - 1];
  }
  if (rows) {
    guess_say(g, "high: a matrix in rows", "%s := %s", p->name, rows);
  }
  if (!as_is || !turned || guess_has(g->f, "uplo")) {
    return;
  }
  BIND_EACH_PARAM (q, g->f) {
    if (guess_is_matrix(g, q) && !q->name[1] && *bind_snake(q->name) == letter) {
      guess_say(g,
                "fair: names of BLAS",
                "%s := order(%s) {rows: %s, columns: %s}",
                p->name,
                q->name,
                as_is,
                turned);
    }
  }
}
