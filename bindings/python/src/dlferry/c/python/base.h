/* SPDX-License-Identifier: Apache-2.0 */
/* Every file here begins with this. Functions need the GIL unless their comment says otherwise;
 * those that return a pointer or `bool` have set a Python exception if they return NULL or false.
 */
#ifndef DLFERRY_PYTHON_BASE_H
#define DLFERRY_PYTHON_BASE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "once.h"
#include "stable.h"

#include <dlferry.h>
#include <stdint.h>

#endif
