/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_STREAM_H
#define DLFERRY_PYTHON_STREAM_H

#include "call.h"

typedef struct dlfpy_role {
  const char *name; /**< opens the messages */
  bool written;
} dlfpy_role;

/** Return the stream of the first device tensor's producer; NULL if there is none. Makes the other
 * inputs on that device  ready there; refuses an output of another stream with DEVICE.  @param
 * roles  of the arguments up to end */
bool dlfpy_stream(dlfpy_call *call, dlfpy_arg *end, const dlfpy_role *roles, dlf_stream *out);

#endif
