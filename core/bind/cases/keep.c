/* SPDX-License-Identifier: Apache-2.0 */
/* Keep the cases of a function that have a message of their own. */
#include "bind/base/names.h"
#include "call.h"
#include <string.h>

static bool cases_is_taken(const cases_finder *s, const char *name) {
  for (const bind_case *c = s->first; c; c = c->next) {
    if (strcmp(c->name, name) == 0) {
      return true;
    }
  }
  return false;
}

void cases_keep(cases_finder *s, const char *name, bind_broken broken, const bind_param *p,
                dlf_status status, const char *text) {
  bind_case *made = cases_copy(s, s->scratch);
  made->name = bind_string("%s", name);
  for (int again = 2; cases_is_taken(s, made->name); again++) {
    made->name = bind_string("%s_%d", name, again);
  }
  made->full_name = bind_string("%s/%s", s->f->short_name, made->name);
  made->broken = broken;
  made->param = p;
  made->status = status;
  made->text = bind_string("%s", text);
  made->next = NULL;
  if (s->last) {
    s->last->next = made;
  } else {
    s->first = made;
  }
  s->last = made;
}

/* ---- what was said already ---- */

/* Return a message without the parts that differ between two calls that break the same rule:
 * numbers before "wanted", and the actual tensor and layout. */
static const char *cases_key(const char *text) {
  const char *wanted = strstr(text, BIND_CASE_WANTED);
  const char *got = strstr(text, "; got ");
  char *key = bind_string("%s", text);
  char *to = key;
  if (!wanted || (got && got > wanted)) {
    got = NULL;
  }
  for (const char *p = text; *p; p++) {
    const bool before = !wanted || p < wanted;
    if (got && p >= got && before) {
      continue;
    }
    if (before && bind_begins(p, "layout is ")) {
      p += strcspn(p, ",");
    } else if (before && (bind_is_digit(*p) || *p == '-') && (p == text || !bind_in_name(p[-1]))) {
      while (p[1] == '.' || bind_is_digit(p[1])) {
        p++;
      }
      continue;
    }
    *to++ = *p;
  }
  *to = 0;
  return key;
}

static bool cases_is_said(cases_finder *s, const char *key) {
  for (int i = 0; i < s->key_count; i++) {
    if (strcmp(s->keys[i], key) == 0) {
      return true;
    }
  }
  BIND_ADD(s->keys, s->key_count, s->key_capacity, key);
  return false;
}

/* Return a name for golden files: small letters and digits. */
static const char *cases_word(const char *text) {
  char *word = bind_string("%s", bind_snake(text));
  char *to = word;
  for (const char *p = word; *p; p++) {
    if (bind_in_name(*p)) {
      *to++ = *p;
    }
  }
  *to = 0;
  return word;
}

/* Judge the call in scratch; true if it is refused because of the parameter. Keep it unless a case
 * has its message. */
bool cases_try(cases_finder *s, bind_broken broken, const bind_param *p, const char *name,
               const char *word) {
  dlf_error error = {0};
  if (s->steps-- <= 0) {
    return false;
  }
  const dlf_status status = cases_judge_surely(s, s->scratch, &error);
  if (!status) {
    return false;
  }
  const char *where = bind_string("%s: %s", s->f->short_name, p ? p->name : "");
  const size_t size = strlen(where);
  const bool blamed =
      !p || broken == BIND_BROKEN_SHARED ||
      (strncmp(error.message, where, size) == 0 && !bind_in_name(error.message[size]));
  if (blamed && !cases_is_said(s, cases_key(error.message))) {
    cases_keep(s, cases_word(bind_string("%s_%s", name, word)), broken, p, status, error.message);
  }
  return blamed;
}

void cases_miss(cases_finder *s, const bind_param *p, const char *rule) {
  if (p) {
    rule = bind_string("%s: %s", p->name, rule);
  }
  s->unbroken = bind_string("%s%s\n", s->unbroken, rule);
}

/* Copy the accepted call: of f_new if only an input changes. */
bool cases_reset(cases_finder *s, const bind_param *p) {
  s->scratch->make = cases_makes(s->f) && !(p && p->made);
  return cases_fill(s, &s->plan, s->scratch);
}
