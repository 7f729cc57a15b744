/* SPDX-License-Identifier: Apache-2.0 */
/* What the templates of thunks say of a type. */
#include "bind/emit/query.h"
#include "python.h"

/* What the templates say of the integer, the real or the complex number. */
static const bind_field *python_number_fields(const bind_field *fields, const bind_type *type) {
  const bool is_unsigned = type->scalar >= BIND_U8 && type->scalar <= BIND_U64;
  const char *bits = bind_scalar_name(type->scalar) + (type->scalar != BIND_NONE);
  fields = bind_with(fields, {"width", bind_upper(bind_scalar_name(type->scalar))});
  if (type->scalar == BIND_C64) {
    fields = bind_with(fields, {"complex", "complex_float"});
  }
  if (type->scalar == BIND_F32) {
    fields = bind_with(fields, {"real", "float"});
  }
  fields = bind_with(fields, {"complex", "complex_double"}, {"real", "real"});
  if (is_unsigned) {
    return bind_with(fields,
                     {"limits", bind_string("UINT%s_MAX", bits)},
                     {"wide", "uint64_t"},
                     {"reader", "unsigned"},
                     {"long", "UnsignedLongLong((unsigned long long)"});
  }
  return bind_with(fields,
                   {"limits", bind_string("INT%s_MIN, INT%s_MAX", bits, bits)},
                   {"wide", "int64_t"},
                   {"reader", "integer"},
                   {"long", "LongLong((long long)"});
}

const bind_field *python_type_fields(const bind_field *fields, const bind_type *type) {
  const char *cast = bind_scalar_c(type->scalar);
  const char *c_name = cast;
  if (type->kind == BIND_ENUM) {
    cast = type->enumeration->c;
    fields = bind_with(fields,
                       {"enum", python_enum_name(type->enumeration)},
                       {"enumeration", type->enumeration->short_name});
  }
  if (type->structure) {
    fields = bind_with(
        fields, {"struct", type->structure->short_name}, {"layout", type->structure->layout});
  }
  if (type->handle) {
    c_name = type->handle->c;
    fields = bind_with(fields,
                       {"handle", type->handle->short_name},
                       {"cast_handle", bind_cast_handle(type->handle)});
  }
  if (type->kind == BIND_BOOL) {
    c_name = "bool";
  }
  fields = bind_with(fields,
                     {"cname", c_name},
                     {"cast", bind_when(type->scalar != BIND_F64, bind_string("(%s)", cast))});
  return python_number_fields(fields, type);
}
