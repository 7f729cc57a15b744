/* SPDX-License-Identifier: Apache-2.0 */
#include "gift.h"
#include "bind/base/names.h"
#include "bind/base/text.h"
#include <string.h>

/* A place in a clause. */
typedef struct gift_place {
  const char *at, *end;
} gift_place;

static void gift_skip(gift_place *p) {
  while (p->at < p->end && strchr(" \t\r\n\f\v", *p->at)) {
    p->at++;
  }
}

/* Take a word and what is blank after it; "" for none. */
static const char *gift_word(gift_place *p) {
  size_t size = 0;
  while (p->at + size < p->end && bind_in_name(p->at[size])) {
    size++;
  }
  const char *word = bind_string("%.*s", (int)size, p->at);
  p->at += size;
  gift_skip(p);
  return word;
}

static bool gift_takes(gift_place *p, char mark) {
  if (p->at == p->end || *p->at != mark) {
    return false;
  }
  p->at++;
  gift_skip(p);
  return true;
}

/* The dtype and the extents: "f32[len]", or "f32[extents[rank]]". */
static bool gift_read_shape(gift_place *p, gift_clause *out, const char **dtype) {
  const char *start = p->at;
  while (p->at < p->end && *p->at != '[') {
    p->at++;
  }
  *dtype = bind_string("%.*s", (int)(p->at - start), start);
  if (!gift_takes(p, '[')) {
    return false;
  }
  start = p->at;
  int depth = 1;
  for (; p->at < p->end && depth; p->at++) {
    depth += (*p->at == '[') - (*p->at == ']');
  }
  if (depth) {
    return false;
  }
  out->shape = bind_string("%.*s", (int)(p->at - 1 - start), start);
  gift_skip(p);
  if (!strchr(out->shape, '[')) {
    return true;
  }
  gift_place inner = {out->shape, out->shape + strlen(out->shape)};
  out->extents = gift_word(&inner);
  const bool opens = gift_takes(&inner, '[');
  out->rank = gift_word(&inner);
  return *out->extents && opens && *out->rank && gift_takes(&inner, ']') && inner.at == inner.end;
}

/* "copied", "lent until free", "freed f", "freed f(handle)"; other words belong to the tensor. */
static bool gift_read_kind(gift_place *p, gift_clause *out, const char **layout, const char **why) {
  *layout = "";
  out->kind = BIND_GIFT_COPIED;
  for (bool said = false; p->at < p->end;) {
    const char *word = gift_word(p);
    *why = "expected one of `copied`, `lent until free` and `freed NAME` at the end";
    if (said || !*word) {
      return false;
    }
    said = bind_word_in(word, "copied lent freed");
    if (strcmp(word, "lent") == 0) {
      out->kind = BIND_GIFT_LENT;
      if (strcmp(gift_word(p), "until") != 0 || strcmp(gift_word(p), "free") != 0) {
        return false;
      }
    } else if (strcmp(word, "freed") == 0) {
      out->kind = BIND_GIFT_FREED;
      out->freed = gift_word(p);
      *why = "expected `freed NAME` or `freed NAME(HANDLE)`";
      if (!*out->freed) {
        return false;
      }
      if (!gift_takes(p, '(')) {
        continue;
      }
      out->handle = gift_word(p);
      if (!*out->handle || !gift_takes(p, ')')) {
        return false;
      }
    } else if (!said) {
      *layout = bind_string("%s %s", *layout, word);
    }
  }
  return true;
}

clause_found gift_read(const char *start, const char *end, gift_clause *out, const char **why) {
  gift_place p = {start, end};
  const char *dtype = "";
  const char *layout = "";
  *out = (gift_clause){.param = gift_word(&p), .shape = ""};
  if (!*out->param || !gift_takes(&p, ':') || strcmp(gift_word(&p), "gives") != 0) {
    return CLAUSE_OTHER;
  }
  *why = "`gives`: expected a dtype and extents";
  if (!gift_read_shape(&p, out, &dtype) || !gift_read_kind(&p, out, &layout, why)) {
    return CLAUSE_REFUSED;
  }
  const char *name = out->param;
  if (strcmp(name, "return") == 0) {
    name = "result";
  }
  const char *shape = out->shape;
  if (out->extents) {
    shape = "...";
  }
  out->clause = bind_string("%s: %s[%s]%s", name, dtype, shape, layout);
  return CLAUSE_READ;
}

clause_found gift_read_keep(const char *start, const char *end, keep_clause *out,
                            const char **why) {
  gift_place p = {start, end};
  const char *verb = gift_word(&p);
  const char *name = gift_word(&p);
  *out = (keep_clause){NULL, NULL};
  if (strcmp(verb, "keeps") != 0 || !*name) {
    return CLAUSE_OTHER;
  }
  *why = "`keeps`: expected `keeps NAME in result`, or the name of a handle";
  if (strcmp(gift_word(&p), "in") != 0) {
    return CLAUSE_REFUSED;
  }
  *out = (keep_clause){name, gift_word(&p)};
  if (*out->in && p.at == p.end) {
    return CLAUSE_READ;
  }
  return CLAUSE_REFUSED;
}
