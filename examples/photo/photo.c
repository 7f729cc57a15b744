/* SPDX-License-Identifier: Apache-2.0 */
#include "photo.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *start_of(const DLTensor *t) {
  return (char *)t->data + t->byte_offset;
}

static bool is_double(const DLTensor *t) {
  return t->dtype.bits == 64;
}

/* NULL strides mean row-major (producers before DLPack 1.2). */
static int64_t stride_of(const DLTensor *t, int axis) {
  if (t->strides) {
    return t->strides[axis];
  }
  return axis == 0 ? t->shape[1] : 1;
}

/* ---- gray ---- */

int photo_gray(const DLTensor *rgb, DLTensor *out, dlf_error *error) {
  const uint8_t *in = start_of(rgb);
  float *luma = start_of(out);
  int64_t pixels = rgb->shape[0] * rgb->shape[1];
  (void)error;
  for (int64_t i = 0; i < pixels; i++) {
    luma[i] = (0.299f * in[3 * i] + 0.587f * in[3 * i + 1] + 0.114f * in[3 * i + 2]) / 255.0f;
  }
  return DLF_OK;
}

/* ---- blur: down the columns into one padded row of doubles, then along that row. One pass over
 * the image's rows for each tap, all contiguous, so that both loops vectorise and nothing of the
 * image's size is allocated. ---- */

/* The taps may reach over a small image several times. */
static int64_t mirror(int64_t i, int64_t n) {
  int64_t period = 2 * n;
  i %= period;
  if (i < 0) {
    i += period;
  }
  return i < n ? i : period - 1 - i;
}

static void add_row(const DLTensor *image, int64_t y, double weight, double *restrict sum) {
  int64_t w = image->shape[1];
  if (is_double(image)) {
    const double *row = (const double *)start_of(image) + y * w;
    for (int64_t x = 0; x < w; x++) {
      sum[x] += weight * row[x];
    }
  } else {
    const float *row = (const float *)start_of(image) + y * w;
    for (int64_t x = 0; x < w; x++) {
      sum[x] += weight * (double)row[x];
    }
  }
}

static void blur_row(const double *padded, const double *taps, int64_t radius, DLTensor *out,
                     int64_t y) {
  int64_t w = out->shape[1];
  for (int64_t x = 0; x < w; x++) {
    const double *centre = padded + radius + x;
    double sum = taps[0] * centre[0];
    for (int64_t k = 1; k <= radius; k++) {
      sum += taps[k] * (centre[-k] + centre[k]);
    }
    if (is_double(out)) {
      ((double *)start_of(out))[y * w + x] = sum;
    } else {
      ((float *)start_of(out))[y * w + x] = (float)sum;
    }
  }
}

int photo_blur(const DLTensor *image, double sigma, DLTensor *out, dlf_error *error) {
  int64_t h = image->shape[0], w = image->shape[1];
  int64_t radius = (int64_t)(4.0 * sigma + 0.5); /* sigma <= 1000 by contract */
  if (h == 0 || w == 0) {
    return DLF_OK;
  }

  /* A row of float32 may fit in memory where a row of doubles overflows the size. */
  if ((uint64_t)w > SIZE_MAX / 32) {
    return dlf_error_set(error, DLF_NO_MEMORY, "blur: a row is too long");
  }
  double *taps = malloc(((size_t)radius + 1 + (size_t)w + 2 * (size_t)radius) * sizeof(double));
  if (!taps) {
    return dlf_error_set(error, DLF_NO_MEMORY, "blur: no memory for a row of doubles");
  }
  double *padded = taps + radius + 1, *middle = padded + radius;

  double total = 0;
  for (int64_t k = 0; k <= radius; k++) {
    taps[k] = exp(-0.5 * ((double)k / sigma) * ((double)k / sigma));
    total += k ? 2 * taps[k] : taps[k];
  }
  for (int64_t k = 0; k <= radius; k++) {
    taps[k] /= total;
  }

  for (int64_t y = 0; y < h; y++) {
    memset(middle, 0, (size_t)w * sizeof(double));
    add_row(image, y, taps[0], middle);
    for (int64_t k = 1; k <= radius; k++) {
      add_row(image, mirror(y - k, h), taps[k], middle);
      add_row(image, mirror(y + k, h), taps[k], middle);
    }
    for (int64_t k = 1; k <= radius; k++) {
      middle[-k] = middle[mirror(-k, w)];
      middle[w - 1 + k] = middle[mirror(w - 1 + k, w)];
    }
    blur_row(padded, taps, radius, out, y);
  }
  free(taps);
  return DLF_OK;
}

/* ---- sobel ---- */

int photo_sobel(const DLTensor *image, DLTensor *out, dlf_error *error) {
  const float *in = start_of(image);
  float *steepness = start_of(out);
  int64_t h = image->shape[0], w = image->shape[1];
  (void)error;
  if (w == 0) {
    return DLF_OK; /* 2^62 empty rows are possible */
  }
  for (int64_t y = 0; y < h; y++) {
    const float *above = in + (y > 0 ? y - 1 : y) * w, *row = in + y * w,
                *below = in + (y < h - 1 ? y + 1 : y) * w;
    for (int64_t x = 0; x < w; x++) {
      int64_t l = x > 0 ? x - 1 : x, r = x < w - 1 ? x + 1 : x;
      float across = (above[r] + 2 * row[r] + below[r]) - (above[l] + 2 * row[l] + below[l]);
      float down = (below[l] + 2 * below[x] + below[r]) - (above[l] + 2 * above[x] + above[r]);
      steepness[y * w + x] = sqrtf(across * across + down * down) / 8;
    }
  }
  return DLF_OK;
}

/* ---- equalize: dense and samelayout, so both tensors are walked as flat memory ---- */

enum { EQUALIZE_BINS = 4096 };

static double value_at(const DLTensor *t, int64_t i) {
  return is_double(t) ? ((const double *)start_of(t))[i] : (double)((const float *)start_of(t))[i];
}

/* Position of a finite value in the bins, from 0 to EQUALIZE_BINS. Uses halves, since high - low
 * may overflow. */
static double position(double value, double low, double high) {
  return (value / 2 - low / 2) / (high / 2 - low / 2) * (double)EQUALIZE_BINS;
}

static int64_t bin_of(double where) {
  return where < (double)EQUALIZE_BINS ? (int64_t)where : EQUALIZE_BINS - 1;
}

static double share_below(double value, double low, double high, const int64_t *below) {
  if (isnan(value)) {
    return value;
  }
  if (!(high / 2 - low / 2 > 0)) {
    return value > high ? 1 : 0;
  }
  if (value <= low || value >= high) {
    return value >= high ? 1 : 0;
  }
  double where = position(value, low, high);
  int64_t bin = bin_of(where);
  double inside = where - (double)bin;
  return ((double)below[bin] + inside * (double)(below[bin + 1] - below[bin])) /
         (double)below[EQUALIZE_BINS];
}

int photo_equalize(const DLTensor *image, DLTensor *out, dlf_error *error) {
  int64_t below[EQUALIZE_BINS + 1] = {
      0}; /* first the count of bin i in below[i + 1], then the pixels below bin i */
  int64_t pixels = image->shape[0] * image->shape[1];
  double low = DBL_MAX, high = -DBL_MAX;
  (void)error;
  for (int64_t i = 0; i < pixels; i++) {
    double value = value_at(image, i);
    if (!isfinite(value)) {
      continue;
    }
    if (value < low) {
      low = value;
    }
    if (value > high) {
      high = value;
    }
  }
  for (int64_t i = 0; i < pixels && high / 2 - low / 2 > 0; i++) {
    double value = value_at(image, i);
    if (isfinite(value)) {
      below[bin_of(position(value, low, high)) + 1]++;
    }
  }
  for (int i = 0; i < EQUALIZE_BINS; i++) {
    below[i + 1] += below[i];
  }
  for (int64_t i = 0; i < pixels; i++) {
    double share = share_below(value_at(image, i), low, high, below);
    if (is_double(out)) {
      ((double *)start_of(out))[i] = share;
    } else {
      ((float *)start_of(out))[i] = (float)share;
    }
  }
  return DLF_OK;
}

/* ---- difference ---- */

int photo_difference(const DLTensor *a, const DLTensor *b, DLTensor *out, dlf_error *error) {
  int64_t pixels = a->shape[0] * a->shape[1];
  (void)error;
  if (is_double(a)) {
    const double *p = start_of(a), *q = start_of(b);
    double *far = start_of(out);
    for (int64_t i = 0; i < pixels; i++) {
      far[i] = fabs(p[i] - q[i]);
    }
  } else {
    const float *p = start_of(a), *q = start_of(b);
    float *far = start_of(out);
    for (int64_t i = 0; i < pixels; i++) {
      far[i] = fabsf(p[i] - q[i]);
    }
  }
  return DLF_OK;
}

/* ---- draw_histogram ---- */

enum { HISTOGRAM_BINS = 32, SMALLEST = 32 };

static float *pixel(const DLTensor *image, int64_t y, int64_t x) {
  return (float *)start_of(image) + y * stride_of(image, 0) + x * stride_of(image, 1);
}

static void count_values(const DLTensor *image, int64_t *counts, int64_t bins) {
  for (int64_t y = 0; y < image->shape[0]; y++) {
    for (int64_t x = 0; x < image->shape[1]; x++) {
      float value = *pixel(image, y, x);
      if (isnan(value)) {
        continue;
      }
      float where = value * (float)bins;
      counts[where < 1 ? 0 : where < (float)bins ? (int64_t)where : bins - 1]++;
    }
  }
}

static double height_of(int64_t count, bool logarithmic) {
  return logarithmic ? log1p((double)count) : (double)count;
}

int photo_draw_histogram(DLTensor *image, photo_corner corner, bool logarithmic, dlf_error *error) {
  int64_t counts[HISTOGRAM_BINS] = {0}, h = image->shape[0], w = image->shape[1];
  if (h < SMALLEST || w < SMALLEST) {
    char text[128];
    snprintf(text,
             sizeof text,
             "draw_histogram: image is %lld x %lld, expected at least %d x %d",
             (long long)h,
             (long long)w,
             SMALLEST,
             SMALLEST);
    return dlf_error_set(error, DLF_SHAPE, text);
  }
  int64_t margin = (w < h ? w : h) / 32, wide = w * 3 / 8, high = h / 5;
  int64_t bins = wide < HISTOGRAM_BINS ? wide : HISTOGRAM_BINS;
  bool bottom = corner == PHOTO_CORNER_BOTTOM_LEFT || corner == PHOTO_CORNER_BOTTOM_RIGHT;
  bool right = corner == PHOTO_CORNER_TOP_RIGHT || corner == PHOTO_CORNER_BOTTOM_RIGHT;
  int64_t top = bottom ? h - margin - high : margin, left = right ? w - margin - wide : margin;

  double all = 0, tallest = 0;
  count_values(image, counts, bins);
  for (int64_t i = 0; i < bins; i++) {
    all += (double)counts[i];
    if (tallest < height_of(counts[i], logarithmic)) {
      tallest = height_of(counts[i], logarithmic);
    }
  }

  /* The tallest bar leaves a sixth of the panel free, so that a flat histogram still shows where it
   * ends. */
  double so_far = 0;
  int64_t floor = high - 1, line = floor;
  for (int64_t x = 0, bin = -1; x < wide; x++) {
    const bool first_of_bar = x * bins / wide > bin;
    const int64_t before = line;
    if (first_of_bar) {
      so_far += (double)counts[++bin];
    }
    if (all > 0) {
      line = floor - (int64_t)(so_far / all * (double)floor + 0.5);
    }
    const double share = tallest > 0 ? height_of(counts[bin], logarithmic) / tallest : 0;
    const int64_t bar = high - (int64_t)(share * (double)high * 5 / 6 + 0.5);
    for (int64_t y = 0; y < high; y++) {
      float *p = pixel(image, top + y, left + x);
      const bool on_line = y >= line && y <= before;
      const bool on_bar =
          y >= bar && !(first_of_bar && wide >= 3 * bins); /* bars of 3 pixels stand apart */
      *p = on_line ? 1.0f : on_bar ? 0.6f : 0.2f * fminf(fmaxf(*p, 0), 1);
    }
  }
  return DLF_OK;
}

/* ---- mean ---- */

double photo_mean(const DLTensor *image) {
  int64_t h = image->shape[0], w = image->shape[1];
  double total = 0;
  if (h == 0 || w == 0) {
    return 0;
  }
  for (int64_t y = 0; y < h; y++) {
    double row = 0;
    for (int64_t x = 0; x < w; x++) {
      row += value_at(image, y * stride_of(image, 0) + x * stride_of(image, 1));
    }
    total += row;
  }
  return total / ((double)h * (double)w);
}
