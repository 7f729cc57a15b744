/* SPDX-License-Identifier: Apache-2.0 */
/* Integer constant expressions of #if and enum, by precedence climbing. Values have C's types,
 * since "~0u" is not "~0": 32 or 64 bits, signed or not. Unsigned values wrap; a signed value that
 * does not fit is an error. */
#include "evaluate.h"
#include <string.h>

#define EVALUATE_MAX_DEPTH 64

typedef struct evaluation {
  const lex_token *tokens;
  size_t at;
  const lex_names *names;
  int depth;
  int dead;          /* inside an operand whose value does not matter */
  bool wide;         /* #if: all are intmax_t or uintmax_t */
  const char *wrong; /* the first error, or NULL */
} evaluation;

/* bits holds the value as int64_t has it, or as uint64_t when is_unsigned. */
typedef struct evaluated {
  uint64_t bits;
  bool is_unsigned, is_long;
} evaluated;

static evaluated evaluate_choice(evaluation *e);
static evaluated evaluate_unary(evaluation *e);

static evaluated evaluate_wrong(evaluation *e, const char *problem) {
  if (!e->wrong) {
    e->wrong = problem;
  }
  return (evaluated){0};
}

/* A result that its type does not hold. */
static evaluated evaluate_unfit(evaluation *e, evaluated like) {
  if (!e->dead) {
    evaluate_wrong(e, "does not fit");
  }
  return like;
}

/* Convert a result to its type: an unsigned one wraps, a signed one must fit. */
static evaluated evaluate_fit(evaluation *e, int64_t value, bool overflow, evaluated like) {
  if (like.is_unsigned) {
    if (like.is_long) {
      like.bits = (uint64_t)value;
    } else {
      like.bits = (uint32_t)value;
    }
    return like;
  }
  like.bits = (uint64_t)value;
  if (!like.is_long && (value > INT32_MAX || value < INT32_MIN)) {
    overflow = true;
  }
  if (overflow) {
    return evaluate_unfit(e, like);
  }
  return like;
}

static evaluated evaluate_int(evaluation *e, int64_t value) {
  return (evaluated){(uint64_t)value, false, e->wide || value > INT32_MAX || value < INT32_MIN};
}

static bool evaluate_sees(const evaluation *e, size_t at, const char *mark) {
  return e->tokens[at].kind == LEX_MARK && lex_is(&e->tokens[at], mark);
}

static bool evaluate_takes(evaluation *e, const char *mark) {
  if (!evaluate_sees(e, e->at, mark)) {
    return false;
  }
  e->at++;
  return true;
}

/* ---- operands ---- */

/* 0x, 0b and 0 before a number; *begins is where its digits do. */
static uint64_t evaluate_base(const lex_token *token, size_t *begins) {
  *begins = 0;
  if (token->size < 2 || token->text[0] != '0') {
    return 10;
  }
  *begins = 2;
  switch (token->text[1]) {
  case 'x':
  case 'X':
    return 16;
  case 'b':
  case 'B':
    return 2;
  default:
    *begins = 1;
    return 8;
  }
}

static uint64_t evaluate_digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *found = strchr(digits, c | 32);
  if (c && found) {
    return (uint64_t)(found - digits);
  }
  return UINT64_MAX;
}

/* Read digits up to the first other character; false for a number over 2^64. C23 has 1'000. */
static bool evaluate_digits(const lex_token *token, uint64_t base, size_t *at, uint64_t *value) {
  *value = 0;
  for (; *at < token->size; ++*at) {
    if (token->text[*at] == '\'') {
      continue;
    }
    const uint64_t digit = evaluate_digit(token->text[*at]);
    if (digit >= base) {
      return true;
    }
    if (__builtin_mul_overflow(*value, base, value) ||
        __builtin_add_overflow(*value, digit, value)) {
      return false;
    }
  }
  return true;
}

static evaluated evaluate_number(evaluation *e, const lex_token *token) {
  size_t i;
  evaluated number = {0, false, e->wide};
  const uint64_t base = evaluate_base(token, &i);
  if (!evaluate_digits(token, base, &i, &number.bits)) {
    return evaluate_wrong(e, "number too large");
  }
  for (; i < token->size; i++) {
    if (!strchr("uUlL", token->text[i])) {
      return evaluate_wrong(e, "not an integer");
    }
    number.is_unsigned |= strchr("uU", token->text[i]) != NULL;
    number.is_long |= strchr("lL", token->text[i]) != NULL;
  }
  /* C11 6.4.4.1: take the first type that holds it; only hexadecimal and octal numbers become
   * unsigned implicitly. */
  const bool fits_unsigned = base != 10 && number.bits <= UINT32_MAX;
  if (!number.is_unsigned && !number.is_long && number.bits > INT32_MAX) {
    number.is_unsigned = fits_unsigned;
    number.is_long = !fits_unsigned;
  }
  number.is_long |= number.bits > UINT32_MAX;
  if (!number.is_unsigned && number.bits > INT64_MAX) {
    if (base == 10 && !e->wide) {
      return evaluate_wrong(e, "number too large");
    }
    number.is_unsigned = true;
  }
  return number;
}

static evaluated evaluate_character(evaluation *e, const lex_token *token) {
  static const char names[] = "ntrabfv\\'\"?";
  static const char values[] = "\n\t\r\a\b\f\v\\'\"?";
  const size_t prefix =
      (size_t)((const char *)memchr(token->text, '\'', token->size) - token->text); /* of L'a' */
  const char *text = token->text + prefix + 1;
  size_t size = token->size - prefix - 2;
  if (size == 1 && *text != '\\') {
    return evaluate_int(e, *text);
  }
  const char *found = NULL;
  if (size == 2 && text[1]) {
    found = strchr(names, text[1]);
  }
  if (found && *text == '\\') {
    return evaluate_int(e, values[found - names]);
  }
  unsigned value = 0;
  unsigned base = 8;
  if (size > 2 && text[1] == 'x') {
    base = 16;
  }
  for (size_t i = base == 16 ? 2 : 1; i < size; i++) {
    const uint64_t digit = evaluate_digit(text[i]);
    if (digit >= base || value > 255) {
      return evaluate_wrong(e, "character not understood");
    }
    value = value * base + (unsigned)digit;
  }
  if (*text != '\\' || size < 2 || value > 255) {
    return evaluate_wrong(e, "character not understood");
  }
  return evaluate_int(e, prefix ? (int)value : (signed char)value);
}

/* The words of C's own types; `long` counts apart. 4 gives way to what else is said. */
static int evaluate_word_size(const lex_token *t) {
  if (lex_is_any(t, "char bool _Bool")) {
    return 1;
  }
  if (lex_is(t, "short")) {
    return 2;
  }
  if (lex_is(t, "double")) {
    return 8;
  }
  if (lex_is_any(t, "int signed const void float unsigned long")) {
    return 4;
  }
  return 0;
}

/* Read "(TYPE)" and return its size; 0 and nothing is read if it is none. */
static int evaluate_type(evaluation *e, bool *is_unsigned) {
  size_t at = e->at;
  int size = 0;
  *is_unsigned = false;
  if (!evaluate_sees(e, at++, "(")) {
    return 0;
  }
  bool is_long = false;
  for (; e->tokens[at].kind == LEX_NAME; at++) {
    const lex_token *t = &e->tokens[at];
    int word_size = evaluate_word_size(t);
    is_long |= lex_is(t, "long");
    *is_unsigned |= lex_is(t, "unsigned");
    if (!word_size && e->names && e->names->size) {
      word_size = e->names->size(e->names->context, t, is_unsigned);
    }
    if (!word_size) {
      return 0;
    }
    if (!size || word_size != 4) {
      size = word_size;
    }
  }
  if (is_long) {
    size = 8;
  }
  for (; size && evaluate_sees(e, at, "*"); at++) {
    size = 8;
    *is_unsigned = true;
  }
  if (!size || !evaluate_sees(e, at, ")")) {
    return 0;
  }
  e->at = at + 1;
  return size;
}

static evaluated evaluate_cast(evaluation *e, int size, bool is_unsigned) {
  uint64_t bits = evaluate_unary(e).bits;
  const int cut = 64 - 8 * size;
  if (cut > 0) {
    bits <<= cut;
    if (is_unsigned) {
      bits >>= cut;
    } else {
      bits = (uint64_t)((int64_t)bits >> cut);
    }
  }
  return (evaluated){bits, is_unsigned && size >= 4, size == 8};
}

static evaluated evaluate_name(evaluation *e) {
  const lex_token *token = &e->tokens[e->at++];
  bool is_unsigned = false;
  if (lex_is(token, "sizeof")) {
    int size = evaluate_type(e, &is_unsigned);
    if (size) {
      return (evaluated){(uint64_t)size, true, true};
    }
    return evaluate_wrong(e, "sizeof an unknown type");
  }
  if (evaluate_sees(e, e->at, "(")) {
    if (!e->dead) {
      return evaluate_wrong(e, "has a call");
    }
    int depth = 0; /* "defined(__has_x) && __has_x(y)" */
    do {
      depth += evaluate_sees(e, e->at, "(") - evaluate_sees(e, e->at, ")");
      if (e->tokens[e->at].kind == LEX_END) {
        return evaluate_wrong(e, "expected `)`");
      }
      e->at++;
    } while (depth);
    return (evaluated){0};
  }
  int64_t value = 0;
  const lex_names *names = e->names;
  if (names && !(names->value && names->value(names->context, token, &value))) {
    return evaluate_wrong(
        e, "uses a name without a known value; try --preprocess if an included header has it");
  }
  return evaluate_int(e, value);
}

static evaluated evaluate_unary(evaluation *e) {
  const lex_token *token = &e->tokens[e->at];
  evaluated value = {0};
  bool is_unsigned = false;
  if (e->wrong) {
    return value;
  }
  if (++e->depth > EVALUATE_MAX_DEPTH) {
    return evaluate_wrong(e, "nested too deeply");
  }
  if (evaluate_takes(e, "-")) {
    int64_t result = 0;
    value = evaluate_unary(e);
    bool overflow = __builtin_sub_overflow(0, (int64_t)value.bits, &result);
    value = evaluate_fit(e, result, overflow, value);
  } else if (evaluate_takes(e, "+")) {
    value = evaluate_unary(e);
  } else if (evaluate_takes(e, "~")) {
    value = evaluate_unary(e);
    value = evaluate_fit(e, (int64_t)~value.bits, false, value);
  } else if (evaluate_takes(e, "!")) {
    value = evaluate_int(e, !evaluate_unary(e).bits);
  } else if (evaluate_sees(e, e->at, "(")) {
    int size = evaluate_type(e, &is_unsigned);
    if (size) {
      value = evaluate_cast(e, size, is_unsigned);
    } else {
      e->at++;
      value = evaluate_choice(e);
      if (!evaluate_takes(e, ")")) {
        evaluate_wrong(e, "expected `)`");
      }
    }
  } else if (token->kind == LEX_NUMBER) {
    e->at++;
    value = evaluate_number(e, token);
  } else if (token->kind == LEX_CHARACTER) {
    e->at++;
    value = evaluate_character(e, token);
  } else if (token->kind == LEX_NAME) {
    value = evaluate_name(e);
  } else {
    evaluate_wrong(e, "expected an integer");
  }
  e->depth--;
  return value;
}

/* ---- operators ---- */

typedef enum operator_kind {
  OPERATION_MULTIPLY,
  OPERATION_DIVIDE,
  OPERATION_REST,
  OPERATION_ADD,
  OPERATION_SUBTRACT,
  OPERATION_SHIFT_LEFT,
  OPERATION_SHIFT_RIGHT,
  OPERATION_LESS,
  OPERATION_GREATER,
  OPERATION_AT_MOST,
  OPERATION_AT_LEAST,
  OPERATION_EQUAL,
  OPERATION_UNEQUAL,
  OPERATION_AND,
  OPERATION_XOR,
  OPERATION_OR,
  OPERATION_BOTH,
  OPERATION_EITHER
} operator_kind;

static const struct operator_row {
  const char *mark; /* NULL ends the rows */
  int rank;
  operator_kind kind;
} operator_rows[] = {{"*", 10, OPERATION_MULTIPLY},
                     {"/", 10, OPERATION_DIVIDE},
                     {"%", 10, OPERATION_REST},
                     {"+", 9, OPERATION_ADD},
                     {"-", 9, OPERATION_SUBTRACT},
                     {"<<", 8, OPERATION_SHIFT_LEFT},
                     {">>", 8, OPERATION_SHIFT_RIGHT},
                     {"<", 7, OPERATION_LESS},
                     {">", 7, OPERATION_GREATER},
                     {"<=", 7, OPERATION_AT_MOST},
                     {">=", 7, OPERATION_AT_LEAST},
                     {"==", 6, OPERATION_EQUAL},
                     {"!=", 6, OPERATION_UNEQUAL},
                     {"&", 5, OPERATION_AND},
                     {"^", 4, OPERATION_XOR},
                     {"|", 3, OPERATION_OR},
                     {"&&", 2, OPERATION_BOTH},
                     {"||", 1, OPERATION_EITHER},
                     {NULL, 0, OPERATION_EITHER}};

/* The operator here; the last row, with the rank 0, if there is none. */
static const struct operator_row *evaluate_operator(const evaluation *e) {
  const struct operator_row *row = operator_rows;
  while (row->mark && !evaluate_sees(e, e->at, row->mark)) {
    row++;
  }
  return row;
}

static evaluated evaluate_shift(evaluation *e, evaluated a, uint64_t by, bool left) {
  uint64_t width = 32;
  if (a.is_long) {
    width = 64;
  }
  if (by >= width) {
    return evaluate_unfit(e, a);
  }
  if (!left) {
    if (a.is_unsigned) {
      a.bits = a.bits >> by;
    } else {
      a.bits = (uint64_t)((int64_t)a.bits >> by);
    }
    return a;
  }
  const uint64_t value = a.bits << by;
  /* Compilers accept 1 << 31 and keep its bits. */
  const bool overflow =
      !a.is_unsigned && ((int64_t)a.bits < 0 || a.bits > UINT64_MAX >> (64 - width) >> by);
  if (a.is_unsigned || a.is_long) {
    return evaluate_fit(e, (int64_t)value, overflow, a);
  }
  return evaluate_fit(e, (int32_t)value, overflow, a);
}

static evaluated evaluate_divide(evaluation *e, uint64_t x, uint64_t y, bool rest, evaluated like) {
  const int64_t a = (int64_t)x;
  const int64_t b = (int64_t)y;
  if (y == 0 || (!like.is_unsigned && a == INT64_MIN && b == -1)) {
    return evaluate_unfit(e, like);
  }
  if (rest && like.is_unsigned) {
    return evaluate_fit(e, (int64_t)(x % y), false, like);
  }
  if (rest) {
    return evaluate_fit(e, a % b, false, like);
  }
  if (like.is_unsigned) {
    return evaluate_fit(e, (int64_t)(x / y), false, like);
  }
  return evaluate_fit(e, a / b, false, like);
}

/* C11 6.3.1.8: take the wider type, and of two equally wide the unsigned one. */
static evaluated evaluate_common(evaluated a, evaluated b) {
  evaluated like = {0, false, a.is_long || b.is_long};
  like.is_unsigned =
      (a.is_unsigned && a.is_long == like.is_long) || (b.is_unsigned && b.is_long == like.is_long);
  return like;
}

static uint64_t evaluate_side(evaluation *e, evaluated side, evaluated like) {
  if (like.is_unsigned) {
    return evaluate_fit(e, (int64_t)side.bits, false, like).bits;
  }
  return side.bits;
}

static evaluated evaluate_apply(evaluation *e, operator_kind kind, evaluated left,
                                evaluated right) {
  const evaluated like = evaluate_common(left, right);
  const uint64_t x = evaluate_side(e, left, like);
  const uint64_t y = evaluate_side(e, right, like);
  bool less = (int64_t)x < (int64_t)y;
  if (like.is_unsigned) {
    less = x < y;
  }
  int64_t value = 0;
  bool overflow = false;
  switch (kind) {
  case OPERATION_MULTIPLY:
    overflow = __builtin_mul_overflow((int64_t)x, (int64_t)y, &value);
    break;
  case OPERATION_ADD:
    overflow = __builtin_add_overflow((int64_t)x, (int64_t)y, &value);
    break;
  case OPERATION_SUBTRACT:
    overflow = __builtin_sub_overflow((int64_t)x, (int64_t)y, &value);
    break;
  case OPERATION_AND:
    value = (int64_t)(x & y);
    break;
  case OPERATION_XOR:
    value = (int64_t)(x ^ y);
    break;
  case OPERATION_OR:
    value = (int64_t)(x | y);
    break;
  case OPERATION_DIVIDE:
  case OPERATION_REST:
    return evaluate_divide(e, x, y, kind == OPERATION_REST, like);
  case OPERATION_SHIFT_LEFT:
  case OPERATION_SHIFT_RIGHT:
    return evaluate_shift(e, left, right.bits, kind == OPERATION_SHIFT_LEFT);
  case OPERATION_LESS:
    return evaluate_int(e, less);
  case OPERATION_GREATER:
    return evaluate_int(e, !less && x != y);
  case OPERATION_AT_MOST:
    return evaluate_int(e, less || x == y);
  case OPERATION_AT_LEAST:
    return evaluate_int(e, !less);
  case OPERATION_EQUAL:
    return evaluate_int(e, x == y);
  case OPERATION_UNEQUAL:
    return evaluate_int(e, x != y);
  case OPERATION_BOTH:
    return evaluate_int(e, left.bits && right.bits);
  case OPERATION_EITHER:
    return evaluate_int(e, left.bits || right.bits);
  }
  return evaluate_fit(e, value, overflow, like);
}

static evaluated evaluate_binary(evaluation *e, int rank) {
  if (++e->depth > EVALUATE_MAX_DEPTH) {
    return evaluate_wrong(e, "nested too deeply");
  }
  evaluated value = evaluate_unary(e);
  const struct operator_row *row;
  while (!e->wrong && (row = evaluate_operator(e))->rank >= rank) {
    const operator_kind kind = row->kind;
    e->at++;
    bool decided =
        (kind == OPERATION_BOTH && !value.bits) || (kind == OPERATION_EITHER && value.bits);
    e->dead += decided;
    evaluated right = evaluate_binary(e, row->rank + 1);
    e->dead -= decided;
    if (decided) {
      value = evaluate_int(e, kind == OPERATION_EITHER);
    } else if (!e->wrong) {
      value = evaluate_apply(e, kind, value, right);
    }
  }
  e->depth--;
  return value;
}

static evaluated evaluate_choice(evaluation *e) {
  if (++e->depth > EVALUATE_MAX_DEPTH) {
    return evaluate_wrong(e, "nested too deeply");
  }
  evaluated value = evaluate_binary(e, 1);
  if (evaluate_takes(e, "?")) {
    const bool first = value.bits != 0;
    e->dead += !first;
    evaluated yes = evaluate_choice(e);
    e->dead += first - !first;
    if (!evaluate_takes(e, ":")) {
      evaluate_wrong(e, "expected `:`");
    }
    evaluated no = evaluate_choice(e);
    e->dead -= first;
    value = evaluate_fit(e, (int64_t)(first ? yes : no).bits, false, evaluate_common(yes, no));
  }
  e->depth--;
  return value;
}

const char lex_too_large[] = "does not fit";

const char *lex_evaluate(const lex_token *tokens, size_t *at, const lex_names *names,
                         int64_t *value) {
  evaluation e = {tokens, *at, names, 0, 0, names == NULL, NULL};
  evaluated result = evaluate_choice(&e);
  *value = (int64_t)result.bits;
  *at = e.at;
  if (!e.wrong && names && result.is_unsigned && result.bits > INT64_MAX) {
    return lex_too_large;
  }
  return e.wrong;
}
