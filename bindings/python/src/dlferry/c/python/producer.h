/* SPDX-License-Identifier: Apache-2.0 */
/* What a type is to DLPack. */
#ifndef DLFERRY_PYTHON_PRODUCER_H
#define DLFERRY_PYTHON_PRODUCER_H

#include "content.h"

typedef enum dlfpy_kind {
  DLFPY_OWN,      /**< this extension's own Tensor */
  DLFPY_NUMPY,    /**< numpy.ndarray, read from its structure */
  DLFPY_TABLE,    /**< has an exchange table */
  DLFPY_PROTOCOL, /**< has __dlpack__ */
  DLFPY_CAPSULE,
  DLFPY_BUFFER,
  DLFPY_OBJECT /**< the type does not tell: an object may have a __dlpack__ of its own, or be a buffer, or neither */
} dlfpy_kind;

/** What a type decides; types of which the same holds share one, which lives as long as the process. */
typedef struct dlfpy_producer {
  dlfpy_kind kind;
  bool torch;            /**< torch.Tensor or a subclass */
  bool masked;           /**< a masked array of NumPy's */
  bool dlferry;          /**< dlferry.Tensor: its table runs no Python code */
  bool tensorflow;       /**< a tensor of TensorFlow's */
  const char *immutable; /**< the framework whose arrays never change, which JAX and TensorFlow cannot say by DLPack */
  const DLPackExchangeAPI *api; /**< or NULL; not NULL for DLFPY_TABLE; major version 1; any slot may be NULL */
} dlfpy_producer;

/** Say what x is. Runs no Python code, so that what is borrowed stays as it is. */
const dlfpy_producer *dlfpy_producer_of(PyObject *x);

/** What exactly numpy.ndarray is. */
extern const dlfpy_producer dlfpy_plain_array;

/** torch.Tensor, borrowed, if torch has been imported; else NULL. */
PyTypeObject *dlfpy_torch_type(void);

/** This extension's Tensor type and what one keeps; NULL in generated packages. */
extern PyTypeObject *dlfpy_own_type;
extern dlfpy_content (*dlfpy_own_content)(PyObject *x);

#endif
