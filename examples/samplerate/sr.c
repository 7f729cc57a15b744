/* SPDX-License-Identifier: Apache-2.0 */
#include "sr.h"
#include <samplerate.h>
long src_room(long frames, double ratio) {
  return (long)((double)frames * ratio);
}
int src_resample(const float *audio, long frames, int channels, double ratio, int converter,
                 float *out, long room, long *made) {
  SRC_DATA data = {audio, out, frames, room, 0, 0, 1, ratio};
  const int code = src_simple(&data, converter, channels);
  *made = data.output_frames_gen;
  return code;
}
