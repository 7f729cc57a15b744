/* SPDX-License-Identifier: Apache-2.0 */
/* Read headers into tokens. */
#ifndef DLFERRY_BIND_C_LEX_H
#define DLFERRY_BIND_C_LEX_H

#include "token.h"

/* Headers to read, one after the other. */
typedef struct lex_input {
  const char *const *files; /* their names in errors */
  const char *const *texts; /* each ended by NUL */
  const size_t *sizes;
  int count;
  const char *preprocessed; /* text of all of them after the compiler's preprocessor, which expanded
                               macros; or NULL */
  size_t preprocessed_size;
  int (*which)(
      const char *file); /* then the header that a line mark names, or -1 for another file */
  const char *const
      *ignore; /* NULL-ended: macros that count as empty, with their arguments in parentheses */
} lex_input;

/* Split headers into tokens without comments, conditionals and macros. In two cases an ignored
 * macro's arguments stay: the type in "API(int) f(void);", and the parameters in "int f ARGS((int
 * x));". False after bind_error. */
bool lex_headers(const lex_input *input, lex_list *out);

/* Tell whether a file is UTF-8; print its line if not. */
bool lex_is_utf8(const char *file, const char *text, size_t size);

#endif
