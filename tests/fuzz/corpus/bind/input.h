// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every way to write a declaration and its documentation. Read raw and after `cc -E -CC`, the IR is the same, and the
//! same as libclang's.
#ifndef K_H
#define K_H

#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && __GNUC__ >= 4
#define K_API __attribute__((visibility("default")))
#elif !defined(__linux__)
#error "an unknown compiler"
#endif

/** @defgroup k_group A group, which documents nothing
 *  @{ */
void k_after_a_group(void);
/** @} */

/* ---- comments ---- */

/** Block with stars. */
void k_stars(void);
/*! Block with a bang. */
void k_bang(void);
/// Slashes.
/// More of them.
void k_slashes(void);
//! Slash and bang.
//! Another.
void k_slash_bang(void);
/*** No doc. ***/
//// Nor this.
/* Nor this. */
/**/
void k_undocumented(void);
void k_trailing_stars(void);   /**< Behind, with stars. */
void k_trailing_slashes(void); ///< Behind, with slashes.
void k_trailing_bang(void);    //!< Behind, with a bang.
void k_trailing_block(void);   /*!< Behind, a block. */
void k_trailing_lines(void);   ///< Behind, on
                                   ///< two lines.
/** Parameters with their own. */
int k_parameters(int a, /**< the one */
                     int b, ///< the other
                     int c /*!< the last */);
/// Commands, in short: @b bold and \e this.
/// @param[in] a,b both of them
/// @param[in,out] c the third, \p a of course
/// @returns A sum.
/// @retval 0 never
/// @deprecated Use another.
/// @code{.c}
/// k_commands(1, 2, 3);
/// @endcode
int k_commands(int a, int b, int c);
/**
 ** Two stars on all lines
 **/
void k_double_stars(void);

/* ---- enums ---- */

/** Colours. */
enum k_colour {
  /** Like blood. */
  K_COLOUR_RED,
  K_COLOUR_GREEN = 1 << 2, //!< like grass
  K_COLOUR_BLUE = K_COLOUR_GREEN + sizeof(int),
  K_COLOUR_LAST __attribute__((deprecated)), /*!< the end */
};
/// Numbers that C's rules make.
typedef enum {
  K_NUMBER_ALL = ~0u >> 1,
  K_NUMBER_BYTE = (unsigned char)-1,
  K_NUMBER_SIGNED = (signed char)200,
  K_NUMBER_HEX = '\x41' + '\101' + '\'',
  K_NUMBER_SHIFT = -16 >> 2,
  K_NUMBER_LESS = -1 < 0u,
  K_NUMBER_SIZE = sizeof(void *) == 8 ? (int)sizeof(unsigned long long) : -1,
  K_NUMBER_CAST = (uint16_t)0x12345,
  K_NUMBER_CHOICE = 1 ? -1 : 0,
  K_NUMBER_LOGIC = (2 > 1 && 3 > 2) + (0 || !0) * 10 + (7 & ~2 ^ 1 | 8),
} k_number;
enum k_ahead { K_AHEAD };
typedef enum k_ahead k_ahead;
struct k_holder {
  enum k_inner { K_INNER_A = 3, K_INNER_B } inner;
  unsigned bits : 3;
};
enum { K_UNNAMED = K_INNER_B };

/* ---- types ---- */

/** A codec. */
typedef struct k_codec k_codec;
/** Another. */
struct k_other;
typedef struct k_known {
  int x;
} k_known;
typedef union k_union k_union;
typedef int k_function(int x, int);
typedef int (*k_callback)(void *context, const char *text);
typedef double k_vector[3];
typedef int k_wide __attribute__((mode(DI)));
typedef float k_lanes __attribute__((vector_size(16)));
typedef const char *const k_text;

void k_arrays(double v[3], const int64_t axes[], int n[static 2], const float *const w[2], double m[2][3],
                  k_vector u, k_vector *many);
void k_const(const int *const a, int const *b, const int *restrict c, volatile int *d, char *const *e);
void k_functions(k_function f, int g(int x), int (*h)(int x), k_callback i, int (*j[2])(void));
k_function k_by_typedef;
int (*k_returns_function(int a))(int b, int c);
int(k_parenthesised)(int x), *k_pointer(void), (*k_table(int n))[3];
void k_handles(k_codec *a, const k_codec *b, struct k_other *c, k_known *d, k_union *e,
                   k_codec **f);
void k_odd(k_wide a, k_lanes b, long double c, _Complex float d, _Atomic int e, __typeof__(1) f);
k_text k_named(enum k_colour colour, k_number number, k_ahead ahead, enum k_inner inner);
unsigned k_words(unsigned char a, long unsigned int b, short c, signed d, char e, long long e2, bool f, size_t g);
int k_no_prototype();
int k_variadic(const char *format, ...);
int k_nameless(int, const char *, double[4], int (*)(void));
void k_given(const DLTensor *const *list, int32_t count, DLManagedTensorVersioned **out);

/* ---- what stands around ---- */

K_API int k_api(void);
__attribute__((pure)) int __attribute__((nothrow)) k_attributes(int a __attribute__((unused)), int *b)
    __attribute__((nonnull(2), warn_unused_result));
extern int k_extern(void) __asm__("k_renamed");
_Noreturn void k_leaves(void);
_Static_assert(sizeof(int) == 4, "an int; (is 32 bits");
_Alignas(16) extern int k_aligned;
extern const int k_values[], k_more;
static inline int k_inline(int a) {
  const char *text = "}", mark = '{';
  return text[0] + mark + (a ? 1 : 0);
}
static int k_static(void);
inline int k_only_inline(void) { return 1; }
int k_\
spliced(int a, /* a comment \
  over lines */
        int b);
#define K_LINES int k_lines(int a)
K_LINES;
#if 0
this is no C: {
#else
void k_else(void);
#endif
extern int k_extern(void);
;

#ifdef __cplusplus
}
#endif

#endif
