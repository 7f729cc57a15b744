/* SPDX-License-Identifier: Apache-2.0 */
/* Each guess has the mark `?`, so that the reader passes over it until a person removes the mark.
 */
#include "skeleton.h"
#include "bind/base/text.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char skeleton_head[] = "# Contracts of %s. A clause that begins with a question mark "
                                    "is a guess and does nothing: compare it with\n"
                                    "# the library's own documents, correct it, and remove the "
                                    "mark. Behind a guess stands how sure it is: \"high\" if the\n"
                                    "# declaration or the comment says so, \"fair\" if only names "
                                    "and types agree. A function without a block has none.\n";

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

int skeleton_write(const accept_inputs *inputs, const bind_ir *ir, const char *path) {
  bind_text text = {0};
  if (!ir->function_count) {
    bind_error("%s declares no function itself: name the file that it includes them from, or "
               "declare those that you want in a header of your own and write --include %s",
               ir->title,
               ir->title);
    return 1;
  }
  const accept_kept kept = accept_find(inputs, ir);
  bind_put(&text, skeleton_head, ir->title);
  accept_put_shared(&text, &kept, ir, "?");
  for (int i = 0; i < ir->function_count; i++) {
    if (!ir->functions[i].named) {
      skeleton_put_function(&text, &kept, &ir->functions[i], i);
    }
  }
  errno = 0;
  FILE *file = fopen(path, "wxb");
  const bool written = file && fwrite(text.data, 1, text.length, file) == text.length;
  const bool closed = file && fclose(file) == 0;
  bind_text_free(&text);
  if (written && closed) {
    return 0;
  }
  bind_error("cannot write %s: %s", path, strerror(errno ? errno : EIO));
  return 1;
}
