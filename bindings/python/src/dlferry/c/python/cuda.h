/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_CUDA_H
#define DLFERRY_PYTHON_CUDA_H

#include "base.h"

/** Make a stream of a CUDA device wait for the work that the legacy default stream has now. False,
 * without an exception, if CUDA does not run in this process, or refuses.
 *  @param stream  its number in Python's array API */
bool dlfpy_cuda_wait(int32_t device_id, int64_t stream);

#endif
