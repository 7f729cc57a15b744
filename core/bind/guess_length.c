/* SPDX-License-Identifier: Apache-2.0 */
#include "guess_length.h"
#include "bind/base/names.h"
#include "bind/ir/parameters.h"
#include "guess_words.h"
#include <string.h>

/* Other numbers than a length tell how elements lie: how many a row has, how many there are of
 * each. */
static bool guess_has_shape(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (bind_is_integer(p) &&
        bind_word_in(
            guess_last(guess_stem(p->name)),
            "channels channel nch stride strides width height rows cols columns nrow ncol "
            "row col dim dims "
            "ndim ndims rank pitch depth planes frames frame batch nr nc lda ldb ldc ld")) {
      return true;
    }
  }
  return false;
}

/* An argument that says what is behind `void *` makes its length one of elements, or of structs. */
static bool guess_has_type(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (bind_word_in(guess_last(p->name), "type dtype datatype format")) {
      return true;
    }
  }
  return false;
}

/* Tell whether a number counts the elements of a pointer, or its bytes if only they are counted, as
 * its word says and the comments do not deny. */
static bool guess_counts(const guess_plan *g, const bind_param *p, const bind_param *length,
                         const char *word) {
  const char *elements = guess_elements(g->ir, p);
  const char *said = bind_join(guess_comment(p), " ", guess_comment(length));
  const bool bytes = bind_word_in(word, "bytes nbytes n_bytes num_bytes");
  const bool many =
      bind_word_in(word,
                   "n num count elements nelem nelems nelements n_elements num_elements nmemb "
                   "nitems n_items items numof");
  if (guess_is_shaped(said)) {
    return false;
  }
  if (strcmp(elements, "any") == 0 && guess_has_type(g->f)) {
    return false;
  }
  if (strcmp(elements, "any") == 0) {
    return !many && !guess_says(said, "number of elements|number of items");
  }
  if (guess_is_bytes(elements)) {
    return true;
  }
  /* nface of `int *face` counts faces, which have several numbers */
  if (!p->array && !guess_is_row(p->name) && !bind_word_in(word, "len length lenof")) {
    return false;
  }
  return !bytes && !guess_says(said, "byte|bytes") &&
         (!bind_word_in(word, "size sizeof") || guess_says(said, "number of|elements"));
}

const bind_param *guess_own_length(const guess_plan *g, const bind_param *p, const char **word) {
  const bind_param *found = NULL;
  BIND_EACH_PARAM (q, g->f) {
    const char *said = NULL;
    if (bind_is_integer(q)) {
      said = guess_named_after(q->name, p->name);
    }
    if (!said) {
      continue;
    }
    if (found) {
      return NULL;
    }
    found = q;
    *word = said;
  }
  return found;
}

/* Find the only integer whose name alone means a length; NULL for none, or several. */
static const bind_param *guess_only_length(const bind_function *f) {
  const bind_param *found = NULL;
  BIND_EACH_PARAM (p, f) {
    if (!bind_is_integer(p) || !guess_may_be_length(p->name)) {
      continue;
    }
    if (found || !guess_is_length(p->name)) {
      return NULL;
    }
    found = p;
  }
  return found;
}

/* Tell whether the pointers of a function all stand together just before the length, or just after
 * it. */
static bool guess_stand_together(const guess_plan *g, const bind_param *length) {
  const bind_param *first = NULL;
  const bind_param *last = NULL;
  int count = 0;
  BIND_EACH_PARAM (p, g->f) {
    if (!guess_elements(g->ir, p)) {
      continue;
    }
    if (!first) {
      first = p;
    }
    last = p;
    count++;
  }
  return first && last - first + 1 == count && (last + 1 == length || length + 1 == first);
}

/* Integers that C writes are places, permutations or work space, each of a length of its own:
 * `int Ap[], int Work[], int n`. */
static bool guess_is_own_array(const guess_plan *g, const bind_param *p) {
  const char *elements = guess_elements(g->ir, p);
  const bool integers = (*elements == 'i' || *elements == 'u') && !guess_is_bytes(elements);
  return integers && !guess_is_const(p);
}

/* Tell whether every pointer of a function is a row of elements of one type, which one length may
 * count. */
static bool guess_share_length(const guess_plan *g) {
  const char *first = NULL;
  bool arrays = true;
  bool rows = true;
  bool same = true;
  bool written = false;
  bool own = false;
  int count = 0;
  BIND_EACH_PARAM (p, g->f) {
    const char *elements = guess_elements(g->ir, p);
    if (!elements) {
      continue;
    }
    if (!first) {
      first = elements;
    }
    arrays &= p->array;
    rows &= guess_is_row(p->name);
    same &= strcmp(elements, first) == 0;
    written |= !guess_is_const(p);
    own |= guess_is_own_array(g, p);
    count++;
    if (guess_is_sparse(p->name)) {
      return false;
    }
  }
  if (own && (count > 1 || !rows)) {
    return false;
  }
  return first && (arrays || rows) && (same || !written);
}

bool guess_is_typedef(const bind_param *p) {
  return *p->spelled && strcmp(bind_or(p->type.elements, ""), "any");
}

bool guess_has_object(const guess_plan *g) {
  const bind_function *f = g->f;
  BIND_EACH_PARAM (p, f) {
    const bool id = p->type.kind == BIND_INTEGER && bind_word_in(guess_last(p->name), "id ncid");
    if (id || p->type.kind == BIND_HANDLE ||
        (p->type.kind == BIND_OTHER && !guess_elements(g->ir, p))) {
      return true;
    }
  }
  return false;
}

static const bind_param *guess_find_length(const guess_plan *g, const bind_param *p,
                                           const char **confidence) {
  const char *word = "";
  const char *elements = guess_elements(g->ir, p);
  const bind_param *length = guess_own_length(g, p, &word);
  *confidence = "high: the length is named after it";
  if (length) {
    const bool bytes = guess_is_bytes(elements) && strcmp(elements, "any") != 0;
    const bool shaped = guess_has_shape(g->f) && !bytes;
    if (!guess_is_own(p->name) && !shaped && guess_counts(g, p, length, word)) {
      return length;
    }
    return NULL;
  }
  length = guess_only_length(g->f);
  if (!length || guess_has_shape(g->f) || guess_is_typedef(p) || !guess_share_length(g)) {
    return NULL;
  }
  if (guess_has_object(g) && !guess_is_bytes(elements)) {
    return NULL;
  }
  if (!guess_counts(g, p, length, bind_snake(length->name)) || !guess_stand_together(g, length)) {
    return NULL;
  }
  *confidence = "fair: names, types and order agree";
  return length;
}

const bind_param *guess_length(const guess_plan *g, const bind_param *p, const char **confidence) {
  const bind_param *length = guess_find_length(g, p, confidence);
  if (length && guess_denies_length(guess_comment(p), length->name)) {
    return NULL;
  }
  return length;
}
