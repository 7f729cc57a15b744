/* SPDX-License-Identifier: Apache-2.0 */
#include "range.h"

int faiss_RangeSearchResult_from_search(const FaissIndex *index, idx_t n, const float *x, float radius,
                                        FaissRangeSearchResult **found) {
  int code = faiss_RangeSearchResult_new(found, n);
  if (!code && (code = faiss_Index_range_search(index, n, x, radius, *found))) faiss_RangeSearchResult_free(*found);
  return code;
}

void faiss_RangeSearchResult_all(FaissRangeSearchResult *found, size_t *queries, size_t *total, const size_t **lims,
                                 const idx_t **labels, const float **distances) {
  faiss_RangeSearchResult_lims(found, (size_t **)lims);
  faiss_RangeSearchResult_labels(found, (idx_t **)labels, (float **)distances);
  *queries = faiss_RangeSearchResult_nq(found) + 1;
  *total = (*lims)[*queries - 1];
}

int faiss_Index_d_if_trained(const FaissIndex *index) {
  return faiss_Index_is_trained(index) ? faiss_Index_d(index) : -1;
}
