/* SPDX-License-Identifier: Apache-2.0 */
/* Texts to which the fields of a struct point: "path: text[4096]", "pattern: opt text[100]". The
 * struct of callers has memory for so many bytes, so no language needs to know who frees a text. */
#ifndef DLFERRY_BIND_IR_TEXT_FIELD_H
#define DLFERRY_BIND_IR_TEXT_FIELD_H

#include "builder.h"

/* Return what stands in the brackets of a field: a number or a constant of the header. 0 unless a
 * field may have so many items, which lie on the stack of a call. */
int ir_count_items(const ir_builder *b, const char *count);

/* Read the clause of a field as what callers pass for it. Return why it is wrong, or NULL. */
const char *ir_read_text_field(const ir_builder *b, const bind_clause *c, const c_member *m,
                               bind_param *field);

#endif
