/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Pictures decoded by stb_image (Sean Barrett): JPEG, PNG, BMP, GIF, PSD, TGA, HDR, PNM. */
#ifndef SI_H
#define SI_H
#include <dlferry.h>
/** Decode a picture from a file's bytes. The pixels are what stb_image allocated, without a copy.
 *  @param file     all bytes of the file
 *  @param channels 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha; 0 as many as the file has
 *  @param pixels   rows from the top
 *  @contract file: u8[n];  pixels: u8[h, w, c];  n in 1..2147483647;  channels in 0..4;  channels =
 * 0 */
int si_decode(const DLTensor *file, int32_t channels, DLManagedTensorVersioned **pixels,
              dlf_error *error);
/** Tell a picture's size without decoding it.
 *  @contract file: u8[n];  n in 1..2147483647 */
int si_size(const DLTensor *file, int32_t *width, int32_t *height, int32_t *channels,
            dlf_error *error);
#endif
