/* SPDX-License-Identifier: Apache-2.0 */
/* Systems with POSIX, then Windows, then what is the same on all. Last in the amalgamated file,
 * since windows.h defines words such as near and far. */
#define _POSIX_C_SOURCE 200809L
#define __USE_MINGW_ANSI_STDIO 1
#include "system.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#if !defined(_WIN32)

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef pid_t system_child;

const char bind_empty_file[] = "/dev/null";

void bind_begin_output(void) {
}

static bool system_is_separator(char c) {
  return c == '/';
}

bool bind_is_absolute(const char *path) {
  return *path == '/';
}

static bool system_make_folder(const char *path) {
  return mkdir(path, 0777) == 0 || errno == EEXIST;
}

bool bind_identify(const char *path, bind_identity *out) {
  struct stat status;
  if (stat(path, &status) != 0) {
    return false;
  }
  *out = (bind_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino};
  return true;
}

/* Start the program with its output in a pipe; its errors go to ours. 0, or an errno. */
static int system_start(char **words, system_child *child, int *output) {
  int ends[2];
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0) {
    return errno;
  }
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

static bool system_succeeded(system_child child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int system_read(int file, char *buffer, size_t room) {
  return (int)read(file, buffer, room);
}

static void system_close(int file) {
  close(file);
}

#else

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>

typedef intptr_t system_child;

const char bind_empty_file[] = "NUL";

void bind_begin_output(void) {
  (void)_setmode(_fileno(stdout), _O_BINARY);
}

static bool system_is_separator(char c) {
  return c == '/' || c == '\\';
}

bool bind_is_absolute(const char *path) {
  return system_is_separator(*path) || (*path && path[1] == ':');
}

/* A drive exists, and cannot be made. */
static bool system_make_folder(const char *path) {
  return _mkdir(path) == 0 || GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

/* The C library's stat knows no numbers of files. */
bool bind_identify(const char *path, bind_identity *out) {
  const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  BY_HANDLE_FILE_INFORMATION about;
  const HANDLE file =
      CreateFileA(path, 0, shared, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file == INVALID_HANDLE_VALUE) {
    errno = ENOENT;
    return false;
  }
  const bool known = GetFileInformationByHandle(file, &about);
  CloseHandle(file);
  if (!known) {
    errno = EIO;
    return false;
  }
  const uint64_t high = about.nFileIndexHigh;
  *out = (bind_identity){about.dwVolumeSerialNumber, high << 32 | about.nFileIndexLow};
  return true;
}

static void system_put_backslashes(bind_text *text, int count) {
  while (count-- > 0) {
    bind_raw(text, "\\", 1);
  }
}

/* A program gets one text and takes it apart: before a quote, backslashes count twice. */
static char *system_quote(const char *word) {
  bind_text text = {0};
  int backslashes = 0;
  if (*word && !word[strcspn(word, " \t\"")]) {
    return bind_string("%s", word);
  }
  bind_raw(&text, "\"", 1);
  for (; *word; word++) {
    if (*word == '"') {
      system_put_backslashes(&text, backslashes + 1);
    }
    bind_raw(&text, word, 1);
    if (*word == '\\') {
      backslashes++;
    } else {
      backslashes = 0;
    }
  }
  system_put_backslashes(&text, backslashes);
  bind_raw(&text, "\"", 1);
  return bind_keep(&text);
}

static int system_start(char **words, system_child *child, int *output) {
  int ends[2];
  int count = 0;
  while (words[count]) {
    count++;
  }
  const char **quoted = bind_alloc((size_t)count + 1, sizeof *quoted);
  for (int i = 0; i < count; i++) {
    quoted[i] = system_quote(words[i]);
  }
  if (_pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT) != 0) {
    return errno;
  }
  int failed = 0;
  const int ours = _dup(1);
  _dup2(ends[1], 1);
  *child = _spawnvp(_P_NOWAIT, words[0], quoted);
  if (*child == -1) {
    failed = errno;
  }
  _dup2(ours, 1);
  _close(ours);
  _close(ends[1]);
  if (failed) {
    _close(ends[0]);
  }
  *output = ends[0];
  return failed;
}

static bool system_succeeded(system_child child) {
  int status = 1;
  _cwait(&status, child, 0);
  return status == 0;
}

static int system_read(int file, char *buffer, size_t room) {
  return _read(file, buffer, (unsigned)room);
}

static void system_close(int file) {
  _close(file);
}

#endif

/* ---- on all systems ---- */

const char *bind_base_name(const char *path) {
  const char *name = path;
  for (const char *p = path; *p; p++) {
    if (system_is_separator(*p)) {
      name = p + 1;
    }
  }
  return name;
}

bool bind_make_folders(char *path) {
  if (!*path) {
    return true;
  }
  for (char *slash = path + 1; *slash; slash++) {
    const char kept = *slash;
    if (!system_is_separator(kept)) {
      continue;
    }
    *slash = '\0';
    const bool made = system_make_folder(path);
    *slash = kept;
    if (!made) {
      return false;
    }
  }
  return true;
}

static bool system_collect(int output, bind_text *text) {
  char buffer[1 << 16];
  for (;;) {
    const int got = system_read(output, buffer, sizeof buffer);
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

int bind_run(char **words, bind_text *output, bool *good) {
  system_child child = 0;
  int end = -1;
  fflush(stderr); /* what we have said comes before what the program says */
  const int failed = system_start(words, &child, &end);
  if (failed) {
    return failed;
  }
  const bool whole = system_collect(end, output);
  system_close(end);
  *good = system_succeeded(child) && whole;
  return 0;
}
