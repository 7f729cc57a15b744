/* SPDX-License-Identifier: Apache-2.0 */
/* Files in NumPy's .npy format, versions 1 to 3 (NEP 1), in the machine's byte order. */
#ifndef DLFERRY_NPY_H
#define DLFERRY_NPY_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Files ---- */

/** Map a .npy file as a read-only tensor, without copying.
 *  Gives *out, which keeps the mapping: shortening the file meanwhile kills the reader (SIGBUS).
 * Fails with FOREIGN if the system refuses, INVALID for another or too short file (a pipe or a
 * device is not opened), DTYPE for objects, text and structures, UNSUPPORTED for the other byte
 * order, or NO_MEMORY.
 *  @param path in UTF-8 */
DLF_API dlf_status dlf_npy_open(const char *path, dlf_tensor **out, dlf_error *error);

/** Write a tensor as a .npy file; at the end it replaces an older file of that name.
 *  On failure the older file stays. The new file has the older one's mode. Until the end it is
 * named `.dlferry-*.part` in the same folder, where nothing else changes; a link at path is
 * replaced, not followed. Column-major data is written directly, other strides through a row-major
 * copy. Borrows tensor. Fails with FOREIGN if the system refuses or path is not a plain file, DTYPE
 * for dtypes without a NumPy name, DEVICE, UNSUPPORTED for unknown flags, NO_MEMORY, or like
 * dlf_check.
 *  @param path in UTF-8 */
DLF_API dlf_status dlf_npy_save(dlf_arg tensor, const char *path, dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
