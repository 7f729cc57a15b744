// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every way to write a declaration and its documentation. Read raw and after `cc -E -CC`, the IR
//! is the same, and the same as libclang's.
#ifndef INPUT_H
#define INPUT_H

#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && __GNUC__ >= 4
#define INPUT_API __attribute__((visibility("default")))
#elif !defined(__linux__)
#error "an unknown compiler"
#endif

/** @defgroup input_group A group, which documents nothing
 *  @{ */
void input_after_a_group(void);
/** @} */

/* ---- comments ---- */

/** Block with stars. */
void input_stars(void);
/*! Block with a bang. */
void input_bang(void);
/// Slashes.
/// More of them.
void input_slashes(void);
//! Slash and bang.
//! Another.
void input_slash_bang(void);
/*** No doc. ***/
//// Nor this.
/* Nor this. */
/**/
void input_undocumented(void);
void input_trailing_stars(void);   /**< Behind, with stars. */
void input_trailing_slashes(void); ///< Behind, with slashes.
void input_trailing_bang(void);    //!< Behind, with a bang.
void input_trailing_block(void);   /*!< Behind, a block. */
void input_trailing_lines(void);   ///< Behind, on
                                   ///< two lines.
/** Parameters with their own. */
int input_parameters(int a, /**< the one */
                     int b, ///< the other
                     int c /*!< the last */);
/// Commands, in short: @b bold and \e this.
/// @param[in] a,b both of them
/// @param[in,out] c the third, \p a of course
/// @returns A sum.
/// @retval 0 never
/// @deprecated Use another.
/// @code{.c}
/// input_commands(1, 2, 3);
/// @endcode
int input_commands(int a, int b, int c);
/**
 ** Two stars on all lines
 **/
void input_double_stars(void);

/* ---- enums ---- */

/** Colours. */
enum input_colour {
  /** Like blood. */
  INPUT_COLOUR_RED,
  INPUT_COLOUR_GREEN = 1 << 2, //!< like grass
  INPUT_COLOUR_BLUE = INPUT_COLOUR_GREEN + sizeof(int),
  INPUT_COLOUR_LAST __attribute__((deprecated)), /*!< the end */
};
/// Numbers that C's rules make.
typedef enum {
  INPUT_NUMBER_ALL = ~0u >> 1,
  INPUT_NUMBER_BYTE = (unsigned char)-1,
  INPUT_NUMBER_SIGNED = (signed char)200,
  INPUT_NUMBER_HEX = '\x41' + '\101' + '\'',
  INPUT_NUMBER_SHIFT = -16 >> 2,
  INPUT_NUMBER_LESS = -1 < 0u,
  INPUT_NUMBER_SIZE = sizeof(void *) == 8 ? (int)sizeof(unsigned long long) : -1,
  INPUT_NUMBER_CAST = (uint16_t)0x12345,
  INPUT_NUMBER_CHOICE = 1 ? -1 : 0,
  INPUT_NUMBER_LOGIC = (2 > 1 && 3 > 2) + (0 || !0) * 10 + (7 & ~2 ^ 1 | 8),
} input_number;
enum input_ahead { INPUT_AHEAD };
typedef enum input_ahead input_ahead;
struct input_holder {
  enum input_inner { INPUT_INNER_A = 3, INPUT_INNER_B } inner;
  unsigned bits : 3;
};
enum { INPUT_UNNAMED = INPUT_INNER_B };

/* ---- types ---- */

/** A codec. */
typedef struct input_codec input_codec;
/** Another. */
struct input_other;
typedef struct input_known {
  int x;
} input_known;
typedef union input_union input_union;
typedef int input_function(int x, int);
typedef int (*input_callback)(void *context, const char *text);
typedef double input_vector[3];
typedef int input_wide __attribute__((mode(DI)));
typedef float input_lanes __attribute__((vector_size(16)));
typedef const char *const input_text;

void input_arrays(double v[3], const int64_t axes[], int n[static 2], const float *const w[2],
                  double m[2][3], input_vector u, input_vector *many);
void input_const(const int *const a, int const *b, const int *restrict c, volatile int *d,
                 char *const *e);
void input_functions(input_function f, int g(int x), int (*h)(int x), input_callback i,
                     int (*j[2])(void));
input_function input_by_typedef;
int (*input_returns_function(int a))(int b, int c);
int(input_parenthesised)(int x), *input_pointer(void), (*input_table(int n))[3];
void input_handles(input_codec *a, const input_codec *b, struct input_other *c, input_known *d,
                   input_union *e, input_codec **f);
void input_odd(input_wide a, input_lanes b, long double c, _Complex float d, _Atomic int e,
               __typeof__(1) f);
input_text input_named(enum input_colour colour, input_number number, input_ahead ahead,
                       enum input_inner inner);
unsigned input_words(unsigned char a, long unsigned int b, short c, signed d, char e, long long e2,
                     bool f, size_t g);
int input_no_prototype();
int input_variadic(const char *format, ...);
int input_nameless(int, const char *, double[4], int (*)(void));
void input_given(const DLTensor *const *list, int32_t count, DLManagedTensorVersioned **out);

/* ---- surroundings ---- */

INPUT_API int input_api(void);
__attribute__((pure)) int __attribute__((nothrow)) input_attributes(int a __attribute__((unused)),
                                                                    int *b)
    __attribute__((nonnull(2), warn_unused_result));
extern int input_extern(void) __asm__("input_renamed");
_Noreturn void input_leaves(void);
_Static_assert(sizeof(int) == 4, "an int; (is 32 bits");
_Alignas(16) extern int input_aligned;
extern const int input_values[], input_more;
static inline int input_inline(int a) {
  const char *text = "}", mark = '{';
  return text[0] + mark + (a ? 1 : 0);
}
static int input_static(void);
inline int input_only_inline(void) {
  return 1;
}
int input_\
spliced(int a, /* a comment \
  over lines */
        int b);
#define INPUT_LINES int input_lines(int a)
INPUT_LINES;
#if 0
this is no C: {
#else
void input_else(void);
#endif
extern int input_extern(void);
;

#ifdef __cplusplus
}
#endif

#endif
