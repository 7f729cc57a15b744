/* SPDX-License-Identifier: Apache-2.0 */
/* How a type supports DLPack. */
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
  DLFPY_OBJECT /* the type does not tell: an object may have its own __dlpack__, or be a buffer, or
                  neither */
} dlfpy_kind;

/** The properties of a type; equal ones are shared and live as long as the process. */
typedef struct dlfpy_producer {
  dlfpy_kind kind;
  bool torch;            /**< torch.Tensor or a subclass, of either kind */
  bool masked;           /* a NumPy masked array */
  bool dlferry;          /**< dlferry.Tensor: its table runs no Python code */
  bool tensorflow;       /* a TensorFlow tensor */
  bool regular;          /* DLFPY_PROTOCOL whose type has both of DLPack's methods */
  const char *immutable; /* the framework whose arrays never change, which JAX and TensorFlow cannot
                            say in DLPack */
  const DLPackExchangeAPI
      *api; /**< or NULL; not NULL for DLFPY_TABLE; major version 1; any slot may be NULL */
} dlfpy_producer;

/** Return x's producer. Runs no Python code, so that borrowed data does not change. */
const dlfpy_producer *dlfpy_producer_of(PyObject *x);
/** The same for objects of a type. */
const dlfpy_producer *dlfpy_producer_of_type(PyTypeObject *type);

/** Where a type's objects were when they were asked. */
typedef enum dlfpy_place { DLFPY_UNKNOWN, DLFPY_ON_CPU, DLFPY_ANYWHERE } dlfpy_place;

/** Return it for objects of x's type; DLFPY_UNKNOWN again after a change of the type. */
dlfpy_place dlfpy_place_of(PyObject *x);
/** Remember it; DLFPY_ANYWHERE is final. */
void dlfpy_remember_place(PyObject *x, dlfpy_place place);

/** The producer of exactly numpy.ndarray. */
extern const dlfpy_producer dlfpy_plain_array;

/** torch.Tensor, borrowed, if torch is imported; else NULL. */
PyTypeObject *dlfpy_torch_type(void);

/** This extension's Tensor type and the content of one; NULL in generated packages. */
extern PyTypeObject *dlfpy_own_type;
extern dlfpy_content (*dlfpy_own_content)(PyObject *x);

#endif
