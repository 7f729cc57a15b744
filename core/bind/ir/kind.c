/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of parameters and results: one row each. */
#include "kind.h"

static const struct kind_row {
  const char *name, *title;
} kind_rows[] = {
    [BIND_VOID] = {.name = "void", .title = "nothing"},
    [BIND_TENSOR] = {.name = "tensor", .title = "tensor"},
    [BIND_INTEGER] = {.name = "integer", .title = "integer"},
    [BIND_REAL] = {.name = "real", .title = "real"},
    [BIND_COMPLEX] = {.name = "complex", .title = "complex number"},
    [BIND_CHAR] = {.name = "char", .title = "character"},
    [BIND_BOOL] = {.name = "bool", .title = "bool"},
    [BIND_ENUM] = {.name = "enum", .title = "enum"},
    [BIND_STRING] = {.name = "string", .title = "text"},
    [BIND_LIST] = {.name = "list", .title = "list of tensors"},
    [BIND_ARRAY] = {.name = "array", .title = "array of numbers"},
    [BIND_GIVEN] = {.name = "given", .title = "new tensor of C's"},
    [BIND_HANDLE] = {.name = "handle", .title = "object"},
    [BIND_STREAM] = {.name = "stream", .title = "stream"},
    [BIND_OTHER] = {.name = "other", .title = "not bound"},
};

const char *bind_kind_name(bind_kind kind) {
  return kind_rows[kind].name;
}

const char *bind_kind_title(bind_kind kind) {
  return kind_rows[kind].title;
}
