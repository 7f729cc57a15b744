/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <stdio.h>

#define ELLIPSIS "\xE2\x80\xA6"

dlf__text dlf__text_in(char *buffer, int64_t capacity) {
  dlf__text text = {buffer, buffer && capacity > 0 ? capacity : 0, 0};
  if (text.capacity) {
    buffer[0] = '\0';
  }
  return text;
}

static void put_arguments(dlf__text *text, const char *format, va_list arguments) {
  int64_t room = 0;
  if (text->length == DLF__UNSAID) {
    return;
  }
  if (text->capacity > text->length) {
    room = text->capacity - text->length;
  }
  const int written =
      vsnprintf(room ? text->buffer + text->length : NULL, (size_t)room, format, arguments);
  if (written > 0) {
    text->length += written;
  }
}

void dlf__put(dlf__text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put_arguments(text, format, arguments);
  va_end(arguments);
}

void dlf__put_list(dlf__text *text, const int64_t *list, int32_t count) {
  dlf__put(text, "[");
  for (int32_t i = 0; i < count; i++) {
    dlf__put(text, i ? ", %" PRId64 : "%" PRId64, list[i]);
  }
  dlf__put(text, "]");
}

void dlf__text_finish(dlf__text *text) {
  if (text->length < text->capacity || text->capacity <= (int64_t)sizeof ELLIPSIS) {
    return;
  }
  int64_t cut = text->capacity - (int64_t)sizeof ELLIPSIS;
  while (cut > 0 && ((unsigned char)text->buffer[cut] & 0xC0) == 0x80) {
    cut--;
  }
  memcpy(text->buffer + cut, ELLIPSIS, sizeof ELLIPSIS);
}

dlf_status dlf__fail(dlf_error *error, dlf_status status, const char *format, ...) {
  if (!error) {
    return status;
  }
  dlf__text text = dlf__text_in(error->message, sizeof error->message);
  va_list arguments;
  va_start(arguments, format);
  put_arguments(&text, format, arguments);
  va_end(arguments);
  dlf__text_finish(&text);
  error->status = (int32_t)status;
  return status;
}

dlf_status dlf__missing(const char *name, const char *wanted, dlf_error *error) {
  return dlf__fail(error, DLF_INVALID, "%s: expected %s, got NULL", name, wanted);
}

dlf_status dlf__no_place(const char *name, dlf_error *error) {
  return dlf__missing(name, "a place for the result", error);
}

dlf_status dlf__no_tensor(const char *name, dlf_error *error) {
  return dlf__missing(name, "a tensor", error);
}

dlf_status dlf__check_struct(const char *name, const char *type, int64_t size, size_t known,
                             size_t alignment, dlf_error *error) {
  if (dlf__is_struct_size(size, known, alignment)) {
    return DLF_OK;
  }
  if (size >= (int64_t)known) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: expected a multiple of %zu bytes up to %" PRIu64 " for %s, got %" PRId64,
                     name,
                     alignment,
                     DLF__LARGEST_STRUCT,
                     type,
                     size);
  }
  return dlf__fail(error,
                   DLF_INVALID,
                   "%s: expected a size of %zu bytes or more for %s, got %" PRId64,
                   name,
                   known,
                   type,
                   size);
}

/* A kernel that was compiled with a later header may have a status of its own. */
static dlf_status set_unknown(dlf_error *error, int32_t status, const char *message) {
  char kept[sizeof error->message] = "error_set"; /* message may be in error */
  if (message) {
    snprintf(kept, sizeof kept, "%s", message);
  }
  return dlf__fail(error, DLF_FOREIGN, "%s: expected a dlf_status, got %" PRId32, kept, status);
}

dlf_status dlf_error_set(dlf_error *error, int32_t status, const char *message) {
  if (status < DLF_OK || status > DLF_UNSUPPORTED) {
    return set_unknown(error, status, message);
  }
  if (!error) {
    return (dlf_status)status;
  }
  if (!message) {
    message = "";
  }
  /* message may be error->message, or a part of it: read it before writing. */
  const size_t length = strlen(message);
  size_t kept = length;
  if (kept >= sizeof error->message) {
    kept = sizeof error->message - 1;
  }
  memmove(error->message, message, kept);
  error->message[kept] = '\0';
  dlf__text text = {error->message, sizeof error->message, (int64_t)length};
  dlf__text_finish(&text);
  error->status = status;
  return (dlf_status)status;
}

const char *dlf_status_name(int32_t status) {
  static const char *const names[] = {
      [DLF_OK] = "OK",
      [DLF_INVALID] = "INVALID",
      [DLF_BOUNDS] = "BOUNDS",
      [DLF_OVERFLOW] = "OVERFLOW",
      [DLF_DTYPE] = "DTYPE",
      [DLF_SHAPE] = "SHAPE",
      [DLF_DEVICE] = "DEVICE",
      [DLF_LAYOUT] = "LAYOUT",
      [DLF_READ_ONLY] = "READ_ONLY",
      [DLF_VERSION] = "VERSION",
      [DLF_NO_MEMORY] = "NO_MEMORY",
      [DLF_FOREIGN] = "FOREIGN",
      [DLF_UNSUPPORTED] = "UNSUPPORTED",
  };
  if (status >= 0 && status < (int32_t)(sizeof names / sizeof *names)) {
    return names[status];
  }
  return "UNKNOWN";
}

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *dlf_version(void) {
  return VERSION_TEXT(DLF_VERSION_MAJOR, DLF_VERSION_MINOR, DLF_VERSION_PATCH);
}

int32_t dlf_version_number(void) {
  return DLF_VERSION_NUMBER;
}
