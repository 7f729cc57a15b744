/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Every construct of C declarations and of contracts that the generator reads.
 *  What it prints for this header is all.json. */
#ifndef ALL_H
#define ALL_H

#include <dlferry.h>

#if defined(__cplusplus) && !defined(ALL_PLAIN)
extern "C" {
#endif

#define ALL_API __attribute__((visibility("default")))
#define ALL_LIMIT (1 << 4)
#if 0
int all_is_not_here(const DLTensor *x);
#elif ALL_LIMIT == 16 && !defined(ALL_NOT_THIS)
#define ALL_TAKEN 1
#else
#error "the other branch"
#endif

/** How to treat the border.
 *
 *  More about it, in a paragraph of its own with @p code and \c code. */
typedef enum all_border {
  ALL_BORDER_ZERO,            /**< zeros */
  ALL_BORDER_EDGE = 'a' - 90, ///< the edge, repeated
  /** Mirrored, without the edge. */
  ALL_BORDER_MIRROR = ALL_BORDER_EDGE << 1 | (ALL_TAKEN ? 1 : 0),
  ALL_BORDER_LAST = -(~0x0F) /**< the last */
} all_border;

/// Flags, to be or-ed.
/// A second line.
enum all_flag {
  ALL_FLAG_NONE = 0,
  ALL_FLAG_FAST = 1u,
  ALL_FLAG_WIDE = 2,
  ALL_FLAG_DEEP = 4L, //!< goes down
};

typedef enum { ALL_MODE_A = 3000000000, ALL_MODE_B = 1 } all_mode;

enum { ALL_UNNAMED = 7 };

typedef struct all_state all_state;
struct all_open {
  int a[3];
  struct {
    union {
      int b;
      float c;
    };
  } d;
};
typedef const DLTensor all_tensor;
typedef unsigned long int all_size;
typedef int (*all_callback)(void *context, int value);
_Static_assert(sizeof(int) == 4, "an int is 32 bits");
extern const int all_table[ALL_LIMIT][2];
static inline int all_hidden(int a) {
  return a ? "}"[0] : '{';
}

/** Add two arrays. Longer text follows the first sentence, e.g. this, and goes on
 *  over lines.
 *
 *      indented like code
 *
 *  @code
 *      fenced();
 *  @endcode
 *  @param x    the one
 *              and more of it
 *  @param[in] y the other
 *  @param out  their sum
 *  @return nothing but a status
 *  @note Mind the gap.
 *  @contract x: T[h, w]; y: like x;
 *            out: like x noalias
 *  @contract T in f32|f64 */
ALL_API int all_add(const DLTensor *x, const DLTensor *const y, DLTensor *out, dlf_error *error);

/*! Scale in place.
    @contract x: inout any[...] strided;  k in 0.5..2;  k = 1;  times = 3;  size = 4;  times > 0 */
dlf_status all_scale(DLTensor *x, float k, int8_t times, all_size size);

/**
 * Take all kinds of scalars.
 * @contract a = -1; b = 2; flag = true; border = ALL_BORDER_EDGE; name = "a name"; f = 1e-3
 * @contract return: status ok 4 text all_text
 */
extern int all_scalars(signed char a, unsigned short int b, long long c, unsigned d, bool flag,
                       all_border border, enum all_flag flags, const char *name, double f, size_t,
                       ptrdiff_t);
const char *all_text(int status);

/** Have no arguments and a value. */ all_mode all_current(void);
/** Have no result either. */
void all_nothing(void);
float all_mean(all_tensor *x), all_median(all_tensor *x);

/** Use an optional tensor and inferred extents.
 *  @contract x: f32[n, 2 * k];  bias: opt f32[k];  out: u8[(n + 1) / 2, k];  k in 1..8 */
int all_fold(const DLTensor *x, const DLTensor *bias, int32_t k, DLTensor *out, dlf_error *error);

/* Lists and given tensors that no clause describes. */
int all_list(const DLTensor *const *tensors, int count, dlf_error *error);
int all_given(DLManagedTensorVersioned **out, dlf_error *error);

/* Read, but not bound. */
int all_array(const int64_t axes[], int count);
all_state *all_open_state(void);
int all_call(all_callback callback, int (*other)(int, ...),
             void (*signal(int number, void (*handler)(int)))(int));
int all_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
long double all_long(long double x);
int(all_parenthesised)(int x);
int all_error(int error);

#if defined(__cplusplus) && !defined(ALL_PLAIN)
}
#endif

#endif
