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

static evaluated evaluate_wrong(evaluation *e, const char *what) {
  if (!e->wrong) {
    e->wrong = what;
  }
  return (evaluated){0};
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
  if (overflow && !e->dead) {
    evaluate_wrong(e, "does not fit");
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

static evaluated evaluate_number(evaluation *e, const lex_token *token) {
  uint64_t value = 0;
  uint64_t base = 10;
  size_t i = 0;
  bool is_unsigned = false;
  bool is_long = e->wide;
  if (token->size > 1 && token->text[0] == '0') {
    if ((token->text[1] | 32) == 'x') {
      base = 16;
    } else if ((token->text[1] | 32) == 'b') {
      base = 2;
    } else {
      base = 8;
    }
    if (base == 8) {
      i = 1;
    } else {
      i = 2;
    }
  }
  for (; i < token->size; i++) {
    if (token->text[i] == '\'') {
      continue; /* C23: 1'000 */
    }
    char c = (char)(token->text[i] | 32);
    uint64_t digit = 99;
    if (c >= '0' && c <= '9') {
      digit = (uint64_t)(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = (uint64_t)(c - 'a' + 10);
    }
    if (digit >= base) {
      break;
    }
    if (__builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, digit, &value)) {
      return evaluate_wrong(e, "number too large");
    }
  }
  for (; i < token->size; i++) {
    if (!strchr("uUlL", token->text[i])) {
      return evaluate_wrong(e, "not an integer");
    }
    is_unsigned |= strchr("uU", token->text[i]) != NULL;
    is_long |= strchr("lL", token->text[i]) != NULL;
  }
  /* C11 6.4.4.1: take the first type that holds it; only hexadecimal and octal numbers become
   * unsigned implicitly. */
  if (!is_unsigned && !is_long && value > INT32_MAX) {
    if (base != 10 && value <= UINT32_MAX) {
      is_unsigned = true;
    } else {
      is_long = true;
    }
  }
  if (value > UINT32_MAX) {
    is_long = true;
  }
  if (!is_unsigned && value > INT64_MAX) {
    if (base == 10 && !e->wide) {
      return evaluate_wrong(e, "number too large");
    }
    is_unsigned = true;
  }
  return (evaluated){value, is_unsigned, is_long};
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
    char c = (char)(text[i] | 32);
    unsigned digit = 99;
    if (c >= '0' && c <= '9') {
      digit = (unsigned)(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = (unsigned)(c - 'a' + 10);
    }
    if (digit >= base || value > 255) {
      return evaluate_wrong(e, "character not understood");
    }
    value = value * base + digit;
  }
  if (*text != '\\' || size < 2 || value > 255) {
    return evaluate_wrong(e, "character not understood");
  }
  return evaluate_int(e, prefix ? (int)value : (signed char)value);
}

/* Read a type's name in parentheses, "(unsigned char)", "(uint32_t)" or "(void *)"; return its
 * size, or 0. */
static int evaluate_type(evaluation *e, bool *is_unsigned) {
  size_t at = e->at;
  int size = 0;
  int longs = 0;
  *is_unsigned = false;
  if (!evaluate_sees(e, at++, "(")) {
    return 0;
  }
  for (; e->tokens[at].kind == LEX_NAME; at++) {
    const lex_token *t = &e->tokens[at];
    int one = 0;
    if (lex_is(t, "char") || lex_is(t, "bool") || lex_is(t, "_Bool")) {
      one = 1;
    } else if (lex_is(t, "short")) {
      one = 2;
    } else if (lex_is(t, "int") || lex_is(t, "signed") || lex_is(t, "const") || lex_is(t, "void") ||
               lex_is(t, "unsigned") || lex_is(t, "float")) {
      one = 4;
    } else if (lex_is(t, "double")) {
      one = 8;
    }
    if (lex_is(t, "long")) {
      one = 4;
      longs++;
    }
    *is_unsigned |= lex_is(t, "unsigned");
    if (!one && e->names) {
      one = e->names->size(e->names->context, t, is_unsigned);
    }
    if (!one) {
      return 0;
    }
    if (!size || one != 4) {
      size = one;
    }
  }
  if (longs) {
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
  evaluated value = evaluate_unary(e);
  int64_t bits = (int64_t)value.bits;
  if (size == 1) {
    if (is_unsigned) {
      bits = (uint8_t)bits;
    } else {
      bits = (int8_t)bits;
    }
  }
  if (size == 2) {
    if (is_unsigned) {
      bits = (uint16_t)bits;
    } else {
      bits = (int16_t)bits;
    }
  }
  if (size == 4) {
    if (is_unsigned) {
      bits = (int64_t)(uint32_t)bits;
    } else {
      bits = (int32_t)bits;
    }
  }
  return (evaluated){(uint64_t)bits, is_unsigned && size >= 4, size == 8};
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
  if (e->names && !e->names->value(e->names->context, token, &value)) {
    return evaluate_wrong(e, "uses a name without a known value");
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

static const struct {
  const char *mark;
  int rank;
} evaluate_operators[] = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
                          {">>", 8}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6},
                          {"!=", 6}, {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1}};

static int evaluate_operator(const evaluation *e) {
  const lex_token *token = &e->tokens[e->at];
  for (int i = 0;
       token->kind == LEX_MARK && i < (int)(sizeof evaluate_operators / sizeof *evaluate_operators);
       i++) {
    if (lex_is(token, evaluate_operators[i].mark)) {
      return i;
    }
  }
  return -1;
}

static evaluated evaluate_shift(evaluation *e, bool left, evaluated a, evaluated b) {
  const uint64_t by = b.bits;
  uint64_t width = 32;
  if (a.is_long) {
    width = 64;
  }
  if (by >= width) {
    if (!e->dead) {
      evaluate_wrong(e, "does not fit");
    }
    return a;
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
  return evaluate_fit(e, a.is_unsigned || a.is_long ? (int64_t)value : (int32_t)value, overflow, a);
}

/* C11 6.3.1.8: take the wider type, and of two equally wide the unsigned one. */
static evaluated evaluate_common(evaluated a, evaluated b) {
  evaluated like = {0, false, a.is_long || b.is_long};
  like.is_unsigned =
      (a.is_unsigned && a.is_long == like.is_long) || (b.is_unsigned && b.is_long == like.is_long);
  return like;
}

static evaluated evaluate_apply(evaluation *e, const char *mark, evaluated left, evaluated right) {
  if (mark[0] == mark[1] && (mark[0] == '<' || mark[0] == '>')) {
    return evaluate_shift(e, mark[0] == '<', left, right);
  }
  if (mark[0] == mark[1] && mark[0] != '=') { /* && and || */
    return evaluate_int(e, mark[0] == '&' ? left.bits && right.bits : left.bits || right.bits);
  }
  evaluated like = evaluate_common(left, right);
  uint64_t x;
  if (like.is_unsigned) {
    x = evaluate_fit(e, (int64_t)left.bits, false, like).bits;
  } else {
    x = left.bits;
  }
  uint64_t y;
  if (like.is_unsigned) {
    y = evaluate_fit(e, (int64_t)right.bits, false, like).bits;
  } else {
    y = right.bits;
  }
  const int64_t a = (int64_t)x;
  const int64_t b = (int64_t)y;
  bool less;
  if (like.is_unsigned) {
    less = x < y;
  } else {
    less = a < b;
  }
  int64_t value = 0;
  bool bad = false;
  switch (mark[0]) {
  case '*':
    bad = __builtin_mul_overflow(a, b, &value);
    break;
  case '+':
    bad = __builtin_add_overflow(a, b, &value);
    break;
  case '-':
    bad = __builtin_sub_overflow(a, b, &value);
    break;
  case '/':
  case '%':
    if (b == 0 || (!like.is_unsigned && b == -1 && a == INT64_MIN)) {
      if (e->dead) {
        return like;
      }
      return evaluate_wrong(e, "does not fit");
    }
    if (like.is_unsigned) {
      value = (int64_t)(mark[0] == '/' ? x / y : x % y);
    } else {
      if (mark[0] == '/') {
        value = a / b;
      } else {
        value = a % b;
      }
    }
    break;
  case '<':
    return evaluate_int(e, mark[1] ? less || x == y : less);
  case '>':
    return evaluate_int(e, mark[1] ? !less : !less && x != y);
  case '=':
    return evaluate_int(e, x == y);
  case '!':
    return evaluate_int(e, x != y);
  case '&':
    value = (int64_t)(x & y);
    break;
  case '|':
    value = (int64_t)(x | y);
    break;
  default:
    value = (int64_t)(x ^ y);
    break;
  }
  return evaluate_fit(e, value, bad, like);
}

static evaluated evaluate_binary(evaluation *e, int rank) {
  if (++e->depth > EVALUATE_MAX_DEPTH) {
    return evaluate_wrong(e, "nested too deeply");
  }
  evaluated value = evaluate_unary(e);
  for (int op;
       !e->wrong && (op = evaluate_operator(e)) >= 0 && evaluate_operators[op].rank >= rank;) {
    e->at++;
    const char *mark = evaluate_operators[op].mark;
    bool decided = (!strcmp(mark, "&&") && !value.bits) || (!strcmp(mark, "||") && value.bits);
    e->dead += decided;
    evaluated right = evaluate_binary(e, evaluate_operators[op].rank + 1);
    e->dead -= decided;
    if (decided) {
      value = evaluate_int(e, mark[0] == '|');
    } else if (e->wrong) {
      value = value;
    } else {
      value = evaluate_apply(e, mark, value, right);
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
