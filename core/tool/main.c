/* SPDX-License-Identifier: Apache-2.0 */
/* The command dlferry: look at .npy files, dtypes and devices the way the hub sees them. */
#include <dlferry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: dlferry inspect FILE.npy...   describe each tensor, then print its elements\n"
                            "       dlferry dtypes               list the dtypes: code, name, short name\n"
                            "       dlferry devices              list the devices: code, name, who may use an address\n"
                            "       dlferry --version | --help\n";

static int fail(const char *path, const char *message) {
  fprintf(stderr, "dlferry: %s: %s\n", path, message);
  return 1;
}

static int print_elements(const char *path, const dlf_tensor *t) {
  const DLTensor *dl = dlf_dltensor(t);
  const int64_t length = dlf_format(dl, dlf_flags(t), NULL, 0);
  char *text = malloc((size_t)length + 1);
  if (!text) return fail(path, "no memory for the text");
  dlf_format(dl, dlf_flags(t), text, length + 1);
  puts(text);
  free(text);
  return 0;
}

static int inspect(const char *path) {
  char text[4096]; /* 64 extents and strides of 20 digits fit */
  dlf_error error;
  dlf_tensor *t;
  if (dlf_npy_open(path, &t, &error)) return fail(path, error.message);
  dlf_describe_json(t, text, sizeof text);
  puts(text);
  const int failed = print_elements(path, t);
  dlf_release(t);
  return failed;
}

/* Every code of the header, in the widths that people's arrays have. */
static const char *const dtypes[] = {"int1",           "int2",
                                     "int4",           "int8",
                                     "int16",          "int32",
                                     "int64",          "uint1",
                                     "uint2",          "uint4",
                                     "uint8",          "uint16",
                                     "uint32",         "uint64",
                                     "float16",        "float32",
                                     "float64",        "opaque_handle64",
                                     "bfloat16",       "complex32",
                                     "complex64",      "complex128",
                                     "bool",           "float8_e3m4",
                                     "float8_e4m3",    "float8_e4m3b11fnuz",
                                     "float8_e4m3fn",  "float8_e4m3fnuz",
                                     "float8_e5m2",    "float8_e5m2fnuz",
                                     "float8_e8m0fnu", "float6_e2m3fn",
                                     "float6_e3m2fn",  "float4_e2m1fn",
                                     "bcomplex32"};

static void list_dtypes(void) {
  char brief[DLF_NAME_CAPACITY];
  printf("%4s %4s  %-20s %s\n", "code", "bits", "name", "short");
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
    DLDataType dtype;
    if (dlf_dtype_parse(dtypes[i], &dtype, NULL)) continue;
    dlf_dtype_format_short(dtype, brief, sizeof brief);
    printf("%4d %4d  %-20s %s\n", dtype.code, dtype.bits, dtypes[i], brief);
  }
}

static void list_devices(void) {
  char name[DLF_NAME_CAPACITY];
  printf("%4s  %-16s %s\n", "code", "name", "address used by");
  for (int type = 0; type < 64; type++) {
    const DLDevice device = {(DLDeviceType)type, 0};
    dlf_device_format(device, name, sizeof name);
    if (strncmp(name, "device(", 7) == 0) continue;
    printf("%4d  %-16s %s\n", type, name, dlf_is_cpu_accessible(device) ? "the processor" : "the device");
  }
}

int main(int count, char **words) {
  const char *word = count > 1 ? words[1] : "";
  int failed = 0;
  if (strcmp(word, "inspect") == 0 && count > 2) {
    for (int i = 2; i < count; i++) failed |= inspect(words[i]);
    return failed;
  }
  if (count == 2 && strcmp(word, "dtypes") == 0) return list_dtypes(), 0;
  if (count == 2 && strcmp(word, "devices") == 0) return list_devices(), 0;
  if (count == 2 && strcmp(word, "--version") == 0)
    return printf("dlferry %s, DLPack %d.%d\n", dlf_version(), DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR), 0;
  if (count == 2 && strcmp(word, "--help") == 0) return fputs(usage, stdout), 0;
  fputs(usage, stderr);
  return 2;
}
