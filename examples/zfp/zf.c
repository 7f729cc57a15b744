/* SPDX-License-Identifier: Apache-2.0 */
#include "zf.h"
#include <stdlib.h>
#include <string.h>

/* To zfp an extent or a stride of 0 means that there is none: such a field gets no type. */
static zfp_field field_of(const DLTensor *t) {
  size_t n[4] = {0};
  int64_t s[4] = {0};
  bool fits = t->ndim > 0 && t->ndim < 5;
  for (int i = 0, k = t->ndim - 1; fits && k >= 0; i++, k--)
    n[i] = (size_t)t->shape[k], s[i] = t->strides[k], fits = n[i] && (s[i] || n[i] == 1);
  const int type = fits ? 1 + 2 * (t->dtype.code == kDLFloat) + (t->dtype.bits == 64) : 0;
  return (zfp_field){(zfp_type)type, n[0], n[1], n[2], n[3], s[0], s[1], s[2], s[3], dlf_data(t)};
}

/* Memory has zfp_stream_room bytes, since zfp checks no end. Its bit stream lives for this call only. */
static int run(zfp_stream *stream, const DLTensor *t, unsigned char *memory, size_t *written) {
  zfp_field field = field_of(t);
  bitstream *bits = field.type && memory ? stream_open(memory, zfp_stream_maximum_size(stream, &field)) : NULL;
  zfp_stream_set_bit_stream(stream, bits);
  const size_t size = !bits ? 0 : written ? zfp_compress(stream, &field) : zfp_decompress(stream, &field);
  zfp_stream_set_bit_stream(stream, NULL);
  stream_close(bits);
  if (written) *written = size;
  return !size;
}

size_t zfp_stream_room(const zfp_stream *stream, const DLTensor *t) {
  const zfp_field field = field_of(t);
  return zfp_stream_maximum_size(stream, &field);
}

int zfp_stream_encode(zfp_stream *stream, const DLTensor *field, unsigned char *out, size_t *written) {
  return run(stream, field, out, written);
}

int zfp_stream_decode(zfp_stream *stream, const unsigned char *data, size_t size, DLTensor *field) {
  const size_t room = zfp_stream_room(stream, field);
  unsigned char *memory = room && size ? calloc(1, room) : NULL; /* zfp reads no more, for any data */
  if (memory) memcpy(memory, data, size < room ? size : room);
  const int failed = run(stream, field, memory, NULL);
  free(memory);
  return failed;
}
