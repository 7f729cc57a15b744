/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that no runtime but C knows of. */
#ifndef DLFERRY_ROOM_FOREIGN_H
#define DLFERRY_ROOM_FOREIGN_H

#include <dlpack/dlpack.h>

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
/** Call a managed tensor's deleter on a fresh POSIX thread and wait for it. Returns 0 or an errno.
 *  Takes owned when it returns 0. */
int32_t foreign_delete(DLManagedTensorVersioned *owned);

#endif
