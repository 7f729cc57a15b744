/* SPDX-License-Identifier: Apache-2.0 */
/* --preprocess: headers after the compiler's own preprocessor. */
#ifndef DLFERRY_BIND_PREPROCESS_H
#define DLFERRY_BIND_PREPROCESS_H

#include "options.h"

/** Return the text that the compiler's preprocessor makes of the headers, with line marks, comments
 * and definitions; NULL after bind_error. */
const char *preprocess_headers(const command_options *o);

/** Return the index of the header that a line mark names, or -1 for a file that it includes. */
int preprocess_which(const char *file);

#endif
