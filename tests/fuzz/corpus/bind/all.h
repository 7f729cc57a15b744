/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Every construct of C declarations and of contracts that the generator reads.
 *  What it prints for this header is all.json. */
#ifndef K_H
#define K_H

#include <dlferry.h>

#if defined(__cplusplus) && !defined(K_PLAIN)
extern "C" {
#endif

#define K_API __attribute__((visibility("default")))
#define K_LIMIT (1 << 4)
#if 0
int k_is_not_here(const DLTensor *x);
#elif K_LIMIT == 16 && !defined(K_NOT_THIS)
#define K_TAKEN 1
#else
#error "the other branch"
#endif

/** How to treat the border.
 *
 *  More about it, in a paragraph of its own with @p code and \c code. */
typedef enum k_border {
  K_BORDER_ZERO,            /**< zeros */
  K_BORDER_EDGE = 'a' - 90, ///< the edge, repeated
  /** Mirrored, without the edge. */
  K_BORDER_MIRROR = K_BORDER_EDGE << 1 | (K_TAKEN ? 1 : 0),
  K_BORDER_LAST = -(~0x0F) /**< the last */
} k_border;

/// Flags, to be or-ed.
/// A second line.
enum k_flag {
  K_FLAG_NONE = 0,
  K_FLAG_FAST = 1u,
  K_FLAG_WIDE = 2,
  K_FLAG_DEEP = 4L, //!< goes down
};

typedef enum { K_MODE_A = 3000000000, K_MODE_B = 1 } k_mode;

enum { K_UNNAMED = 7 };

typedef struct k_state k_state;
struct k_open {
  int a[3];
  struct {
    union {
      int b;
      float c;
    };
  } d;
};
typedef const DLTensor k_tensor;
typedef unsigned long int k_size;
typedef int (*k_callback)(void *context, int value);
_Static_assert(sizeof(int) == 4, "an int is 32 bits");
extern const int k_table[K_LIMIT][2];
static inline int k_hidden(int a) { return a ? "}"[0] : '{'; }

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
K_API int k_add(const DLTensor *x, const DLTensor *const y, DLTensor *out, dlf_error *error);

/*! Scale in place.
    @contract x: inout any[...] strided;  k in 0.5..2;  k = 1;  times = 3;  size = 4;  times > 0 */
dlf_status k_scale(DLTensor *x, float k, int8_t times, k_size size);

/**
 * Take all kinds of scalars.
 * @contract a = -1; b = 2; flag = true; border = K_BORDER_EDGE; name = "a name"; f = 1e-3
 * @contract return: status ok 4 text k_text
 */
extern int k_scalars(signed char a, unsigned short int b, long long c, unsigned d, bool flag, k_border border,
                       enum k_flag flags, const char *name, double f, size_t, ptrdiff_t);
const char *k_text(int status);

/** Have no arguments and a value. */ k_mode k_current(void);
/** Have no result either. */
void k_nothing(void);
float k_mean(k_tensor *x), k_median(k_tensor *x);

/** Use an optional tensor and inferred extents.
 *  @contract x: f32[n, 2 * k];  bias: opt f32[k];  out: u8[(n + 1) / 2, k];  k in 1..8 */
int k_fold(const DLTensor *x, const DLTensor *bias, int32_t k, DLTensor *out, dlf_error *error);

/* Lists and given tensors that no clause describes. */
int k_list(const DLTensor *const *tensors, int count, dlf_error *error);
int k_given(DLManagedTensorVersioned **out, dlf_error *error);

/* What is read and not bound. */
int k_array(const int64_t axes[], int count);
k_state *k_open_state(void);
int k_call(k_callback callback, int (*other)(int, ...), void (*signal(int number, void (*handler)(int)))(int));
int k_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
long double k_long(long double x);
int(k_parenthesised)(int x);
int k_error(int error);

#if defined(__cplusplus) && !defined(K_PLAIN)
}
#endif

#endif
