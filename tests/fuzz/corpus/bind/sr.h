/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Sample-rate conversion of audio by libsamplerate. */
#ifndef K_H
#define K_H
#include <dlpack/dlpack.h>
#include <stdint.h>
/** Converters of libsamplerate, the best one first. */
typedef enum k_quality {
  K_QUALITY_BEST,
  K_QUALITY_MEDIUM,
  K_QUALITY_FAST,
  K_QUALITY_HOLD,
  K_QUALITY_LINEAR
} k_quality;
/** Count the frames that k_resample gives: frames times ratio, rounded down.
 *  @contract input: f32[frames, channels] */
int64_t k_length(const DLTensor *input, double ratio);
/** Say what an error code of libsamplerate means. */
const char *k_text(int code);
/** Resample interleaved audio; samples between -1 and 1.
 *  @param ratio frames out for each frame in: 48000.0 / 44100
 *  @contract input: f32[frames, channels];  out: f32[hook(k_length), channels] noalias;  frames > 0
 *  @contract ratio in 0.00390625..256;  quality = K_QUALITY_BEST;  return: status ok 0 text k_text */
int k_resample(const DLTensor *input, double ratio, k_quality quality, DLTensor *out);
#endif
