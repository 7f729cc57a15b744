/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled contract; the generator includes only this header of the folder. words.c, types.c,
 * clause.c, derive.c and parse.c read the text, prove.c orders and proves it, compile.c runs them,
 * text.c writes a contract back. match.h declares the checks of calls. The generator writes a
 * contract as straight-line C. */
#ifndef DLFERRY_CONTRACT_CONTRACT_H
#define DLFERRY_CONTRACT_CONTRACT_H

#include <dlferry/contract.h>

#if defined(__GNUC__) /* so that no other copy of the hub in the process is used */
#pragma GCC visibility push(hidden)
#endif

enum {
  DLF__MAX_SYMBOLS = 64, /* bits of a mask */
  DLF__MAX_TYPES = 32,
  DLF__MAX_CLAUSES = 32,
  DLF__MAX_CONSTRAINTS = 64,
  DLF__MAX_NODES = 1024,
  DLF__MAX_DEPTH = 32 /* of an expression, which bounds recursion */
};

/* Visit each item of an array. An empty one may be NULL, and NULL + 0 is undefined before C2y. */
#define DLF__EACH(type, item, items, count)                                                        \
  for (type *item = (items); item != NULL && item < (items) + (count); item++)

/* The same of the parts of a contract; of a clause its axes. */
#define DLF__EACH_CLAUSE(c, self)                                                                  \
  DLF__EACH (const dlf__clause, c, (self)->clauses, (self)->clause_count)
#define DLF__EACH_AXIS(axis, clause)                                                               \
  DLF__EACH (const dlf__axis, axis, (clause)->axes, (clause)->axis_count)
#define DLF__EACH_CONSTRAINT(c, self)                                                              \
  DLF__EACH (const dlf__constraint, c, (self)->constraints, (self)->constraint_count)
#define DLF__EACH_DEFAULT(d, self)                                                                 \
  DLF__EACH (const dlf__default, d, (self)->defaults, (self)->default_count)
#define DLF__EACH_DERIVED(d, self)                                                                 \
  DLF__EACH (const dlf__derived, d, (self)->derived, (self)->derived_count)
#define DLF__EACH_LIMIT(limit, self)                                                               \
  DLF__EACH (const dlf__limit, limit, (self)->limits, (self)->limit_count)

/* ---- expressions: nodes by index; children come before their parent ---- */

typedef enum dlf__operator {
  DLF__INTEGER,  /* integer */
  DLF__FRACTION, /* real */
  DLF__SYMBOL,   /* symbol */
  DLF__ADD,
  DLF__SUBTRACT,
  DLF__MULTIPLY,
  DLF__MINIMUM,
  DLF__MAXIMUM,
  DLF__DIVIDE,   /* rounds down; the divisor is proved positive */
  DLF__DIVIDE_UP /* rounds up */
} dlf__operator;

typedef struct dlf__node {
  dlf__operator op;
  int32_t left, right, symbol;
  int64_t integer;
  double real;
} dlf__node;

typedef struct dlf__symbol {
  char *name;
  int32_t parameter; /* an integer or real parameter, or -1 for a symbol bound by axes or counts */
  int32_t counts;    /* the first list or array that it counts, or -1 */
  bool real;
  int32_t hook; /* whose value it is in a constraint, "index_d(index)"; -1 for other symbols */
} dlf__symbol;

/* ---- clauses ---- */

typedef enum dlf__axis_kind {
  DLF__AXIS_ANY,        /* _ */
  DLF__AXIS_RUN,        /* ... */
  DLF__AXIS_SYMBOL,     /* a lone name: binds or compares */
  DLF__AXIS_EXPRESSION, /* also a number */
  DLF__AXIS_HOOK        /* the result of a function of the same header */
} dlf__axis_kind;

typedef struct dlf__axis {
  dlf__axis_kind kind;
  int32_t symbol, node, hook;
  uint64_t needs; /* symbols of node */
  char *text;     /* the axis's name in messages */
} dlf__axis;

/* Messages search for a tensor's layout in this order. */
typedef enum dlf__layout {
  DLF__LAYOUT_ROW_MAJOR,
  DLF__LAYOUT_FORTRAN,
  DLF__LAYOUT_DENSE,
  DLF__LAYOUT_ROWS,
  DLF__LAYOUT_STRIDED, /* the last: every tensor fits */
  DLF__LAYOUT_COUNT
} dlf__layout;

/* The properties of a layout. */
typedef struct dlf__layout_rule {
  const char *word; /* in contracts; NULL for none */
  const char *name; /* in messages */
  int32_t order;    /* a dlf_order; DLF_DENSE: any; made tensors are row-major */
  bool (*fits)(const DLTensor *tensor,
               int32_t order); /* for a sound tensor with elements; NULL: always true */
  bool gapless;                /* the elements lie in one run of memory */
  bool row_major_fits;         /* every row-major tensor fits */
} dlf__layout_rule;

extern const dlf__layout_rule dlf__layouts[DLF__LAYOUT_COUNT];

typedef enum dlf__place {
  DLF__PLACE_CPU, /* the default: the processor can reach it */
  DLF__PLACE_LIST,
  DLF__PLACE_SAME,
  DLF__PLACE_ANY
} dlf__place;

typedef struct dlf__clause {
  int32_t parameter;
  bool written, inout, opt;
  bool list;           /* the clause holds for each of its tensors */
  bool after_call;     /* C gives it, so it is present only after the call */
  bool implicit;       /* the contract does not name it: any dtype, any rank */
  int32_t count;       /* symbol that is a list's number of tensors, or -1 */
  int32_t like;        /* clause whose tensor gives dtype and extents, or -1 */
  int32_t type;        /* type variable, or -1 */
  int32_t dtype_count; /* 0: any, unless type or like restricts it */
  DLDataType *dtypes;
  dlf__axis *axes;
  int32_t axis_count, run; /* run: index of the `...` axis, or -1 */
  dlf__layout layout;
  bool same_layout, noalias;
  int64_t align; /* 0: natural */
  dlf__place place;
  int32_t *devices; /* device types, for DLF__PLACE_LIST */
  int32_t device_count;
  bool on_cpu; /* a tensor on the CPU is on a wanted device, unless `samedevice` says otherwise */
  bool inferable; /* an output whose dtype and shape the inputs determine */
  char *text;     /* "inout T[h, w] strided" */
} dlf__clause;

/* Tell whether the call writes the tensor without reading it. */
static inline bool dlf__is_output(const dlf__clause *c) {
  return c->written && !c->inout;
}

/* Scalars, "i64 *n", or without bits in the dtype: texts, "text *n", and objects, "in *n", which
 * are opaque handles. */
typedef struct dlf__array {
  int32_t parameter, symbol;
  DLDataType dtype;
  char *text;
} dlf__array;

/* ---- constraints ---- */

typedef enum dlf__constraint_kind {
  DLF__COMPARE,  /* left comparison right */
  DLF__RANGE,    /* low <= left <= high, nodes */
  DLF__MULTIPLE, /* left is a multiple of right */
  DLF__TYPE_IN
} dlf__constraint_kind;

/* In the order in which the reader tries their marks: ">=" before ">". */
typedef enum dlf__comparison {
  DLF__GE,
  DLF__GT,
  DLF__LE,
  DLF__LT,
  DLF__EQ,
  DLF__NE,
  DLF__COMPARISON_COUNT
} dlf__comparison;

extern const char *const dlf__comparison_marks[DLF__COMPARISON_COUNT];

typedef struct dlf__constraint {
  dlf__constraint_kind kind;
  dlf__comparison comparison;
  int32_t left, right, high; /* nodes; RANGE: low is right */
  bool real;                 /* computed in double: it names a real or a fraction */
  uint64_t needs;            /* symbols */
  const char *integral;      /* what needs integers: "division"; NULL for nothing */
  int32_t type;
  DLDataType *dtypes;
  int32_t dtype_count;                      /* 0: any */
  char *left_text, *right_text, *high_text; /* of numbers: the sources of the nodes */
  char *text;
} dlf__constraint;

typedef enum dlf__default_kind {
  DLF__DEFAULT_NUMBER,
  DLF__DEFAULT_WORD, /* true, false, a constant of C, or several with `|` */
  DLF__DEFAULT_STRING,
  DLF__DEFAULT_CHARACTER, /* 'U' */
  DLF__DEFAULT_COMPLEX    /* (real, imaginary) */
} dlf__default_kind;

typedef struct dlf__default {
  int32_t parameter;
  dlf__default_kind kind;
  int64_t integer;
  double real, imaginary;
  char *text; /* a string without its quotes */
} dlf__default;

/* ---- arguments that the call computes: "lda := ld(a)" ---- */

typedef enum dlf__source {
  DLF__SOURCE_EXPRESSION, /* node */
  DLF__SOURCE_CONSTANT,   /* word: an enumerator or another constant of C */
  DLF__SOURCE_STRIDE,     /* of an axis of a tensor; BLAS's if `blas` */
  DLF__SOURCE_LD,         /* the distance of a matrix's rows or columns */
  DLF__SOURCE_ORDER, /* a value for rows, another for columns; or one for the same order as another
                        matrix */
  DLF__SOURCE_DTYPE, /* a value for each dtype */
  DLF__SOURCE_BYTES, /* the size of a tensor's elements */
  DLF__SOURCE_PARAMETER /* of a hook: what the caller passes */
} dlf__source;

typedef struct dlf__choice {
  DLDataType dtype; /* of a map by dtype */
  bool columns;     /* of a map by order; if `relative`: the other order */
  char *value;      /* an integer or a constant of C */
} dlf__choice;

typedef struct dlf__derived {
  int32_t parameter;
  dlf__source source;
  int32_t node;
  int32_t tensor, axis; /* a parameter; for a stride its axis, -1 for the only one */
  int32_t *tensors; /* of order(): all matrices that C takes in one order, `tensor` first; NULL for
                       another source */
  int32_t tensor_count;
  bool relative; /* order(A, C) {same: ..., other: ...}: both have an order of their own */
  bool blas;     /* negative strides begin at the lowest address */
  char *word;
  dlf__choice *choices;
  int32_t choice_count;
  char *text;
} dlf__derived;

/* ---- numbers that C computes or has: "hook(index_d(index) -> *d)", "hook(model->nv)" ---- */

typedef struct dlf__hook {
  char *function; /* of C; of a field "model->nv" */
  char *field;    /* "opt.size", "ne[2]": a public field of the object in `sources`; NULL for a
                     function */
  bool named;     /* arguments follow in brackets; else those of the call that have its parameters'
                     names */
  dlf__derived *sources; /* its arguments, without the place of its result */
  int32_t source_count;
  char *place; /* its parameter that points to the result, or the field of a struct behind one:
                  "info.size"; NULL if the function returns it */
  bool early;  /* an extent of an input needs it: it runs before the inputs are checked */
  bool extent; /* an extent needs it; otherwise only constraints do */
  char *text;  /* without blanks */
} dlf__hook;

/* ---- outputs that the call cuts: "out: u8[m <= n]; m := *written" ---- */

typedef struct dlf__limit {
  int32_t symbol;     /* before the call the extent of the memory, after it what C wrote */
  int32_t node, hook; /* the extent of a made output; -1 without such an axis */
  bool open;          /* "<= _": only the caller knows the extent */
  bool counted;       /* there is a clause for the number: */
  int32_t place;      /* the parameter that points to it, -1 if C returns it */
  bool told;          /* an argument tells C the extent, so that a given output may have any */
} dlf__limit;

struct dlf_contract {
  const char *function;
  char **names; /* of the parameters */
  dlf_parameter_kind *kinds;
  bool *outs;     /* "x: out": a place for one number */
  bool *inouts;   /* "x: inout": C reads it too */
  bool *opts;     /* "x: opt": a text or a number behind a pointer, which may be absent */
  char **ones;    /* "alpha: c64": the dtype of one number behind a pointer; NULL without it */
  char **letters; /* "uplo in 'U'|'L'": the characters that are allowed, "UL"; NULL for any */
  int32_t parameter_count;
  dlf__node *nodes;
  int32_t node_count;
  dlf__symbol *symbols;
  int32_t symbol_count;
  char **types; /* type variables */
  int32_t type_count;
  dlf__clause *clauses; /* one for each tensor parameter, in the order in which they bind */
  int32_t clause_count;
  dlf__array *arrays; /* those that the contract names */
  int32_t array_count;
  dlf__hook *hooks; /* their values follow the arguments in this order */
  int32_t hook_count;
  dlf__limit *limits;
  int32_t limit_count;
  uint64_t limited;             /* their symbols */
  dlf__constraint *constraints; /* those that prove divisors positive first */
  int32_t constraint_count;
  dlf__constraint *afterwards; /* those that name a limit's symbol, checked after the call */
  int32_t afterward_count;
  uint64_t constrained; /* symbols that some constraint names */
  dlf__default *defaults;
  int32_t default_count;
  dlf__derived *derived; /* callers do not pass these parameters */
  int32_t derived_count;
  bool threadsafe; /* its objects need no lock */
  bool slow, fast; /* a call's duration, for runtimes with their own lock */
  bool returns_status;
  bool returns_from; /* "return: value from 0": a value, and below `ok` a failure */
  bool returns_opt;  /* "return: opt": the text may be absent */
  bool info;         /* a code -i is about C's argument i, from 1: LAPACK's info */
  int64_t ok;
  char *ok_word;             /* a constant of C instead, or NULL */
  char *status_text;         /* C function, or NULL */
  char *status_message;      /* the text itself, or NULL */
  char *text;                /* all clauses */
  struct dlf__block *blocks; /* everything above lives in these */
};

/* ---- arithmetic: the matcher, the generator's search and the twins compute alike ---- */

/* What the names stand for, by symbol: a real parameter's name for a real, any other for an
 * integer. */
typedef struct dlf__numbers {
  int64_t integers[DLF__MAX_SYMBOLS];
  double reals[DLF__MAX_SYMBOLS];
} dlf__numbers;

/* Compute an expression of integers; true if it does not fit in 64 bits. */
bool dlf__contract_evaluate(const dlf_contract *self, const dlf__numbers *numbers, int32_t node,
                            int64_t *out);

/* Compute an expression in double. NaN is the smaller and the larger of two if either is NaN. */
double dlf__contract_evaluate_real(const dlf_contract *self, const dlf__numbers *numbers,
                                   int32_t node);

/* Tell whether the numbers keep a constraint, which a type constraint leaves open. False, with
 * *overflow, if a side does not fit in 64 bits. Every comparison with NaN is false, even `!=`. */
bool dlf__contract_holds(const dlf_contract *self, const dlf__numbers *numbers,
                         const dlf__constraint *constraint, bool *overflow);

/* ---- compilation ---- */

/* Allocate zeroed memory that is freed with the contract; NULL on failure. */
void *dlf__contract_alloc(dlf_contract *self, size_t count, size_t size);

/* Fail: "blur: contract: NAME: WHY". */
dlf_status dlf__contract_refuse(const dlf_contract *self, const char *name, const char *why,
                                dlf_error *error);

/* Prove that the call can compute each derived argument, once the clauses are in order. */
dlf_status dlf__prove_derived(dlf_contract *self, dlf_error *error);

/* Prove that the outputs whose extents C reports can be cut; then part the constraints on them from
 * the others. */
dlf_status dlf__prove_limits(dlf_contract *self, dlf_error *error);
dlf_status dlf__part_constraints(dlf_contract *self, dlf_error *error);

/* Order and prove a parsed contract, and write its texts. */
dlf_status dlf__contract_prove(dlf_contract *self, dlf_error *error);

/* Write the texts of all clauses and of the whole. */
dlf_status dlf__contract_make_texts(dlf_contract *self, dlf_error *error);

/* The clause of a tensor, the clause of an array; NULL for another parameter. */
const dlf__clause *dlf__contract_clause(const dlf_contract *self, int32_t parameter);
const dlf__array *dlf__contract_array(const dlf_contract *self, int32_t parameter);
/* What computes a parameter that callers do not pass; NULL for another parameter. */
const dlf__derived *dlf__contract_derived(const dlf_contract *self, int32_t parameter);

/* What computes C's parameter for the memory order, by rows or by columns, of all matrices that its
 * order(a, b) lists, if this one is among them; NULL for none. */
const dlf__derived *dlf__contract_order(const dlf_contract *self, int32_t parameter);

/* The limit of a symbol; the one that a parameter counts; NULL for none. */
const dlf__limit *dlf__contract_limit(const dlf_contract *self, int32_t symbol);
const dlf__limit *dlf__contract_counted(const dlf_contract *self, int32_t parameter);

/* Symbols that an expression names; the name of the first of a mask. */
uint64_t dlf__contract_names(const dlf_contract *self, int32_t node);
const char *dlf__contract_first_name(const dlf_contract *self, uint64_t mask);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
