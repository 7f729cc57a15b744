/* SPDX-License-Identifier: Apache-2.0 */
/* Python objects over the hub: dlferry itself and every package made by dlferry-bind compile this
 * into their extension modules. */
#ifndef DLFERRY_PYTHON_H
#define DLFERRY_PYTHON_H

#include "python/lend.h"
#include "python/object.h"
#include "python/oneapi.h"
#include "python/release.h"
#include "python/signature.h"
#include "python/struct.h"

#endif
