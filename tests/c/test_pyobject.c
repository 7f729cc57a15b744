/* SPDX-License-Identifier: Apache-2.0 */
/* Python objects without a Python; bindings/go/tests/python and bindings/julia/test run one. */
#include "system.h"
#include "test.h"

#include "hub/platform.h"

static void test_pyobject__needs_python(void) {
  const char *without =
      "python_enable: expected a process with Python's functions, got one without "
      "Py_IsInitialized";
  if (!dlf__can_load()) {
    without = "python_enable: expected a program with dlopen, got one without libdl";
  }
  dlf_tensor *t = NULL, *found;
  void *object;
  int any;
  EXPECT_INT(dlf_create(f32, 1, LIST(2), cpu, &t, NULL), DLF_OK);
  EXPECT_FAILS(dlf_python_enable(NULL, &error), DLF_UNSUPPORTED, without);
  EXPECT_FAILS(dlf_from_python(&any, NULL, &found, &error), DLF_UNSUPPORTED, without);
  EXPECT(!found);
  EXPECT_FAILS(dlf_to_python(t, NULL, false, &object, &error), DLF_UNSUPPORTED, without);
  EXPECT(!object);
  dlf_release(t);
}

static void test_pyobject__needs_a_library_that_exists(void) {
  static const char foreign[] = "python_enable: expected Python's library, got: ";
  dlf_error said = {0};
  if (!system_loads()) {
    return;
  }
  EXPECT_INT(dlf_python_enable("/nowhere/libpython3.so", &said), DLF_FOREIGN);
  EXPECT(strncmp(said.message, foreign, sizeof foreign - 1) == 0);
}

static void test_pyobject__checks_arguments_first(void) {
  dlf_tensor *found;
  int any;
  EXPECT_FAILS(dlf_from_python(NULL, NULL, &found, &error),
               DLF_INVALID,
               "from_python: expected an object, got NULL");
  dlf_import_options options = DLF_IMPORT_OPTIONS_INIT;
  options.copy = 3;
  EXPECT_FAILS(dlf_from_python(&any, &options, &found, &error),
               DLF_INVALID,
               "from_python: expected a copy mode from 0 to 2, got 3");
  options.size = 24;
  EXPECT_FAILS(dlf_from_python(&any, &options, &found, &error),
               DLF_INVALID,
               "from_python: expected a size of 32 bytes or more for dlf_import_options, got 24");
}

int main(void) {
  RUN(test_pyobject__needs_python);
  RUN(test_pyobject__needs_a_library_that_exists);
  RUN(test_pyobject__checks_arguments_first);
  return test_end();
}
