/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of parameters and results: one row each. */
#include "kind.h"

static const struct kind_row {
  const char *name, *title;
} kind_rows[] = {
    [BIND_VOID] = {"void", "nothing"},
    [BIND_TENSOR] = {"tensor", "tensor"},
    [BIND_INTEGER] = {"integer", "integer"},
    [BIND_REAL] = {"real", "real"},
    [BIND_COMPLEX] = {"complex", "complex number"},
    [BIND_CHAR] = {"char", "character"},
    [BIND_BOOL] = {"bool", "bool"},
    [BIND_ENUM] = {"enum", "enum"},
    [BIND_STRING] = {"string", "text"},
    [BIND_LIST] = {"list", "list of tensors"},
    [BIND_ARRAY] = {"array", "array of numbers"},
    [BIND_GIVEN] = {"given", "new tensor of C's"},
    [BIND_HANDLE] = {"handle", "object"},
    [BIND_STREAM] = {"stream", "stream"},
    [BIND_STRUCT] = {"struct", "struct"},
    [BIND_OTHER] = {"other", "not bound"},
};

const char *bind_kind_name(bind_kind kind) {
  return kind_rows[kind].name;
}

const char *bind_kind_title(bind_kind kind) {
  return kind_rows[kind].title;
}
