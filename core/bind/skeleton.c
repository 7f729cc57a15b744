/* SPDX-License-Identifier: Apache-2.0 */
/* Each guess has the mark `?`, so that the reader passes over it until a person removes the mark. */
#include "skeleton.h"
#include "bind/base/text.h"
#include "guess.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char skeleton_head[] =
    "# Contracts of %s. A clause that begins with a question mark is a guess and does nothing: compare it with\n"
    "# the library's own documents, correct it, and remove the mark.\n";

int skeleton_write(const bind_ir *ir, const char *path) {
  bind_text text = {0};
  if (!ir->function_count) {
    bind_error(
        "%s declares no function itself: name the file that it includes them from, or declare those that you want "
        "in a header of your own and write --include %s",
        ir->title, ir->title);
    return 1;
  }
  bind_put(&text, skeleton_head, ir->title);
  guess_put_types(&text, ir, "?");
  for (const bind_function *f = ir->functions; f < ir->functions + ir->function_count; f++) {
    if (f->named) continue;
    bind_line(&text, "\n# %s", f->unbound ? f->unbound : "bound as it is");
    guess_put_function(&text, ir, f, "?");
  }
  errno = 0;
  FILE *file = fopen(path, "wxb");
  const bool written = file && fwrite(text.data, 1, text.length, file) == text.length;
  const bool closed = file && fclose(file) == 0;
  bind_text_free(&text);
  if (written && closed) return 0;
  bind_error("cannot write %s: %s", path, strerror(errno ? errno : EIO));
  return 1;
}
