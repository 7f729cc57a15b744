/* SPDX-License-Identifier: Apache-2.0 */
#include "sr.h"
#include <samplerate.h>
#include <string.h>

int64_t sr_length(const DLTensor *input, double ratio) { return (int64_t)((double)input->shape[0] * ratio); }

const char *sr_text(int code) { return src_strerror(code); }

int sr_resample(const DLTensor *input, double ratio, sr_quality quality, DLTensor *out) {
  float *to = (float *)((char *)out->data + out->byte_offset);
  SRC_DATA data = {.data_in = (const float *)((const char *)input->data + input->byte_offset),
                   .data_out = to,
                   .input_frames = (long)input->shape[0],
                   .output_frames = (long)out->shape[0],
                   .src_ratio = ratio};
  const int channels = (int)out->shape[1], code = src_simple(&data, (int)quality, channels);
  const long missing = out->shape[0] - data.output_frames_gen; /* a converter may stop a frame early */
  if (!code && missing > 0)
    memset(to + data.output_frames_gen * channels, 0, (size_t)(missing * channels) * sizeof *to);
  return code;
}
