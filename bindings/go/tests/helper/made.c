/* SPDX-License-Identifier: Apache-2.0 */
/* cgo compiles the C files of one folder only. */
#include "../../../../tests/cases/made.c"
