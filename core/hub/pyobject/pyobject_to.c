/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor as a Python object: of a framework, or of the hub's own type. */
#include "pyobject.h"

/* ---- objects of a framework ---- */

static dlf_status export_by_table(dlf__py_stay *stay, const DLPackExchangeAPI *api,
                                  dlf_tensor *self, void *like, void **out, dlf_error *error) {
  const dlf_status status = dlf_exchange_export(api, self, out, error);
  if (status && dlf__py.Err_Occurred()) {
    return dlf__py_raised(stay, "to_python", "a consumer of the tensor", like, error);
  }
  return status;
}

/* `like`, or a class or module that belongs to it, with from_dlpack; or NULL. */
static void *consumer_of(void *like) {
  void *found = dlf__py_attribute(like, "from_dlpack");
  if (found) {
    return found;
  }
  void *space = dlf__py_ask(like, "__array_namespace__");
  dlf__py.Err_Clear();
  found = dlf__py_attribute(space, "from_dlpack");
  dlf__py_drop(space);
  return found;
}

static dlf_status export_by_function(dlf__py_stay *stay, dlf_tensor *self, void *like, void **out,
                                     dlf_error *error) {
  char kind[80];
  void *function = NULL;
  if (like) {
    function = consumer_of(like);
  }
  if (like && !function) {
    return dlf__fail(
        error,
        DLF_INVALID,
        "to_python: expected a type with an exchange table, or an object with from_dlpack, got %s",
        dlf__py_kind(like, kind, sizeof kind));
  }
  void *object = dlf__py_share(self);
  if (object && function) {
    *out = dlf__py.Object_CallFunctionObjArgs(function, object, NULL);
  } else {
    *out = object;
  }
  if (function) {
    dlf__py_drop(object);
  }
  dlf__py_drop(function);
  if (*out) {
    return DLF_OK;
  }
  return dlf__py_raised(
      stay, "to_python", "a consumer of the tensor", like ? like : dlf__py.none, error);
}

/* Whether a write to the array, made of self, would reach the memory of self. A library without
 * read-only arrays drops the flag; what it exports tells. */
static bool writes_through(dlf_tensor *self, void *array) {
  if (dlf__is_empty(dlf_dltensor(self))) {
    return false; /* there is nothing to write */
  }
  void *type = dlf__py.Object_Type(array);
  const DLPackExchangeAPI *api = dlf__py_table(type);
  dlf__py_drop(type);
  dlf_tensor *again = NULL;
  dlf_status status;
  if (api) {
    status = dlf_exchange_import(api, array, &again, NULL);
  } else {
    status = dlf_from_python(array, NULL, &again, NULL);
  }
  if (status) {
    dlf__py.Err_Clear();
    return api != NULL; /* as far as we know; NumPy before 2.1 exports no read-only array */
  }
  const bool is_shared = dlf_data(dlf_dltensor(again)) == dlf_data(dlf_dltensor(self));
  const bool is_writable = !(dlf_flags(again) & DLPACK_FLAG_BITMASK_READ_ONLY);
  dlf_release(again);
  return is_shared && is_writable;
}

static dlf_status refuse_writable(void **out, dlf_error *error) {
  char kind[80];
  dlf__py_kind(*out, kind, sizeof kind);
  dlf__py_drop(*out);
  *out = NULL;
  return dlf__fail(error,
                   DLF_READ_ONLY,
                   "to_python: expected writable data for %s, which has no read-only arrays, got "
                   "read-only; pass a copy",
                   kind);
}

dlf_status dlf_to_python(dlf_tensor *self, void *like, bool keep_exception, void **out,
                         dlf_error *error) {
  dlf__py_stay stay;
  if (!out) {
    return dlf__no_place("to_python", error);
  }
  *out = NULL;
  if (!self) {
    return dlf__no_tensor("to_python", error);
  }
  /* The library may not know that it must heed them. */
  dlf_status status = like ? dlf__check_flags("to_python", dlf_flags(self), error) : DLF_OK;
  if (status) {
    return status;
  }
  status = dlf__py_begin("to_python", keep_exception, &stay, error);
  if (status) {
    return status;
  }
  void *type = NULL;
  const DLPackExchangeAPI *api = NULL;
  if (like) {
    type = dlf__py.Object_Type(like);
    api = dlf__py_table(like);
  }
  if (like && !api) {
    api = dlf__py_table(type);
  }
  dlf__py_drop(type);
  if (api) {
    status = export_by_table(&stay, api, self, like, out, error);
  } else {
    status = export_by_function(&stay, self, like, out, error);
  }
  const bool is_read_only = dlf_flags(self) & DLPACK_FLAG_BITMASK_READ_ONLY;
  if (!status && like && is_read_only && writes_through(self, *out)) {
    status = refuse_writable(out, error);
  }
  dlf__py_end(&stay);
  return status;
}
