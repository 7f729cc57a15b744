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
static int guess_step_length(const guess_plan *g, const bind_param *p) {
  const char *digits = bind_snake(p->name) + strlen(guess_stem(p->name));
  int own = -1;
  if (*digits) {
    own = guess_integer(g->f, bind_string("n%s", digits));
  }
  if (guess_integer(g->f, "m") >= 0 || guess_integer(g->f, "k") >= 0) {
    return -1; /* of a matrix */
  }
  if (own >= 0) {
    return own;
  }
  return guess_integer(g->f, "n");
}

/* C's plain char has a sign on some machines only. */
static bool guess_is_char(const bind_param *p) {
  return strcmp(p->type.c, "char *") == 0;
}

bool guess_put_strided(guess_plan *g, const bind_param *p) {
  const int i = guess_index(g, p);
  const int length = guess_step_length(g, p);
  const bind_param *step = NULL;
  if (bind_is_integer(g->f, i + 1)) {
    step = p + 1;
  }
  if (!step || !guess_is_step(step, p)) {
    return false;
  }
  if (length < 0 || guess_is_typedef(p) || guess_is_char(p) ||
      strcmp(guess_elements(g->ir, p), "any") == 0) {
    return false;
  }
  if (!guess_is_row(p->name) && guess_integer(g->f, "n") < 0) {
    return false;
  }
  const bool blas = strncmp(bind_snake(step->name), "inc", 3) == 0;
  guess_take(g, length);
  g->used[i + 1] = true;
  guess_say_both(g,
                 "high: its step is named after it",
                 bind_concat(guess_tensor(g, p, g->f->params[length].name), " strided", ""),
                 bind_string("%s := stride(%s)%s", step->name, p->name, bind_when(blas, " blas")));
  return true;
}

/* ---- matrices, by BLAS's and LAPACK's names ---- */

static bool guess_is_matrix(const guess_plan *g, int i) {
  return guess_elements(g->ir, &g->f->params[i]) && bind_is_integer(g->f, i + 1) &&
         strcmp(bind_snake(g->f->params[i + 1].name),
                bind_string("ld%s", bind_snake(g->f->params[i].name))) == 0;
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
  for (int i = 0; i < g->f->param_count; i++) {
    const char *name = bind_snake(g->f->params[i].name);
    const bool step =
        i && (guess_is_matrix(g, i - 1) || guess_is_step(&g->f->params[i], &g->f->params[i - 1]));
    if (bind_is_integer(g->f, i) && !step &&
        !bind_word_in(name, "m n k nrhs matrix_layout itype")) {
      return false;
    }
  }
  return !guess_has(g->f, "side");
}

/* C of gemm is A times B; of a system of equations A is square, and B has the right sides. */
static bool guess_extents(const guess_plan *g, const bind_param *p, int *rows, int *columns) {
  const int m = guess_integer(g->f, "m");
  const int n = guess_integer(g->f, "n");
  const int k = guess_integer(g->f, "k");
  const int right = guess_integer(g->f, "nrhs");
  const char *name = bind_snake(p->name);
  char letter = 0;
  if (!name[1]) {
    letter = *name;
  }
  *rows = *columns = n;
  if (n < 0 || !letter || !strchr("abc", letter) || !guess_is_plain(g)) {
    return false;
  }
  if (k >= 0) {
    const bool product =
        m >= 0 && guess_has(g->f, "a") && guess_has(g->f, "b") && guess_has(g->f, "c");
    if (letter == 'b') {
      *rows = k;
    } else {
      *rows = m;
    }
    if (letter == 'a') {
      *columns = k;
    } else {
      *columns = n;
    }
    return product;
  }
  if (right >= 0 && letter == 'b') {
    *columns = right;
  }
  if (m >= 0) {
    *rows = m;
  }
  return m < 0 || (right < 0 && letter == 'a' && !guess_has(g->f, "b"));
}

bool guess_put_matrix(guess_plan *g, const bind_param *p) {
  int rows, columns;
  const int i = guess_index(g, p);
  if (!guess_is_matrix(g, i) || !guess_extents(g, p, &rows, &columns)) {
    return false;
  }
  guess_take(g, rows);
  guess_take(g, columns);
  g->used[i + 1] = true;
  /* a matrix in columns is the transposed one, whose upper part is the lower */
  const char *layout = " strided";
  if (guess_has(g->f, "uplo") && guess_integer(g->f, "matrix_layout") < 0) {
    layout = " rows";
  }
  const char *extents = bind_concat(g->f->params[rows].name, ", ", g->f->params[columns].name);
  guess_say_both(g,
                 "fair: names of BLAS and LAPACK",
                 bind_concat(guess_tensor(g, p, extents), layout, ""),
                 bind_string("%s := ld(%s)", p[1].name, p->name));
  return true;
}

bool guess_put_vector(guess_plan *g, const bind_param *p) {
  const int n = guess_integer(g->f, "n");
  if (guess_integer(g->f, "matrix_layout") < 0 || n < 0 || guess_integer(g->f, "m") >= 0 ||
      !guess_is_plain(g)) {
    return false;
  }
  if (!bind_word_in(bind_snake(p->name), "ipiv w wr wi")) {
    return false;
  }
  guess_take(g, n);
  guess_say(g, "fair: names of LAPACK", "%s", guess_tensor(g, p, g->f->params[n].name));
  return true;
}

void guess_put_layout(guess_plan *g, const bind_param *p) {
  const char *all = "";
  const char *order = bind_string("%s := LAPACK_ROW_MAJOR", p->name);
  for (int i = 0; i < g->f->param_count; i++) {
    if (guess_is_matrix(g, i)) {
      all = bind_join(all, ", ", g->f->params[i].name);
    }
  }
  if (*all) {
    order = bind_string(
        "%s := order(%s) {rows: LAPACK_ROW_MAJOR, columns: LAPACK_COL_MAJOR}", p->name, all);
  }
  g->used[guess_index(g, p)] = true;
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
  char letter = 0;
  if (*p->name) {
    letter = bind_snake(p->name)[strlen(bind_snake(p->name)) - 1];
  }
  if (rows) {
    guess_say(g, "high: a matrix in rows", "%s := %s", p->name, rows);
  }
  for (int i = 0; as_is && turned && !guess_has(g->f, "uplo") && i < g->f->param_count; i++) {
    if (guess_is_matrix(g, i) && !g->f->params[i].name[1] &&
        *bind_snake(g->f->params[i].name) == letter) {
      guess_say(g,
                "fair: names of BLAS",
                "%s := order(%s) {rows: %s, columns: %s}",
                p->name,
                g->f->params[i].name,
                as_is,
                turned);
    }
  }
}
