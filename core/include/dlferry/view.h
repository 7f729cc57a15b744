/* SPDX-License-Identifier: Apache-2.0 */
/* Views: the same elements with another shape, without copying. Views keep self's flags and first
 * owner: self may be freed before them. dlferry.h includes this part. */
#ifndef DLFERRY_VIEW_H
#define DLFERRY_VIEW_H

#ifndef DLFERRY_H
#error "include <dlferry.h>, which includes dlferry/view.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- View ---- */

/** Effect of an item of dlf_index. */
typedef enum dlf_index_kind {
  DLF_INDEX_RANGE = 0, /**< takes a range of the next axis */
  DLF_INDEX_ONE = 1, /**< takes one index of the next axis, which disappears: start; count and step
                        are ignored */
  DLF_INDEX_NEW = 2  /**< adds an axis of extent 1; start, count and step are ignored */
} dlf_index_kind;

/** An item of dlf_index, with the parameters of dlf_slice. */
typedef struct dlf_index_item {
  int32_t kind;     /**< a dlf_index_kind */
  int32_t reserved; /**< 0 */
  int64_t start, count, step;
} dlf_index_item;

/** Select along several axes at once, without copying.
 *  Each item takes the next axis or adds one; the axes after the last item stay whole. Only the
 * first element of the whole selection must start on a byte. Keeps self. Gives *out. Fails with
 * BOUNDS, INVALID, OVERFLOW, or LAYOUT, like dlf_slice, dlf_select and dlf_unsqueeze.
 *  @param items  count of them */
DLF_API dlf_status dlf_index(dlf_tensor *self, const dlf_index_item *items, int64_t count,
                             dlf_tensor **out, dlf_error *error);

/** Select a range along one axis, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, INVALID if step is 0, or LAYOUT if a packed sub-byte
 * slice would not start on a byte.
 *  @param axis   from 0
 *  @param start  first index taken, 0 <= start < extent unless count is 0
 *  @param count  number of indices
 *  @param step   distance between them; may be negative */
DLF_API dlf_status dlf_slice(dlf_tensor *self, int64_t axis, int64_t start, int64_t count,
                             int64_t step, dlf_tensor **out, dlf_error *error);

/** Take one index of an axis, which disappears, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or LAYOUT if a packed sub-byte view would not start
 * on a byte.
 *  @param axis  from 0
 *  @param index from 0 */
DLF_API dlf_status dlf_select(dlf_tensor *self, int64_t axis, int64_t index, dlf_tensor **out,
                              dlf_error *error);

/** Reorder the axes, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or INVALID if axes is not a permutation.
 *  @param axes ndim axes, from 0: axis i of the view is axis axes[i] of self */
DLF_API dlf_status dlf_permute(dlf_tensor *self, const int64_t *axes, int64_t ndim,
                               dlf_tensor **out, dlf_error *error);

/** Regroup the elements, in row-major order of their indices, without copying.
 *  Keeps self. Gives *out. Fails with LAYOUT if no strides can express it, SHAPE if the element
 * counts differ, INVALID, or OVERFLOW.
 *  @param shape ndim extents; one may be -1 and is computed from the others */
DLF_API dlf_status dlf_reshape(dlf_tensor *self, const int64_t *shape, int64_t ndim,
                               dlf_tensor **out, dlf_error *error);

/** Repeat axes of extent 1, and add axes in front, without copying: their stride is 0.
 *  Keeps self. Gives *out. Fails with SHAPE if an extent is neither 1 nor the requested one,
 * INVALID, or OVERFLOW.
 *  @param shape ndim extents, at least as many as self has */
DLF_API dlf_status dlf_broadcast(dlf_tensor *self, const int64_t *shape, int64_t ndim,
                                 dlf_tensor **out, dlf_error *error);

/** Drop an axis of extent 1, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or SHAPE for another extent.
 *  @param axis from 0 */
DLF_API dlf_status dlf_squeeze(dlf_tensor *self, int64_t axis, dlf_tensor **out, dlf_error *error);

/** Add an axis of extent 1, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or INVALID if there are already DLF_MAX_NDIM axes.
 *  @param axis its place in the view, from 0 to ndim */
DLF_API dlf_status dlf_unsqueeze(dlf_tensor *self, int64_t axis, dlf_tensor **out,
                                 dlf_error *error);

/** Reverse an axis, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or LAYOUT if a packed sub-byte view would not start
 * on a byte.
 *  @param axis from 0 */
DLF_API dlf_status dlf_flip(dlf_tensor *self, int64_t axis, dlf_tensor **out, dlf_error *error);

/** Read the same bytes as another dtype, without copying.
 *  An element of equal width keeps the shape; otherwise the last axis, which must be dense, shrinks
 * or grows. Keeps self. Gives *out. Fails with DTYPE, LAYOUT if the last axis is not dense or a
 * stride does not divide, SHAPE if its extent does not, or OVERFLOW. */
DLF_API dlf_status dlf_bitcast(dlf_tensor *self, DLDataType dtype, dlf_tensor **out,
                               dlf_error *error);

/** Turn the last axis into lanes, float32[n, 4] into float32x4[n], without copying.
 *  Keeps self. Gives *out. Fails with LAYOUT if the last axis is not dense or another stride is not
 * a multiple of its extent, SHAPE if there is no axis or its extent does not fit lanes, or DTYPE if
 * there are already lanes. */
DLF_API dlf_status dlf_pack_lanes(dlf_tensor *self, dlf_tensor **out, dlf_error *error);

/** Turn lanes into a last axis, float32x4[n] into float32[n, 4], without copying.
 *  Keeps self. Gives *out. Fails with INVALID if there are already DLF_MAX_NDIM axes, UNSUPPORTED
 * for padded sub-byte lanes, or OVERFLOW. */
DLF_API dlf_status dlf_unpack_lanes(dlf_tensor *self, dlf_tensor **out, dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
