/* SPDX-License-Identifier: Apache-2.0 */
/* Each guess has the mark `?`, so that the reader passes over it until a person removes the mark.
 */
#include "skeleton.h"
#include "bind/base/text.h"
#include "bind/clauses/sidecar.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char skeleton_head[] = "# Contracts of %s. A clause that begins with a question mark "
                                    "is a guess and does nothing: compare it with\n"
                                    "# the library's own documents, correct it, and remove the "
                                    "mark. Behind a guess stands how sure it is: \"high\" if the\n"
                                    "# declaration or the comment says so, \"fair\" if only names "
                                    "and types agree. A function without a block has none.\n";

static const char skeleton_more[] = "\n# What %s has beside the above.\n";

/* A block without clauses would say that C may be called as its types are, so there is none. */
static void skeleton_put_function(bind_text *text, const accept_kept *kept, const bind_function *f,
                                  int i) {
  const guess_block *guess = &kept->guesses[i];
  const char *lack = guess->lack;
  const char *state = bind_or(f->unbound, "bound as it is");
  if (!kept->functions[i]) {
    lack = bind_or(kept->why[i], "");
  }
  if (kept->functions[i] && guess->count) {
    bind_line(text, "\n# %s", state);
    guess_put_block(text, f, guess, "?");
  } else if (f->unbound && lack && *lack && strcmp(lack, state) != 0) {
    bind_line(text, "\n# %s { } # %s; no guess: %s", f->name, state, lack);
  } else {
    bind_line(text, "\n# %s { } # %s", f->name, state);
  }
}

/* ---- beside a file that exists ---- */

/* Tell whether a text has a name, as a whole word, with these characters behind it. */
static bool skeleton_has(const char *text, const char *name, const char *behind) {
  const size_t size = strlen(name);
  for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
    const char *end = at + size + strspn(at + size, " \t\r\n");
    const bool begins = at == text || !bind_in_name(at[-1]);
    if (begins && !bind_in_name(at[size]) && bind_begins(end, behind)) {
      return true;
    }
  }
  return false;
}

/* Tell whether the file has a function: in a block, also one of guesses or in a comment, or by a
 * pattern. */
static bool skeleton_knows(sidecar *file, const bind_function *f) {
  const sidecar_block *block = NULL;
  return f->named || skeleton_has(file->text, f->name, "{") ||
         (sidecar_find(file, f->name, &block) && block);
}

/* Lines of guesses about types and families, without those whose name the file has. */
static void skeleton_put_shared(bind_text *to, const accept_kept *kept, const bind_ir *ir,
                                const char *own) {
  bind_text all = {0};
  accept_put_shared(&all, kept, ir, "?");
  char *lines = bind_keep(&all);
  for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
    const char *name = strchr(line, ' ') + 1;
    const char *word = bind_sized(line + 1, (size_t)(name - line - 2));
    if (!skeleton_has(own, word, bind_sized(name, strcspn(name, " ") + 1))) {
      bind_line(to, "%s", line);
    }
  }
}

/* What the headers need beside a file of contracts; nothing if it has all. */
static void skeleton_put_new(bind_text *to, const accept_kept *kept, const bind_ir *ir,
                             const bind_options *options) {
  sidecar file = {0};
  bind_text more = {0};
  if (!sidecar_read(options->contracts, options->contracts_text, &file)) {
    return; /* it was read before */
  }
  skeleton_put_shared(&more, kept, ir, file.text);
  for (int i = 0; i < ir->function_count; i++) {
    const bind_function *f = &ir->functions[i];
    const bool lacks = f->unbound || (kept->functions[i] && kept->guesses[i].count);
    if (lacks && !f->member_count && !skeleton_knows(&file, f)) {
      skeleton_put_function(&more, kept, f, i);
    }
  }
  if (!more.length) {
    return;
  }
  const size_t size = strlen(file.text);
  bind_put(to, "%s", bind_when(size > 0 && file.text[size - 1] != '\n', "\n"));
  bind_put(to, skeleton_more, ir->title);
  bind_raw(to, more.data, more.length);
  bind_text_free(&more);
}

/* ---- the file ---- */

/* Write a text; a file that exists is only added to, and only if it is the one that was read. */
static int skeleton_save(bind_text *text, const char *path, bool exists) {
  errno = 0;
  FILE *file = fopen(path, exists ? "ab" : "wxb");
  const bool written =
      file && fwrite(bind_or(text->data, ""), 1, text->length, file) == text->length;
  const bool closed = file && fclose(file) == 0;
  bind_text_free(text);
  if (written && closed) {
    return 0;
  }
  bind_error("cannot write %s: %s", path, strerror(errno ? errno : EIO));
  return 1;
}

int skeleton_write(const accept_inputs *inputs, const bind_ir *ir, const char *path) {
  const bind_options *options = inputs->options;
  bind_text text = {0};
  if (!ir->function_count) {
    bind_error("%s declares no function itself: name the file that it includes them from, or "
               "declare those that you want in a header of your own and write --include %s",
               ir->title,
               ir->title);
    return 1;
  }
  const accept_kept kept = accept_find(inputs, ir);
  if (*options->contracts_text) {
    const bool same = strcmp(options->contracts, path) == 0;
    if (!same) {
      bind_put_string(&text, options->contracts_text);
    }
    skeleton_put_new(&text, &kept, ir, options);
    return skeleton_save(&text, path, same);
  }
  bind_put(&text, skeleton_head, ir->title);
  accept_put_shared(&text, &kept, ir, "?");
  for (int i = 0; i < ir->function_count; i++) {
    if (!ir->functions[i].named) {
      skeleton_put_function(&text, &kept, &ir->functions[i], i);
    }
  }
  return skeleton_save(&text, path, false);
}
