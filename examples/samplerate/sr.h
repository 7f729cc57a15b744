/* SPDX-License-Identifier: Apache-2.0 */
/* The most frames that src_resample makes. */
long src_room(long frames, double ratio);
/** Resample interleaved audio; samples between -1 and 1.
 *  @param ratio frames out for each frame in: 48000.0 / 44100 */
int src_resample(const float *audio, long frames, int channels, double ratio, int converter,
                 float *out, long room, long *made);
