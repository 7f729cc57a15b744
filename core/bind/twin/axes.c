/* SPDX-License-Identifier: Apache-2.0 */
/* C for arguments with the extents, the strides or the number of the axes of a tensor. */
#include "bind/base/template.h"
#include "parts.h"
#include <string.h>

/* An array has a number for each axis. */
static const char axes_like[] =
    "if ($like.tensor->ndim != 1 || $like.tensor->shape[0] != $tensor.tensor->ndim)\n"
    "  return dlferry_fail(error, DLF_SHAPE, \"$function: $tensor: ndim is %d, expected a number "
    "for each axis in $like\", (int)$tensor.tensor->ndim);\n";

static const char axes_array[] =
    "$item dlf_axes_$name[DLF_MAX_NDIM];\n"
    "for (int32_t dlf_i = 0; dlf_i < $tensor.tensor->ndim; dlf_i++) {\n"
    "  const int64_t dlf_axis = $value;\n"
    "  $test\n"
    "  dlf_axes_$name[dlf_i] = ($item)dlf_axis;\n"
    "}\n";

static const char axes_refusal[] =
    "if ($outside)\n"
    "  return dlferry_too_large(\"$function: $name\", dlf_axis, $lowest, $highest, error);\n";

static const char *axes_value(const bind_axes *axes) {
  if (axes->kind == BIND_AXES_SHAPE) {
    return bind_string("%s.tensor->shape[dlf_i]", axes->tensor);
  }
  return bind_string("dlferry_stride(%s.tensor, dlf_i)", axes->tensor);
}

static const char *axes_test(const bind_function *f, const bind_c_param *c) {
  const bind_type *item = &c->axes->item;
  const char *outside =
      bind_join(platform_below(item, "dlf_axis"), " || ", platform_above(item, "dlf_axis"));
  if (!*outside) {
    return "";
  }
  return bind_filled(axes_refusal,
                     {"outside", outside},
                     {"function", f->short_name},
                     {"name", c->name},
                     {"lowest", platform_lowest(item)},
                     {"highest", platform_highest(item)});
}

const char *axes_statements(const bind_function *f, const bind_c_param *c) {
  const bind_axes *axes = c->axes;
  bind_text t = {0};
  const bind_field *fields =
      bind_fields({"name", c->name},
                  {"tensor", axes->tensor},
                  {"like", bind_or(axes->like, "")},
                  {"function", f->short_name},
                  {"value", axes_value(axes)},
                  {"test", axes_test(f, c)},
                  {"item", bind_sized(axes->item.c, strlen(axes->item.c) - 1)});
  if (axes->like) {
    bind_template(&t, axes_like, fields);
  }
  if (axes->kind != BIND_AXES_RANK) {
    bind_template(&t, axes_array, fields);
  }
  return bind_keep(&t);
}

const char *axes_argument(const bind_c_param *c) {
  if (c->axes->kind == BIND_AXES_RANK) {
    return bind_string("%s%s.tensor->ndim", bind_cast_to(c->axes->item.c), c->axes->tensor);
  }
  return bind_string("dlf_axes_%s", c->name);
}
