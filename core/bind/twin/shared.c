/* SPDX-License-Identifier: Apache-2.0 */
/* What all twins in a NAME_dlferry.c call. */
#include "argument.h"
#include "bind/emit/query.h"
#include "checked.h"

/* Compiled at first need and kept for the life of the process; of two threads that race one throws its work away. */
static const char checked_shared_code[] =
    "typedef struct dlferry_once {\n"
    "  const char *text, *function;\n"
    "  const dlf_parameter *parameters;\n"
    "  int32_t count;\n"
    "  _Atomic(dlf_contract *) compiled;\n"
    "} dlferry_once;\n"
    "\n"
    "DLFERRY_HELPER dlf_status dlferry_compile(dlferry_once *once, const dlf_contract **out, dlf_error *error) {\n"
    "  dlf_contract *found = atomic_load_explicit(&once->compiled, memory_order_acquire), *made = NULL;\n"
    "  if (!found) {\n"
    "    dlf_status status = dlferry_accept_core(error);\n"
    "    if (!status)\n"
    "      status = dlf_contract_compile(once->text, once->function, once->parameters, once->count, &made, error);\n"
    "    if (status) return status;\n"
    "    if (atomic_compare_exchange_strong(&once->compiled, &found, made)) found = made;\n"
    "    else dlf_contract_free(made);\n"
    "  }\n"
    "  *out = found;\n"
    "  return DLF_OK;\n"
    "}\n"
    "\n"
    "/* The verdict and its text, once the fast check has said no. */\n"
    "DLFERRY_HELPER dlf_status dlferry_match(dlferry_once *once, const dlf_value *values, dlf_error *error) {\n"
    "  const dlf_contract *contract;\n"
    "  const dlf_status status = dlferry_compile(once, &contract, error);\n"
    "  return status ? status : dlf_contract_match(contract, values, error);\n"
    "}\n"
    "\n"
    "/* An enum argument that is none of the enum's values. */\n"
    "DLFERRY_HELPER dlf_status dlferry_not_in(const char *name, long long value, const char *wanted,\n"
    "                                        dlf_status status, dlf_error *error) "
    "{\n"
    "  char message[512];\n"
    "  snprintf(message, sizeof message, \"" ARGUMENT_NOT_IN "\", name, value, wanted);\n"
    "  return dlf_error_set(error, status, message);\n"
    "}\n"
    "\n"
    "/* Kernels never see NULL strides: NULL means row-major (DLPack before 1.2). */\n"
    "typedef struct dlferry_strided_copy {\n"
    "  DLTensor tensor;\n"
    "  int64_t strides[DLF_MAX_NDIM];\n"
    "} dlferry_strided_copy;\n"
    "\n"
    "DLFERRY_HELPER const DLTensor *dlferry_with_strides(const DLTensor *tensor, dlferry_strided_copy *copy) {\n"
    "  if (!tensor || tensor->strides || tensor->ndim == 0) return tensor;\n"
    "  copy->tensor = *tensor;\n"
    "  copy->tensor.strides = copy->strides;\n"
    "  dlf_compact_strides(tensor->ndim, tensor->shape, DLF_ROW_MAJOR, copy->strides, NULL);\n"
    "  return &copy->tensor;\n"
    "}\n"
    "\n"
    "/* A kernel's own failure: its text behind the function's name, else what it returned, by name where text gives "
    "one. */\n"
    "DLFERRY_HELPER dlf_status dlferry_failed(const char *name, long long code, const char *text, dlf_status status,\n"
    "                                        const dlf_error *own, dlf_error *error) {\n"
    "  char message[sizeof error->message + 256];\n"
    "  const size_t size = strlen(name);\n"
    "  if (own && own->status > DLF_OK && own->status <= DLF_UNSUPPORTED) status = (dlf_status)own->status;\n"
    "  if (own && strncmp(own->message, name, size) == 0 && own->message[size] == ':')\n"
    "    return dlf_error_set(error, status, own->message);\n"
    "  if (own && own->message[0]) snprintf(message, sizeof message, \"%s: %s\", name, own->message);\n"
    "  else if (text) snprintf(message, sizeof message, \"%s: kernel returned %lld (%s)\", name, code, text);\n"
    "  else snprintf(message, sizeof message, \"%s: kernel returned %lld\", name, code);\n"
    "  return dlf_error_set(error, status, message);\n"
    "}\n";

static const char checked_made_code[] =
    "/* An output as the interpreter makes it, and the text where it cannot. */\n"
    "DLFERRY_HELPER dlf_status dlferry_create(dlferry_once *once, const dlf_value *values, int32_t which,\n"
    "                                        DLManagedTensorVersioned **out, dlf_error *error) {\n"
    "  const dlf_contract *contract;\n"
    "  dlf_tensor *made = NULL;\n"
    "  dlf_status status = dlferry_compile(once, &contract, error);\n"
    "  if (!status) status = dlf_contract_create(contract, values, which, &made, error);\n"
    "  if (!status) status = dlf_to_dlpack(made, out, error);\n"
    "  dlf_release(made);\n"
    "  return status;\n"
    "}\n";

/* Reads before the outputs are looked at, since a hook computes what they must be. */
static const char checked_hook_code[] =
    "DLFERRY_HELPER dlf_status dlferry_match_inputs(dlferry_once *once, const dlf_value *values, dlf_error *error) {\n"
    "  const dlf_contract *contract;\n"
    "  const dlf_status status = dlferry_compile(once, &contract, error);\n"
    "  return status ? status : dlf_contract_match_inputs(contract, values, error);\n"
    "}\n";

/* Kernels get pointers, and never NULL strides. */
static const char checked_list_code[] =
    "typedef struct dlferry_list {\n"
    "  const DLTensor **tensors, *few[8];\n"
    "  dlferry_strided_copy *copies;\n"
    "} dlferry_list;\n"
    "\n"
    "DLFERRY_HELPER dlf_status dlferry_list_open(const char *name, const dlf_arg *args, int64_t count, dlferry_list "
    "*out,\n"
    "                                          dlf_error *error) {\n"
    "  int64_t bare = 0, at = 0;\n"
    "  for (int64_t i = 0; i < count; i++) bare += args[i].tensor->ndim > 0 && !args[i].tensor->strides;\n"
    "  out->tensors = out->few;\n"
    "  out->copies = NULL;\n"
    "  if (count > 8) out->tensors = (const DLTensor **)calloc((size_t)count, sizeof *out->tensors);\n"
    "  if (bare && out->tensors) out->copies = (dlferry_strided_copy *)calloc((size_t)bare, sizeof *out->copies);\n"
    "  if (!out->tensors || (bare && !out->copies)) {\n"
    "    if (count > 8) free(out->tensors);\n"
    "    out->tensors = out->few;\n"
    "    return dlf_error_set(error, DLF_NO_MEMORY, name);\n"
    "  }\n"
    "  for (int64_t i = 0; i < count; i++) {\n"
    "    const bool is_bare = args[i].tensor->ndim > 0 && !args[i].tensor->strides;\n"
    "    out->tensors[i] = is_bare ? dlferry_with_strides(args[i].tensor, &out->copies[at++]) : args[i].tensor;\n"
    "  }\n"
    "  return DLF_OK;\n"
    "}\n"
    "\n"
    "DLFERRY_HELPER void dlferry_list_close(dlferry_list *list) {\n"
    "  if (list->tensors != list->few) free(list->tensors);\n"
    "  free(list->copies);\n"
    "}\n";

/* Of another major version only the deleter may be touched, and that the caller of this does. */
static const char checked_given_code[] =
    "DLFERRY_HELPER dlf_status dlferry_accept_given(const char *name, const DLManagedTensorVersioned *given, dlf_arg "
    "*out,\n"
    "                                             dlf_error *error) {\n"
    "  char message[256];\n"
    "  if (!given) {\n"
    "    snprintf(message, sizeof message, \"%s: kernel gave no tensor\", name);\n"
    "    return dlf_error_set(error, DLF_FOREIGN, message);\n"
    "  }\n"
    "  if (given->version.major != DLF_DLPACK_MAJOR) {\n"
    "    snprintf(message, sizeof message, \"%s: kernel gave a tensor of DLPack %u, expected %d\", name,\n"
    "             (unsigned)given->version.major, DLF_DLPACK_MAJOR);\n"
    "    return dlf_error_set(error, DLF_VERSION, message);\n"
    "  }\n"
    "  *out = (dlf_arg){&given->dl_tensor, given->flags & ~DLF_FLAGS_UNKNOWN};\n"
    "  return DLF_OK;\n"
    "}\n";

static void checked_put_accept_core(bind_text *c, const bind_ir *ir) {
  bind_line(c, "/* The core that is linked may be older than the header that this was compiled with. */");
  bind_open(c, "DLFERRY_HELPER dlf_status dlferry_accept_core(dlf_error *error) {");
  bind_line(c, "const char *version = dlf_version();");
  bind_line(c, "int major = 0, minor = 0;");
  bind_line(c, "char message[160];");
  bind_line(c, "if (sscanf(version, \"%%d.%%d\", &major, &minor) == 2 && major == %d && minor >= %d) return DLF_OK;",
            DLF_VERSION_MAJOR, DLF_VERSION_MINOR);
  bind_line(c, "snprintf(message, sizeof message, \"%s: made by dlferry-bind %s, got dlferry %%.32s\", version);",
            ir->name, ir->version);
  bind_line(c, "return dlf_error_set(error, DLF_VERSION, message);");
  bind_close(c, "}\n");
}

static bool checked_any(const bind_ir *ir, bind_kind kind) {
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    for (int i = 0; i < f->param_count; i++)
      if (f->params[i].type.kind == kind) return true;
  return false;
}

void bind_put_checked_helpers(bind_text *c, const bind_ir *ir) {
  bool hooks = false, makes = false;
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    hooks |= f->hook_count > 0;
    makes |= f->new_name != NULL;
  }
  bind_line(c, "#include <stdatomic.h>\n#include <stdio.h>%s\n#include <string.h>\n",
            checked_any(ir, BIND_LIST) ? "\n#include <stdlib.h>" : "");
  bind_line(c, "#if defined(__GNUC__)\n#define DLFERRY_HELPER static inline __attribute__((unused))");
  bind_line(c, "#define DLFERRY_INLINE static inline __attribute__((always_inline))\n#else");
  bind_line(c, "#define DLFERRY_HELPER static inline\n#define DLFERRY_INLINE static inline\n#endif\n");
  checked_put_accept_core(c, ir);
  bind_line(c, "%s", checked_shared_code);
  if (makes) bind_line(c, "%s", checked_made_code);
  if (hooks) bind_line(c, "%s", checked_hook_code);
  if (checked_any(ir, BIND_LIST)) bind_line(c, "%s", checked_list_code);
  if (checked_any(ir, BIND_GIVEN)) bind_line(c, "%s", checked_given_code);
}
