/* SPDX-License-Identifier: Apache-2.0 */
/* Templates with names in them, so that an emitter's source looks like what it emits. */
#ifndef DLFERRY_BIND_BASE_TEMPLATE_H
#define DLFERRY_BIND_BASE_TEMPLATE_H

#include "text.h"

/** The value of a template's $name. */
typedef struct bind_field {
  const char *name, *value;
} bind_field;

/** Append a template, in which "$name" or "${name}" stands for a field's value and "$$" for '$'. A
 * name alone on its line stands for lines: each is indented like the template's line, and an empty
 * value leaves none. A name without a field is an error in the emitter and ends the command.
 *
 *    bind_fill(t, "func $name($parameters) error {\n"
 *                 "\t$statements\n"
 *                 "}\n", {"name", name}, {"parameters", parameters}, {"statements", statements});
 */
#define bind_fill(text, template, ...)                                                             \
  bind_template(text, template, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
void bind_template(bind_text *text, const char *template, const bind_field *fields);

/** Return a filled template as a lasting string. */
#define bind_filled(template, ...)                                                                 \
  bind_filled_template(template, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
const char *bind_filled_template(const char *template, const bind_field *fields);

/** Return both lists of fields in lasting memory; the first field of a name counts. */
#define bind_with(fields, ...)                                                                     \
  bind_all_fields(fields, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
const bind_field *bind_all_fields(const bind_field *fields, const bind_field *more);

/** Return fields in lasting memory, also from inside a block. */
#define bind_fields(...)                                                                           \
  bind_all_fields((const bind_field[]){{NULL, NULL}},                                              \
                  (const bind_field[]){__VA_ARGS__, {NULL, NULL}})

/** Return the value of a field. */
const char *bind_field_of(const bind_field *fields, const char *name);

#endif
