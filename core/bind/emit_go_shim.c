/* SPDX-License-Identifier: Apache-2.0 */
/* NAME_go.h: static C functions that cgo calls, each a twin's call in terms that Go can pass cheaply.
 *
 * Go memory that C is given must not point to other Go memory, so a tensor travels by value as dlferry.Flat, and becomes
 * a DLTensor on this side's stack. Whatever cgo would search for Go pointers at every call travels as a number. */
#include "emit_go.h"
#include <string.h>

const char *go_shim(const go_call *call) {
  return bind_string("%s_go_%s%s", call->ir->name, call->f->short_name, call->make ? "_new" : "");
}

const char *go_free_shim(const bind_ir *ir, const bind_handle *h) {
  return bind_string("%s_go__free_%s", ir->name, h->short_name); /* no short name begins with '_' */
}

const char *go_shim_type(const bind_type *type) {
  if (type->kind == BIND_BOOL) return "bool";
  if (type->kind == BIND_STRING) return "const char *";
  if (type->kind == BIND_HANDLE) return "uintptr_t";
  return bind_scalar_c(type->scalar);
}

bool go_gives_tensor(const bind_param *p, bool make) { return p->type.kind == BIND_GIVEN || (make && p->made); }

/* ---- what all shims share; %s is the package's name ---- */

static const char *const go_shared[] = {
    "/* dlferry.Flat. In about, from the lowest byte up, 0: absent; 1: data is a DLTensor, 56 flags; 2: data is a "
    "slice's",
    " * first element, 8 bits of ndim, 16 of flags, 32 of dtype. */",
    "typedef struct %s_go_flat {",
    "  uint8_t *data;",
    "  int64_t *shape, *strides;",
    "  uint64_t about;",
    "} %s_go_flat;",
    "",
    "/* A tensor that goes back: what dlferry.Adopt wants. */",
    "typedef struct %s_go_given {",
    "  uintptr_t tensor, view;",
    "  uint64_t flags;",
    "} %s_go_given;",
    "",
    "#if defined(__GNUC__)",
    "#define DLFERRY_GO static inline __attribute__((unused))",
    "#else",
    "#define DLFERRY_GO static inline",
    "#endif",
    "",
    "/* What dlferry.Failed takes: 0 for success, so that Go need not clear a place for an error at every call. */",
    "DLFERRY_GO uintptr_t %s_go_failed(dlf_status status, const dlf_error *error) {",
    "  dlf_error *copy = malloc(sizeof *copy);",
    "  if (!copy) return (uintptr_t)status;",
    "  *copy = *error;",
    "  copy->status = status;",
    "  return (uintptr_t)copy;",
    "}",
    "",
    "DLFERRY_GO dlf_arg %s_go_slice(const %s_go_flat *flat, DLTensor *tensor) {",
    "  const uint32_t dtype = (uint32_t)(flat->about >> 32);",
    "  tensor->data = flat->data;",
    "  tensor->device = (DLDevice){kDLCPU, 0};",
    "  tensor->ndim = (int32_t)(flat->about >> 8 & 0xff);",
    "  tensor->dtype = (DLDataType){(uint8_t)dtype, (uint8_t)(dtype >> 8), (uint16_t)(dtype >> 16)};",
    "  tensor->shape = flat->shape;",
    "  tensor->strides = flat->strides;",
    "  tensor->byte_offset = 0;",
    "  return (dlf_arg){tensor, flat->about >> 16 & 0xffff};",
    "}",
    "",
    "typedef struct %s_go_room {",
    "  DLTensor tensor;",
    "  int64_t strides[DLF_MAX_NDIM];",
    "} %s_go_room;",
    "",
    "/* Row-major strides are written here, where they cost least; Go has checked that the extents' product is small. "
    "*/",
    "DLFERRY_GO dlf_arg %s_go_arg(const %s_go_flat *flat, %s_go_room *room) {",
    "  if ((flat->about & 0xff) == 1) return (dlf_arg){(const DLTensor *)(const void *)flat->data, flat->about >> 8};",
    "  if (flat->about == 0) return (dlf_arg){NULL, 0};",
    "  const dlf_arg arg = %s_go_slice(flat, &room->tensor);",
    "  if (flat->strides) return arg;",
    "  uint64_t stride = 1;",
    "  for (int32_t i = room->tensor.ndim - 1; i >= 0; i--) {",
    "    room->strides[i] = (int64_t)stride;",
    "    stride *= flat->shape[i] > 1 ? (uint64_t)flat->shape[i] : 1;",
    "  }",
    "  room->tensor.strides = room->strides;",
    "  return arg;",
    "}",
};

static const char *const go_shared_list[] = {
    "",
    "/* A list's arguments in one piece of memory, DLTensors behind them; NULL when there is none. */",
    "DLFERRY_GO dlf_arg *%s_go_list(const %s_go_flat *flats, int64_t count) {",
    "  const size_t size = sizeof(dlf_arg) + sizeof(DLTensor), n = count > 0 ? (size_t)count : 1;",
    "  dlf_arg *args = n > SIZE_MAX / size ? NULL : malloc(n * size);",
    "  DLTensor *tensors = args ? (DLTensor *)(void *)(args + n) : NULL;",
    "  for (int64_t i = 0; args && i < count; i++) {",
    "    if ((flats[i].about & 0xff) == 1)",
    "      args[i] = (dlf_arg){(const DLTensor *)(const void *)flats[i].data, flats[i].about >> 8};",
    "    else",
    "      args[i] = %s_go_slice(&flats[i], &tensors[i]);",
    "  }",
    "  return args;",
    "}",
};

static const char *const go_shared_given[] = {
    "",
    "/* Make a handle of what a call gave; after a failure, this one or an earlier one, let go of it. */",
    "DLFERRY_GO dlf_status %s_go_take(dlf_status status, DLManagedTensorVersioned *owned, %s_go_given *out,",
    "                                 dlf_error *error) {",
    "  dlf_tensor *tensor = NULL;",
    "  if (!status) status = dlf_from_dlpack(owned, &tensor, error);",
    "  if (!tensor) dlf_dlpack_release(owned);",
    "  *out = (%s_go_given){(uintptr_t)tensor, tensor ? (uintptr_t)dlf_dltensor(tensor) : 0, tensor ? "
    "dlf_flags(tensor) : 0};",
    "  return status;",
    "}",
};

static void go_put_shared(bind_text *t, const char *const *lines, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    const char *at = lines[i];
    for (const char *next; (next = strstr(at, "%s")); at = next + 2) bind_put(t, "%.*s%s", (int)(next - at), at, name);
    bind_line(t, "%s", at);
  }
}

/* ---- one shim ---- */

static void go_put_shim_signature(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  const char *name = call->ir->name, *between = "";
  bind_put(t, "DLFERRY_GO uintptr_t %s(", go_shim(call));
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind == BIND_STREAM) continue;
    bind_put(t, "%s", between);
    between = ", ";
    if (go_gives_tensor(p, call->make))
      bind_put(t, "%s_go_given *%s", name, p->name);
    else if (p->type.kind == BIND_TENSOR)
      bind_put(t, "%s_go_flat %s", name, p->name);
    else if (p->type.kind == BIND_LIST)
      bind_put(t, "const %s_go_flat *%s, int64_t %s_count", name, p->name, p->name);
    else if (p->type.kind == BIND_ARRAY)
      bind_put(t, "const %s *%s, int64_t %s_count", go_shim_type(&p->type), p->name, p->name);
    else
      bind_put(t, "%s %s%s", go_shim_type(&p->type), p->returned ? "*" : "", p->name);
  }
  if (f->returns == BIND_RETURN_VALUE) {
    bind_put(t, "%s%s *result", between, go_shim_type(&f->result));
    between = ", ";
  }
  bind_open(t, "%s) {", *between ? "" : "void");
}

/* Places for tensors and results. */
static void go_put_shim_places(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  bind_line(t, "dlf_error dlf_failure;\ndlf_failure.message[0] = 0;");
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (go_gives_tensor(p, call->make))
      bind_line(t, "DLManagedTensorVersioned *dlf_out_%s = NULL;", p->name);
    else if (p->returned)
      bind_line(t, "%sdlf_out_%s = 0;", p->type.c, p->name);
    else if (p->type.kind == BIND_TENSOR)
      bind_line(t, "%s_go_room dlf_room_%s;", call->ir->name, p->name);
  }
  if (f->returns == BIND_RETURN_VALUE) bind_line(t, "%sdlf_result = 0;", f->result.c);
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_LIST)
      bind_line(t, "dlf_arg *dlf_list_%s = %s_go_list(%s, %s_count);", f->params[i].name, call->ir->name,
                f->params[i].name, f->params[i].name);
}

static void go_put_shim_argument(bind_text *t, const go_call *call, const bind_param *p) {
  const char *name = p->name;
  if (p->returned || go_gives_tensor(p, call->make))
    bind_put(t, "&dlf_out_%s, ", name);
  else if (p->type.kind == BIND_TENSOR)
    bind_put(t, "%s_go_arg(&%s, &dlf_room_%s), ", call->ir->name, name, name);
  else if (p->type.kind == BIND_LIST)
    bind_put(t, "dlf_list_%s, %s_count, ", name, name);
  else if (p->type.kind == BIND_ARRAY)
    bind_put(t, "%s, %s_count, ", name, name);
  else if (p->type.kind == BIND_ENUM)
    bind_put(t, "(%s)%s, ", p->type.enumeration->c, name);
  else if (p->type.kind == BIND_HANDLE)
    bind_put(t, "(%s)%s, ", p->type.c, name);
  else if (p->type.kind == BIND_STREAM)
    bind_put(t, "(dlf_stream){NULL}, "); /* the default one: Go has no current stream */
  else
    bind_put(t, "%s, ", name);
}

static void go_put_shim_call(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  const char *list = "";
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_LIST)
      list = bind_string("%s%sdlf_list_%s", list, *list ? " && " : "", f->params[i].name);
  bind_put(t, "dlf_status dlf_got = ");
  if (*list)
    bind_put(t, "!(%s) ? dlf_error_set(&dlf_failure, DLF_NO_MEMORY, \"%s: expected memory for a list, got none\") : ",
             list, f->short_name);
  bind_put(t, "%s(", call->make ? f->new_name : f->checked_name);
  for (int i = 0; i < f->param_count; i++) go_put_shim_argument(t, call, &f->params[i]);
  bind_line(t, "%s&dlf_failure);", f->returns == BIND_RETURN_VALUE ? "&dlf_result, " : "");
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_LIST) bind_line(t, "free(dlf_list_%s);", f->params[i].name);
}

/* Tensors become handles; when that fails nothing else that came stays. */
static void go_put_shim_tensors(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  int tensors = 0;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!go_gives_tensor(p, call->make)) continue;
    tensors++;
    bind_line(t, "dlf_got = %s_go_take(dlf_got, dlf_out_%s, %s, &dlf_failure);", call->ir->name, p->name, p->name);
  }
  if (!tensors || bind_count_results(f, call->make) == 1) return;
  bind_open(t, "if (dlf_got) {");
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (go_gives_tensor(p, call->make)) bind_line(t, "dlf_release((dlf_tensor *)%s->tensor);", p->name);
    if (p->returned && p->type.kind == BIND_HANDLE)
      bind_line(t, "%s(dlf_out_%s);", p->type.handle->free_checked_name, p->name);
  }
  if (f->returns == BIND_RETURN_VALUE && f->result.kind == BIND_HANDLE)
    bind_line(t, "%s(dlf_result);", f->result.handle->free_checked_name);
  bind_close(t, "}");
}

static void go_put_shim(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  go_put_shim_signature(t, call);
  go_put_shim_places(t, call);
  go_put_shim_call(t, call);
  go_put_shim_tensors(t, call);
  bind_line(t, "if (dlf_got) return %s_go_failed(dlf_got, &dlf_failure);", call->ir->name);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->returned && !go_gives_tensor(p, call->make))
      bind_line(t, "*%s = (%s)dlf_out_%s;", p->name, go_shim_type(&p->type), p->name);
  }
  if (f->returns == BIND_RETURN_VALUE) bind_line(t, "*result = (%s)dlf_result;", go_shim_type(&f->result));
  bind_line(t, "return 0;");
  bind_close(t, "}\n");
}

void go_emit_shims(const bind_ir *ir, bind_out *out) {
  bind_text t = {0};
  const char *guard = bind_upper(ir->name);
  bool lists = false, given = false;
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    for (int i = 0; i < f->param_count; i++) {
      lists |= f->params[i].type.kind == BIND_LIST;
      given |= go_gives_tensor(&f->params[i], f->new_name != NULL);
    }
  bind_first_line(&t, ir, "/*", "*/", "go");
  bind_line(&t, "/* What %s.go calls: tensors arrive by value, and become DLTensors on this side's stack. */",
            ir->name);
  bind_line(&t, "#ifndef %s_GO_H", guard);
  bind_line(&t, "#define %s_GO_H\n", guard);
  bind_line(&t, "#include \"%s\"\n", ir->checked_h.name);
  bind_line(&t, "#include <stdlib.h>\n");
  go_put_shared(&t, go_shared, sizeof go_shared / sizeof *go_shared, ir->name);
  if (lists) go_put_shared(&t, go_shared_list, sizeof go_shared_list / sizeof *go_shared_list, ir->name);
  if (given) go_put_shared(&t, go_shared_given, sizeof go_shared_given / sizeof *go_shared_given, ir->name);
  bind_raw(&t, "\n", 1);
  for (int i = 0; i < ir->handle_count; i++)
    bind_line(&t, "DLFERRY_GO void %s(uintptr_t owned) { %s((%s *)owned); }\n", go_free_shim(ir, &ir->handles[i]),
              ir->handles[i].free_checked_name, ir->handles[i].c);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    for (int make = 0; make <= (f->new_name != NULL); make++) go_put_shim(&t, &(go_call){ir, f, make != 0});
  bind_line(&t, "#endif");
  bind_write(out, bind_string("go/%s_go.h", ir->name), &t);
  bind_text_free(&t);
}
