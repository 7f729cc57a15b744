/* SPDX-License-Identifier: Apache-2.0 */
/* Integer constant expressions of #if and enum, by precedence climbing, checked for overflow. */
#include "parse.h"
#include <string.h>

#define EVALUATE_MAX_DEPTH 64

typedef struct evaluation {
  const lex_token *tokens;
  size_t at;
  lex_lookup lookup;
  void *context;
  int depth;
  int dead;          /* inside an operand whose value does not matter */
  const char *wrong; /* the first thing wrong, or NULL */
} evaluation;

bool lex_is(const lex_token *token, const char *text) {
  return token->kind != LEX_STRING && strlen(text) == token->size && memcmp(token->text, text, token->size) == 0;
}

static int64_t evaluate_choice(evaluation *e);

static int64_t evaluate_wrong(evaluation *e, const char *what) {
  if (!e->wrong) e->wrong = what;
  return 0;
}

static bool evaluate_takes(evaluation *e, const char *mark) {
  if (e->tokens[e->at].kind != LEX_MARK || !lex_is(&e->tokens[e->at], mark)) return false;
  e->at++;
  return true;
}

static int64_t evaluate_number(evaluation *e, const lex_token *token) {
  uint64_t value = 0, base = 10;
  size_t i = 0;
  if (token->size > 1 && token->text[0] == '0') {
    base = (token->text[1] | 32) == 'x' ? 16 : (token->text[1] | 32) == 'b' ? 2 : 8;
    i = base == 8 ? 1 : 2;
  }
  for (; i < token->size; i++) {
    char c = (char)(token->text[i] | 32);
    uint64_t digit = c >= '0' && c <= '9' ? (uint64_t)(c - '0') : c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10) : 99;
    if (digit >= base) break;
    if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit, &value))
      return evaluate_wrong(e, "number too large");
  }
  for (; i < token->size; i++)
    if (!strchr("uUlL", token->text[i])) return evaluate_wrong(e, "not an integer");
  if (value > INT64_MAX) return evaluate_wrong(e, "number too large");
  return (int64_t)value;
}

static int64_t evaluate_character(evaluation *e, const lex_token *token) {
  if (token->size == 3) return token->text[1];
  static const char names[] = "0nrtabfv\\'\"", values[] = "\0\n\r\t\a\b\f\v\\'\"";
  const char *found = token->size == 4 && token->text[1] == '\\' ? strchr(names, token->text[2]) : NULL;
  return found && *found ? values[found - names] : evaluate_wrong(e, "character not understood");
}

static int64_t evaluate_unary(evaluation *e) {
  const lex_token *token = &e->tokens[e->at];
  int64_t value = 0;
  if (e->wrong) return 0;
  if (++e->depth > EVALUATE_MAX_DEPTH) return evaluate_wrong(e, "nested too deeply");
  if (evaluate_takes(e, "-")) {
    if (__builtin_sub_overflow(0, evaluate_unary(e), &value)) evaluate_wrong(e, "overflow");
  } else if (evaluate_takes(e, "+")) {
    value = evaluate_unary(e);
  } else if (evaluate_takes(e, "~")) {
    value = ~evaluate_unary(e);
  } else if (evaluate_takes(e, "!")) {
    value = !evaluate_unary(e);
  } else if (evaluate_takes(e, "(")) {
    /* "(int)-1": a cast between integers changes nothing that we can represent */
    bool cast = false;
    while (e->tokens[e->at].kind == LEX_NAME &&
           (lex_is(&e->tokens[e->at], "int") || lex_is(&e->tokens[e->at], "long") ||
            lex_is(&e->tokens[e->at], "unsigned") || lex_is(&e->tokens[e->at], "signed")))
      e->at++, cast = true;
    if (!cast) value = evaluate_choice(e);
    if (!evaluate_takes(e, ")")) evaluate_wrong(e, "expected `)`");
    if (cast) value = evaluate_unary(e);
  } else if (token->kind == LEX_NUMBER) {
    e->at++;
    value = evaluate_number(e, token);
  } else if (token->kind == LEX_CHARACTER) {
    e->at++;
    value = evaluate_character(e, token);
  } else if (token->kind == LEX_NAME) {
    e->at++;
    if (e->tokens[e->at].kind == LEX_MARK && lex_is(&e->tokens[e->at], "(")) evaluate_wrong(e, "calls something");
    if (!e->lookup(e->context, token, &value)) evaluate_wrong(e, "uses a name without a known value");
  } else {
    evaluate_wrong(e, "expected an integer");
  }
  e->depth--;
  return value;
}

static const struct {
  const char *mark;
  int rank;
} evaluate_operators[] = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
                          {">>", 8}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6},
                          {"!=", 6}, {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1}};

static int evaluate_operator(const evaluation *e) {
  const lex_token *token = &e->tokens[e->at];
  for (int i = 0; token->kind == LEX_MARK && i < (int)(sizeof evaluate_operators / sizeof *evaluate_operators); i++)
    if (lex_is(token, evaluate_operators[i].mark)) return i;
  return -1;
}

static int64_t evaluate_apply(evaluation *e, const char *mark, int64_t a, int64_t b) {
  int64_t value = 0;
  bool bad = false;
  switch (mark[0]) {
  case '*': bad = __builtin_mul_overflow(a, b, &value); break;
  case '+': bad = __builtin_add_overflow(a, b, &value); break;
  case '-': bad = __builtin_sub_overflow(a, b, &value); break;
  case '/':
  case '%':
    bad = b == 0 || (b == -1 && a == INT64_MIN);
    if (!bad) value = mark[0] == '/' ? a / b : a % b;
    break;
  case '<':
  case '>':
    if (mark[1] == mark[0]) {
      bad = b < 0 || b > 62 || (mark[0] == '<' && (a < 0 || a > (INT64_MAX >> b)));
      if (!bad) value = mark[0] == '<' ? a << b : a >> b;
    } else {
      value = mark[0] == '<' ? (mark[1] ? a <= b : a < b) : (mark[1] ? a >= b : a > b);
    }
    break;
  case '=': value = a == b; break;
  case '!': value = a != b; break;
  case '&': value = mark[1] ? a && b : a & b; break;
  case '|': value = mark[1] ? a || b : a | b; break;
  default: value = a ^ b; break;
  }
  if (bad && !e->dead) evaluate_wrong(e, "does not fit");
  return value;
}

static int64_t evaluate_binary(evaluation *e, int rank) {
  if (++e->depth > EVALUATE_MAX_DEPTH) return evaluate_wrong(e, "nested too deeply");
  int64_t value = evaluate_unary(e);
  for (int op; !e->wrong && (op = evaluate_operator(e)) >= 0 && evaluate_operators[op].rank >= rank;) {
    e->at++;
    const char *mark = evaluate_operators[op].mark;
    bool decided = (mark[0] == '&' && mark[1] && !value) || (mark[0] == '|' && mark[1] && value);
    e->dead += decided;
    int64_t right = evaluate_binary(e, evaluate_operators[op].rank + 1);
    e->dead -= decided;
    value = decided ? mark[0] == '|' : e->wrong ? 0 : evaluate_apply(e, mark, value, right);
  }
  e->depth--;
  return value;
}

static int64_t evaluate_choice(evaluation *e) {
  if (++e->depth > EVALUATE_MAX_DEPTH) return evaluate_wrong(e, "nested too deeply");
  int64_t value = evaluate_binary(e, 1);
  if (evaluate_takes(e, "?")) {
    const bool first = value != 0;
    e->dead += !first;
    int64_t yes = evaluate_choice(e);
    e->dead += first - !first;
    if (!evaluate_takes(e, ":")) evaluate_wrong(e, "expected `:`");
    int64_t no = evaluate_choice(e);
    e->dead -= first;
    value = first ? yes : no;
  }
  e->depth--;
  return value;
}

const char *lex_evaluate(const lex_token *tokens, size_t *at, lex_lookup lookup, void *context, int64_t *value) {
  evaluation e = {tokens, *at, lookup, context, 0, 0, NULL};
  *value = evaluate_choice(&e);
  *at = e.at;
  return e.wrong;
}
