/* SPDX-License-Identifier: Apache-2.0 */
/* Close a library while its tensors are alive, then release them: host PLUGIN LIBDLFERRY
 * UNLOADABLE.
 *
 * The host itself has no dlferry in it, so that nothing but the library's own flag keeps it in
 * memory. */
#include <dlfcn.h>
#include <dlferry.h>
#include <stdio.h>
#include <string.h>

static void *symbol(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (!found) {
    fprintf(stderr, "%s\n", dlerror());
  }
  return found;
}

static void *open_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
  }
  return library;
}

static int is_loaded(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (library) {
    dlclose(library);
  }
  return library != NULL;
}

static int fail(const char *what) {
  return fprintf(stderr, "FAILED: %s\n", what), 1;
}

#define CALL(type, library, name) ((type)symbol(library, name))

static int close_plugin(const char *path) {
  void *library = open_library(path);
  if (!library) {
    return 1;
  }
  int released = 0;
  DLManagedTensorVersioned *wrapped =
      CALL(DLManagedTensorVersioned * (*)(int *), library, "plugin_wrap")(&released);
  DLManagedTensorVersioned *created =
      CALL(DLManagedTensorVersioned * (*)(void), library, "plugin_create")();
  DLManagedTensor *legacy = CALL(DLManagedTensor * (*)(void), library, "plugin_create_legacy")();
  int64_t (*live)(void) = CALL(int64_t (*)(void), library, "plugin_live");
  if (!wrapped || !created || !legacy) {
    return fail("the plugin made no tensors");
  }
  if (dlclose(library)) {
    return fail(dlerror());
  }
  if (!is_loaded(path)) {
    return fail("the plugin went away under its tensors");
  }
  if (((float *)wrapped->dl_tensor.data)[5] != 5) {
    return fail("the wrapped elements changed");
  }
  wrapped->deleter(wrapped);
  created->deleter(created);
  legacy->deleter(legacy);
  if (released != 1) {
    return fail("expected one release");
  }
  return live() ? fail("tensors are left") : 0;
}

static int close_dlferry(const char *path) {
  static const int64_t shape[] = {4};
  void *library = open_library(path);
  if (!library) {
    return 1;
  }
  dlf_tensor *t;
  DLManagedTensorVersioned *out;
  if (CALL(dlf_status (*)(
               DLDataType, int32_t, const int64_t *, DLDevice, dlf_tensor **, dlf_error *),
           library,
           "dlf_create")((DLDataType){kDLInt, 8, 1}, 1, shape, (DLDevice){kDLCPU, 0}, &t, NULL) ||
      CALL(dlf_status (*)(dlf_tensor *, DLManagedTensorVersioned **, dlf_error *),
           library,
           "dlf_to_dlpack")(t, &out, NULL)) {
    return fail("no tensor");
  }
  CALL(void (*)(dlf_tensor *), library, "dlf_release")(t);
  int64_t (*live)(void) = CALL(int64_t (*)(void), library, "dlf_live");
  if (dlclose(library)) {
    return fail(dlerror());
  }
  if (!is_loaded(path)) {
    return fail("libdlferry.so went away under a tensor");
  }
  out->deleter(out);
  return live() ? fail("a tensor is left") : 0;
}

int main(int count, char **words) {
  if (count != 4) {
    return fail("usage: host PLUGIN LIBDLFERRY UNLOADABLE");
  }
  if (close_plugin(words[1]) || close_dlferry(words[2])) {
    return 1;
  }
  /* Without the flag a library does go, so the above proves something. */
  void *library = open_library(words[3]);
  if (!library) {
    return 1;
  }
  dlclose(library);
  if (is_loaded(words[3])) {
    return fail("even a library without the flag stays");
  }
  puts("released after dlclose");
  return 0;
}
