/* SPDX-License-Identifier: Apache-2.0 */
/* Templates with names in them, so that an emitter's source looks like what it emits. */
#ifndef DLFERRY_BIND_BASE_TEMPLATE_H
#define DLFERRY_BIND_BASE_TEMPLATE_H

#include "text.h"

/** What a template's $name stands for. */
typedef struct bind_field {
  const char *name, *value;
} bind_field;

/** Append a template, in which "$name" or "${name}" stands for a field's value and "$$" for '$'. A name alone on its line
 *  stands for lines: each is indented as the template's line is, and an empty value leaves none. A name without a field
 *  ends the command: that is a mistake of the emitter's.
 *
 *    bind_fill(t, "func $name($parameters) error {\n"
 *                 "\t$statements\n"
 *                 "}\n", {"name", name}, {"parameters", parameters}, {"statements", statements}); */
#define bind_fill(text, template, ...) bind_template(text, template, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
void bind_template(bind_text *text, const char *template, const bind_field *fields);

/** The same as a lasting string. */
#define bind_filled(template, ...) bind_filled_template(template, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
const char *bind_filled_template(const char *template, const bind_field *fields);

/** Fields and more of them, as lasting memory; the first of a name counts. */
#define bind_with(fields, ...) bind_all_fields(fields, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
const bind_field *bind_all_fields(const bind_field *fields, const bind_field *more);

/** Fields as an argument. */
#define bind_fields(...)                                                                                               \
  (const bind_field[]) {                                                                                               \
    __VA_ARGS__, { NULL, NULL }                                                                                        \
  }

/** The value of one. */
const char *bind_field_of(const bind_field *fields, const char *name);

#endif
