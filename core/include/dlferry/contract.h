/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts: a function's conditions on its tensors, written once and checked here.
 *
 *   image: T[h, w, c];  out: T[h, w, c] noalias;  T in f32|f64;  c in 1..4;  sigma > 0;  sigma
 * = 1.0
 *
 * A clause for each tensor gives dtype, extents and properties; the same name means the same extent
 * or dtype everywhere. The generator compiles such texts from doc comments, and its checked
 * functions call this part. */
#ifndef DLFERRY_CONTRACT_H
#define DLFERRY_CONTRACT_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Contract ---- */

/** Highest number of different hook(...) in a contract. */
#define DLF_MAX_HOOKS 16

/** Kind of a parameter of the function. */
typedef enum dlf_parameter_kind {
  DLF_PARAMETER_INPUT = 0,    /**< const DLTensor *, read */
  DLF_PARAMETER_OUTPUT = 1,   /**< DLTensor *, written; also read if the contract says inout */
  DLF_PARAMETER_INTEGER = 2,  /**< any signed integer, or an unsigned one below 64 bits */
  DLF_PARAMETER_UNSIGNED = 3, /**< uint64_t, its bits in dlf_value's integer */
  DLF_PARAMETER_REAL = 4,     /**< float or double */
  DLF_PARAMETER_OTHER = 5,    /**< bool, enum, text, a place for a number: never read */
  DLF_PARAMETER_LIST =
      6, /**< const DLTensor *const *: dlf_value's items are dlf_arg, integer their number */
  DLF_PARAMETER_ARRAY = 7, /**< scalars: dlf_value's items, integer their number */
  DLF_PARAMETER_GIVEN =
      8 /**< DLManagedTensorVersioned **: absent before the call, checked after it */
} dlf_parameter_kind;

/** Name and kind of a parameter.
 *  A later version may add fields at the end of this structure and of dlf_value: functions that
 * take an array of them also take the size of an element. */
typedef struct dlf_parameter {
  const char *name;
  int32_t kind; /**< a dlf_parameter_kind */
} dlf_parameter;

/** An argument; the parameter's kind decides which fields are read. */
typedef struct dlf_value {
  dlf_arg tensor;    /**< input, output, given */
  int64_t integer;   /**< integer, unsigned; the length of a list or an array */
  double real;       /**< real */
  const void *items; /**< list: const dlf_arg *; array: its values, never read; NULL only if there
                        are none */
} dlf_value;

/** Description of an output: compact in some order, or with another tensor's strides. Begin with
 * DLF_PROTOTYPE_INIT. */
typedef struct dlf_prototype {
  int64_t size; /**< of this structure, like in dlf_backend; the caller sets it, for a result too */
  DLDataType dtype;
  DLDevice device;
  int64_t ndim;
  int64_t shape[DLF_MAX_NDIM];
  int64_t strides[DLF_MAX_NDIM]; /**< in elements */
  int64_t align;                 /**< of data, in bytes: 0 or a power of two */
} dlf_prototype;
#define DLF_PROTOTYPE_INIT {sizeof(dlf_prototype), {0, 0, 0}, {(DLDeviceType)0, 0}, 0, {0}, {0}, 0}

/** A compiled contract; immutable, so any thread may use it at any time. */
typedef struct dlf_contract dlf_contract;

/** Compile a contract.
 *  Borrows text, function and parameters. text may be NULL or empty. Gives *out. Fails with
 * INVALID, the reason and its place, UNSUPPORTED for more than 32 tensors, or NO_MEMORY.
 *  @param function    name that opens messages
 *  @param parameters  those of the C function in its order, without a dlf_error *
 *  @param parameter_size  sizeof(dlf_parameter) */
DLF_API dlf_status dlf_contract_compile(const char *text, const char *function,
                                        const dlf_parameter *parameters, int32_t count,
                                        int64_t parameter_size, dlf_contract **out,
                                        dlf_error *error);

/** Check a call against a contract.
 *  Call it again after the call if the function returned tensors. Borrows arguments, one for each
 * parameter, then the results of each hook(f), as integers, in the order of dlf_contract_format;
 * allocates nothing. Fails with DTYPE, SHAPE, LAYOUT, DEVICE, READ_ONLY, with INVALID for a scalar
 * out of its range or shared memory, UNSUPPORTED for unknown flags, or like dlf_check.
 *  @param value_size  sizeof(dlf_value) */
DLF_API dlf_status dlf_contract_match(const dlf_contract *self, const dlf_value *arguments,
                                      int64_t value_size, dlf_error *error);

/** Check only the inputs of a call: no outputs, given tensors or values of their hooks.
 *  Otherwise like dlf_contract_match. */
DLF_API dlf_status dlf_contract_match_inputs(const dlf_contract *self, const dlf_value *arguments,
                                             int64_t value_size, dlf_error *error);

/** Describe an output that the caller omits.
 *  Reads only the inputs and the hooks. Fails with INVALID if the contract does not determine
 * output number `which` (from 0, among the parameters), or an empty list leaves it open, or like
 * dlf_contract_match. */
DLF_API dlf_status dlf_contract_infer(const dlf_contract *self, const dlf_value *arguments,
                                      int64_t value_size, int32_t which, dlf_prototype *out,
                                      dlf_error *error);

/** Allocate an output that the caller omits, with elements of zero.
 *  Gives *out. Fails like dlf_contract_infer and dlf_create. */
DLF_API dlf_status dlf_contract_create(const dlf_contract *self, const dlf_value *arguments,
                                       int64_t value_size, int32_t which, dlf_tensor **out,
                                       dlf_error *error);

/** Allocate and export a prototype: dlf_create and dlf_to_dlpack in one allocation.
 *  The elements are zero, aligned to at least 256 bytes. Gives *out. Fails like dlf_create.
 *  C only: generated packages call it. */
DLF_API dlf_status dlf_make(const dlf_prototype *prototype, DLManagedTensorVersioned **out,
                            dlf_error *error);

/** Narrow a double to a float parameter of C, for languages with only doubles.
 *  Writes *out; infinities and NaN stay. Fails with OVERFLOW, with 0 in *out, for a finite value
 * beyond float's range.
 *  @param name  opens the message: "blur: sigma"; NULL counts as ""
 *  C only: generated packages call it. */
DLF_API dlf_status dlf_to_float(double value, const char *name, float *out, dlf_error *error);

/** Write a contract in its usual form.
 *  Parameter `which` (from 0) selects a clause; -1 writes all. Returns the length without the final
 * NUL; a longer text is cut to capacity. */
DLF_API int64_t dlf_contract_format(const dlf_contract *self, int32_t which, char *buffer,
                                    int64_t capacity);

/** Free a contract. NULL does nothing.
 *  C only: the language's object frees it. */
DLF_API void dlf_contract_free(dlf_contract *owned);

#ifdef __cplusplus
}
#endif

#endif
