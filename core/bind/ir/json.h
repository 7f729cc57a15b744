/* SPDX-License-Identifier: Apache-2.0 */
/* --ir: the IR as JSON. */
#ifndef DLFERRY_BIND_IR_JSON_H
#define DLFERRY_BIND_IR_JSON_H

#include "ir.h"
#include <stdio.h>

/* Print the IR, as ir.schema.json describes it. Returns the exit status. */
int bind_emit_ir(const bind_ir *ir, FILE *file);

#endif
