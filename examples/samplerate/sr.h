/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Sample-rate conversion of audio by libsamplerate. */
#ifndef SR_H
#define SR_H
#include <dlpack/dlpack.h>
#include <stdint.h>
/** Converters of libsamplerate, the best one first. */
typedef enum sr_quality {
  SR_QUALITY_BEST,
  SR_QUALITY_MEDIUM,
  SR_QUALITY_FAST,
  SR_QUALITY_HOLD,
  SR_QUALITY_LINEAR
} sr_quality;
/** Count the frames that sr_resample gives: frames times ratio, rounded down.
 *  @contract input: f32[frames, channels] */
int64_t sr_length(const DLTensor *input, double ratio);
/** Say what an error code of libsamplerate means. */
const char *sr_text(int code);
/** Resample interleaved audio; samples between -1 and 1.
 *  @param ratio frames out for each frame in: 48000.0 / 44100
 *  @contract input: f32[frames, channels];  out: f32[hook(sr_length), channels] noalias;  frames > 0
 *  @contract ratio in 0.00390625..256;  quality = SR_QUALITY_BEST;  return: status ok 0 text sr_text */
int sr_resample(const DLTensor *input, double ratio, sr_quality quality, DLTensor *out);
#endif
