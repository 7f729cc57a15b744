/* SPDX-License-Identifier: Apache-2.0 */
#include "accept.h"
#include "guess.h"
#include <string.h>

/* The text of all guesses that are kept, and what each of its lines is about. */
typedef struct accept_text {
  bind_text text;
  int *lines; /* for each line from 1 on: 1 + a function, or -1 - a handle; 0 for other lines */
  int count, capacity;
} accept_text;

static void accept_put(accept_text *to, bind_text *block, int about) {
  bind_raw(&to->text, bind_or(block->data, ""), block->length);
  for (size_t i = 0; i < block->length; i++) {
    if (block->data[i] != '\n') {
      continue;
    }
    BIND_ADD(to->lines, to->count, to->capacity, about);
  }
  bind_text_free(block);
}

static void accept_compose(accept_text *to, const accept_inputs *inputs, const bind_ir *ir,
                           const accept_kept *kept, const char *const *blocks) {
  const char *own = inputs->options->contracts_text;
  bind_text block = {0};
  if (own) {
    bind_put(&block, "%s\n", own);
  }
  accept_put(to, &block, 0);
  for (int i = 0; i < ir->guess_count; i++) {
    block = (bind_text){0};
    if (kept->types[i]) {
      bind_line(&block, "%s;", ir->guesses[i]);
    }
    accept_put(to, &block, -1 - i);
  }
  block = (bind_text){0};
  if (kept->families) {
    guess_put_families(&block, ir, "");
  }
  accept_put(to, &block, 0);
  for (int i = 0; i < ir->function_count; i++) {
    block = (bind_text){0};
    if (kept->functions[i]) {
      bind_put(&block, "%s", blocks[i]);
    }
    accept_put(to, &block, 1 + i);
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
static bool accept_drop_unbound(accept_kept *kept, const bind_ir *ir, const bind_ir *again,
                                const char *const *blocks) {
  bool dropped = false;
  bind_index names = {0};
  for (int i = 0; i < again->function_count; i++) {
    bind_add_place(&names, again->functions[i].name, i);
  }
  for (int i = 0; i < ir->function_count; i++) {
    const int at = bind_find_place(&names, ir->functions[i].name);
    if (at < 0) {
      continue; /* it frees a handle now */
    }
    const bind_function *f = &again->functions[at];
    if (!kept->functions[i] || !f->unbound || !*blocks[i]) {
      continue;
    }
    kept->functions[i] = false;
    kept->why[i] = f->unbound;
    dropped = true;
  }
  return dropped;
}

/* The block of each function, "" without a guess. */
static const char **accept_make_blocks(const bind_ir *ir) {
  const char **blocks = bind_items(ir->function_count, sizeof *blocks);
  const guess_facts facts = guess_find_facts(ir);
  for (int i = 0; i < ir->function_count; i++) {
    bind_text block = {0};
    if (!ir->functions[i].named) {
      (void)guess_put_function(&block, &facts, &ir->functions[i], "");
    }
    blocks[i] = bind_keep(&block);
  }
  return blocks;
}

accept_kept accept_find(const accept_inputs *inputs, const bind_ir *ir) {
  const size_t functions = (size_t)ir->function_count + 1;
  const size_t types = (size_t)ir->guess_count + 1;
  accept_kept kept = {bind_alloc(functions, sizeof(bool)),
                      bind_alloc(functions, sizeof(char *)),
                      bind_alloc(types, sizeof(bool)),
                      true};
  const char **blocks = accept_make_blocks(ir);
  for (size_t i = 0; i < functions; i++) {
    kept.functions[i] = true;
  }
  for (size_t i = 0; i < types; i++) {
    kept.types[i] = true;
  }
  for (bool dropped = true; dropped;) {
    accept_text text = {0};
    bind_ir again = *inputs->ir;
    bind_options options = *inputs->options;
    accept_compose(&text, inputs, ir, &kept, blocks);
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
      dropped = accept_drop_unbound(&kept, ir, &again, blocks);
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
