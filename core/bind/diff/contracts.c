/* SPDX-License-Identifier: Apache-2.0 */
/* What the file of contracts says that suits the old headers and not the new ones, and what is
 * bound no more. */
#include "parts.h"
#include <string.h>

/* A message without the place at its start: "k.h:12:3: ". */
static const char *contracts_sentence(const char *message) {
  const char *end = strstr(message, ": ");
  if (!end) {
    return message;
  }
  const char *colon = memchr(message, ':', (size_t)(end - message));
  if (!colon || !bind_is_digit(colon[1])) {
    return message;
  }
  return end + 2;
}

/* The lines of a text, each once by its sentence. */
static bind_index contracts_sentences(const char *text) {
  bind_index index = {0};
  for (char *line = strtok(bind_string("%s", text), "\n"); line; line = strtok(NULL, "\n")) {
    bind_add_place(&index, contracts_sentence(line), 0);
  }
  return index;
}

static void contracts_compare_mistakes(diff_report *r) {
  const bind_index known = contracts_sentences(r->old->mistakes);
  if (r->now->suits) {
    return;
  }
  for (char *line = strtok(bind_string("%s", r->now->mistakes), "\n"); line;
       line = strtok(NULL, "\n")) {
    if (bind_find_place(&known, contracts_sentence(line)) < 0) {
      const diff_line mistake = {line, DIFF_CONTRACT};
      BIND_ADD(r->lines, r->count, r->capacity, mistake);
    }
  }
}

/* "codec.encode" of a method or of what makes an object, "the property level of codec". */
static const char *contracts_home(const bind_function *f) {
  const bind_handle *home = bind_home(f);
  if (!home) {
    return f->short_name;
  }
  if (f->property) {
    return bind_string("the property %s of %s", f->property, home->short_name);
  }
  return bind_string("%s.%s", home->short_name, f->method_name);
}

/* Functions that the old packages have, and the new ones leave out. */
static void contracts_compare_functions(diff_report *r) {
  const bind_ir *now = r->now->ir;
  bind_index names = {0};
  for (int i = 0; i < now->function_count; i++) {
    bind_add_place(&names, now->functions[i].name, i);
  }
  BIND_EACH_DECLARED (was, r->old->ir) {
    const bind_function *f = bind_find_item(&names, was->name, now->functions, sizeof *f);
    if (!f || was->unbound || was->member_count) {
      continue;
    }
    const char *callers = contracts_home(was);
    if (f->unbound) {
      diff_say(r,
               diff_file(r->now, f->header),
               f->line,
               DIFF_CONTRACT,
               "%s: it was bound, and is left out: %s",
               f->name,
               f->unbound);
    } else if (strcmp(callers, contracts_home(f)) != 0) {
      diff_say(r,
               diff_file(r->now, f->header),
               f->line,
               DIFF_CONTRACT,
               "%s: callers find it as %s, was %s",
               f->name,
               contracts_home(f),
               callers);
    }
  }
}

void diff_contracts(diff_report *r) {
  contracts_compare_mistakes(r);
  contracts_compare_functions(r);
}
