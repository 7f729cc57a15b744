/* SPDX-License-Identifier: Apache-2.0 */
/* Files come from outside: every length in them is checked against the file before the bytes after
 * it are touched. */
#include "hub/internal.h"

#include <dlferry/npy.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE '>'
#else
#define NATIVE '<'
#endif

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, VERSION_AT = 6, LENGTH_AT = 8, PREAMBLE = 10, LONG_PREAMBLE = 12 };
enum { HEADER_AT_MOST = 1 << 20, DATA_ALIGNMENT = 64 };

static const struct {
  const char *name; /* without byte order */
  uint8_t code, bits;
} kinds[] = {
    {"b1", kDLBool, 8},
    {"i1", kDLInt, 8},
    {"i2", kDLInt, 16},
    {"i4", kDLInt, 32},
    {"i8", kDLInt, 64},
    {"u1", kDLUInt, 8},
    {"u2", kDLUInt, 16},
    {"u4", kDLUInt, 32},
    {"u8", kDLUInt, 64},
    {"f2", kDLFloat, 16},
    {"f4", kDLFloat, 32},
    {"f8", kDLFloat, 64},
    {"c8", kDLComplex, 64},
    {"c16", kDLComplex, 128},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- the header: a Python dict literal, as NumPy writes it and no other ---- */

typedef struct reader {
  const char *at, *end;
} reader;

static void skip_space(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t')) {
    r->at++;
  }
}

static bool take(reader *r, const char *word) {
  const size_t length = strlen(word);
  skip_space(r);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) {
    return false;
  }
  r->at += length;
  return true;
}

/* Read a quoted string without escapes into text. */
static bool take_string(reader *r, char *text, size_t capacity) {
  size_t length = 0;
  skip_space(r);
  if (r->at == r->end || (*r->at != '\'' && *r->at != '"')) {
    return false;
  }
  const char quote = *r->at++;
  while (r->at < r->end && *r->at != quote) {
    if (length + 1 == capacity || *r->at == '\\') {
      return false;
    }
    text[length++] = *r->at++;
  }
  text[length] = '\0';
  if (r->at == r->end) {
    return false;
  }
  r->at++; /* the closing quote */
  return true;
}

static bool take_extent(reader *r, int64_t *out) {
  skip_space(r);
  if (r->at == r->end || *r->at < '0' || *r->at > '9') {
    return false;
  }
  for (*out = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
    if (dlf__mul(*out, 10, out) || dlf__add(*out, *r->at - '0', out)) {
      return false;
    }
  }
  (void)take(r, "L"); /* Python 2 wrote 3L */
  return true;
}

typedef struct header {
  char descr[32];
  bool fortran_order;
  int32_t ndim;
  int64_t shape[DLF_MAX_NDIM];
} header;

static bool take_shape(reader *r, header *h) {
  bool comma = true;
  if (!take(r, "(")) {
    return false;
  }
  while (!take(r, ")")) {
    if (!comma || h->ndim == DLF_MAX_NDIM || !take_extent(r, &h->shape[h->ndim++])) {
      return false;
    }
    comma = take(r, ",");
  }
  return h->ndim != 1 || comma; /* "(3)" is a number */
}

static bool parse_header(reader r, header *h) {
  enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  char key[32];
  int seen = 0;
  if (!take(&r, "{")) {
    return false;
  }
  while (!take(&r, "}")) {
    if (!take_string(&r, key, sizeof key) || !take(&r, ":")) {
      return false;
    }
    int which = 0;
    for (int i = 0; i < 3; i++) {
      if (strcmp(key, keys[i]) == 0) {
        which = 1 << i;
      }
    }
    if (!which || (seen & which)) {
      return false;
    }
    seen |= which;
    if (which == DESCR && !take_string(&r, h->descr, sizeof h->descr)) {
      return false;
    }
    if (which == ORDER) {
      h->fortran_order = take(&r, "True");
      if (!h->fortran_order && !take(&r, "False")) {
        return false;
      }
    }
    if (which == SHAPE && !take_shape(&r, h)) {
      return false;
    }
    if (!take(&r, ",")) {
      if (!take(&r, "}")) {
        return false;
      }
      break;
    }
  }
  skip_space(&r);
  return seen == (DESCR | ORDER | SHAPE) && r.at == r.end;
}

static dlf_status find_dtype(const char *descr, DLDataType *out, dlf_error *error) {
  const char order = descr[0];
  if (strchr("<>|=", order) && order) {
    for (int i = 0; i < KINDS; i++) {
      if (strcmp(descr + 1, kinds[i].name) != 0) {
        continue;
      }
      *out = (DLDataType){kinds[i].code, kinds[i].bits, 1};
      if (order == NATIVE || order == '|' || order == '=' || kinds[i].bits == 8) {
        return DLF_OK;
      }
      return dlf__fail(error,
                       DLF_UNSUPPORTED,
                       "npy_open: expected the byte order of this machine, got '%s'",
                       descr);
    }
  }
  return dlf__fail(
      error, DLF_DTYPE, "npy_open: expected a dtype of plain numbers, got '%s'", descr);
}

/* ---- reading ---- */

typedef struct mapping {
  char *memory;
  size_t size;
} mapping;

static void unmap(void *owner) {
  mapping *m = owner;
  munmap(m->memory, m->size);
  free(m);
}

static dlf_status system_failed(const char *name, const char *path, int number, dlf_error *error) {
  char reason[96] = "";
  if (strerror_r(number, reason, sizeof reason) != 0) {
    snprintf(reason, sizeof reason, "error %d", number);
  }
  return dlf__fail(
      error, DLF_FOREIGN, "%s: expected a file at '%.120s', got: %s", name, path, reason);
}

/* Find the header's text, which the elements follow. */
static dlf_status read_preamble(const mapping *m, reader *text, dlf_error *error) {
  const unsigned char *bytes = (const unsigned char *)m->memory;
  size_t start = PREAMBLE;
  if (m->size < LONG_PREAMBLE || memcmp(bytes, magic, MAGIC) != 0) {
    return dlf__fail(
        error, DLF_INVALID, "npy_open: expected a file that begins as .npy, got another");
  }
  const int version = bytes[VERSION_AT];
  if (version < 1 || version > 3) {
    return dlf__fail(
        error, DLF_INVALID, "npy_open: expected format version 1 to 3, got %d", version);
  }
  const unsigned char *digits = bytes + LENGTH_AT; /* little-endian */
  size_t length = digits[0] | (size_t)digits[1] << 8;
  if (version > 1) {
    length |= (size_t)digits[2] << 16 | (size_t)digits[3] << 24;
    start = LONG_PREAMBLE;
  }
  if (length > HEADER_AT_MOST || length > m->size - start) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "npy_open: expected a header inside the file, got %zu bytes of one",
                     length);
  }
  text->at = m->memory + start;
  text->end = text->at + length;
  return DLF_OK;
}

/* The file may have more bytes behind the header than the elements, not fewer. */
static dlf_status find_elements(const mapping *m, size_t start, DLTensor *tensor,
                                dlf_error *error) {
  const size_t room = m->size - start;
  int64_t size;
  const dlf_status status = dlf__byte_size("npy_open", tensor, 0, &size, error);
  if (status) {
    return status;
  }
  if ((uint64_t)size > room) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "npy_open: expected %" PRId64 " bytes behind the header, got %zu",
                     size,
                     room);
  }
  if (size) {
    tensor->data = m->memory + start;
  }
  return DLF_OK;
}

/* On failure m stays the caller's. */
static dlf_status wrap_mapping(mapping *m, dlf_tensor **out, dlf_error *error) {
  reader text;
  header h = {.ndim = 0};
  DLDataType dtype;
  int64_t strides[DLF_MAX_NDIM];
  dlf_status status = read_preamble(m, &text, error);
  if (status) {
    return status;
  }
  if (!parse_header(text, &h)) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "npy_open: expected descr, fortran_order and shape, got another header");
  }
  status = find_dtype(h.descr, &dtype, error);
  if (status) {
    return status;
  }
  DLTensor tensor = {NULL, {kDLCPU, 0}, h.ndim, dtype, h.shape, NULL, 0};
  status = find_elements(m, (size_t)(text.end - m->memory), &tensor, error);
  if (status) {
    return status;
  }
  const dlf_order order = h.fortran_order ? DLF_COLUMN_MAJOR : DLF_ROW_MAJOR;
  dlf__fill_strides(h.ndim, h.shape, order, strides);
  tensor.strides = strides;
  return dlf_wrap(&tensor, DLPACK_FLAG_BITMASK_READ_ONLY, m, unmap, out, error);
}

dlf_status dlf_npy_open(const char *path, dlf_tensor **out, dlf_error *error) {
  struct stat about;
  dlf_status status;
  if (!out) {
    return dlf__no_place("npy_open", error);
  }
  *out = NULL;
  if (!path) {
    return dlf__missing("npy_open", "a path", error);
  }
  mapping *m = calloc(1, sizeof *m);
  if (!m) {
    return dlf__fail(error, DLF_NO_MEMORY, "npy_open: expected memory for a mapping, got none");
  }
  /* Opening a pipe may block forever, and a device may act. Check before and again after, since the
   * file may change. */
  const bool is_special = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
  int file = -1;
  if (!is_special) {
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  }
  if (!is_special && (file < 0 || fstat(file, &about) != 0)) {
    status = system_failed("npy_open", path, errno, error);
  } else if (!S_ISREG(about.st_mode) || about.st_size == 0) {
    status =
        dlf__fail(error, DLF_INVALID, "npy_open: expected a file that begins as .npy, got another");
  } else if ((uint64_t)about.st_size >
             PTRDIFF_MAX) { /* a size_t of 32 bits would map a part of it */
    status = system_failed("npy_open", path, EFBIG, error);
  } else {
    m->size = (size_t)about.st_size;
    m->memory = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, file, 0);
    if (m->memory == MAP_FAILED) {
      m->memory = NULL;
      status = system_failed("npy_open", path, errno, error);
    } else {
      status = wrap_mapping(m, out, error);
    }
  }
  if (file >= 0) {
    close(file); /* the mapping stays valid */
  }
  if (!status) {
    return DLF_OK;
  }
  if (m->memory) {
    munmap(m->memory, m->size);
  }
  free(m);
  return status;
}

/* ---- writing ---- */

static const char *npy_name_of(DLDataType dtype) {
  for (int i = 0; i < KINDS; i++) {
    if (kinds[i].code == dtype.code && kinds[i].bits == dtype.bits && dtype.lanes == 1) {
      return kinds[i].name;
    }
  }
  return NULL;
}

/* Write the preamble and header, padded so that data begins aligned. */
static int64_t fill_header(const DLTensor *tensor, bool fortran_order, char *buffer,
                           int64_t capacity) {
  dlf__text text = dlf__text_in(buffer + PREAMBLE, capacity - PREAMBLE);
  char order = NATIVE;
  if (tensor->dtype.bits == 8) {
    order = '|';
  }
  dlf__put(&text,
           "{'descr': '%c%s', 'fortran_order': %s, 'shape': (",
           order,
           npy_name_of(tensor->dtype),
           fortran_order ? "True" : "False");
  for (int32_t i = 0; i < tensor->ndim; i++) {
    dlf__put(&text, i && tensor->ndim > 1 ? ", %" PRId64 : "%" PRId64, tensor->shape[i]);
  }
  dlf__put(&text, "%s), }", tensor->ndim == 1 ? "," : "");
  while ((PREAMBLE + text.length + 1) % DATA_ALIGNMENT != 0) {
    dlf__put(&text, " ");
  }
  dlf__put(&text, "\n");
  memcpy(buffer, magic, MAGIC);
  buffer[VERSION_AT] = 1;
  buffer[VERSION_AT + 1] = 0;
  buffer[LENGTH_AT] = (char)(text.length & 255);
  buffer[LENGTH_AT + 1] = (char)(text.length >> 8);
  return PREAMBLE + text.length;
}

/* Create a file with an unused name in the folder of path, never through a link. part has room for
 * the name and gets it. */
static int create_beside(const char *path, char *part, size_t room, mode_t mode) {
  enum { ATTEMPTS = 1000 };
  static _Atomic uint32_t number;
  const char *name = strrchr(path, '/');
  int folder = 0;
  if (name) {
    folder = (int)(name + 1 - path);
  }
  int file = -1;
  for (int i = 0; i < ATTEMPTS && file < 0; i++) {
    snprintf(part,
             room,
             "%.*s.dlferry-%ld-%" PRIu32 ".part",
             folder,
             path,
             (long)getpid(),
             atomic_fetch_add_explicit(&number, 1, memory_order_relaxed));
    file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0 && errno != EEXIST) {
      break;
    }
  }
  return file;
}

/* Write all; returns 0 or errno. */
static int write_all(int file, const void *data, int64_t size) {
  enum { AT_MOST = 1 << 30 }; /* every system accepts this much at once */
  for (const char *at = data; size > 0;) {
    const ssize_t done = write(file, at, (size_t)(size < AT_MOST ? size : AT_MOST));
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done < 0) {
      return errno;
    }
    if (done == 0) {
      return EIO;
    }
    at += done;
    size -= done;
  }
  return 0;
}

/* Give the file the mode of the one that it replaces; remove the group's rights if it cannot have
 * that group. */
static int keep_mode(int file, const struct stat *old) {
  struct stat made;
  mode_t mode = old->st_mode & 0777;
  if (fstat(file, &made) != 0) {
    return errno;
  }
  if (made.st_gid != old->st_gid && fchown(file, (uid_t)-1, old->st_gid) != 0) {
    mode &= ~(mode_t)070;
  }
  if (fchmod(file, mode) != 0) {
    return errno;
  }
  return 0;
}

/* Write beside the target and rename, so that a failure keeps the old file. */
static dlf_status replace_file(const char *path, const char *header_bytes, int64_t header_size,
                               const void *data, int64_t size, dlf_error *error) {
  struct stat old;
  const bool exists = stat(path, &old) == 0;
  if (exists &&
      !S_ISREG(old.st_mode)) { /* it would replace a device, or leave a pipe's reader waiting */
    return dlf__fail(error,
                     DLF_FOREIGN,
                     "npy_save: expected a file to replace at '%.120s', got no plain one",
                     path);
  }
  const size_t room = strlen(path) + 64;
  char *part = malloc(room);
  if (!part) {
    return dlf__fail(error, DLF_NO_MEMORY, "npy_save: expected memory for a path, got none");
  }
  const int file = create_beside(path, part, room, exists ? 0600 : 0666);
  int number;
  if (file < 0) {
    number = errno;
  } else {
    number = write_all(file, header_bytes, header_size);
    if (!number) {
      number = write_all(file, data, size);
    }
    if (!number && exists) {
      number = keep_mode(file, &old);
    }
    if (close(file) != 0 && !number) {
      number = errno;
    }
    if (!number && rename(part, path) != 0) {
      number = errno;
    }
    if (number) {
      unlink(part);
    }
  }
  free(part);
  if (number) {
    return system_failed("npy_save", path, number, error);
  }
  return DLF_OK;
}

dlf_status dlf_npy_save(dlf_arg tensor, const char *path, dlf_error *error) {
  char text[DLF_NAME_CAPACITY], header_bytes[PREAMBLE + 128 + 24 * DLF_MAX_NDIM];
  const DLTensor *t = tensor.tensor;
  dlf_tensor *borrowed = NULL;
  dlf_tensor *copy = NULL;
  int64_t size;
  if (!path) {
    return dlf__missing("npy_save", "a path", error);
  }
  dlf_status status = dlf__check_elements("npy_save", tensor, false, error);
  if (status) {
    return status;
  }
  if (!npy_name_of(t->dtype)) {
    dlf_dtype_format(t->dtype, text, sizeof text);
    return dlf__fail(
        error, DLF_DTYPE, "npy_save: expected a dtype that NumPy has a name for, got %s", text);
  }
  const bool columns =
      !dlf_is_contiguous(t, DLF_ROW_MAJOR) && dlf_is_contiguous(t, DLF_COLUMN_MAJOR);
  if (!columns && !dlf_is_contiguous(t, DLF_ROW_MAJOR)) {
    status = dlf_wrap(t, 0, NULL, NULL, &borrowed, error);
    if (!status) {
      status = dlf_copy(borrowed, &copy, error);
    }
    if (!status) {
      t = dlf_dltensor(copy);
    }
  }
  if (!status) {
    (void)dlf__byte_size("npy_save", t, 0, &size, NULL);
    const int64_t header_size = fill_header(t, columns, header_bytes, sizeof header_bytes);
    status = replace_file(path, header_bytes, header_size, dlf_data(t), size, error);
  }
  dlf_release(copy);
  dlf_release(borrowed);
  return status;
}
