/* SPDX-License-Identifier: Apache-2.0 */
/* For the twins: texts of wchar_t. See twin_helpers.h; this is its fifth part. */
/* @section wide */
/* ---- texts of wchar_t, which has 2 bytes on Windows ---- */

#include <stddef.h>

#define DLFERRY_NO_POINT UINT32_MAX
#define DLFERRY_REPLACEMENT 0xFFFDu
#define DLFERRY_IS_UTF_16 (sizeof(wchar_t) == 2)

DLFERRY_HELPER bool dlferry_is_surrogate(uint32_t point) {
  return point >= 0xD800 && point < 0xE000;
}

/* Read a character, and go behind it. */
DLFERRY_HELPER uint32_t dlferry_read_point(const unsigned char **text) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  const unsigned char first = *(*text)++;
  if (first < 0x80) {
    return first;
  }
  if (first < 0xC2 || first > 0xF4) {
    return DLFERRY_NO_POINT;
  }
  const int more = 1 + (first >= 0xE0) + (first >= 0xF0);
  uint32_t point = first & (0x3Fu >> more);
  for (int i = 0; i < more; i++) {
    if ((**text & 0xC0) != 0x80) {
      return DLFERRY_NO_POINT;
    }
    point = point << 6 | (*(*text)++ & 0x3Fu);
  }
  const bool valid = point >= least[more] && point <= 0x10FFFF && !dlferry_is_surrogate(point);
  return valid ? point : DLFERRY_NO_POINT;
}

/* Make a text of wchar_t; none of an absent one. */
DLFERRY_HELPER dlf_status dlferry_widen(const char *text, const char *where, wchar_t **out,
                                        dlf_error *error) {
  if (!text) {
    return DLF_OK;
  }
  *out = calloc(strlen(text) + 1, sizeof **out);
  if (!*out) {
    return dlferry_no_room(where, error);
  }
  wchar_t *to = *out;
  for (const unsigned char *from = (const unsigned char *)text; *from;) {
    const uint32_t point = dlferry_read_point(&from);
    if (point == DLFERRY_NO_POINT) {
      return dlferry_fail(error, DLF_INVALID, "%s: expected UTF-8, got other bytes", where);
    }
    const bool pair = DLFERRY_IS_UTF_16 && point > 0xFFFF;
    if (pair) {
      *to++ = (wchar_t)(0xD800 + ((point - 0x10000) >> 10));
    }
    *to++ = (wchar_t)(pair ? 0xDC00 + (point & 0x3FF) : point);
  }
  return DLF_OK;
}

DLFERRY_HELPER char *dlferry_put_point(char *to, uint32_t point) {
  static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
  if (point < 0x80) {
    *to++ = (char)point;
    return to;
  }
  const int more = 1 + (point >= 0x800) + (point >= 0x10000);
  *to++ = (char)(leads[more] | point >> (6 * more));
  for (int i = more - 1; i >= 0; i--) {
    *to++ = (char)(0x80u | (point >> (6 * i) & 0x3F));
  }
  return to;
}

/* Copy a text of wchar_t after a successful call, as dlferry_take_text does. */
DLFERRY_HELPER dlf_status dlferry_take_wide(dlf_status verdict, const char *missing,
                                            const wchar_t *text, const char *where,
                                            const char **out, dlf_error *error) {
  enum { MOST_BYTES = 4 };
  size_t size = 0;
  if (verdict || !text) {
    return dlferry_take_text(verdict, missing, NULL, where, out, error);
  }
  while (text[size]) {
    size++;
  }
  char *copy = malloc(size * MOST_BYTES + 1);
  if (!copy) {
    return dlferry_no_room(where, error);
  }
  char *to = copy;
  for (size_t i = 0; i < size; i++) {
    uint32_t point = (uint32_t)text[i];
    const uint32_t next = (uint32_t)text[i + 1];
    if (DLFERRY_IS_UTF_16 && point >> 10 == 0x36 && next >> 10 == 0x37) {
      point = 0x10000 + ((point & 0x3FF) << 10) + (next & 0x3FF);
      i++;
    }
    const bool valid = point <= 0x10FFFF && !dlferry_is_surrogate(point);
    to = dlferry_put_point(to, valid ? point : DLFERRY_REPLACEMENT);
  }
  *to = 0;
  *out = copy;
  return DLF_OK;
}
