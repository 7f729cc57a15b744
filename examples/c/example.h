/* SPDX-License-Identifier: Apache-2.0 */
/* Two macros that the examples share. Each ends main with status 1: TRY when a call fails, EXPECT
 * when a result is not the expected one. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <dlferry.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Every example has a `dlf_error error` that its calls fill. */
#define TRY(call)                                                                                  \
  do {                                                                                             \
    if ((call) != DLF_OK)                                                                          \
      return fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, error.message), 1;                 \
  } while (0)

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition))                                                                              \
      return fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition), 1;           \
  } while (0)

#endif
