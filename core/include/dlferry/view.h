/* SPDX-License-Identifier: Apache-2.0 */
/* Views: the same elements under another shape, without copying. Views keep the flags of self, and what self is a view
 * of: self itself may be freed before them. dlferry.h includes this part of
 * itself. */
#ifndef DLFERRY_VIEW_H
#define DLFERRY_VIEW_H

#ifndef DLFERRY_H
#error "include <dlferry.h>, which includes dlferry/view.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- View (C only) ---- */

/** Select a range along one axis, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, INVALID when step is 0, or LAYOUT when a packed sub-byte slice would not
 *  start on a byte.
 *  @param axis   from 0
 *  @param start  first index taken, 0 <= start < extent unless count is 0
 *  @param count  how many
 *  @param step   distance between them; may be negative */
DLF_API dlf_status dlf_slice(dlf_tensor *self, int32_t axis, int64_t start, int64_t count, int64_t step,
                             dlf_tensor **out, dlf_error *error);

/** Take one index of an axis, which disappears, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or LAYOUT when a packed sub-byte view would not start on a byte.
 *  @param axis  from 0
 *  @param index from 0 */
DLF_API dlf_status dlf_select(dlf_tensor *self, int32_t axis, int64_t index, dlf_tensor **out, dlf_error *error);

/** Reorder the axes, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or INVALID when axes is not a permutation.
 *  @param axes ndim axes, from 0: axis i of the view is axis axes[i] of self */
DLF_API dlf_status dlf_permute(dlf_tensor *self, const int32_t *axes, int32_t ndim, dlf_tensor **out, dlf_error *error);

/** Regroup the elements, in row-major order of their indices, without copying.
 *  Keeps self. Gives *out. Fails with LAYOUT when no strides say it, SHAPE when the element counts differ, INVALID,
 *  or OVERFLOW.
 *  @param shape ndim extents, one of which may be -1: what the others leave */
DLF_API dlf_status dlf_reshape(dlf_tensor *self, const int64_t *shape, int32_t ndim, dlf_tensor **out,
                               dlf_error *error);

/** Repeat axes of extent 1, and add axes in front, without copying: their stride is 0.
 *  Keeps self. Gives *out. Fails with SHAPE when an extent is neither 1 nor the one asked, INVALID, or OVERFLOW.
 *  @param shape ndim extents, no fewer than self has */
DLF_API dlf_status dlf_broadcast(dlf_tensor *self, const int64_t *shape, int32_t ndim, dlf_tensor **out,
                                 dlf_error *error);

/** Drop an axis of extent 1, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or SHAPE for another extent.
 *  @param axis from 0 */
DLF_API dlf_status dlf_squeeze(dlf_tensor *self, int32_t axis, dlf_tensor **out, dlf_error *error);

/** Add an axis of extent 1, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or INVALID when there are DLF_MAX_NDIM axes already.
 *  @param axis its place in the view, from 0 to ndim */
DLF_API dlf_status dlf_expand(dlf_tensor *self, int32_t axis, dlf_tensor **out, dlf_error *error);

/** Reverse an axis, without copying.
 *  Keeps self. Gives *out. Fails with BOUNDS, or LAYOUT when a packed sub-byte view would not start on a byte.
 *  @param axis from 0 */
DLF_API dlf_status dlf_flip(dlf_tensor *self, int32_t axis, dlf_tensor **out, dlf_error *error);

/** Read the same bytes as another dtype, without copying.
 *  An element of equal width keeps the shape; otherwise the last axis, which must be dense, shrinks or grows. Keeps
 *  self. Gives *out. Fails with DTYPE, LAYOUT when the last axis is not dense or a stride does not divide, SHAPE when
 *  its extent does not, or OVERFLOW. */
DLF_API dlf_status dlf_bitcast(dlf_tensor *self, DLDataType dtype, dlf_tensor **out, dlf_error *error);

/** Turn the last axis into lanes, so that float32[n, 4] becomes float32x4[n], without copying.
 *  Keeps self. Gives *out. Fails with LAYOUT when the last axis is not dense or another stride is not a multiple of its
 *  extent, SHAPE when there is no axis or its extent does not fit lanes, or DTYPE when there are lanes already. */
DLF_API dlf_status dlf_pack_lanes(dlf_tensor *self, dlf_tensor **out, dlf_error *error);

/** Turn lanes into a last axis, so that float32x4[n] becomes float32[n, 4], without copying.
 *  Keeps self. Gives *out. Fails with INVALID when there are DLF_MAX_NDIM axes already, UNSUPPORTED for padded sub-byte
 *  lanes, or OVERFLOW. */
DLF_API dlf_status dlf_unpack_lanes(dlf_tensor *self, dlf_tensor **out, dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
