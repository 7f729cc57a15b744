/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Compression of numeric fields within a tolerance, by zfp (Lindstrom, IEEE TVCG 20(12), 2014). */
#ifndef K_H
#define K_H
#include <dlferry.h>
/** A compressor with its tolerance. */
typedef struct k_codec k_codec;
/** Open a compressor.
 *  @param tolerance largest error of a value, in the field's unit
 *  @contract tolerance > 0 */
k_codec *k_codec_create(double tolerance);
/** Close a compressor. */
void k_codec_free(k_codec *codec);
/** Compress a field of one to four axes, whatever its strides. How long the stream is shows only afterwards.
 *  @contract field: T[...] strided;  stream: u8[_];  T in f32|f64 */
int k_codec_encode(k_codec *codec, const DLTensor *field, DLManagedTensorVersioned **stream, dlf_error *error);
/** Decompress into a field of the shape, dtype and tolerance that were compressed.
 *  @contract stream: u8[n];  field: T[...] strided;  T in f32|f64 */
int k_codec_decode(k_codec *codec, const DLTensor *stream, DLTensor *field, dlf_error *error);
#endif
