/* SPDX-License-Identifier: Apache-2.0 */
/* What zfp.h cannot say in contracts: a field of any number of axes and strides, a bit stream for one call. */
#include <dlferry.h>
#include <zfp.h>
/* The bytes that zfp may write or read for a field; 0 if it cannot take the field. */
size_t zfp_stream_room(const zfp_stream *stream, const DLTensor *field);
/** Compress a field of one to four axes with any strides, as the stream is set. */
int zfp_stream_encode(zfp_stream *stream, const DLTensor *field, unsigned char *out, size_t *written);
/** Decompress into a field of the shape and dtype that was compressed, by a stream that is set alike. */
int zfp_stream_decode(zfp_stream *stream, const unsigned char *data, size_t size, DLTensor *field);
