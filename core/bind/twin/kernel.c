/* SPDX-License-Identifier: Apache-2.0 */
/* The call of C within a twin: its arguments, and where its result goes. */
#include "parts.h"

/* A number behind a pointer, or a complex one. */
static const char *kernel_number(const bind_param *p) {
  const char *scalar = bind_scalar_name(p->type.scalar);
  if (p->returned) {
    return bind_string("(void *)%s", p->name);
  }
  if (!p->pointer) {
    return bind_string("dlferry_%s_value(%s)", scalar, p->name);
  }
  const char *address = bind_when(!p->optional, "&");
  return bind_string("(%s)(uintptr_t)%s%s", p->pointer, address, p->name);
}

/* C gets a DLManagedTensor of the call's, which has no deleter. */
static const char *kernel_managed(const bind_param *p, const char *tensor) {
  const char *maybe = bind_when(p->optional, bind_string("!%s.tensor ? NULL : ", p->name));
  return bind_string("%s&(DLManagedTensor){*%s, NULL, NULL}", maybe, tensor);
}

const char *kernel_argument(const bind_function *f, const bind_c_param *from) {
  const bind_param *p = from->param;
  if (p && ((p->gift && p->gift->is_result) || p->collected)) {
    return "";
  }
  if (from->collects) {
    return collect_argument(f, from);
  }
  if (from->text) {
    return texts_argument(from);
  }
  if (from->place) {
    return bind_string("&dlf_place_%s", from->name);
  }
  if (p && (p->gift || p->in_place)) {
    return bind_string(p->gift ? "&dlf_given_%s" : "dlf_memory_%s", p->name);
  }
  if (from->report) {
    return reported_argument(from->report);
  }
  if (from->axes) {
    return axes_argument(from);
  }
  if (from->scratch) {
    return scratch_argument(from);
  }
  if (from->derived) {
    return derive_argument(from);
  }
  if (p && p->type.structure) {
    return struct_argument(p);
  }
  if (p && p->type.kind != BIND_TENSOR && (p->pointer || p->type.kind == BIND_COMPLEX)) {
    return kernel_number(p);
  }
  if (from->counts) {
    return bind_string("&dlf_place_%s", from->counts);
  }
  if (!p) {
    return bind_string("%s%s_count", bind_cast_to(from->type.c), from->count_of->name);
  }
  if (bind_is_object_list(p)) {
    return objects_argument(from);
  }
  if (p->printed) {
    return bind_string("\"%%s\", %s", p->name);
  }
  if (p->pointer) {
    return derive_pointer(p);
  }
  if (p->type.kind == BIND_TENSOR) {
    const char *tensor = keep_is_struct(p) ? keep_tensor(p) : hooks_tensor(p);
    return p->managed ? kernel_managed(p, tensor) : tensor;
  }
  if (bind_is_copied(&p->type)) {
    return bind_string("*%s", p->name);
  }
  return bind_string(p->type.kind == BIND_LIST ? "dlf_list_%s.tensors" : "%s", p->name);
}

/* The pointer to what C writes into a field: a caller's number, or the call's place for what is
 * copied and freed. */
static const char *kernel_written(const bind_function *f, const bind_c_param *from) {
  if (from->param && !from->param->gift && !from->counts && !from->text) {
    return from->param->name;
  }
  return bind_string("(%s)", kernel_argument(f, from));
}

const char *kernel_fields(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_C_PARAM (from, f) {
    const bind_spread_field *field;
    const bind_spread *spread = bind_spread_of(f, from, &field);
    if (!spread || spread->list) {
      continue;
    }
    if (field == spread->fields) {
      bind_add(&t, struct_spread_place(spread));
    }
    if (!field->written) {
      bind_line(
          &t, "dlf_struct_%s.%s = %s;", spread->name, field->member, kernel_argument(f, from));
    } else if (from->param && bind_is_read(from->param)) {
      bind_line(
          &t, "dlf_struct_%s.%s = *%s;", spread->name, field->member, kernel_written(f, from));
    }
  }
  return bind_keep(&t);
}

const char *kernel_fields_back(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_C_PARAM (from, f) {
    const bind_spread_field *field;
    const bind_spread *spread = bind_spread_of(f, from, &field);
    if (spread && field->written) {
      bind_line(
          &t, "*%s = dlf_struct_%s.%s;", kernel_written(f, from), spread->name, field->member);
    }
  }
  return bind_keep(&t);
}

static bool kernel_gives_complex(const bind_function *f) {
  return f->returns == BIND_RETURN_VALUE && f->result.kind == BIND_COMPLEX && f->result.own;
}

const char *kernel_call(const bind_function *f) {
  bind_text arguments = {0};
  BIND_EACH_C_PARAM (from, f) {
    const bind_spread_field *field;
    const bind_spread *spread = bind_spread_of(f, from, &field);
    const char *argument = "";
    if (!spread) {
      argument = kernel_argument(f, from);
    } else if (field == spread->fields && !spread->is_result) {
      argument = struct_spread_argument(spread);
    }
    if (*argument) {
      bind_append(&arguments, ",", bind_string("\n    %s", argument));
    }
  }
  if (f->takes_error) {
    bind_append(&arguments, ",", "\n    &dlf_own");
  }
  return bind_string(
      "%s(%s)%s", f->name, bind_keep(&arguments), bind_when(kernel_gives_complex(f), ")"));
}

const char *kernel_received(const bind_function *f) {
  BIND_EACH (const bind_spread, spread, f->spreads, f->spread_count) {
    if (spread->is_result) {
      return bind_string("%s = ", struct_spread_argument(spread));
    }
  }
  if (f->returns == BIND_RETURN_STATUS) {
    return bind_string("const %sdlf_code = ", f->result.c);
  }
  if (f->returns == BIND_RETURN_COUNT) {
    return bind_string("const %sdlf_count_of_call = ", f->result.c);
  }
  if (f->returns != BIND_RETURN_VALUE) {
    return bind_string("%s%s", give_received(f), texts_received(f));
  }
  if (f->result_behind) {
    return bind_string("const %s*const dlf_place_of_call = ", f->result.own);
  }
  if (f->result.structure) {
    return bind_string("const %sdlf_value_of_call = ", f->result.own);
  }
  if (kernel_gives_complex(f)) {
    return bind_string("const %sdlf_value_of_call = dlferry_%s_of(",
                       f->result.c,
                       bind_scalar_name(f->result.scalar));
  }
  const bool number = f->result.kind == BIND_INTEGER || f->result.kind == BIND_REAL;
  return bind_string("%s%sdlf_value_of_call = %s",
                     bind_when(!strchr(f->result.c, '*'), "const "),
                     f->result.c,
                     bind_when(number && f->result.own, bind_cast_to(f->result.c)));
}
