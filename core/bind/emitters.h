/* SPDX-License-Identifier: Apache-2.0 */
/* The languages that packages are made for: one row each of the table in emitters.c.
 *
 * How to write an emitter:
 *  1. Read ir.h. An emitter only reads the IR; `--ir` prints it.
 *  2. Emit one call of a twin for each function: bind_next_function (emit/query.h) steps through
 * those that are bound, bind_declare_checked and bind_declare_new (emit/declare.h) return the
 * twins' declarations. Check no dtype, shape or enum value.
 *  3. Write each emitted text as a template (base/template.h) that looks like the text. Say in a
 * table of slots (emit/slots.h) what each kind of parameter adds to each part of a function.
 * go/call.c is an example.
 *  4. Pass user texts through base/escape.h, names through base/names.h; bind_add_name finds two
 * names that clash.
 *  5. Write files with base/output.h, their first line and the C that they carry with
 * emit/package.h.
 *  6. Emit a test for each case of cases.h that the language can express, and its line of
 * golden.txt.
 */
#ifndef DLFERRY_BIND_EMITTERS_H
#define DLFERRY_BIND_EMITTERS_H

#include "bind/base/output.h"
#include "bind/ir/ir.h"

typedef struct bind_emitter {
  const char *name; /**< as in --lang */
  /** Leave out each function whose names clash in this language, with a line, before anything is
   * written. False, after bind_error, if there can be no package. NULL: no names clash that differ
   * in the IR. */
  bool (*settle)(bind_ir *ir);
  /** Write a package's own files, and its tests. */
  void (*emit)(const bind_ir *ir, bind_out *out);
  void (*emit_tests)(const bind_ir *ir, bind_out *out);
  /** Append the signature of a bound function, a line for each of its forms. A line may end with an
   * opening brace. */
  void (*explain)(const bind_ir *ir, const bind_function *f, bind_text *text);
  const char *sources; /**< the folder of the C that a package carries */
  const char *title;   /**< of the language, as people write it */
  const char *comment; /**< begins a comment in the language */
  const char *failure; /**< what a call that breaks a contract does */
  const char
      *install; /**< a template for README.md: how to install the package and read its docs */
} bind_emitter;

/** The languages in the order of --help; a NULL name ends the table. */
extern const bind_emitter bind_emitters[];

/** Return the emitter of a language, or NULL. */
const bind_emitter *bind_find_emitter(const char *name);

/** Write a package: its files, the C and the licences that it carries, its tests. */
void bind_write_package(const bind_emitter *emitter, const bind_ir *ir, bind_out *out);

/** Return "python,rust,go,julia". */
const char *bind_emitter_names(void);

#endif
