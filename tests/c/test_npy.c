/* SPDX-License-Identifier: Apache-2.0 */
#define _FILE_OFFSET_BITS                                                                          \
  64 /* a folder's entries may have numbers of 64 bits, which readdir refuses otherwise */
#include "system.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#if !defined(_WIN32)
#include <signal.h>
#include <sys/resource.h>
#endif

static char folder[200], path[220];

/* How many files there are in the folder. */
static int entries(void) {
  int count = -2; /* . and .. */
  DIR *listed = opendir(folder);
  if (!listed) {
    abort();
  }
  while (readdir(listed)) {
    count++;
  }
  closedir(listed);
  return count;
}

static void write_bytes(const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    abort();
  }
}

/* The sign of this machine's byte order. */
static char native(void) {
  const uint16_t one = 1;
  return *(const char *)&one ? '<' : '>';
}

/* A file of format version 1 with this header text, its `<` this machine's byte order, followed by
 * data_size bytes 0, 1, 2, .... */
static void write_npy(const char *header, int data_size) {
  char bytes[2048] = "\x93NUMPY\x01";
  const size_t length = strlen(header);
  bytes[8] = (char)(length & 255);
  bytes[9] = (char)(length >> 8);
  memcpy(bytes + 10, header, length);
  for (char *c = bytes + 10; (c = strchr(c, '<')) != NULL; c++) {
    *c = native();
  }
  for (int i = 0; i < data_size; i++) {
    bytes[10 + length + (size_t)i] = (char)i;
  }
  write_bytes(bytes, 10 + length + (size_t)data_size);
}

static void expect_opens(const char *header, int data_size, const char *description) {
  char text[128];
  dlf_tensor *t = NULL;
  write_npy(header, data_size);
  EXPECT_INT(dlf_npy_open(path, &t, NULL), DLF_OK);
  if (!t) {
    printf("  header: %s\n", header);
    return;
  }
  dlf_describe(dlf_dltensor(t), dlf_flags(t), text, sizeof text);
  EXPECT_TEXT(text, description);
  dlf_release(t);
}

static void expect_refused(const char *header, int data_size, dlf_status status) {
  dlf_tensor *t = (dlf_tensor *)&t;
  dlf_error error = {0};
  write_npy(header, data_size);
  const dlf_status got = dlf_npy_open(path, &t, &error);
  EXPECT_INT(got, status);
  if (got != status) {
    printf("  header: %s: %s\n", header, error.message);
  }
  EXPECT(t == NULL);
}

static void test_npy__opens_what_numpy_writes(void) {
  expect_opens("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n",
               24,
               "float32[2, 3] cpu read-only");
  expect_opens("{'descr': '<c16', 'fortran_order': True, 'shape': (2, 2), }\n",
               64,
               "complex128[2, 2] strides [1, 2] cpu read-only");
  expect_opens(
      "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", 3, "uint8[3] cpu read-only");
  expect_opens(
      "{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", 1, "bool[] cpu read-only");
  expect_opens("{\"shape\":(0,4),\"descr\":\"<i8\",\"fortran_order\":False}",
               0,
               "int64[0, 4] cpu read-only");
  expect_opens("{'descr': '<i2', 'fortran_order': False, 'shape': (3L, 1L)}",
               6,
               "int16[3, 1] cpu read-only");
  expect_opens(
      "{'descr': '>i1', 'fortran_order': False, 'shape': (1,)}", 9, "int8[1] cpu read-only");
  expect_opens(
      "{'descr': '=f4', 'fortran_order': False, 'shape': (1,)}", 4, "float32[1] cpu read-only");
  expect_opens(
      "{'descr': '|f4', 'fortran_order': False, 'shape': (1,)}", 4, "float32[1] cpu read-only");
}

/* Without a standard input the first file that opens has number 0. */
static void test_npy__opens_without_a_standard_input(void) {
  const int kept = dup(0);
  if (kept >= 0) {
    close(0);
  }
  expect_opens(
      "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", 3, "uint8[3] cpu read-only");
  if (kept >= 0) {
    dup2(kept, 0);
    close(kept);
  }
}

static void test_npy__refuses_broken_headers(void) {
  static const char *const headers[] = {
      "",
      "{",
      "{}",
      "[]",
      "{'descr': '<f4'}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}",
      "{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "{'descr': '<f4\\n', 'fortran_order': False, 'shape': (2,)}",
      "{'descr': '<f4444444444444444444444444444444444', 'fortran_order': False, 'shape': (2,)}",
      "{'descr' '<f4', 'fortran_order': False, 'shape': (2,)}",
      "{descr: '<f4', 'fortran_order': False, 'shape': (2,)}",
      "{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
  };
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    expect_refused(headers[i], 64, DLF_INVALID);
  }
  char many[400] = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < 65; i++) {
    strcat(many, "1, ");
  }
  strcat(many, ")}");
  expect_refused(many, 4, DLF_INVALID);
}

static void test_npy__refuses_other_dtypes_by_name(void) {
  expect_refused("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", 8, DLF_DTYPE);
  expect_refused("{'descr': '<U3', 'fortran_order': False, 'shape': (1,)}", 12, DLF_DTYPE);
  expect_refused("{'descr': '', 'fortran_order': False, 'shape': (1,)}", 12, DLF_DTYPE);
  expect_refused("{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", 16, DLF_DTYPE);
  expect_refused(
      "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4, DLF_INVALID);
}

static void test_npy__refuses_sizes_beyond_the_file(void) {
  dlf_tensor *t;
  expect_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", 23, DLF_INVALID);
  EXPECT_FAILS(dlf_npy_open(path, &t, &error),
               DLF_INVALID,
               "npy_open: expected 24 bytes behind the header, got 23");
  expect_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
                 64,
                 DLF_OVERFLOW);
  expect_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}",
                 64,
                 DLF_OVERFLOW);
  write_bytes("\x93NUMPY\x01\x00\xFF\xFF{}", 12);
  EXPECT_FAILS(dlf_npy_open(path, &t, &error),
               DLF_INVALID,
               "npy_open: expected a header inside the file, got 65535 bytes of one");
  write_bytes("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{}", 14);
  EXPECT_INT(dlf_npy_open(path, &t, NULL), DLF_INVALID);
}

/* How many mappings of the file this process has; 0 where the system does not say. */
static int mappings(void) {
  int count = 0;
  char line[400];
  FILE *file = fopen("/proc/self/maps", "r");
  if (!file) {
    printf("not run: no /proc/self/maps to look for mappings in\n");
    return 0;
  }
  while (fgets(line, sizeof line, file)) {
    count += strstr(line, path) != NULL;
  }
  fclose(file);
  return count;
}

static void test_npy__a_refused_file_is_not_kept(void) {
  dlf_tensor *t;
  write_bytes("PK\x03\x04 an archive, say", 19);
  EXPECT_INT(dlf_npy_open(path, &t, NULL), DLF_INVALID);
  EXPECT_INT(mappings(), 0);
}

static void test_npy__refuses_other_files(void) {
  dlf_tensor *t;
  write_bytes("PK\x03\x04 an archive, say", 19);
  EXPECT_FAILS(dlf_npy_open(path, &t, &error),
               DLF_INVALID,
               "npy_open: expected a file that begins as .npy, got another");
  write_bytes("\x93NUMPY\x04\x00\x00\x00\x00\x00", 12);
  EXPECT_FAILS(dlf_npy_open(path, &t, &error),
               DLF_INVALID,
               "npy_open: expected format version 1 to 3, got 4");
  write_bytes("", 0);
  EXPECT_INT(dlf_npy_open(path, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_npy_open(folder, &t, NULL), DLF_INVALID);
  EXPECT_FAILS(dlf_npy_open("/nonexistent.npy", &t, &error),
               DLF_FOREIGN,
               "npy_open: expected a file at '/nonexistent.npy', got: No such file or directory");
  EXPECT_INT(dlf_npy_open(NULL, &t, NULL), DLF_INVALID);
}

static void expect_round_trip(DLDataType dtype, int32_t ndim, int64_t *shape, int64_t *strides) {
  static char memory[4096];
  bool same = false;
  dlf_tensor *t = NULL;
  for (size_t i = 0; i < sizeof memory; i++) {
    memory[i] = dtype.code == kDLBool ? (char)(i % 2) : (char)(i * 7);
  }
  const DLTensor saved = {memory + 2048, cpu, ndim, dtype, shape, strides, 0};
  EXPECT_INT(dlf_npy_save((dlf_arg){&saved, 0}, path, NULL), DLF_OK);
  EXPECT_INT(dlf_npy_open(path, &t, NULL), DLF_OK);
  if (!t) {
    return;
  }
  EXPECT_INT((uintptr_t)dlf_dltensor(t)->data % 64, 0);
  EXPECT_INT(dlf_flags(t), DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT_INT(dlf_identical((dlf_arg){dlf_dltensor(t), 0}, (dlf_arg){&saved, 0}, &same, NULL),
             DLF_OK);
  EXPECT(same);
  dlf_release(t);
}

static void test_npy__saves_what_it_opens(void) {
  static const DLDataType dtypes[] = {{kDLBool, 8, 1},
                                      {kDLInt, 8, 1},
                                      {kDLInt, 64, 1},
                                      {kDLUInt, 16, 1},
                                      {kDLFloat, 16, 1},
                                      {kDLFloat, 64, 1},
                                      {kDLComplex, 64, 1},
                                      {kDLComplex, 128, 1}};
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
    expect_round_trip(dtypes[i], 2, LIST(3, 4), NULL);
    expect_round_trip(dtypes[i], 2, LIST(3, 4), LIST(1, 3));
    expect_round_trip(dtypes[i], 2, LIST(3, 4), LIST(-8, 2));
    expect_round_trip(dtypes[i], 1, LIST(5), NULL);
    expect_round_trip(dtypes[i], 0, NULL, NULL);
  }
  int64_t ones[DLF_MAX_NDIM];
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    ones[i] = 1;
  }
  expect_round_trip(f32, DLF_MAX_NDIM, ones, NULL);
}

static void test_npy__an_empty_tensor_keeps_its_shape(void) {
  const DLTensor nothing = {NULL, cpu, 2, f32, LIST(0, 7), NULL, 0};
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_npy_save((dlf_arg){&nothing, 0}, path, NULL), DLF_OK);
  EXPECT_INT(dlf_npy_open(path, &t, NULL), DLF_OK);
  EXPECT(dlf_dltensor(t)->data == NULL && dlf_dltensor(t)->shape[1] == 7);
  dlf_release(t);
}

static void test_npy__save_refuses_what_numpy_cannot_say(void) {
  const DLTensor bf16 = tensor_of((DLDataType){kDLBfloat, 16, 1}, 1, LIST(2), NULL),
                 lanes = tensor_of((DLDataType){kDLFloat, 32, 4}, 1, LIST(2), NULL);
  DLTensor gpu = tensor_of(f32, 1, LIST(2), NULL), broken = tensor_of(f32, 1, NULL, NULL);
  gpu.device = (DLDevice){kDLCUDA, 0};
  EXPECT_FAILS(dlf_npy_save((dlf_arg){&bf16, 0}, path, &error),
               DLF_DTYPE,
               "npy_save: expected a dtype that NumPy has a name for, got bfloat16");
  EXPECT_INT(dlf_npy_save((dlf_arg){&lanes, 0}, path, NULL), DLF_DTYPE);
  EXPECT_FAILS(
      dlf_npy_save((dlf_arg){&gpu, 0}, path, &error),
      DLF_DEVICE,
      "npy_save: expected data that the processor can reach, got cuda:0: move it to the CPU first");
  EXPECT_INT(dlf_npy_save((dlf_arg){&broken, 0}, path, NULL), DLF_INVALID);
  EXPECT_INT(dlf_npy_save((dlf_arg){NULL, 0}, path, NULL), DLF_INVALID);
  EXPECT_INT(dlf_npy_save((dlf_arg){&gpu, 0}, NULL, NULL), DLF_INVALID);
}

static void test_npy__a_save_that_fails_keeps_what_was_there(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  char inside[240];
  struct stat about;
  snprintf(inside, sizeof inside, "%s/missing/x.npy", folder);
  EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, inside, NULL), DLF_FOREIGN);
  snprintf(inside, sizeof inside, "%s/taken", folder); /* a folder cannot be replaced by a file */
  rmdir(inside);                                       /* of an aborted run */
  EXPECT(system_make_folder_at(inside));
  EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, inside, NULL), DLF_FOREIGN);
  EXPECT_INT(stat(inside, &about), 0);
  rmdir(inside);
  EXPECT_INT(entries(), 1); /* path */
}

#if !defined(_WIN32)

/* The permission bits of a file. */
static int mode_of(const char *name) {
  struct stat about;
  return stat(name, &about) == 0 ? (int)(about.st_mode & 0777) : -1;
}

static void test_npy__save_touches_no_file_of_others(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  char part[240], target[240];
  snprintf(part, sizeof part, "%s.part", path);
  snprintf(target, sizeof target, "%s/precious", folder);
  unlink(part); /* of an aborted run */
  FILE *file = fopen(target, "w");
  if (!file || fputs("precious", file) < 0 || fclose(file) != 0) {
    abort();
  }
  EXPECT_INT(symlink(target, part), 0);
  EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, path, NULL), DLF_OK);
  struct stat about;
  EXPECT(lstat(part, &about) == 0 && S_ISLNK(about.st_mode));
  EXPECT(stat(target, &about) == 0 && about.st_size == 8);
  EXPECT_INT(entries(), 3);
  unlink(part);
  /* A link in place of the file is replaced, and its target stays. */
  unlink(path);
  EXPECT_INT(symlink(target, path), 0);
  EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, path, NULL), DLF_OK);
  EXPECT(lstat(path, &about) == 0 && S_ISREG(about.st_mode));
  EXPECT(stat(target, &about) == 0 && about.st_size == 8);
  unlink(target);
}

static void test_npy__save_keeps_the_mode(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  const int modes[] = {0600, 0640, 0664};
  for (int i = 0; i < 3; i++) {
    EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, path, NULL), DLF_OK);
    EXPECT_INT(chmod(path, (mode_t)modes[i]), 0);
    EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, path, NULL), DLF_OK);
    EXPECT_INT(mode_of(path), modes[i]);
  }
  unlink(path);
  const mode_t mask = umask(027);
  EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, path, NULL), DLF_OK);
  umask(mask);
  EXPECT_INT(mode_of(path), 0640);
}

/* Give the file a group that files here do not have by themselves; false if this account has no
 * other. */
static bool gave_other_group(void) {
  gid_t groups[100] = {getegid() + 1};
  const int count = getgroups(99, groups + 1);
  for (int i = 0; i <= count; i++) {
    if (groups[i] != getegid() && chown(path, (uid_t)-1, groups[i]) == 0) {
      return true;
    }
  }
  return false;
}

static void test_npy__save_keeps_the_group(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  struct stat old, now;
  EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, path, NULL), DLF_OK);
  if (!gave_other_group()) {
    printf("not run: this account may give a file no other group\n");
    unlink(path);
    return;
  }
  EXPECT_INT(chmod(path, 0664), 0);
  EXPECT_INT(stat(path, &old), 0);
  EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, path, NULL), DLF_OK);
  EXPECT_INT(stat(path, &now), 0);
  EXPECT_INT(now.st_gid, old.st_gid);
  EXPECT_INT(mode_of(path), 0664);
  unlink(path);
}

#ifndef DLFERRY_FAULTS /* its allocations would fail in a child, unseen */
static bool fails_beyond_64_bytes(void *tensor) {
  const struct rlimit least = {64, 64};
  dlf_error error;
  signal(SIGXFSZ, SIG_IGN);
  return setrlimit(RLIMIT_FSIZE, &least) == 0 &&
         dlf_npy_save((dlf_arg){tensor, 0}, path, &error) == DLF_FOREIGN &&
         strstr(error.message, strerror(EFBIG)) != NULL;
}
#endif

/* As where a disk is full. */
static void test_npy__a_save_that_is_cut_leaves_nothing(void) {
#ifndef DLFERRY_FAULTS
  DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  EXPECT(system_child(fails_beyond_64_bytes, &t));
  EXPECT_INT(entries(), 0);
#endif
}

/* Anything but a plain file is neither waited for, nor read, nor replaced. */
static void test_npy__pipes_and_devices_are_left_alone(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  dlf_tensor *out = NULL;
  struct stat about;
  char device[240]; /* a link, since a wrong save by root would replace the device itself */
  snprintf(device, sizeof device, "%s/zero", folder);
  unlink(device); /* of an aborted run */
  EXPECT_INT(symlink("/dev/zero", device), 0);
  unlink(path);
  EXPECT_INT(mkfifo(path, 0600), 0);
  const char *const others[] = {path, folder, device};
  for (int i = 0; i < 3; i++) {
    EXPECT_FAILS(dlf_npy_open(others[i], &out, &error),
                 DLF_INVALID,
                 "npy_open: expected a file that begins as .npy, got another");
    EXPECT_INT(dlf_npy_save((dlf_arg){&t, 0}, others[i], NULL), DLF_FOREIGN);
  }
  EXPECT(stat(path, &about) == 0 && S_ISFIFO(about.st_mode));
  unlink(path);
  EXPECT(stat(device, &about) == 0 && S_ISCHR(about.st_mode));
  unlink(device);
  EXPECT_INT(entries(), 0);
}

#endif

/* A header of format version 2, of this length, of one uint8. */
static void write_long_header(size_t length) {
  static char bytes[(1 << 20) + 64] = "\x93NUMPY\x02";
  static const char header[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
  for (int i = 0; i < 4; i++) {
    bytes[8 + i] = (char)(length >> 8 * i & 255);
  }
  memset(bytes + 12, ' ', length);
  memcpy(bytes + 12, header, sizeof header - 1);
  bytes[12 + length] = 7;
  write_bytes(bytes, 13 + length);
}

static void test_npy__a_header_has_a_limit(void) {
  dlf_tensor *t = NULL;
  write_long_header(1 << 20);
  EXPECT_INT(dlf_npy_open(path, &t, NULL), DLF_OK);
  if (t) {
    EXPECT_INT(*(const unsigned char *)dlf_data(dlf_dltensor(t)), 7);
  }
  dlf_release(t);
  write_long_header((1 << 20) + 1);
  EXPECT_FAILS(dlf_npy_open(path, &t, &error),
               DLF_INVALID,
               "npy_open: expected a header inside the file, got 1048577 bytes of one");
}

static void test_npy__another_byte_order_is_refused_by_name(void) {
  static const char *const kinds[] = {"f4", "i2", "c16"};
  char header[128], text[160];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    dlf_tensor *t = (dlf_tensor *)&t;
    char name[8]; /* the order that this machine has not */
    snprintf(name, sizeof name, "%c%s", native() == '<' ? '>' : '<', kinds[i]);
    const int length = snprintf(
        header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }\n", name);
    FILE *file = fopen(path, "wb");
    if (!file) {
      abort();
    }
    fwrite("\x93NUMPY\x01\x00", 1, 8, file);
    fputc(length, file);
    fputc(0, file);
    fprintf(file, "%s0123456789abcdef", header);
    fclose(file);
    snprintf(
        text, sizeof text, "npy_open: expected the byte order of this machine, got '%s'", name);
    EXPECT_FAILS(dlf_npy_open(path, &t, &error), DLF_UNSUPPORTED, text);
    EXPECT(t == NULL);
  }
}

int main(void) {
  if (!system_make_folder(folder, sizeof folder)) {
    return 1;
  }
  snprintf(path, sizeof path, "%s/t.npy", folder);
  RUN(test_npy__opens_what_numpy_writes);
  RUN(test_npy__opens_without_a_standard_input);
  RUN(test_npy__refuses_broken_headers);
  RUN(test_npy__refuses_other_dtypes_by_name);
  RUN(test_npy__refuses_sizes_beyond_the_file);
  RUN(test_npy__a_refused_file_is_not_kept);
  RUN(test_npy__refuses_other_files);
  RUN(test_npy__saves_what_it_opens);
  RUN(test_npy__an_empty_tensor_keeps_its_shape);
  RUN(test_npy__save_refuses_what_numpy_cannot_say);
  RUN(test_npy__a_save_that_fails_keeps_what_was_there);
  RUN(test_npy__a_header_has_a_limit);
#if defined(_WIN32)
  printf(
      "not run: links, modes, groups, pipes and devices as files, which Windows does not have\n");
#else
  RUN(test_npy__save_touches_no_file_of_others);
  RUN(test_npy__save_keeps_the_mode);
  RUN(test_npy__save_keeps_the_group);
  RUN(test_npy__a_save_that_is_cut_leaves_nothing);
  RUN(test_npy__pipes_and_devices_are_left_alone);
#endif
  RUN(test_npy__another_byte_order_is_refused_by_name);
  remove(path);
  rmdir(folder);
  return test_end();
}
