/* SPDX-License-Identifier: Apache-2.0 */
/* Split doc comments into their sections. */
#ifndef DLFERRY_BIND_C_DOC_H
#define DLFERRY_BIND_C_DOC_H

#include <stdbool.h>

typedef struct doc_param {
  const char *name, *text;
  const char *way; /* "[in]" of @param[in], or "" */
  bool joined;     /* "x,y text": it shares the text of the one after it */
} doc_param;

typedef struct doc_comment {
  const char *summary, *description, *returns;
  const char *deprecated; /* the paragraph of @deprecated, "" if it has no text, else NULL */
  const char *contract;   /* the texts of all @contract, "; " between them */
  doc_param *params;
  int param_count;
} doc_comment;

/* Split a comment; NULL gives empty texts. */
void doc_read(const char *comment, doc_comment *out);

/* Return the description with a last paragraph for @deprecated. */
const char *doc_description(const doc_comment *doc);

/* Return the whole comment as one paragraph. */
const char *doc_paragraph(const char *comment);

#endif
