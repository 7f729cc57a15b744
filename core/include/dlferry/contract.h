/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts: what a function asks of its tensors, said once and checked here.
 *
 *   image: T[h, w, c];  out: T[h, w, c] noalias;  T in f32|f64;  c in 1..4;  sigma > 0;  sigma = 1.0
 *
 * A clause for each tensor gives dtype, extents and properties; the same name means the same extent or dtype
 * everywhere. The generator compiles such texts from doc comments, and its checked functions call these. */
#ifndef DLFERRY_CONTRACT_H
#define DLFERRY_CONTRACT_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Contract (C only) ---- */

/** What a parameter of the function is. */
typedef enum dlf_parameter_kind {
  DLF_PARAMETER_INPUT = 0,    /**< const DLTensor *, read */
  DLF_PARAMETER_OUTPUT = 1,   /**< DLTensor *, written; read too when the contract says inout */
  DLF_PARAMETER_INTEGER = 2,  /**< any signed integer, or an unsigned one below 64 bits */
  DLF_PARAMETER_UNSIGNED = 3, /**< uint64_t, its bits in dlf_value's integer */
  DLF_PARAMETER_REAL = 4,     /**< float or double */
  DLF_PARAMETER_OTHER = 5,    /**< bool, enum, text: a contract gives it a default at most */
  DLF_PARAMETER_LIST = 6,     /**< const DLTensor *const *: dlf_value's items are dlf_arg, integer their number */
  DLF_PARAMETER_ARRAY = 7,    /**< scalars: dlf_value's items, integer their number */
  DLF_PARAMETER_GIVEN = 8     /**< DLManagedTensorVersioned **: absent before the call, checked after it */
} dlf_parameter_kind;

/** Name and kind of a parameter. A later version may add fields at the end of this structure and of dlf_value: functions
 *  that take an array of them take the size of an element too. */
typedef struct dlf_parameter {
  const char *name;
  int32_t kind; /**< a dlf_parameter_kind */
} dlf_parameter;

/** An argument; the parameter's kind says which fields count. */
typedef struct dlf_value {
  dlf_arg tensor;    /**< input, output, given */
  int64_t integer;   /**< integer, unsigned; how many a list or an array has */
  double real;       /**< real */
  const void *items; /**< list: const dlf_arg *; array: its values, which nobody reads; NULL only if there are none */
} dlf_value;

/** What an output must be: compact in some order, or with the strides of another tensor. */
typedef struct dlf_prototype {
  DLDataType dtype;
  DLDevice device;
  int32_t ndim;
  int64_t shape[DLF_MAX_NDIM];
  int64_t strides[DLF_MAX_NDIM]; /**< in elements */
  int64_t align;                 /**< of data, in bytes: 0 or a power of two */
  int64_t reserved[2];           /**< 0 */
} dlf_prototype;

/** A compiled contract; immutable, so any thread may use it at any time. */
typedef struct dlf_contract dlf_contract;

/** Compile a contract.
 *  Borrows text, function and parameters. text may be NULL or empty. Gives *out. Fails with INVALID and what is wrong
 *  where, UNSUPPORTED for more than 32 tensors, or NO_MEMORY.
 *  @param function    name with which messages begin
 *  @param parameters  those of the C function in its order, a dlf_error * left out
 *  @param parameter_size  sizeof(dlf_parameter) */
DLF_API dlf_status dlf_contract_compile(const char *text, const char *function, const dlf_parameter *parameters,
                                        int32_t count, int64_t parameter_size, dlf_contract **out, dlf_error *error);

/** Check a call against a contract; again after the call, if it gave tensors.
 *  Borrows arguments, one for each parameter, then what each hook(f) returned, as integers, in the order in which
 *  dlf_contract_format mentions them; allocates nothing. Fails with DTYPE, SHAPE, LAYOUT, DEVICE, READ_ONLY, with INVALID
 *  for a scalar out of its range or shared memory, UNSUPPORTED for unknown flags, or with what dlf_check fails with.
 *  @param value_size  sizeof(dlf_value) */
DLF_API dlf_status dlf_contract_match(const dlf_contract *self, const dlf_value *arguments, int64_t value_size,
                                      dlf_error *error);

/** Check only what a call reads: neither outputs nor given tensors, and without the values of hooks.
 *  Otherwise as dlf_contract_match. */
DLF_API dlf_status dlf_contract_match_inputs(const dlf_contract *self, const dlf_value *arguments, int64_t value_size,
                                             dlf_error *error);

/** Tell what an output that the caller leaves out must be.
 *  Looks at the inputs and the hooks only. Fails with INVALID when the contract does not determine output number `which`
 *  (from 0, among the parameters), or would but for an empty list, or as dlf_contract_match does. */
DLF_API dlf_status dlf_contract_infer(const dlf_contract *self, const dlf_value *arguments, int64_t value_size,
                                      int32_t which, dlf_prototype *out, dlf_error *error);

/** Allocate an output that the caller leaves out, its elements zero.
 *  Gives *out. Fails as dlf_contract_infer and dlf_create do. */
DLF_API dlf_status dlf_contract_create(const dlf_contract *self, const dlf_value *arguments, int64_t value_size,
                                       int32_t which, dlf_tensor **out, dlf_error *error);

/** Allocate what a prototype says and export it: dlf_create and dlf_to_dlpack in one allocation.
 *  The elements are zero, aligned to 256 bytes at least. Gives *out. Fails as dlf_create does, or with INVALID for a
 *  reserved field that is not 0. */
DLF_API dlf_status dlf_make(const dlf_prototype *prototype, DLManagedTensorVersioned **out, dlf_error *error);

/** Narrow a number to the float that a C parameter wants, for bindings of languages whose numbers are doubles.
 *  Writes *out; infinities and NaN stay. Fails with OVERFLOW, *out is 0, for a finite value that no finite float is near.
 *  @param name  begins the message: "blur: sigma"; NULL counts as "" */
DLF_API dlf_status dlf_to_float(double value, const char *name, float *out, dlf_error *error);

/** Write a contract in its usual form: the clause of parameter `which` (from 0), or all of it for -1.
 *  Returns the length without the final NUL; what exceeds capacity is cut. */
DLF_API int64_t dlf_contract_format(const dlf_contract *self, int32_t which, char *buffer, int64_t capacity);

/** Let go of a contract. NULL does nothing. */
DLF_API void dlf_contract_free(dlf_contract *owned);

#ifdef __cplusplus
}
#endif

#endif
