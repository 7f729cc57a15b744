/* SPDX-License-Identifier: Apache-2.0 */
/* The layout words of contracts. */
#include "contract.h"

static bool has_dense_rows(const DLTensor *t, int32_t order) {
  const int32_t last = t->ndim - 1;
  (void)order;
  return !t->strides || last < 0 || t->shape[last] == 1 || t->strides[last] == 1;
}

const dlf__layout_rule dlf__layouts[] = {
    [DLF__LAYOUT_ROW_MAJOR] =
        {
            .name = "row-major",
            .order = DLF_ROW_MAJOR,
            .fits = dlf_is_contiguous,
            .gapless = true,
            .row_major_fits = true,
        },
    [DLF__LAYOUT_FORTRAN] =
        {
            .word = "fortran",
            .name = "column-major",
            .order = DLF_COLUMN_MAJOR,
            .fits = dlf_is_contiguous,
            .gapless = true,
        },
    [DLF__LAYOUT_DENSE] =
        {
            .word = "dense",
            .name = "dense",
            .order = DLF_DENSE,
            .fits = dlf_is_contiguous,
            .gapless = true,
            .row_major_fits = true,
        },
    [DLF__LAYOUT_ROWS] =
        {
            .word = "rows",
            .name = "dense rows",
            .order = DLF_ROW_MAJOR,
            .fits = has_dense_rows,
            .row_major_fits = true,
        },
    [DLF__LAYOUT_STRIDED] =
        {
            .word = "strided",
            .name = "strided",
            .order = DLF_DENSE,
            .row_major_fits = true,
        },
};
