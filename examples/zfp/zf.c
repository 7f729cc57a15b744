/* SPDX-License-Identifier: Apache-2.0 */
#include "zf.h"
#include <stdlib.h>
#include <string.h>
#include <zfp.h>

struct zf_codec {
  double tolerance;
};

zf_codec *zf_codec_create(double tolerance) {
  zf_codec *codec = malloc(sizeof *codec);
  if (codec) codec->tolerance = tolerance;
  return codec;
}

void zf_codec_free(zf_codec *codec) { free(codec); }

/* Return the bytes after compressing into, or decompressing from, memory of zfp's maximum length; 0 fails. */
static size_t run(const zf_codec *codec, const DLTensor *t, const DLTensor *from, unsigned char **memory) {
  size_t n[4] = {0}, size = 0;
  int64_t s[4] = {0}, count = 0;
  bool apart = true; /* zfp reads a stride of 0 as an axis without gaps */
  for (int i = 0, k = t->ndim - 1; i < 4 && k >= 0; i++, k--)
    n[i] = (size_t)t->shape[k], s[i] = t->strides[k], apart = apart && (s[i] || n[i] < 2);
  zfp_field *field =
      zfp_field_4d(dlf_data(t), t->dtype.bits == 64 ? zfp_type_double : zfp_type_float, n[0], n[1], n[2], n[3]);
  zfp_stream *zfp = zfp_stream_open(NULL);
  zfp_field_set_stride_4d(field, s[0], s[1], s[2], s[3]);
  zfp_stream_set_accuracy(zfp, codec->tolerance);
  dlf_count(t, &count, NULL); /* zfp reads an extent of 0 as one axis fewer */
  const size_t most = t->ndim < 1 || t->ndim > 4 || !count || !apart ? 0 : zfp_stream_maximum_size(zfp, field);
  *memory = most ? calloc(1, most) : NULL;
  bitstream *bits = stream_open(*memory, most);
  zfp_stream_set_bit_stream(zfp, bits);
  zfp_stream_rewind(zfp);
  if (*memory && !from) size = zfp_compress(zfp, field);
  if (*memory && from && (size_t)from->shape[0] <= most && from->shape[0]) { /* a broken stream makes zfp read on */
    memcpy(*memory, dlf_data(from), (size_t)from->shape[0]);
    size = zfp_decompress(zfp, field);
  }
  stream_close(bits), zfp_stream_close(zfp), zfp_field_free(field);
  return size;
}

int zf_codec_encode(zf_codec *codec, const DLTensor *field, DLManagedTensorVersioned **stream, dlf_error *error) {
  unsigned char *memory;
  dlf_tensor *made = NULL;
  int64_t size = (int64_t)run(codec, field, NULL, &memory);
  int status = size ? DLF_OK : dlf_error_set(error, DLF_SHAPE, "codec_encode: expected 1 to 4 axes, separate elements");
  const DLTensor bytes = {memory, {kDLCPU, 0}, 1, {kDLUInt, 8, 1}, &size, NULL, 0};
  if (size) status = dlf_wrap(&bytes, 0, memory, free, &made, error);
  if (status) free(memory);
  if (!status) status = dlf_to_dlpack(made, stream, error);
  dlf_release(made);
  return status;
}

int zf_codec_decode(zf_codec *codec, const DLTensor *stream, DLTensor *field, dlf_error *error) {
  unsigned char *memory;
  const size_t size = run(codec, field, stream, &memory);
  free(memory);
  return size ? DLF_OK
              : dlf_error_set(error, DLF_INVALID, "codec_decode: expected a stream of this field, got another");
}
