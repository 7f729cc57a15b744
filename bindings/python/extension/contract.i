/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts. The class Contract, in Python, calls these with tuples in the order of the parameters. */

%typemap(in) const char *text, const char *function {
  const char *word;
  if (!dlfpy_string("Contract: $1_name", $input, &word)) SWIG_fail;
  $1 = (char *)(uintptr_t)word;
}
%typemap(freearg) const char *text, const char *function "";

/* arg2: the function's name. The parameters are a pair of tuples: names and kinds. */
%typemap(arginit) (const dlf_parameter *parameters, int32_t count, int64_t parameter_size) { begun$argnum = NULL; }
%typemap(in) (const dlf_parameter *parameters, int32_t count, int64_t parameter_size) (hub_contract *begun) {
  PyObject *names, *kinds;
  if (!PyArg_ParseTuple($input, "OO", &names, &kinds)) SWIG_fail;
  begun = hub_contract_begin(arg2, names, kinds);
  if (!begun) SWIG_fail;
  $1 = begun->parameters;
  $2 = begun->count;
  $3 = sizeof(dlf_parameter);
}
%typemap(freearg) (const dlf_parameter *parameters, int32_t count, int64_t parameter_size) {
  hub_contract_free(begun$argnum);
}
%typemap(in, numinputs=0) dlf_contract **out (dlf_contract *made) { $1 = &made; }
%typemap(argout) dlf_contract **out {
  if (!result) {
    SWIG_Py_DECREF($result);
    $result = hub_contract_new(begun3, *$1);
    begun3 = NULL;
    if (!$result) SWIG_fail;
  }
}

%typemap(in) const dlf_contract *contract (const hub_contract *known) {
  known = hub_contract_of($input);
  if (!known) SWIG_fail;
  $1 = known->compiled;
}
/* A pair of tuples: one argument for each parameter, and the results of hooks. */
%typemap(arginit) (const dlf_value *arguments, int64_t value_size) { memset(&given$argnum, 0, sizeof given$argnum); }
%typemap(in) (const dlf_value *arguments, int64_t value_size) (hub_arguments given) {
  PyObject *all, *hooks;
  if (!PyArg_ParseTuple($input, "OO", &all, &hooks) || !hub_read_arguments(known1, all, hooks, &given)) SWIG_fail;
  $1 = given.values;
  $2 = sizeof(dlf_value);
}
%typemap(freearg) (const dlf_value *arguments, int64_t value_size) { hub_end_arguments(&given$argnum); }
%typemap(in, numinputs=0) dlf_prototype *out (dlf_prototype described = DLF_PROTOTYPE_INIT) { $1 = &described; }
%typemap(argout) dlf_prototype *out {
  if (!result) {
    SWIG_Py_DECREF($result);
    $result = hub_prototype($1);
    if (!$result) SWIG_fail;
  }
}

dlf_status dlf_contract_compile(const char *text, const char *function, const dlf_parameter *parameters, int32_t count,
                                int64_t parameter_size, dlf_contract **out, dlf_error *error);
dlf_status dlf_contract_match(const dlf_contract *contract, const dlf_value *arguments, int64_t value_size,
                              dlf_error *error);
dlf_status dlf_contract_match_inputs(const dlf_contract *contract, const dlf_value *arguments, int64_t value_size,
                                     dlf_error *error);
dlf_status dlf_contract_infer(const dlf_contract *contract, const dlf_value *arguments, int64_t value_size,
                              int32_t which, dlf_prototype *out, dlf_error *error);
dlf_status dlf_contract_create(const dlf_contract *contract, const dlf_value *arguments, int64_t value_size,
                               int32_t which, dlf_tensor **out, dlf_error *error);

%typemap(in) const hub_contract *known {
  $1 = (hub_contract *)(uintptr_t)hub_contract_of($input);
  if (!$1) SWIG_fail;
}
%{
#define dlf_contract_format(known, which) hub_contract_text(known, which)
%}
PyObject *dlf_contract_format(const hub_contract *known, int32_t which);
