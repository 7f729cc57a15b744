/* SPDX-License-Identifier: Apache-2.0 */
/* Producers are older than some keywords of __dlpack__. */
#ifndef DLFERRY_PYTHON_KEYWORD_H
#define DLFERRY_PYTHON_KEYWORD_H

#include "base.h"

/** The keywords, as bits. */
enum {
  DLFPY_STREAM = 1,
  DLFPY_MAX_VERSION = 2,
  DLFPY_DL_DEVICE = 4,
  DLFPY_COPY = 8,
  DLFPY_KEYWORDS = 4
};
extern const char *const dlfpy_keywords[DLFPY_KEYWORDS];

/** Return those of the given keywords that the method's signature has just refused with TypeError,
 * whose exception is then cleared; 0 if its body raised the exception, which stays. */
int dlfpy_refused(PyObject *method, int given);

#endif
