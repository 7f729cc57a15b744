/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of parameters and results. */
#ifndef DLFERRY_BIND_IR_KIND_H
#define DLFERRY_BIND_IR_KIND_H

/** The kind of a parameter or a result for callers. Single values stand together, from BIND_INTEGER
 * to BIND_STRING; those of any value end with BIND_BOOL, numbers in C with BIND_ENUM. */
typedef enum bind_kind {
  BIND_VOID,
  BIND_TENSOR,  /**< DLTensor *: see direction and optional. In the twin: dlf_arg by value. */
  BIND_INTEGER, /**< see scalar */
  BIND_REAL,    /**< BIND_F32 or BIND_F64 */
  BIND_COMPLEX, /**< BIND_C64 or BIND_C128; in the twin: dlf_c64 or dlf_c128 */
  BIND_BOOL,    /**< C's bool */
  BIND_ENUM,    /**< see enumeration; in C an int-sized integer, scalar says BIND_I32 or BIND_U32 */
  BIND_CHAR,    /**< C's char: one character of ASCII */
  BIND_STRING,  /**< const char *, UTF-8 with NUL at the end; never NULL when a binding passes it */
  BIND_LIST,    /**< const DLTensor *const *, and a count that callers do not see */
  BIND_ARRAY,   /**< const int64_t * and the like, texts or objects, likewise counted */
  BIND_GIVEN,   /**< DLManagedTensorVersioned **: always returned */
  BIND_HANDLE,  /**< pointer to an opaque struct: see handle */
  BIND_STREAM,  /**< dlf_stream: bindings fill it in */
  BIND_STRUCT,  /**< a struct with public fields, by value or behind a pointer: see structure */
  BIND_OTHER    /**< anything else: a function that has one carries `unbound` */
} bind_kind;

/** Return the kind's name in the IR: "tensor", "list". */
const char *bind_kind_name(bind_kind kind);

/** Return its name in --explain: "tensor", "list of tensors". */
const char *bind_kind_title(bind_kind kind);

#endif
