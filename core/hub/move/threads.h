/* SPDX-License-Identifier: Apache-2.0 */
/* A loop on as many threads as dlf_set_threads allows. */
#ifndef DLFERRY_THREADS_H
#define DLFERRY_THREADS_H

#include "loop.h"

DLF__BEGIN_HIDDEN

/* On how many threads a loop pays that writes so many bytes. */
int32_t dlf__threads_for(int64_t bytes);
/* Give a thread so many bytes or more from now on. For tests. */
void dlf__threads_share(int64_t least);
/* Like dlf__walk, on so many threads. The work changes nothing of its context and never ends the
 * walk, and no two elements of `to` share a byte. The caller ends what its own thread streamed. */
void dlf__walk_on_threads(const dlf__loop *loop, int32_t threads, dlf__tile_work work,
                          void *context);

DLF__END_HIDDEN

#endif
