/* SPDX-License-Identifier: Apache-2.0 */
/* Files. Reading and writing them takes long, so the GIL is released: arguments are owned, not borrowed. */

%typemap(in) const char *path (PyObject *encoded) {
  encoded = NULL;
  if (!PyUnicode_FSConverter($input, &encoded)) {
    PyObject *kind = PyErr_Occurred();
    if (kind == PyExc_ValueError) { /* exactly: a subclass means that the text cannot be encoded */
      PyErr_Clear();
      dlfpy_fail(DLF_INVALID, "%s: expected a text without NUL, got one", "$symname");
    }
    SWIG_fail;
  }
  $1 = PyBytes_AS_STRING(encoded);
}
%typemap(arginit) const char *path { encoded$argnum = NULL; }
%typemap(freearg) const char *path { Py_XDECREF(encoded$argnum); }

%typemap(arginit) dlf_arg x { own$argnum = NULL; }
%typemap(in) dlf_arg x (dlf_tensor *own, bool legacy) {
  own = dlfpy_import($input, "$symname", (DLDevice){(DLDeviceType)0, 0}, DLF_COPY_IF_NEEDED, &legacy);
  if (!own) SWIG_fail;
  $1 = (dlf_arg){dlf_dltensor(own), dlf_flags(own)};
}
%typemap(freearg) dlf_arg x { dlfpy_release(own$argnum); }

%typemap(in, numinputs=0) dlf_error *reason (dlf_error failure) { $1 = &failure; }
%typemap(argout) dlf_error *reason {
  if (result) {
    hub_raise_of_file(result, $1, errno);
    SWIG_Py_DECREF($result);
    SWIG_fail;
  }
}

%exception {
  errno = 0;
  Py_BEGIN_ALLOW_THREADS
  $action
  Py_END_ALLOW_THREADS
}
dlf_status dlf_npy_open(const char *path, dlf_tensor **out, dlf_error *reason);
dlf_status dlf_npy_save(dlf_arg x, const char *path, dlf_error *reason);
%exception;
