/* SPDX-License-Identifier: Apache-2.0 */
/* dpctl's protocol for tensors with kDLOneAPI, which hold unified shared memory (USM) of SYCL. */
#ifndef DLFERRY_ONEAPI_H
#define DLFERRY_ONEAPI_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- oneAPI ---- */

/** Exchange kDLOneAPI tensors by dpctl's protocol, through its C library.
 *  Loads the library and registers a backend for kDLOneAPI, for the rest of the process; another
 * call does nothing. Then an import or export fails with DEVICE unless the default context of a
 * SYCL platform knows the data, the device id is the position of the allocation's root device among
 * all root devices, and the processor reaches shared and host USM, but no device USM. Fails with
 * FOREIGN if the library cannot be loaded, UNSUPPORTED if it lacks a function, for more than 256
 * devices or a program that cannot load libraries, or INVALID if kDLOneAPI has another backend.
 *  @param library its path; NULL means libDPCTLSyclInterface.so, if the process has loaded it or
 * the loader finds it */
DLF_API dlf_status dlf_oneapi_enable(const char *library, dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
