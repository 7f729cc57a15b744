/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_STREAM_H
#define DLFERRY_PYTHON_STREAM_H

#include "call.h"

typedef struct dlfpy_role {
  const char *name; /**< opens the messages */
  bool written;
} dlfpy_role;

/** The stream on which the first tensor's producer works whose data is on a device; NULL when there is none. What the
 *  others on that device are read from is made ready there; an output of another stream is refused with DEVICE.
 *  @param roles  of the arguments up to end */
bool dlfpy_stream(dlfpy_call *call, dlfpy_arg *end, const dlfpy_role *roles, dlf_stream *out);

#endif
