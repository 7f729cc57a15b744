/* SPDX-License-Identifier: Apache-2.0 */
/* One thread at a time in a Tensor. With the GIL that is so already. Without it all methods of a
 * Tensor run in its critical section. */
#ifndef DLFERRY_SECTION_H
#define DLFERRY_SECTION_H

#include "hub.h"

#ifdef Py_GIL_DISABLED
/** Put a type's methods, properties and slots into the section, once, before the type is made. */
bool hub_guard(PyMethodDef *methods, PyGetSetDef *properties, PyType_Slot *slots);
#else
static inline bool hub_guard(PyMethodDef *methods, PyGetSetDef *properties, PyType_Slot *slots) {
  (void)methods;
  (void)properties;
  (void)slots;
  return true;
}
#endif

#endif
