/* SPDX-License-Identifier: Apache-2.0 */
#include "accept.h"
#include <string.h>

/* The text of all guesses that are kept, and what each of its lines is about. */
typedef struct accept_text {
  bind_text text;
  int *lines; /* for each line from 1 on: 1 + a function, or -1 - a handle; 0 for other lines */
  int count, capacity;
  size_t noted; /* bytes of the text whose lines are there */
} accept_text;

/* Note what the lines that were put since the last call are about. */
static void accept_note(accept_text *to, int about) {
  for (; to->noted < to->text.length; to->noted++) {
    if (to->text.data[to->noted] == '\n') {
      BIND_ADD(to->lines, to->count, to->capacity, about);
    }
  }
}

static void accept_compose(accept_text *to, const accept_inputs *inputs, const bind_ir *ir,
                           const accept_kept *kept) {
  const char *own = inputs->options->contracts_text;
  if (own) {
    bind_put(&to->text, "%s\n", own);
  }
  accept_note(to, 0);
  for (int i = 0; i < ir->guess_count; i++) {
    if (kept->types[i]) {
      bind_line(&to->text, "%s;", ir->guesses[i]);
    }
    accept_note(to, -1 - i);
  }
  if (kept->families) {
    guess_put_families(&to->text, ir, "");
  }
  accept_note(to, 0);
  for (int i = 0; i < ir->function_count; i++) {
    const bind_function *f = &ir->functions[i];
    if (kept->functions[i] && !f->named) {
      guess_put_block(&to->text, f, &kept->guesses[i], "");
    }
    accept_note(to, 1 + i);
  }
}

/* Drop what the reader refuses at a line; false if the line is not one of a guess. */
static bool accept_drop(accept_kept *kept, const accept_text *text, int line) {
  int about = 0;
  if (line > 0 && line <= text->count) {
    about = text->lines[line - 1];
  }
  if (about > 0) {
    kept->functions[about - 1] = false;
  }
  if (about < 0) {
    kept->types[-1 - about] = false;
  }
  return about != 0;
}

/* Drop the guesses of functions that stay unbound with them. */
static bool accept_drop_unbound(accept_kept *kept, const bind_ir *ir, const bind_ir *again) {
  bool dropped = false;
  bind_index names = {0};
  for (int i = 0; i < again->function_count; i++) {
    bind_add_place(&names, again->functions[i].name, i);
  }
  for (int i = 0; i < ir->function_count; i++) {
    const bind_function *was = &ir->functions[i];
    const bind_function *f = bind_find_item(&names, was->name, again->functions, sizeof *f);
    kept->binds[i] = !f || !f->unbound; /* without f it frees a handle now */
    if (kept->binds[i] || was->named || !kept->functions[i] || !kept->guesses[i].count) {
      continue;
    }
    kept->functions[i] = false;
    kept->why[i] = f->unbound;
    dropped = true;
  }
  return dropped;
}

accept_kept accept_find(const accept_inputs *inputs, const bind_ir *ir) {
  const int count = ir->function_count;
  const guess_facts facts = guess_find_facts(ir);
  accept_kept kept = {.guesses = bind_items(count, sizeof *kept.guesses),
                      .functions = bind_items(count, sizeof *kept.functions),
                      .why = bind_items(count, sizeof *kept.why),
                      .binds = bind_items(count, sizeof *kept.binds),
                      .types = bind_items(ir->guess_count, sizeof *kept.types),
                      .families = true};
  for (int i = 0; i < count; i++) {
    kept.guesses[i] = guess_function(&facts, &ir->functions[i]);
    kept.functions[i] = true;
  }
  for (int i = 0; i < ir->guess_count; i++) {
    kept.types[i] = true;
  }
  for (bool dropped = true; dropped;) {
    accept_text text = {0};
    bind_ir again = *inputs->ir;
    bind_options options = *inputs->options;
    accept_compose(&text, inputs, ir, &kept);
    if (!options.contracts) {
      options.contracts = "guesses";
    }
    options.contracts_text = bind_keep(&text.text);
    options.silent = true;
    options.strict = false;
    bind_hush(true);
    const bool read = bind_read(&again, &options);
    bind_hush(false);
    dropped = false;
    for (int i = 0; i < again.refused_count; i++) {
      dropped |= accept_drop(&kept, &text, again.refused[i]);
    }
    if (!dropped && !read && kept.families) {
      kept.families = false;
      dropped = true;
    }
    if (!dropped) {
      dropped = accept_drop_unbound(&kept, ir, &again);
    }
  }
  return kept;
}

void accept_put_shared(bind_text *text, const accept_kept *kept, const bind_ir *ir,
                       const char *mark) {
  for (int i = 0; i < ir->guess_count; i++) {
    if (kept->types[i]) {
      bind_line(text, "%s%s;", mark, ir->guesses[i]);
    }
  }
  if (kept->families) {
    guess_put_families(text, ir, mark);
  }
}
