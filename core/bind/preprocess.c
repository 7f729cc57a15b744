/* SPDX-License-Identifier: Apache-2.0 */
/* Run `cc -E` without a shell: no word of a path or an option is ever interpreted. */
#include "preprocess.h"
#include "bind/base/system.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The header files, by their identity: a line mark may spell a path in another way than the command
 * does. */
static struct {
  bind_identity *files;
  int count;
  const char *last; /* the answer before: marks of one file follow each other */
  int answer;
} preprocess_known;

int preprocess_which(const char *file) {
  bind_identity identity;
  if (preprocess_known.last && strcmp(preprocess_known.last, file) == 0) {
    return preprocess_known.answer;
  }
  int found = -1;
  if (*file != '<' && bind_identify(file, &identity)) {
    for (int i = 0; i < preprocess_known.count && found < 0; i++) {
      const bind_identity *known = &preprocess_known.files[i];
      if (known->number == identity.number && known->device == identity.device) {
        found = i;
      }
    }
  }
  preprocess_known.last = bind_string("%s", file);
  preprocess_known.answer = found;
  return found;
}

static bool preprocess_know(const command_options *o) {
  preprocess_known.files = bind_items(o->headers.count, sizeof *preprocess_known.files);
  preprocess_known.count = o->headers.count;
  preprocess_known.last = NULL;
  for (int i = 0; i < o->headers.count; i++) {
    if (bind_identify(o->headers.items[i], &preprocess_known.files[i])) {
      continue;
    }
    bind_error("cannot read %s: %s", o->headers.items[i], strerror(errno));
    return false;
  }
  return true;
}

/* The command's words. CC may have several, such as "ccache gcc"; blanks part them. */
static char **preprocess_words(const command_options *o) {
  static const char *const fixed[] = {"-E", "-dD", "-CC", "-x", "c", NULL};
  const char *given = getenv("CC");
  char *compiler = bind_string("%s", given && given[strspn(given, " \t")] ? given : "cc");
  const size_t most =
      strlen(compiler) + 16 + 2 * (size_t)(o->headers.count + o->folders.count + o->defines.count);
  char **words = bind_alloc(most, sizeof *words);
  int count = 0;
  for (char *word = strtok(compiler, " \t"); word; word = strtok(NULL, " \t")) {
    words[count++] = word;
  }
  for (const char *const *word = fixed; *word; word++) {
    words[count++] = bind_string("%s", *word);
  }
  for (int i = 0; i < o->folders.count; i++) {
    words[count++] = bind_string("-I%s", o->folders.items[i]);
  }
  for (int i = 0; i < o->defines.count; i++) {
    words[count++] = bind_string("-D%s", o->defines.items[i]);
  }
  for (int i = 0; i < o->headers.count; i++) {
    const char *header = o->headers.items[i];
    words[count++] = bind_string("-include");
    words[count++] = bind_string("%s%s",
                                 bind_when(!bind_is_absolute(header), "./"),
                                 header); /* never an option, nor another folder's */
  }
  words[count] = bind_string("%s", bind_empty_file);
  return words;
}

const char *preprocess_headers(const command_options *o) {
  bind_text text = {0};
  bool good = false;
  if (!preprocess_know(o)) {
    return NULL;
  }
  char **words = preprocess_words(o);
  const int failed = bind_run(words, &text, &good);
  if (failed) {
    bind_error(
        "--preprocess: cannot run %s: %s; set CC to a C compiler", words[0], strerror(failed));
    return NULL;
  }
  if (good && text.length && !memchr(text.data, 0, text.length)) {
    return bind_keep(&text);
  }
  bind_error("--preprocess: %s -E refuses %s; its errors are above", words[0], o->headers.items[0]);
  bind_text_free(&text);
  return NULL;
}
