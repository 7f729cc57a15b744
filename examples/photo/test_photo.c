/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels' numbers, against values that do not come from the kernels. */
#include "photo.h"

#include <math.h>
#include <test.h>

static const DLDataType f64 = {kDLFloat, 64, 1};

static DLTensor image_of(void *data, DLDataType dtype, int64_t *shape, int64_t *strides) {
  return (DLTensor){data, cpu, 2, dtype, shape, strides, 0};
}

static bool near(double a, double b, double tolerance) {
  return fabs(a - b) <= tolerance;
}

static void test_photo__gray_weighs_the_colours_as_bt601(void) {
  uint8_t rgb[5][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}, {0, 0, 0}};
  const double expected[5] = {0.299, 0.587, 0.114, 1, 0};
  float luma[5];
  DLTensor in = {rgb, cpu, 3, {kDLUInt, 8, 1}, (int64_t[]){1, 5, 3}, NULL, 0};
  DLTensor out = image_of(luma, f32, (int64_t[]){1, 5}, NULL);
  EXPECT_INT(photo_gray(&in, &out, NULL), DLF_OK);
  for (int i = 0; i < 5; i++) {
    EXPECT(near(luma[i], expected[i], 1e-6));
  }
}

static void test_photo__blur_of_a_point_is_the_gaussian(void) {
  enum { N = 41, MIDDLE = N / 2 };
  static double image[N][N], out[N][N];
  const double sigma = 2.0, peak = 1 / (2 * acos(-1.0) * sigma * sigma);
  DLTensor a = image_of(image, f64, (int64_t[]){N, N}, NULL), b = a;
  b.data = out;
  image[MIDDLE][MIDDLE] = 1;
  EXPECT_INT(photo_blur(&a, sigma, &b, NULL), DLF_OK);
  for (int y = -6; y <= 6; y++) {
    for (int x = -6; x <= 6; x++) {
      EXPECT(near(
          out[MIDDLE + y][MIDDLE + x], peak * exp(-(x * x + y * y) / (2 * sigma * sigma)), 2e-5));
    }
  }
}

static void test_photo__blur_mirrors_at_the_border_however_small_the_image(void) {
  /* A mirrored image has the mean of the image, and a wide blur leaves little but the mean. */
  float image[6] = {0, 1, 2, 3, 4, 5}, out[6];
  DLTensor a = image_of(image, f32, (int64_t[]){2, 3}, NULL), b = a;
  double total = 0;
  b.data = out;
  EXPECT_INT(photo_blur(&a, 50.0, &b, NULL), DLF_OK);
  for (int i = 0; i < 6; i++) {
    total += (double)out[i];
    EXPECT(near((double)out[i], 2.5, 1e-3));
  }
  EXPECT(near(total, 15, 1e-5));
}

static void test_photo__blur_of_nothing_does_nothing(void) {
  DLTensor a = image_of(NULL, f32, (int64_t[]){0, 3}, NULL);
  DLTensor b = image_of(NULL, f32, (int64_t[]){3, 0}, NULL);
  EXPECT_INT(photo_blur(&a, 1.0, &a, NULL), DLF_OK);
  EXPECT_INT(photo_blur(&b, 1.0, &b, NULL), DLF_OK);
}

static void test_photo__sobel_reads_a_ramps_slope(void) {
  enum { N = 6 };
  float image[N][N], out[N][N];
  DLTensor a = image_of(image, f32, (int64_t[]){N, N}, NULL), b = a;
  b.data = out;
  for (int y = 0; y < N; y++) {
    for (int x = 0; x < N; x++) {
      image[y][x] = (float)(3 * x + 4 * y);
    }
  }
  EXPECT_INT(photo_sobel(&a, &b, NULL), DLF_OK);
  for (int y = 1; y < N - 1; y++) {
    for (int x = 1; x < N - 1; x++) {
      EXPECT(near((double)out[y][x], 5, 1e-5));
    }
  }
  EXPECT(near((double)out[0][2],
              sqrt(9 + 4),
              1e-5)); /* repeated outwards, the slope across the border is halved */
}

static void test_photo__equalize_gives_shares_whatever_the_order_of_axes(void) {
  float image[6] = {10, -20, 30, 40, -50, 60}, out[6];
  int64_t shape[2] = {2, 3}, column_major[2] = {1, 2};
  DLTensor a = image_of(image, f32, shape, column_major), b = a;
  const double below[6] = {2, 1, 3, 4, 0, 6};
  b.data = out;
  EXPECT_INT(photo_equalize(&a, &b, NULL), DLF_OK);
  /* Interpolation inside its own bin adds less than that pixel itself. */
  for (int i = 0; i < 6; i++) {
    EXPECT((double)out[i] >= below[i] / 6 - 1e-6 && (double)out[i] <= (below[i] + 1) / 6);
  }
  EXPECT(near((double)out[5], 1, 0));
  EXPECT_INT(photo_equalize(&a, &a, NULL), DLF_OK);
  EXPECT_INT(memcmp(image, out, sizeof out), 0);
}

static void test_photo__equalize_survives_what_is_no_number(void) {
  double image[6] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0}, flat[4] = {7, 7, 7, 7};
  double lowest = 1.0 / 3,
         highest = 2.0 / 3; /* variables: x87 compares constants with more digits */
  DLTensor a = image_of(image, f64, (int64_t[]){1, 6}, NULL);
  DLTensor b = image_of(flat, f64, (int64_t[]){2, 2}, NULL);
  EXPECT_INT(photo_equalize(&a, &a, NULL), DLF_OK);
  EXPECT(isnan(image[0]));
  EXPECT(near(image[1], 1, 0) && near(image[2], 0, 0) && near(image[3], 1, 0) &&
         near(image[4], 0, 0));
  EXPECT(image[5] >= lowest && image[5] <= highest);
  EXPECT_INT(photo_equalize(&b, &b, NULL), DLF_OK);
  for (int i = 0; i < 4; i++) {
    EXPECT(near(flat[i], 0, 0));
  }
}

static void test_photo__difference_is_absolute(void) {
  float a[4] = {1, 2, 3, 4}, b[4] = {4, 2, 1, 0}, out[4];
  const float expected[4] = {3, 0, 2, 4};
  DLTensor p = image_of(a, f32, (int64_t[]){2, 2}, NULL), q = p, far = p;
  q.data = b;
  far.data = out;
  EXPECT_INT(photo_difference(&p, &q, &far, NULL), DLF_OK);
  EXPECT_INT(memcmp(out, expected, sizeof out), 0);
}

/* A strided 64 x 80 window whose left half is black and right half is white, with a border that
 * must stay. */
enum { H = 64, W = 80, ROW = 2 * (W + 2) };
static float canvas[H + 2][ROW];

static DLTensor canvas_window(void) {
  static int64_t shape[2] = {H, W}, strides[2] = {ROW, 2};
  for (int y = 0; y < H + 2; y++) {
    for (int x = 0; x < ROW; x++) {
      canvas[y][x] = -7;
    }
  }
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++) {
      canvas[y + 1][2 * (x + 1)] = x < W / 2 ? 0.0f : 1.0f;
    }
  }
  return image_of(&canvas[1][2], f32, shape, strides);
}

static void test_photo__draw_histogram_stays_inside_its_corner_and_its_strides(void) {
  const int margin = H / 32, wide = W * 3 / 8, high = H / 5;
  for (int corner = PHOTO_CORNER_TOP_LEFT; corner <= PHOTO_CORNER_BOTTOM_RIGHT; corner++) {
    DLTensor image = canvas_window();
    const int top = corner >= PHOTO_CORNER_BOTTOM_LEFT ? H - margin - high : margin;
    const int left = corner % 2 ? W - margin - wide : margin;
    int changed = 0, astray = 0;
    EXPECT_INT(photo_draw_histogram(&image, (photo_corner)corner, false, NULL), DLF_OK);
    for (int y = 0; y < H; y++) {
      for (int x = 0; x < W; x++) {
        const bool inside = y >= top && y < top + high && x >= left && x < left + wide;
        const float before = x < W / 2 ? 0.0f : 1.0f, after = canvas[y + 1][2 * (x + 1)];
        canvas[y + 1][2 * (x + 1)] = -7;
        if (fabsf(after - before) > 0) {
          *(inside ? &changed : &astray) += 1;
        }
      }
    }
    for (int y = 0; y < H + 2; y++) {
      for (int x = 0; x < ROW; x++) {
        astray += canvas[y][x] > -7 || canvas[y][x] < -7;
      }
    }
    EXPECT(changed > wide);
    EXPECT_INT(astray, 0);
  }
}

static void test_photo__draw_histogram_refuses_a_small_image(void) {
  int64_t shape[2] = {31, W};
  DLTensor image = canvas_window();
  image.shape = shape;
  EXPECT_FAILS(photo_draw_histogram(&image, PHOTO_CORNER_TOP_LEFT, true, &error),
               DLF_SHAPE,
               "draw_histogram: image is 31 x 80, expected at least 32 x 32");
}

static void test_photo__mean_follows_the_strides(void) {
  int64_t empty[2] = {0, 4};
  DLTensor image = canvas_window();
  EXPECT(near(photo_mean(&image), 0.5, 1e-12));
  image.shape = empty;
  EXPECT(near(photo_mean(&image), 0, 0));
}

int main(void) {
  RUN(test_photo__gray_weighs_the_colours_as_bt601);
  RUN(test_photo__blur_of_a_point_is_the_gaussian);
  RUN(test_photo__blur_mirrors_at_the_border_however_small_the_image);
  RUN(test_photo__blur_of_nothing_does_nothing);
  RUN(test_photo__sobel_reads_a_ramps_slope);
  RUN(test_photo__equalize_gives_shares_whatever_the_order_of_axes);
  RUN(test_photo__equalize_survives_what_is_no_number);
  RUN(test_photo__difference_is_absolute);
  RUN(test_photo__draw_histogram_stays_inside_its_corner_and_its_strides);
  RUN(test_photo__draw_histogram_refuses_a_small_image);
  RUN(test_photo__mean_follows_the_strides);
  return test_end();
}
