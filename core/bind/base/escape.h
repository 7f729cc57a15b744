/* SPDX-License-Identifier: Apache-2.0 */
/* Escape doc texts, so that no language reads them as code. */
#ifndef DLFERRY_BIND_BASE_ESCAPE_H
#define DLFERRY_BIND_BASE_ESCAPE_H

#include "text.h"

/** Where a doc text stands. */
typedef enum bind_doc_style {
  BIND_DOC_LINE,    /**< after "//", "///" or "#": only backslashes at a line's end are escaped */
  BIND_DOC_C,       /**< inside a C block comment: comment marks are broken up */
  BIND_DOC_PYTHON,  /**< inside """: backslashes and quotes are escaped */
  BIND_DOC_JULIA,   /**< inside """: backslashes, quotes and '$' are escaped */
  BIND_DOC_STRING,  /**< inside "..." of JSON, TOML or Python: all on one line */
  BIND_DOC_C_STRING /**< inside "..." of C, where "??/" is a backslash: all on one line */
} bind_doc_style;

/** Append a doc text with lead ("/// ") before each line; an empty text appends nothing, blank
 * lines keep the lead without trailing spaces. No line begins with four spaces (a doctest to
 * rustdoc) unless inside a ``` fence. */
void bind_put_doc(bind_text *text, bind_doc_style style, const char *lead, const char *doc);

/** Return the escaped doc text as a lasting string; newlines become spaces in strings. */
const char *bind_doc_escape(bind_doc_style style, const char *doc);

#endif
