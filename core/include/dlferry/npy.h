/* SPDX-License-Identifier: Apache-2.0 */
/* Files in NumPy's .npy format, versions 1 to 3 (NEP 1), in the machine's byte order. */
#ifndef DLFERRY_NPY_H
#define DLFERRY_NPY_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Files (C only) ---- */

/** Map a .npy file as a read-only tensor, without copying.
 *  Gives *out, which keeps the mapping: a file that somebody shortens meanwhile kills the reader (SIGBUS). Fails with
 *  FOREIGN when the system refuses, INVALID when it is no such file or too short (a pipe or a device is not opened), DTYPE for objects, text and
 *  structures, UNSUPPORTED for the other byte order, or NO_MEMORY.
 *  @param path in UTF-8 */
DLF_API dlf_status dlf_npy_open(const char *path, dlf_tensor **out, dlf_error *error);

/** Write a tensor as a .npy file; an older file of that name is replaced at the end, or kept after a failure.
 *  The new file has the older one's mode. Until the end it has a name of its own in the same folder, `.dlferry-*.part`,
 *  and nothing else there is touched; a link at path is replaced, not followed. Column-major data is written as it lies,
 *  other strides through a row-major copy. Borrows tensor. Fails with FOREIGN when the system refuses or path is no plain
 *  file, DTYPE for what NumPy has no name for, DEVICE, UNSUPPORTED for unknown flags, NO_MEMORY, or with what dlf_check
 *  fails with.
 *  @param path in UTF-8 */
DLF_API dlf_status dlf_npy_save(dlf_arg tensor, const char *path, dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
