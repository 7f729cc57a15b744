/* SPDX-License-Identifier: Apache-2.0 */
/* How the hub reaches Python: its functions, the GIL, exceptions, and the exchange tables of types.
 */
#include "pyobject.h"

dlf__py_functions dlf__py;
static atomic_bool python_is_known;
static atomic_flag finding_python = ATOMIC_FLAG_INIT;

#define PYTHON_NAME(result, name, parameters) {"Py" #name, offsetof(dlf__py_functions, name)},
static const dlf__library_function python_names[] = {
    DLF__PY_FUNCTIONS(PYTHON_NAME){"_Py_NoneStruct", offsetof(dlf__py_functions, none)}};

/* ---- Python's functions ---- */

/* A library that has them stays loaded. */
static dlf_status find_python(const char *library, dlf_error *error) {
  void *loaded;
  dlf__py_functions found;
  dlf_status status =
      dlf__open_library("python_enable", "Python's library", library, &loaded, error);
  if (status) {
    return status;
  }
  const char *missing =
      dlf__find_functions(loaded, python_names, sizeof python_names / sizeof *python_names, &found);
  if (missing) {
    status =
        dlf__fail(error,
                  DLF_UNSUPPORTED,
                  "python_enable: expected a process with Python's functions, got one without %s",
                  missing);
  } else {
    dlf__py = found;
  }
  if (status || !library) {
    dlf__close_library(loaded);
  }
  return status;
}

dlf_status dlf_python_enable(const char *library, dlf_error *error) {
  if (atomic_load_explicit(&python_is_known, memory_order_acquire)) {
    return DLF_OK;
  }
  while (atomic_flag_test_and_set_explicit(&finding_python, memory_order_acquire)) {
    dlf__yield();
  }
  dlf_status status = DLF_OK;
  if (!atomic_load_explicit(&python_is_known, memory_order_relaxed)) {
    status = find_python(library, error);
    if (!status) {
      atomic_store_explicit(&python_is_known, true, memory_order_release);
    }
  }
  atomic_flag_clear_explicit(&finding_python, memory_order_release);
  return status;
}

/* ---- the GIL ---- */

void dlf__py_set_aside(void *flight[3]) {
  flight[0] = flight[1] = flight[2] = NULL;
  if (dlf__py.Err_Occurred()) {
    dlf__py.Err_Fetch(&flight[0], &flight[1], &flight[2]);
  }
}

void dlf__py_put_back(void *flight[3]) {
  if (flight[0]) {
    dlf__py.Err_Restore(flight[0], flight[1], flight[2]);
  }
}

dlf_status dlf__py_begin(const char *name, bool keep_exception, dlf__py_stay *stay,
                         dlf_error *error) {
  const dlf_status status = dlf_python_enable(NULL, error);
  if (status) {
    return status;
  }
  if (!dlf__py._IsInitialized()) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "%s: expected a running Python, got one that is not initialized",
                     name);
  }
  stay->keep = keep_exception;
  stay->state = dlf__py.GILState_Ensure();
  dlf__py_set_aside(stay->flight);
  return DLF_OK;
}

void dlf__py_end(dlf__py_stay *stay) {
  dlf__py_put_back(stay->flight);
  dlf__py.GILState_Release(stay->state);
}

/* ---- objects ---- */

void dlf__py_drop(void *x) {
  if (x) {
    dlf__py._DecRef(x);
  }
}

void *dlf__py_attribute(void *x, const char *name) {
  if (!x) {
    return NULL;
  }
  void *found = dlf__py.Object_GetAttrString(x, name);
  if (!found) {
    dlf__py.Err_Clear();
  }
  return found;
}

void *dlf__py_ask(void *x, const char *name) {
  void *method = dlf__py_attribute(x, name);
  void *answer = NULL;
  if (method) {
    answer = dlf__py.Object_CallFunctionObjArgs(method, NULL);
  }
  dlf__py_drop(method);
  return answer;
}

bool dlf__py_is(void *x, const char *name) {
  void *found = dlf__py_attribute(x, name); /* a property, or a method */
  void *method = dlf__py_attribute(found, "__call__");
  if (method) {
    dlf__py_drop(found);
    found = dlf__py.Object_CallFunctionObjArgs(method, NULL);
  }
  const bool is = found && dlf__py.Object_IsTrue(found) == 1;
  dlf__py.Err_Clear();
  dlf__py_drop(method);
  dlf__py_drop(found);
  return is;
}

void dlf__py_line(void *x, char *buffer, size_t size) {
  void *said = NULL;
  if (x) {
    said = dlf__py.Object_Str(x);
  }
  void *bytes = NULL;
  if (said) {
    bytes = dlf__py.Unicode_AsUTF8String(said);
  }
  const char *text = NULL;
  if (bytes) {
    text = dlf__py.Bytes_AsString(bytes);
  }
  dlf__text line = dlf__text_in(buffer, (int64_t)size);
  if (text) {
    dlf__put(&line, "%.*s", (int)strcspn(text, "\r\n"), text);
  }
  dlf__text_finish(&line);
  dlf__py.Err_Clear();
  dlf__py_drop(bytes);
  dlf__py_drop(said);
}

static void copy_name(void *type, char *buffer, size_t size) {
  void *name = dlf__py_attribute(type, "__name__");
  dlf__py_line(name, buffer, size);
  dlf__py_drop(name);
}

const char *dlf__py_kind(void *x, char *buffer, size_t size) {
  void *type = dlf__py.Object_Type(x);
  copy_name(type, buffer, size);
  dlf__py_drop(type);
  if (x == dlf__py.none) {
    return "None";
  }
  return buffer;
}

dlf_status dlf__py_raised(dlf__py_stay *stay, const char *name, const char *wanted, void *x,
                          dlf_error *error) {
  char kind[80], exception[80], text[200];
  void *flight[3];
  dlf__py.Err_Fetch(&flight[0], &flight[1], &flight[2]);
  dlf__py.Err_NormalizeException(&flight[0], &flight[1], &flight[2]);
  copy_name(flight[0], exception, sizeof exception);
  dlf__py_line(flight[1], text, sizeof text);
  if (stay->keep) { /* in place of one that was in flight before */
    void *before[3];
    memcpy(before, stay->flight, sizeof before);
    memcpy(stay->flight, flight, sizeof flight);
    memcpy(flight, before, sizeof flight);
  }
  for (int i = 0; i < 3 && flight[0]; i++) {
    dlf__py_drop(flight[i]);
  }
  return dlf__fail(error,
                   DLF_FOREIGN,
                   "%s: expected %s, got %s, which raised %s%s%s",
                   name,
                   wanted,
                   dlf__py_kind(x, kind, sizeof kind),
                   exception,
                   text[0] ? ": " : "",
                   text);
}

void *dlf__py_integers(const int64_t *values, int32_t count) {
  void *tuple = dlf__py.Tuple_New(count);
  for (int32_t i = 0; tuple && i < count; i++) {
    void *number = dlf__py.Long_FromLongLong(values[i]);
    if (!number || dlf__py.Tuple_SetItem(tuple, i, number)) {
      dlf__py_drop(tuple);
      return NULL;
    }
  }
  return tuple;
}

void *dlf__py_pair(long a, long b) {
  return dlf__py_integers((const int64_t[]){a, b}, 2);
}

void dlf__py_read_pair(void *pair, long long numbers[2]) {
  /* A third item is one too many: a producer's iterator may be endless. */
  void *iterator = dlf__py.Object_GetIter(pair);
  void *items[3] = {NULL, NULL, NULL};
  for (int i = 0; iterator && i < 3 && (i == 0 || items[i - 1]); i++) {
    items[i] = dlf__py.Iter_Next(iterator);
  }
  const bool is_pair = items[1] && !items[2] && !dlf__py.Err_Occurred();
  for (int i = 0; i < 2; i++) {
    numbers[i] = -1;
    if (!is_pair) {
      continue;
    }
    void *value = dlf__py_attribute(items[i], "value"); /* of a member of a plain enum */
    if (i == 1 && items[i] == dlf__py.none) {
      numbers[i] = 0; /* Paddle's device is (1, None) */
    } else {
      numbers[i] = dlf__py.Long_AsLongLong(value ? value : items[i]);
    }
    dlf__py_drop(value);
  }
  dlf__py.Err_Clear();
  for (int i = 0; i < 3; i++) {
    dlf__py_drop(items[i]);
  }
  dlf__py_drop(iterator);
}

/* ---- exchange tables ---- */

/* What the class itself has; a new reference, or NULL. */
static void *own_attribute(void *names, const char *name) {
  void *found = dlf__py.Mapping_GetItemString(names, name);
  if (!found) {
    dlf__py.Err_Clear();
  }
  return found;
}

static bool has_own(void *names, const char *name) {
  void *found = own_attribute(names, name);
  dlf__py_drop(found);
  return found != NULL;
}

/* A table may be a capsule (torch) or a plain address (older producers), under either name of the
 * attribute. */
static const DLPackExchangeAPI *own_table(void *names) {
  static const char *const either[] = {DLF_EXCHANGE_ATTRIBUTE, DLF_EXCHANGE_ATTRIBUTE_OLD};
  const DLPackExchangeAPI *api = NULL;
  for (int i = 0; i < 2 && !api; i++) {
    void *attribute = own_attribute(names, either[i]);
    void *table = NULL;
    if (!attribute) {
      continue;
    }
    if (dlf__py.Capsule_IsValid(attribute, DLF_EXCHANGE_CAPSULE)) {
      table = dlf__py.Capsule_GetPointer(attribute, DLF_EXCHANGE_CAPSULE);
    } else {
      table = dlf__py.Long_AsVoidPtr(attribute);
    }
    dlf__py.Err_Clear(); /* neither, or a number that is not an address */
    dlf__py_drop(attribute);
    if (table && dlf_exchange_find(table, &api, NULL)) {
      api = NULL;
    }
  }
  return api;
}

/* A subclass with its own __dlpack__ interprets its data differently from the base whose table it
 * inherits. */
const DLPackExchangeAPI *dlf__py_table(void *type) {
  const DLPackExchangeAPI *api = NULL;
  void *mro = dlf__py_attribute(type, "__mro__");
  ptrdiff_t count = 0;
  if (mro) {
    count = dlf__py.Tuple_Size(mro);
  }
  bool changed = false;
  for (ptrdiff_t i = 0; i < count && !api && !changed; i++) {
    void *names = dlf__py_attribute(dlf__py.Tuple_GetItem(mro, i), "__dict__");
    if (!names) {
      continue;
    }
    api = own_table(names);
    changed = !api && (has_own(names, "__dlpack__") || has_own(names, "__dlpack_device__"));
    dlf__py_drop(names);
  }
  dlf__py.Err_Clear();
  dlf__py_drop(mro);
  return api;
}
