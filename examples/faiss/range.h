/* SPDX-License-Identifier: Apache-2.0 */
/* What faiss's headers and a file of contracts cannot say: a table of results serves one search of as many queries, since
 * faiss ends the process at a second one; its last limit is its length; only a trained index can be searched. */
#ifndef FAISS_RANGE_H
#define FAISS_RANGE_H
#include <faiss/c_api/impl/AuxIndexStructures_c.h>

/** Find all vectors nearer than a radius, or, with inner products, those with a larger product. */
int faiss_RangeSearchResult_from_search(const FaissIndex *index, idx_t n, const float *x, float radius,
                                        FaissRangeSearchResult **found);

/** Labels and distances of query i are those from lims[i] to lims[i + 1]. */
void faiss_RangeSearchResult_all(FaissRangeSearchResult *found, size_t *queries, size_t *total, const size_t **lims,
                                 const idx_t **labels, const float **distances);

/** The extent of queries; negative before training, when a search of IVF follows wild numbers. */
int faiss_Index_d_if_trained(const FaissIndex *index);
#endif
