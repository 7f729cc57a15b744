/* SPDX-License-Identifier: Apache-2.0 */
#include "range.h"

int range_search(const FaissIndex *index, idx_t n, const float *x, float radius,
                 FaissRangeSearchResult **found) {
  int code = faiss_RangeSearchResult_new(found, n);
  if (!code && (code = faiss_Index_range_search(index, n, x, radius, *found))) {
    faiss_RangeSearchResult_free(*found);
  }
  return code;
}

void range_all(FaissRangeSearchResult *r, size_t *n, size_t *m, const size_t **at,
               const idx_t **ids, const float **d) {
  faiss_RangeSearchResult_lims(r, (size_t **)at);
  faiss_RangeSearchResult_labels(r, (idx_t **)ids, (float **)d);
  *m = (*at)[*n = faiss_RangeSearchResult_nq(r)];
}
