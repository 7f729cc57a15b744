/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Compression of numeric fields within a tolerance, by zfp (Lindstrom, IEEE TVCG 20(12), 2014). */
#ifndef ZF_H
#define ZF_H
#include <dlferry.h>
/** A compressor with its tolerance. */
typedef struct zf_codec zf_codec;
/** Open a compressor.
 *  @param tolerance largest error of a value, in the field's unit
 *  @contract tolerance > 0 */
zf_codec *zf_codec_create(double tolerance);
/** Close a compressor. */
void zf_codec_free(zf_codec *codec);
/** Compress a field of one to four axes with any strides. The stream's length is known only afterwards.
 *  @contract field: T[...] strided;  stream: u8[_];  T in f32|f64 */
int zf_codec_encode(zf_codec *codec, const DLTensor *field, DLManagedTensorVersioned **stream, dlf_error *error);
/** Decompress into a field of the shape, dtype and tolerance that were compressed.
 *  @contract stream: u8[n];  field: T[...] strided;  T in f32|f64 */
int zf_codec_decode(zf_codec *codec, const DLTensor *stream, DLTensor *field, dlf_error *error);
#endif
