/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static void test_error__set_fills_status_and_text(void) {
  EXPECT_FAILS(dlf_error_set(&error, DLF_SHAPE, "blur: too small"), DLF_SHAPE, "blur: too small");
}

static void test_error__set_without_error_returns_the_status(void) {
  EXPECT_INT(dlf_error_set(NULL, DLF_BOUNDS, "unseen"), DLF_BOUNDS);
}

static void test_error__set_without_a_message_is_empty(void) {
  EXPECT_FAILS(dlf_error_set(&error, DLF_FOREIGN, NULL), DLF_FOREIGN, "");
}

/* A kernel may be compiled with a later header, or return what its library gives it. */
static void test_error__set_names_a_number_that_is_no_status(void) {
  EXPECT_FAILS(dlf_error_set(&error, 1000, "blur: too small"),
               DLF_FOREIGN,
               "blur: too small: expected a dlf_status, got 1000");
  EXPECT_FAILS(
      dlf_error_set(&error, -1, NULL), DLF_FOREIGN, "error_set: expected a dlf_status, got -1");
  EXPECT_INT(dlf_error_set(NULL, 13, "unseen"), DLF_FOREIGN);
  dlf_error error;
  dlf_error_set(&error, DLF_INVALID, "blur: too small");
  dlf_error_set(&error, 13, error.message + 6);
  EXPECT_TEXT(error.message, "too small: expected a dlf_status, got 13");
}

static void test_error__long_text_ends_in_an_ellipsis(void) {
  char text[400];
  dlf_error error;
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  dlf_error_set(&error, DLF_INVALID, text);
  EXPECT_INT(strlen(error.message), 251);
  EXPECT_TEXT(error.message + 248, "\xE2\x80\xA6");
  text[251] = '\0'; /* the longest that fits */
  dlf_error_set(&error, DLF_INVALID, text);
  EXPECT_TEXT(error.message, text);
  text[251] = 'x'; /* one byte more */
  text[252] = '\0';
  dlf_error_set(&error, DLF_INVALID, text);
  EXPECT_INT(strlen(error.message), 251);
}

/* "é" is two bytes: wherever the cut falls, no half of one may stay. */
static void test_error__long_text_is_cut_between_characters(void) {
  for (size_t shift = 0; shift < 2; shift++) {
    char text[402] = "x";
    dlf_error error;
    for (size_t i = shift; i + 1 < sizeof text - 1; i += 2) {
      memcpy(text + i, "\xC3\xA9", 2);
    }
    dlf_error_set(&error, DLF_INVALID, text);
    const size_t length = strlen(error.message);
    EXPECT(length <= 251);
    EXPECT_TEXT(error.message + length - 3, "\xE2\x80\xA6");
    EXPECT(((length - 3 - shift) % 2) == 0);
    EXPECT(memcmp(error.message + length - 5, "\xC3\xA9", 2) == 0);
  }
}

/* A kernel that passes an error on gives the text that stands there already, or the end of it. */
static void test_error__set_takes_a_text_of_the_error_itself(void) {
  dlf_error error;
  dlf_error_set(&error, DLF_INVALID, "blur: too small");
  EXPECT_INT(dlf_error_set(&error, DLF_SHAPE, error.message), DLF_SHAPE);
  EXPECT_INT(error.status, DLF_SHAPE);
  EXPECT_TEXT(error.message, "blur: too small");
  EXPECT_INT(dlf_error_set(&error, DLF_FOREIGN, error.message + 6), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "too small");
  memset(error.message, 'x', sizeof error.message - 1);
  error.message[sizeof error.message - 1] = '\0';
  dlf_error_set(&error, DLF_FOREIGN, error.message + 1);
  EXPECT_INT(strlen(error.message), 250);
}

static void test_error__statuses_have_names(void) {
  EXPECT_TEXT(dlf_status_name(DLF_OK), "OK");
  EXPECT_TEXT(dlf_status_name(DLF_READ_ONLY), "READ_ONLY");
  EXPECT_TEXT(dlf_status_name(DLF_UNSUPPORTED), "UNSUPPORTED");
  EXPECT_TEXT(dlf_status_name(DLF_UNSUPPORTED + 1), "UNKNOWN");
  EXPECT_TEXT(dlf_status_name(-1), "UNKNOWN");
}

static void test_error__version_is_the_headers(void) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", DLF_VERSION_MAJOR, DLF_VERSION_MINOR, DLF_VERSION_PATCH);
  EXPECT_TEXT(dlf_version(), text);
  EXPECT_INT(dlf_version_number(), DLF_VERSION_NUMBER);
  EXPECT_INT(dlf_version_number() % 100, DLF_VERSION_PATCH);
}

int main(void) {
  RUN(test_error__set_fills_status_and_text);
  RUN(test_error__set_without_error_returns_the_status);
  RUN(test_error__set_without_a_message_is_empty);
  RUN(test_error__set_names_a_number_that_is_no_status);
  RUN(test_error__long_text_ends_in_an_ellipsis);
  RUN(test_error__long_text_is_cut_between_characters);
  RUN(test_error__set_takes_a_text_of_the_error_itself);
  RUN(test_error__statuses_have_names);
  RUN(test_error__version_is_the_headers);
  return test_end();
}
