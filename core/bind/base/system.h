/* SPDX-License-Identifier: Apache-2.0 */
/* What systems do in different ways and only the generator needs: names of files, folders and
 * processes. Libraries carry the hub and its platform.h, and shall carry none of this. */
#ifndef DLFERRY_BIND_BASE_SYSTEM_H
#define DLFERRY_BIND_BASE_SYSTEM_H

#include "text.h"

/** A file that is always empty. */
extern const char bind_empty_file[];

/** Have the standard output write the bytes that it gets. */
void bind_begin_output(void);

/** Return the part of a path behind its folders. */
const char *bind_base_name(const char *path);

bool bind_is_absolute(const char *path);

/** Make the folders of a file's path, which is the same afterwards; false with errno. */
bool bind_make_folders(char *path);

/** What two paths of one file have in common. */
typedef struct bind_identity {
  uint64_t device, number;
} bind_identity;

/** Find a file or folder; false with errno. */
bool bind_identify(const char *path, bind_identity *out);

/** Run a program of PATH without a shell, its output appended to the text and its errors among
 * ours. Returns an errno if it does not start; `good` is true if all was read and it succeeded. */
int bind_run(char **words, bind_text *output, bool *good);

#endif
