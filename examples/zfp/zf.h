/* SPDX-License-Identifier: Apache-2.0 */
/* What zfp.h cannot say in contracts: a bit stream that lives for one call. */
#include <zfp.h>
/** Compress a field, as the stream is set. The compressed field is the first `size` bytes of `out`.
 */
int zfp_stream_encode(zfp_stream *stream, const zfp_field *field, void *out, size_t *size);
/** Decompress into a field of the shape and dtype that was compressed, by a stream that is set
 * alike. zfp does not look where the data end, so they have as many bytes as it may read; the last
 * ones may be any. */
int zfp_stream_decode(zfp_stream *stream, zfp_field *field, void *data);
