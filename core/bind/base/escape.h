/* SPDX-License-Identifier: Apache-2.0 */
/* Doc texts that no language can mistake for code. */
#ifndef DLFERRY_BIND_BASE_ESCAPE_H
#define DLFERRY_BIND_BASE_ESCAPE_H

#include "text.h"

/** How a doc text is made harmless. */
typedef enum bind_doc_style {
  BIND_DOC_LINE,    /**< after "//", "///" or "#": nothing to hide but backslashes at a line's end */
  BIND_DOC_C,       /**< inside a C block comment: no comment mark survives */
  BIND_DOC_PYTHON,  /**< inside """: backslashes doubled, quotes escaped */
  BIND_DOC_JULIA,   /**< inside """: backslashes, quotes and '$' escaped */
  BIND_DOC_STRING,  /**< inside "..." of JSON, TOML or Python: all on one line */
  BIND_DOC_C_STRING /**< inside "..." of C, where "??/" is a backslash: all on one line */
} bind_doc_style;

/** Append a doc text, each of its lines after lead ("/// "); an empty text appends nothing, blank lines keep the lead
 *  without trailing spaces. No line begins with four spaces (a doctest to rustdoc) unless inside a ``` fence. */
void bind_put_doc(bind_text *text, bind_doc_style style, const char *lead, const char *doc);

/** The same for one line made by printf. */
void bind_put_doc_line(bind_text *text, bind_doc_style style, const char *lead, const char *format, ...)
    BIND_PRINTF(4, 5);

/** The doc text made harmless, as a lasting string; newlines become spaces in strings. */
const char *bind_doc_escape(bind_doc_style style, const char *doc);

#endif
