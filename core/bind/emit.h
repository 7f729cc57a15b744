/* SPDX-License-Identifier: Apache-2.0 */
/* What emitters share: a text that grows, files that are written or compared, names, docs.
 *
 * An emitter is one function, `int bind_emit_LANGUAGE(const bind_ir *ir, bind_out *out)`, in emit_LANGUAGE.c. It makes
 * texts and hands each to bind_write under a path below --out, such as "rust/src/lib.rs". It returns 0, or 1 after
 * bind_error. Running out of memory ends the command, so nothing here returns NULL. All of bind is amalgamated into one
 * file: begin static names with the language.
 *
 *   bind_text t = {0};
 *   bind_first_line(&t, ir, "//", "", "go");
 *   bind_line(&t, "package %s", ir->name);
 *   for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) { ... }
 *   bind_write(out, "go/photo.go", &t);
 *   bind_text_free(&t); */
#ifndef DLFERRY_BIND_EMIT_H
#define DLFERRY_BIND_EMIT_H

#include "ir.h"
#include <dlferry.h>
#include <stdarg.h>
#include <stdio.h>

#if defined(__GNUC__)
#define BIND_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define BIND_PRINTF(string, first)
#endif

/* ---- Text ---- */

/** A text that grows; {0} is empty, with indentation by two spaces. */
typedef struct bind_text {
  char *data; /**< NUL at the end; NULL while empty */
  size_t length, capacity;
  int depth;        /**< current depth of indentation */
  const char *unit; /**< of indentation; NULL means two spaces. Rust, Python, Julia: "    "; Go: "\t" */
} bind_text;

/** Append, printf-like. Every line that begins here gets the indentation; lines left empty get none. */
void bind_put(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** Append and end the line. */
void bind_line(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** bind_line, then indent what follows: bind_open(t, "{") ... bind_close(t, "}"). */
void bind_open(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** Go back one depth, then bind_line. */
void bind_close(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** bind_line, broken behind commas where it would pass column 120; what follows is indented by two more. */
void bind_wrapped(bind_text *text, const char *line);

/** Append bytes as they are, without indentation. */
void bind_raw(bind_text *text, const char *bytes, size_t size);

void bind_text_free(bind_text *text);

/** A lasting copy of a printf-like text, freed when the command ends. */
char *bind_string(const char *format, ...) BIND_PRINTF(1, 2);
char *bind_string_list(const char *format, va_list list);

/** Lasting zeroed memory, freed when the command ends. */
void *bind_alloc(size_t count, size_t size);

void bind_free_all(void);

/** Print "dlferry-bind: ..." on stderr. */
void bind_error(const char *format, ...) BIND_PRINTF(1, 2);

/* ---- Files ---- */

/** Where files go. With check they are compared instead of written, and `different` counts those that differ. */
typedef struct bind_out {
  const char *directory; /**< NULL: nowhere, for who wants to see an emitter run */
  bool check;
  int different;
  int failed; /**< files that could not be written */
} bind_out;

/** Write (or compare) a file below out->directory; folders are made. Nothing is touched when it is already the same.
 *  Failures are printed and counted in out, the command then ends with status 1. */
void bind_write(bind_out *out, const char *path, const bind_text *text);

/** The same for the start of a file: what somebody else has written behind it stays. */
void bind_write_start(bind_out *out, const char *path, const bind_text *text);

/** The same for a manifest: the version that an existing one gives its package stays, since that is the user's to count. */
void bind_write_manifest(bind_out *out, const char *path, const bind_text *text);

/** Write (or compare) a copy of one file under the given folder, such as "go". */
void bind_copy(bind_out *out, const char *folder, const bind_file *file);

/** Copy all the C that a package must carry into a folder: the user's header and sources, NAME_dlferry.h and .c. */
void bind_copy_sources(bind_out *out, const char *folder, const bind_ir *ir);

/** Line 1 of a generated file, between comment marks: says that it is generated, from what, by which command. Line 2 is
 *  the header's SPDX line, if it has one.
 *  @param language  "python", ... or NULL for what all languages share */
void bind_first_line(bind_text *text, const bind_ir *ir, const char *open, const char *close, const char *language);

/* ---- Walking ---- */

/** The bound function after f; the first for NULL; NULL at the end. */
const bind_function *bind_next_function(const bind_ir *ir, const bind_function *f);

/** Count the parameters that f_new makes. */
int bind_count_made(const bind_function *f);

/** True for a parameter that callers pass, to f_new (make) or to f_checked. */
bool bind_is_passed(const bind_param *p, bool make);

/** Count what a call returns: the value, then what is made or returned. */
int bind_count_results(const bind_function *f, bool make);

/** The first parameter that is a tensor, or a list of them, which callers give to f_new (its framework is that of the
 *  results), or NULL. */
/* What a call does to an object that it is passed: a dlf_use_mode. */
const char *bind_use_mode(const bind_function *f, const bind_param *p);
bool bind_is_const(const bind_type *type);

const bind_param *bind_first_tensor(const bind_function *f);

/** True when any bound function takes or returns this enum. */
bool bind_enum_is_used(const bind_ir *ir, const bind_enum *e);

/* ---- C ---- */

/** How C spells a scalar: "int32_t", "double". */
const char *bind_scalar_c(bind_scalar scalar);

/** Its short name, that of contracts, of the IR and of Rust: "i32", "f64". */
const char *bind_scalar_name(bind_scalar scalar);

/** The highest value of an integer scalar that fits in 64 signed bits; 0 for reals. */
int64_t bind_scalar_highest(bind_scalar scalar);

/** What a parameter is to the contract. */
dlf_parameter_kind bind_parameter_kind(const bind_param *p);

/** The contract's parameters: those of the C function, f->c_param_count of them. */
const dlf_parameter *bind_contract_parameters(const bind_function *f);

/** C declaration of the twins' parameter, as a list of them wants it: "const dlf_arg *frames, int64_t frames_count, ". */
void bind_put_c_param(bind_text *text, const bind_param *p, bool make);

/** How the twins call the place of what the function returns: "result", unless a parameter is called so. */
const char *bind_result_name(const bind_function *f);

/** C declaration of the twin, without ';':
 *  dlf_status photo_blur_checked(dlf_arg image, double sigma, dlf_arg out, dlf_error *error) */
void bind_put_checked(bind_text *text, const bind_function *f);
/** The same under another name. */
void bind_put_twin(bind_text *text, const bind_function *f, const char *name);

/** C declaration of the function that makes its outputs, without ';'; f->new_name must be set:
 *  dlf_status photo_blur_new(dlf_arg image, double sigma, DLManagedTensorVersioned **out, dlf_error *error) */
void bind_put_new(bind_text *text, const bind_function *f);

/* ---- Names ---- */

/** "draw_histogram" from "draw_histogram", "DrawHistogram" or "DRAW_HISTOGRAM". */
const char *bind_snake(const char *name);

/** "DrawHistogram" from any of these. */
const char *bind_pascal(const char *name);

/** "DRAW_HISTOGRAM" from any of these. */
const char *bind_upper(const char *name);

/** The name, with '_' after it when it is one of the words, a space-separated list such as "fn impl type". */
const char *bind_escape(const char *name, const char *words);

/** True when the word is in a space-separated list. */
bool bind_word_in(const char *word, const char *words);

/* ---- Docs ---- */

/** How a doc text is made harmless. */
typedef enum bind_doc_style {
  BIND_DOC_LINE,    /**< after "//", "///" or "#": nothing to hide but backslashes at a line's end */
  BIND_DOC_C,       /**< inside a C block comment: no comment mark survives */
  BIND_DOC_PYTHON,  /**< inside """: backslashes doubled, quotes escaped */
  BIND_DOC_JULIA,   /**< inside """: backslashes, quotes and '$' escaped */
  BIND_DOC_STRING,  /**< inside "..." of JSON, TOML or Python: all on one line */
  BIND_DOC_C_STRING /**< inside "..." of C, where "??/" is a backslash: all on one line */
} bind_doc_style;

/** Append a doc text, each of its lines after lead ("/// "); an empty text appends nothing, blank lines keep the lead
 *  without trailing spaces. No line begins with four spaces (a doctest to rustdoc) unless inside a ``` fence. */
void bind_put_doc(bind_text *text, bind_doc_style style, const char *lead, const char *doc);

/** The same for one line made by printf. */
void bind_put_doc_line(bind_text *text, bind_doc_style style, const char *lead, const char *format, ...)
    BIND_PRINTF(4, 5);

/** The doc text made harmless, as a lasting string; newlines become spaces in strings. */
const char *bind_doc_escape(bind_doc_style style, const char *doc);

/* ---- The emitters ---- */

int bind_emit_checked(bind_ir *ir, bind_out *out); /* fills ir->checked_h and ir->checked_c */
int bind_emit_ir(const bind_ir *ir, FILE *file);   /* JSON */
int bind_emit_python(const bind_ir *ir, bind_out *out);
int bind_emit_rust(const bind_ir *ir, bind_out *out);
int bind_emit_go(const bind_ir *ir, bind_out *out);
int bind_emit_julia(const bind_ir *ir, bind_out *out);

/* For --explain: append how a bound function looks, a line for each of its forms, by the emitter's own printer. A brace
 * that opens a body may end the line. */
void bind_explain_python(const bind_ir *ir, const bind_function *f, bind_text *text);
void bind_explain_rust(const bind_ir *ir, const bind_function *f, bind_text *text);
void bind_explain_go(const bind_ir *ir, const bind_function *f, bind_text *text);
void bind_explain_julia(const bind_ir *ir, const bind_function *f, bind_text *text);

#endif
