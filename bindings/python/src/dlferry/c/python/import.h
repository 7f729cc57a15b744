/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_IMPORT_H
#define DLFERRY_PYTHON_IMPORT_H

#include "base.h"

/** Give a handle on any object that dlferry takes.
 *  @param name    opens the messages
 *  @param device  the one asked of from_dlpack; type 0 for the device that the data is on
 *  @param legacy  gets dlfpy_content's field */
dlf_tensor *dlfpy_import(PyObject *x, const char *name, DLDevice device, dlf_copy_mode copy,
                         bool *legacy);

/** The same without draining first. */
dlf_tensor *dlfpy_import_known(PyObject *x, const char *name, DLDevice device, dlf_copy_mode copy,
                               bool *legacy);

/** Give a handle by __dlpack__ on data that is ready on a stream, given as a number for it. */
dlf_tensor *dlfpy_import_on(PyObject *x, const char *name, PyObject *stream);

#endif
