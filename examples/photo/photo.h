/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Image kernels over DLPack tensors: the example that dlferry's tests and demo run on.
 *
 * Images are indexed [row, column]: h rows from the top, w columns from the left. Float images hold
 * luma from 0 (black) to 1 (white); values outside are kept, not clipped, unless a function says
 * otherwise. Nothing here owns a tensor, and every tensor is only borrowed. The functions trust
 * their contracts: call the checked twins, or a generated package, on tensors that come from
 * elsewhere. */
#ifndef PHOTO_H
#define PHOTO_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Corner of an image. */
typedef enum photo_corner {
  PHOTO_CORNER_TOP_LEFT = 0,    /**< row 0, column 0 */
  PHOTO_CORNER_TOP_RIGHT = 1,   /**< row 0, last column */
  PHOTO_CORNER_BOTTOM_LEFT = 2, /**< last row, column 0 */
  PHOTO_CORNER_BOTTOM_RIGHT = 3 /**< last row, last column */
} photo_corner;

/** Convert an RGB image to luma between 0 and 1.
 *  Weighs the gamma-coded components by 0.299, 0.587 and 0.114 (ITU-R BT.601-7, 2.5.1) and divides
 * by 255. Cannot fail once the contract holds.
 *  @param rgb interleaved red, green and blue, 0 to 255
 *  @param out luma, 0 to 1
 *  @contract rgb: u8[h, w, 3];  out: f32[h, w] */
int photo_gray(const DLTensor *rgb, DLTensor *out, dlf_error *error);

/** Blur an image with a Gaussian.
 *  Two one-dimensional passes, the kernel cut off at 4 sigma and normalised; beyond its border the
 * image is mirrored (d c b a | a b c d | d c b a). Sums in double precision. Fails with NO_MEMORY:
 * it needs one row of doubles.
 *  @param image values of any range
 *  @param sigma standard deviation, in pixels
 *  @param out   blurred values, of the same range
 *  @contract image: T[h, w];  out: T[h, w] noalias
 *  @contract T in f32|f64;  sigma > 0;  sigma <= 1000;  sigma = 1.0 */
int photo_blur(const DLTensor *image, double sigma, DLTensor *out, dlf_error *error);

/** Measure how steep an image is at each pixel.
 *  The magnitude of the gradient from the 3 x 3 operator of I. Sobel and G. Feldman (Stanford
 * Artificial Intelligence Project, 1968), divided by 8: a ramp that rises by 1 per pixel reads 1.
 * The border pixels are repeated outwards. Cannot fail once the contract holds.
 *  @param image values of any range
 *  @param out   gradient magnitude, in image units per pixel, 0 or more
 *  @contract image: f32[h, w];  out: f32[h, w] noalias */
int photo_sobel(const DLTensor *image, DLTensor *out, dlf_error *error);

/** Spread an image's values evenly over 0 to 1.
 *  Histogram equalisation (R. Gonzalez, R. Woods, Digital Image Processing, 3.3.1) over 4096 bins
 * between the smallest and the largest finite value: each value becomes the share of pixels that
 * lie below it, interpolated inside its bin. An image of one value becomes 0; infinities become 0
 * and 1, NaN stays. Any order of axes will do, and out may be image itself. Cannot fail once the
 * contract holds.
 *  @param image values of any range
 *  @param out   shares of pixels, 0 to 1
 *  @contract image: T[h, w] dense;  out: like image samelayout;  T in f32|f64 */
int photo_equalize(const DLTensor *image, DLTensor *out, dlf_error *error);

/** Measure how far two images differ at each pixel.
 *  Any order of axes will do if it is the same in all three, and out may be one of the inputs.
 * Cannot fail once the contract holds.
 *  @param a   values of any range
 *  @param b   values in the same units
 *  @param out absolute difference of a and b, in their units
 *  @contract a: T[h, w] dense;  b: like a samelayout;  out: like a samelayout;  T in f32|f64 */
int photo_difference(const DLTensor *a, const DLTensor *b, DLTensor *out, dlf_error *error);

/** Draw an image's histogram into one of its corners.
 *  32 bins over 0 to 1, the values outside counted in the end bins; bars over a darkened panel of
 * 3/8 of the image's width and 1/5 of its height, and the cumulated share as a line. Works in place
 * on any strides. Fails with SHAPE when the image is smaller than 32 x 32 pixels.
 *  @param image       luma, 0 to 1; drawn into
 *  @param corner      where the panel goes
 *  @param logarithmic whether a bar's height is log(1 + pixels) rather than pixels
 *  @contract image: inout f32[h, w] strided
 *  @contract corner = PHOTO_CORNER_BOTTOM_LEFT;  logarithmic = false */
int photo_draw_histogram(DLTensor *image, photo_corner corner, bool logarithmic, dlf_error *error);

/** Return the mean of an image's values, 0 for an image without pixels.
 *  Sums row by row in double precision, on any strides.
 *  @param image values of any range
 *  @contract image: T[h, w] strided;  T in f32|f64 */
double photo_mean(const DLTensor *image);

#ifdef __cplusplus
}
#endif

#endif
