/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled contract. contract_parse.c fills it from text, contract.c resolves and proves it, contract_match.c and
 * contract_infer.c walk it, and the generator writes it out as straight-line C. */
#ifndef DLFERRY_CONTRACT_H
#define DLFERRY_CONTRACT_H

#include <dlferry.h>

enum {
  DLF__MAX_SYMBOLS = 64, /* bits of a mask */
  DLF__MAX_TYPES = 32,
  DLF__MAX_CLAUSES = 32,
  DLF__MAX_CONSTRAINTS = 64,
  DLF__MAX_NODES = 1024,
  DLF__MAX_DEPTH = 32 /* of an expression, so that walking it may recurse */
};

/* ---- expressions: nodes by index; children come before their parent ---- */

typedef enum dlf__operator {
  DLF__INTEGER,  /* integer */
  DLF__FRACTION, /* real */
  DLF__SYMBOL,   /* symbol */
  DLF__ADD,
  DLF__SUBTRACT,
  DLF__MULTIPLY,
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
  int32_t parameter; /* an integer or real parameter, or -1 for what axes bind */
  bool real;
} dlf__symbol;

/* ---- clauses ---- */

typedef enum dlf__axis_kind {
  DLF__AXIS_ANY,       /* _ */
  DLF__AXIS_RUN,       /* ... */
  DLF__AXIS_SYMBOL,    /* a lone name: binds or compares */
  DLF__AXIS_EXPRESSION /* a number too */
} dlf__axis_kind;

typedef struct dlf__axis {
  dlf__axis_kind kind;
  int32_t symbol, node;
  char *text; /* as messages name the axis */
} dlf__axis;

typedef enum dlf__layout {
  DLF__LAYOUT_ROW_MAJOR,
  DLF__LAYOUT_STRIDED,
  DLF__LAYOUT_ROWS,
  DLF__LAYOUT_FORTRAN,
  DLF__LAYOUT_DENSE
} dlf__layout;

typedef enum dlf__place {
  DLF__PLACE_CPU, /* the default: the processor can reach it */
  DLF__PLACE_LIST,
  DLF__PLACE_SAME,
  DLF__PLACE_ANY
} dlf__place;

typedef struct dlf__clause {
  int32_t parameter;
  bool written, inout, opt;
  bool implicit;       /* the contract does not name it: any dtype, any rank */
  int32_t like;        /* clause whose tensor gives dtype and extents, or -1 */
  int32_t type;        /* type variable, or -1 */
  int32_t dtype_count; /* 0: any, unless type or like says more */
  DLDataType *dtypes;
  dlf__axis *axes;
  int32_t axis_count, run; /* run: index of the `...` axis, or -1 */
  dlf__layout layout;
  bool same_layout, noalias;
  int64_t align; /* 0: natural */
  dlf__place place;
  int32_t *devices; /* device types, for DLF__PLACE_LIST */
  int32_t device_count;
  bool inferable; /* an output whose dtype and shape the inputs determine */
  char *text;     /* "inout T[h, w] strided" */
} dlf__clause;

/* ---- constraints ---- */

typedef enum dlf__constraint_kind {
  DLF__COMPARE,  /* left comparison right */
  DLF__RANGE,    /* low <= left <= high, nodes */
  DLF__MULTIPLE, /* left is a multiple of right */
  DLF__TYPE_IN
} dlf__constraint_kind;

typedef enum dlf__comparison { DLF__GT, DLF__GE, DLF__LT, DLF__LE, DLF__EQ, DLF__NE } dlf__comparison;

typedef struct dlf__constraint {
  dlf__constraint_kind kind;
  dlf__comparison comparison;
  int32_t left, right, high; /* nodes; RANGE: low is right */
  bool real;                 /* computed in double: it names a real or a fraction */
  uint64_t needs;            /* symbols */
  int32_t type;
  DLDataType *dtypes;
  int32_t dtype_count;
  char *text;
} dlf__constraint;

typedef enum dlf__default_kind {
  DLF__DEFAULT_NUMBER,
  DLF__DEFAULT_WORD, /* true, false or an enumerator */
  DLF__DEFAULT_STRING
} dlf__default_kind;

typedef struct dlf__default {
  int32_t parameter;
  dlf__default_kind kind;
  char *text; /* a string without its quotes */
} dlf__default;

struct dlf_contract {
  char *function;
  char **names; /* of the parameters */
  dlf_parameter_kind *kinds;
  int32_t parameter_count;
  dlf__node *nodes;
  int32_t node_count;
  dlf__symbol *symbols;
  int32_t symbol_count;
  char **types; /* type variables */
  int32_t type_count;
  dlf__clause *clauses; /* one for each tensor parameter, in the order in which they bind */
  int32_t clause_count;
  dlf__constraint *constraints; /* those that prove divisors positive first */
  int32_t constraint_count;
  dlf__default *defaults;
  int32_t default_count;
  bool returns_status;
  int64_t ok;
  char *status_text;         /* C function, or NULL */
  char *text;                /* all clauses */
  struct dlf__block *blocks; /* everything above lives in these */
};

/* ---- shared by the files of the contract ---- */

/* What is known while a call is matched. */
typedef struct dlf__match {
  const dlf_contract *contract;
  const dlf_value *arguments;
  dlf_error *error;
  bool infer; /* outputs count as absent */
  uint64_t bound;
  uint32_t types_bound;
  int32_t run_count, run_binder; /* run_binder is -1 until `...` is bound */
  const int64_t *run;
  int64_t values[DLF__MAX_SYMBOLS];
  int32_t binders[DLF__MAX_SYMBOLS]; /* parameter whose axis bound the symbol, or -1 */
  DLDataType types[DLF__MAX_TYPES];
  int32_t type_binders[DLF__MAX_TYPES];
} dlf__match;

void *dlf__contract_alloc(dlf_contract *self, size_t count, size_t size);
dlf_status dlf__contract_parse(dlf_contract *self, const char *text, dlf_error *error);
dlf_status dlf__contract_run(dlf__match *m);

/* Compute an expression from bound symbols; true when it does not fit in 64 bits. */
bool dlf__contract_evaluate(const dlf__match *m, int32_t node, int64_t *out);

/* Bind the integer parameters and check what they alone decide. */
dlf_status dlf__contract_bind(dlf__match *m);

/* Check the constraints that became checkable now that the fresh symbols are bound. */
dlf_status dlf__contract_constraints(const dlf__match *m, uint64_t fresh);

/* The tensor of a clause as far as this match sees it: NULL when absent. */
const DLTensor *dlf__contract_tensor(const dlf__match *m, const dlf__clause *clause);

/* The tensor, of those that come before the clause, whose strides `samelayout` means; NULL when there is none. */
const dlf__clause *dlf__contract_layout_model(const dlf__match *m, const dlf__clause *clause, int32_t ndim);

/* Symbols that an expression names. */
uint64_t dlf__contract_names(const dlf_contract *self, int32_t node);

/* The stride of an axis, NULL strides meaning row-major. */
int64_t dlf__contract_stride(const DLTensor *tensor, int32_t axis);

#endif
