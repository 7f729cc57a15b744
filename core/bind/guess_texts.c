/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of texts that callers free: the comment names the function that does. */
#include "guess_texts.h"
#include "bind/base/names.h"
#include "guess_words.h"
#include <string.h>

void guess_note_freeing(guess_facts *facts, const bind_function *f) {
  const char *last = guess_last(f->name);
  if (f->param_count != 1 || !bind_word_in(last, "free release destroy delete dealloc")) {
    return;
  }
  if (bind_word_in(bind_sized(f->params[0].type.c, strcspn(f->params[0].type.c, " ")),
                   "void char")) {
    bind_add_place(&facts->freeing, f->name, 0);
  }
}

/* Return the function that a comment names and that frees memory, or NULL. */
static const char *guess_names_freeing(const guess_facts *facts, const char *said) {
  while (*said) {
    const size_t size = bind_name_size(said);
    const char *word = bind_sized(said, size);
    if (size && bind_find_place(&facts->freeing, word) >= 0) {
      return word;
    }
    said += size ? size : 1;
  }
  return NULL;
}

/* Tell whether a type is a pointer to characters, behind so many pointers more. */
static bool guess_is_text(const bind_type *type, const char *stars) {
  const char *c = type->c;
  if (bind_begins(c, "const ")) {
    c += 6;
  }
  return bind_begins(c, "char ") && strcmp(c + 5, stars) == 0;
}

static void guess_say_text(guess_plan *g, const char *start, bool absent, const char *said) {
  guess_say(g,
            "high: the comment names what frees it",
            "%s%stext freed %s",
            start,
            bind_when(absent, "opt "),
            guess_names_freeing(g->facts, said));
}

static const char *guess_whole_comment(const bind_function *f) {
  return bind_join(bind_join(f->summary, " ", f->description), " ", f->returns_doc);
}

bool guess_put_given_text(guess_plan *g, const bind_param *p) {
  const char *said = bind_join(guess_whole_comment(g->f), " ", guess_comment(p));
  if (!guess_is_text(&p->type, "**") || !guess_names_freeing(g->facts, said)) {
    return false;
  }
  guess_say_text(g, bind_string("%s: out ", p->name), true, said); /* maybe only of a failure */
  return true;
}

void guess_put_returned_text(guess_plan *g) {
  const char *said = guess_whole_comment(g->f);
  if (guess_is_text(&g->f->result, "*") && guess_names_freeing(g->facts, said)) {
    guess_say_text(g, "return: ", guess_says(said, "null|nullptr"), said);
  }
}
