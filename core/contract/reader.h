/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by words.c (words, names, numbers, expressions), types.c (dtypes, type variables),
 * clause.c (tensors, arrays), value.c (single values, defaults, the return value), derive.c
 * (arguments that the call computes), limit.c (extents that C knows) and parse.c (the other
 * clauses). */
#ifndef DLFERRY_CONTRACT_READER_H
#define DLFERRY_CONTRACT_READER_H

#include "contract.h"
#include "hub/internal.h"

DLF__BEGIN_HIDDEN

typedef struct contract_reader {
  dlf_contract *self;
  const char *text, *at;
  dlf_error *error;
  dlf_status status; /* the first failure; everything after it does nothing */
  int depth;
  bool in_constraint, in_hook;
  bool (*read_hook)(struct contract_reader *r,
                    int32_t *out); /* dlf__read_hook: its arguments are expressions again */
} contract_reader;

static inline bool dlf__is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Fail unless it failed before, and return false: "blur: contract: WHAT, got `...` at character
 * 12". */
bool dlf__wants(contract_reader *r, const char *expected);

/* Zeroed memory of the contract, or NULL after a failure. */
void *dlf__keep(contract_reader *r, size_t count, size_t size);
char *dlf__keep_text(contract_reader *r, const char *text, size_t size);
/* The source from start to here, without blanks. */
char *dlf__source_text(contract_reader *r, const char *start);

/* Skip blanks; returns what follows them. */
const char *dlf__skip_blanks(contract_reader *r);
bool dlf__in_word(char c);
bool dlf__takes_mark(contract_reader *r, const char *mark);
/* Length of the word here, without moving; 0 for none. */
size_t dlf__word_here(contract_reader *r);
bool dlf__takes_word(contract_reader *r, const char *word);
bool dlf__word_is(const char *text, size_t size, const char *word);

/* Fail: a condition names a parameter that is no number. Say what to write. */
bool dlf__refuse_value(contract_reader *r, int32_t parameter);
bool dlf__is_reserved(const char *text, size_t size);
/* -1 for none. */
int32_t dlf__parameter_named(const dlf_contract *self, const char *text, size_t size);
bool dlf__is_tensor(const dlf_contract *self, int32_t parameter);
bool dlf__is_number(const dlf_contract *self, int32_t parameter);
/* Find or add a symbol; -1 after a failure. */
int32_t dlf__symbol_named(contract_reader *r, const char *text, size_t size);

/* Find or add a type variable; -1 after a failure, also for words like a dtype. */
int32_t dlf__type_named(contract_reader *r, const char *text, size_t size);
bool dlf__reads_dtype(const char *text, size_t size, DLDataType *out);
/* Fail; name the dtype to write if the word here resembles one, else what. */
bool dlf__wants_dtype(contract_reader *r, const char *expected);
/* f32|f64 */
bool dlf__read_dtypes(contract_reader *r, DLDataType **out, int32_t *count);
bool dlf__read_number(contract_reader *r, dlf__node *out);
int32_t dlf__add_node(contract_reader *r, dlf__node node);
int32_t dlf__add_symbol_node(contract_reader *r, int32_t symbol);
/* Read an expression; the node, or -1 after a failure. */
int32_t dlf__read_sum(contract_reader *r);

/* Read all clauses. */
void dlf__contract_parse(contract_reader *r);

/* Read the clause after "NAME:". */
bool dlf__read_tensor(contract_reader *r, int32_t parameter);
bool dlf__read_array(contract_reader *r, int32_t parameter);

/* After "NAME:": `out`, `opt`, `c64`, for one number behind a pointer or a text. */
bool dlf__read_one(contract_reader *r, int32_t parameter);
/* After "NAME in": 'U'|'L'. `start` is the name, for errors. */
bool dlf__read_letters(contract_reader *r, int32_t parameter, const char *start);
/* After "NAME =", and after "return:". */
bool dlf__read_default(contract_reader *r, int32_t parameter);
bool dlf__read_return(contract_reader *r);

/* The size of 'A', a character that needs no escape; 0 for none. */
size_t dlf__character_here(const contract_reader *r);

/* Read what computes a parameter, after "NAME :=". */
bool dlf__read_derived(contract_reader *r, int32_t parameter);
/* Resolve the names in what computes parameters, and in hooks, once everything is read. */
bool dlf__resolve_derived(contract_reader *r);
/* Read the source of a parameter, -1 for an argument of a hook: "n * 4", "ld(a)", "index". */
bool dlf__read_source(contract_reader *r, int32_t parameter, dlf__derived *out);

/* Read "hook(...)"; the limit of an output's extent, after "m <="; how C reports it, after "m :=".
 */
bool dlf__read_hook(contract_reader *r, int32_t *out);
bool dlf__read_limit(contract_reader *r, int32_t symbol);
bool dlf__read_count(contract_reader *r, const char *name, size_t size);

DLF__END_HIDDEN

#endif
