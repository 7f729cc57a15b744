/* SPDX-License-Identifier: Apache-2.0 */
/* What faiss's headers and a file of contracts cannot say: a table of results serves one search of
 * as many queries, since faiss ends the process at a second one; its last limit is its length. */
#ifndef FAISS_RANGE_H
#define FAISS_RANGE_H
#include <faiss/c_api/impl/AuxIndexStructures_c.h>

/** Find all vectors nearer than a radius, or, with inner products, those with a larger product. */
int range_search(const FaissIndex *index, idx_t n, const float *x, float radius,
                 FaissRangeSearchResult **found);

/** Labels and distances of query i are those from lims[i] to lims[i + 1]. */
void range_all(FaissRangeSearchResult *found, size_t *queries, size_t *total, const size_t **lims,
               const idx_t **labels, const float **distances);
#endif
