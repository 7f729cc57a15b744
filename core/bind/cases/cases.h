/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that generated tests make of each function: some that its contract accepts, and about
 * one for each rule that breaks only that rule, with the status and the text that every language
 * gives, byte for byte.
 *
 * main.c fills function->cases before the emitters run; it is NULL with --no-tests or without an
 * accepted call:
 *
 *   if (bind_has_cases(ir)) rust_emit_tests(ir, out);
 *
 * A package's tests are golden.txt, which has the calls as data, and a runner, which is the same in
 * all packages but for a table of the package's functions. bind_write_tests writes both.
 *
 * The rules for runners:
 * - An accepted case (status DLF_OK, text "") passes if the call returns. It also passes if the
 * kernel itself refuses the arguments, since tensors hold zeros, numbers are invented and texts are
 * empty. A message of the contract, which has BIND_CASE_WANTED but neither BIND_CASE_HOOK (a hook
 * that refuses zeros) nor BIND_CASE_HOOKED (a rule with a hook) in it, fails the test.
 * - An accepted call is made again with tensors that have a byte_offset; nothing else may change.
 * - A refused case passes if the call fails with that status and that text.
 * - A runner knows how many lines there are.
 * - An object is made by the call that the argument names; if the kernel refuses that call, the
 * test skips the case. A language leaves out cases that it cannot express.
 * - Calls run in a folder of their own, since functions may write files. */
#ifndef DLFERRY_BIND_CASES_CASES_H
#define DLFERRY_BIND_CASES_CASES_H

#include "bind/emit/package.h"
#include "bind/ir/ir.h"
#include <dlferry/contract.h>
#include <stdio.h>

enum { BIND_CASE_NDIM = 8 };

#define BIND_CASE_WANTED "wanted "
/* The numbers of hooks are unknown here, so a contract may refuse an accepted call because of them.
 */
#define BIND_CASE_HOOK "wanted a length of 0 or more"
#define BIND_CASE_HOOKED "hook("

/** A tensor on the CPU, filled with zero bytes. */
typedef struct bind_case_tensor {
  DLDataType dtype;
  const char *dtype_name; /**< short: "f32", "bf16", "c64", "f32_x4" */
  int ndim;
  int64_t shape[BIND_CASE_NDIM];
  int64_t strides[BIND_CASE_NDIM]; /**< in elements, 0 or more; any for an extent of 1 */
  bool row_major;                  /**< compact in C's order: tests may leave out the strides */
  int64_t reach;  /**< elements of memory from the first to the last one touched; 0 if empty */
  int64_t align;  /**< the memory begins at a multiple of this many bytes; 0: any */
  int64_t skew;   /**< bytes between the beginning of the memory and the first element; mostly 0 */
  bool read_only; /**< only for a tensor that the kernel writes: it must be refused */
} bind_case_tensor;

/** The argument of one parameter; the parameter's kind says which fields count. */
typedef struct bind_case_value {
  bool absent;              /**< it is optional and left out: None, nil, nothing */
  bind_case_tensor *tensor; /**< BIND_TENSOR: one; BIND_LIST: count of them */
  int count;                /**< BIND_LIST, BIND_ARRAY */
  const char *imaginary;    /**< BIND_COMPLEX: a literal, as text for the real part */
  const char *text;         /**< BIND_CHAR: the character; BIND_INTEGER, BIND_REAL: a literal as in
                               bind_default; BIND_STRING: as there, may be ""; BIND_ARRAY: the literal of
                               each of its values, which are all the same */
  int64_t integer;          /**< BIND_INTEGER, BIND_ENUM */
  double real;              /**< BIND_REAL; exact in float too if the parameter is one */
  bool truth;               /**< BIND_BOOL */
  const bind_enumerator *enumerator; /**< BIND_ENUM; NULL for a value that the enum does not have */
  const bind_function
      *maker;  /**< BIND_HANDLE: makes it, called with the values of bind_maker_case(maker) */
  bool closed; /**< BIND_HANDLE: closed before the call */
} bind_case_value;

/** The rule that a call breaks. */
typedef enum bind_broken {
  BIND_BROKEN_NOTHING,
  BIND_BROKEN_DTYPE,
  BIND_BROKEN_NDIM,
  BIND_BROKEN_EXTENT,
  BIND_BROKEN_LAYOUT,    /**< strides */
  BIND_BROKEN_REPEATS,   /**< a stride of 0 in a tensor that is written */
  BIND_BROKEN_ALIGN,     /**< skew */
  BIND_BROKEN_READ_ONLY, /**< read_only */
  BIND_BROKEN_SHARED,    /**< shares */
  BIND_BROKEN_LIMIT,     /**< a constraint on numbers or extents; several values may differ from the
                            accepted call's */
  BIND_BROKEN_NUMBER,    /**< the length of a list or an array */
  BIND_BROKEN_ENUM,      /**< a value that the enum does not have */
  BIND_BROKEN_LETTER,    /**< a character that is not allowed */
  BIND_BROKEN_CLOSED     /**< a closed handle */
} bind_broken;

typedef struct bind_case {
  const char *
      name; /**< [a-z0-9_]+, unique within the function: "accepted", "image_dtype", "sigma_limit" */
  const char *full_name; /**< "blur/image_dtype": unique in the package, as in the golden file */
  const bind_function *function;
  bool make; /**< call f_new, which makes its outputs; else f_checked with all of them given */
  dlf_status status; /**< DLF_OK for an accepted call */
  const char *text;  /**< of the failure; "" for an accepted call */
  bind_broken broken;
  const bind_param *param; /**< the parameter at fault; NULL for none, or a constraint on several */
  /** BIND_BROKEN_SHARED: `owner` and `guest` begin at the same byte, else both are NULL. The
   * owner's memory (of a list: its first tensor's) is the larger; their dtypes may differ. */
  const bind_param *owner, *guest;
  bind_case_value
      *values; /**< one for each of function->params; zero for those that callers do not pass */
  const struct bind_case *next;
} bind_case;

/** Find the cases of all bound functions; print functions for which none are found. */
void bind_make_cases(bind_ir *ir);

/** Tell whether any function has cases. */
bool bind_has_cases(const bind_ir *ir);

/** Return the call that makes a handle for others: the first accepted one of this creating
 * function. */
const bind_case *bind_maker_case(const bind_function *maker);

/** Return the value of a case for a parameter of its function. */
const bind_case_value *bind_value_of(const bind_case *c, const bind_param *p);

/** Return the value of a parameter as JSON, in the form that json.c tells; NULL for one that the
 * call does not pass. */
const char *bind_case_argument(const bind_case *c, const bind_param *p);

/** What a language adds to the tests of a package. */
typedef struct bind_tests {
  const char *package; /**< the package's name in the language: the runner's $package */
  bind_file_kind runner_kind;
  const char *const *runner; /**< the lines of its template */
  const char *runner_path, *golden_path;
  bind_broken unsayable; /**< calls that break this rule cannot be written in the language, unless
                            it is BIND_BROKEN_NOTHING */
  /** Appends how the runner calls a function: an entry of its $functions. */
  void (*put_function)(bind_text *functions, const bind_ir *ir, const bind_function *f);
} bind_tests;

/** Write golden.txt, lines of NAME<tab>STATUS<tab>TEXT and <tab>NAME=VALUE for each argument, and
 * the runner. '#' begins comments: at the end, the rules of contracts that no case breaks. */
void bind_write_tests(const bind_ir *ir, bind_out *out, const bind_tests *tests);

/** Print all cases as JSON. */
int bind_emit_cases(const bind_ir *ir, FILE *file);

#endif
