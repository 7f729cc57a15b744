/* SPDX-License-Identifier: Apache-2.0 */
/* Run `cc -E` without a shell: no word of a path or an option is ever interpreted. */
#include "preprocess.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The header files, by device and inode: a line mark may spell a path in another way than the
 * command does. */
static struct {
  struct stat *files;
  int count;
  const char *last; /* the answer before: marks of one file follow each other */
  int answer;
} preprocess_known;

int preprocess_which(const char *file) {
  struct stat status;
  if (preprocess_known.last && strcmp(preprocess_known.last, file) == 0) {
    return preprocess_known.answer;
  }
  int found = -1;
  if (*file != '<' && stat(file, &status) == 0) {
    for (int i = 0; i < preprocess_known.count && found < 0; i++) {
      if (status.st_ino == preprocess_known.files[i].st_ino &&
          status.st_dev == preprocess_known.files[i].st_dev) {
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
    if (stat(o->headers.items[i], &preprocess_known.files[i]) == 0) {
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
                                 bind_when(*header != '/', "./"),
                                 header); /* never an option, nor another folder's */
  }
  words[count] = bind_string("/dev/null");
  return words;
}

/* Start the compiler with its output in a pipe; its errors go to ours. 0, or an errno. */
static int preprocess_start(char **words, pid_t *child, int *output) {
  int ends[2];
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0) {
    return errno;
  }
  fflush(stderr); /* what we have said comes before what the compiler says */
  int failed = posix_spawn_file_actions_init(&actions);
  if (!failed) {
    failed = posix_spawn_file_actions_addclose(&actions, ends[0]);
    if (!failed) {
      failed = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    }
    if (!failed) {
      failed = posix_spawn_file_actions_addclose(&actions, ends[1]);
    }
    if (!failed) {
      failed = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[1]);
  if (failed) {
    close(ends[0]);
  }
  *output = ends[0];
  return failed;
}

static bool preprocess_collect(int output, bind_text *text) {
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = read(output, buffer, sizeof buffer);
    if (got > 0) {
      bind_raw(text, buffer, (size_t)got);
    }
    if (got == 0) {
      return true;
    }
    if (got < 0 && errno != EINTR) {
      return false;
    }
  }
}

const char *preprocess_headers(const command_options *o) {
  bind_text text = {0};
  pid_t child = 0;
  int output = -1;
  int status = 0;
  if (!preprocess_know(o)) {
    return NULL;
  }
  char **words = preprocess_words(o);
  const int failed = preprocess_start(words, &child, &output);
  if (failed) {
    bind_error(
        "--preprocess: cannot run %s: %s; set CC to a C compiler", words[0], strerror(failed));
    return NULL;
  }
  const bool whole = preprocess_collect(output, &text);
  close(output);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool good = whole && WIFEXITED(status) && WEXITSTATUS(status) == 0 && text.length &&
                    !memchr(text.data, 0, text.length);
  if (good) {
    return bind_keep(&text);
  }
  bind_error("--preprocess: %s -E refuses %s; its errors are above", words[0], o->headers.items[0]);
  bind_text_free(&text);
  return NULL;
}
