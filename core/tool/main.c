/* SPDX-License-Identifier: Apache-2.0 */
/* The command dlferry: show .npy files, dtypes and devices as the hub sees them. */
#include <dlferry.h>
#include <dlferry/npy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: dlferry inspect FILE.npy...   describe each tensor, then print its elements\n"
    "       dlferry dtypes               list the dtypes: code, name, short name\n"
    "       dlferry devices              list the devices: code, name, who may use an address\n"
    "       dlferry --version | --help\n";

static int fail(const char *path, const char *message) {
  fprintf(stderr, "dlferry: %s: %s\n", path, message);
  return 1;
}

/* Print a description in one line, then the elements. */
static int print_tensor(const char *path, const dlf_tensor *t) {
  const DLTensor *dl = dlf_dltensor(t);
  const int64_t length = dlf_format(dl, dlf_flags(t), NULL, 0);
  char *text = malloc((size_t)length + 1);
  if (!text) {
    return fail(path, "no memory for the text");
  }
  dlf_format(dl, dlf_flags(t), text, length + 1);
  puts(text);
  free(text);
  return 0;
}

static int inspect(const char *path) {
  char text[1024 + 48 * DLF_MAX_NDIM]; /* an extent and a stride for each axis */
  dlf_error error;
  dlf_tensor *t;
  if (dlf_npy_open(path, &t, &error)) {
    return fail(path, error.message);
  }
  dlf_describe_json(t, text, sizeof text);
  puts(text);
  const int failed = print_tensor(path, t);
  dlf_release(t);
  return failed;
}

/* Follows the names that DLPack has only on its main branch. */
static const char unreleased[] = " (not yet released)";

/* The usual widths of the codes whose name does not include one. */
static const uint8_t widths[][8] = {
    [kDLInt] = {1, 2, 4, 8, 16, 32, 64},
    [kDLUInt] = {1, 2, 4, 8, 16, 32, 64},
    [kDLFloat] = {16, 32, 64},
    [kDLOpaqueHandle] = {64},
    [kDLBfloat] = {16},
    [kDLComplex] = {32, 64, 128},
    [18] = {32}, /* bcomplex */
};

/* False if DLPack has no name for it. */
static bool list_dtype(DLDataType dtype) {
  char usual[DLF_NAME_CAPACITY], brief[DLF_NAME_CAPACITY];
  dlf_dtype_format(dtype, usual, sizeof usual);
  dlf_dtype_format_short(dtype, brief, sizeof brief);
  if (strncmp(usual, "dtype(", 6) == 0) {
    return false;
  }
  printf("%4d %4d  %-20s %s%s\n",
         dtype.code,
         dtype.bits,
         usual,
         brief,
         dtype.code > kDLFloat4_e2m1fn ? unreleased : "");
  return true;
}

/* The name of such a code includes the width, so at most one width has a name: find it. */
static void list_only_width(uint8_t code) {
  for (int bits = 1; bits < 256; bits++) {
    if (list_dtype((DLDataType){code, (uint8_t)bits, 1})) {
      return;
    }
  }
}

static void list_dtypes(void) {
  printf("%4s %4s  %-20s %s\n", "code", "bits", "name", "short");
  for (int code = 0; code < 256; code++) {
    const bool has_usual_widths = code < (int)(sizeof widths / sizeof *widths) && *widths[code];
    if (!has_usual_widths) {
      list_only_width((uint8_t)code);
      continue;
    }
    for (int i = 0; widths[code][i]; i++) {
      list_dtype((DLDataType){(uint8_t)code, widths[code][i], 1});
    }
  }
}

static void list_devices(void) {
  char name[DLF_NAME_CAPACITY];
  printf("%4s  %-16s %s\n", "code", "name", "address used by");
  for (int type = 0; type < 64; type++) {
    const DLDevice device = {(DLDeviceType)type, 0};
    dlf_device_format(device, name, sizeof name);
    if (strncmp(name, "device(", 7) == 0) {
      continue;
    }
    printf("%4d  %-16s %s%s\n",
           type,
           name,
           dlf_is_cpu_accessible(device) ? "the processor" : "the device",
           type > kDLTrn ? unreleased : "");
  }
}

int main(int count, char **words) {
  const char *word = "";
  if (count > 1) {
    word = words[1];
  }
  int failed = 0;
  if (strcmp(word, "inspect") == 0 && count > 2) {
    for (int i = 2; i < count; i++) {
      failed |= inspect(words[i]);
    }
    return failed;
  }
  if (count == 2 && strcmp(word, "dtypes") == 0) {
    return list_dtypes(), 0;
  }
  if (count == 2 && strcmp(word, "devices") == 0) {
    return list_devices(), 0;
  }
  if (count == 2 && strcmp(word, "--version") == 0) {
    return printf("dlferry %s, DLPack %d.%d\n", dlf_version(), DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR),
           0;
  }
  if (count == 2 && strcmp(word, "--help") == 0) {
    return fputs(usage, stdout), 0;
  }
  fputs(usage, stderr);
  return 2;
}
