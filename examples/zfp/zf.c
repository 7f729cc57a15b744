/* SPDX-License-Identifier: Apache-2.0 */
#include "zf.h"

static size_t run(zfp_stream *stream, zfp_field field, void *memory, int back) {
  bitstream *bits = stream_open(memory, zfp_stream_maximum_size(stream, &field));
  zfp_stream_set_bit_stream(stream, bits);
  const size_t size = !bits  ? 0
                      : back ? zfp_decompress(stream, &field)
                             : zfp_compress(stream, &field);
  zfp_stream_set_bit_stream(stream, NULL);
  stream_close(bits);
  return size;
}
int zfp_stream_encode(zfp_stream *s, const zfp_field *f, void *out, size_t *n) {
  return !(*n = run(s, *f, out, 0));
}
int zfp_stream_decode(zfp_stream *s, zfp_field *f, void *data) {
  return !run(s, *f, data, 1);
}
