/* SPDX-License-Identifier: Apache-2.0 */
/* Integers whose width C leaves to the platform: `long` and `size_t` have 64 bits where packages
 * are generated, and 32 on Windows or 32-bit machines. */
#include "parts.h"
#include <string.h>

static bool platform_is_wide(bind_scalar scalar) {
  return scalar == BIND_I64 || scalar == BIND_U64;
}

/* The C type without const, stars and blanks at its end. */
static const char *platform_base(const char *c) {
  if (bind_begins(c, "const ")) {
    c += 6;
  }
  size_t size = strcspn(c, "*");
  while (size && c[size - 1] == ' ') {
    size--;
  }
  return bind_sized(c, size);
}

/* Tell whether a type has 64 bits everywhere; a typedef of the library's may have or not. */
static bool platform_is_fixed(const char *base) {
  return bind_word_in(base, "int64_t uint64_t") || strstr(base, "long long") ||
         strstr(base, "long unsigned long") || strstr(base, "long int long");
}

/* Tell whether a pointer to this type is one to bytes or text: what lies there has a dtype of its
 * own. */
static bool platform_is_bytes(const char *base) {
  return bind_word_in(base, "void uint8_t int8_t") || strstr(base, "char");
}

static bool platform_varies(const bind_type *type) {
  return type->kind == BIND_INTEGER && platform_is_wide(type->scalar) &&
         !platform_is_fixed(platform_base(type->c));
}

/* The scalar of the narrowest platform. */
static bind_scalar platform_narrowest(const bind_type *type) {
  if (!platform_varies(type)) {
    return type->scalar;
  }
  if (type->scalar == BIND_U64) {
    return BIND_U32;
  }
  return BIND_I32;
}

/* "n > INT64_C(2147483647)", only where the type has 32 bits. */
static const char *platform_test(const bind_type *type, const char *number, char mark,
                                 int64_t limit) {
  const char *test = bind_string("%s %c INT64_C(%lld)", number, mark, (long long)limit);
  const char *base = platform_base(type->c);
  const bool everywhere = limit == 0 || !platform_varies(type);
  if (everywhere) {
    return test;
  }
  return bind_string("(sizeof(%s) < 8 && %s)", base, test);
}

const char *platform_below(const bind_type *type, const char *number) {
  const int64_t lowest = bind_scalar_lowest(platform_narrowest(type));
  if (type->kind != BIND_INTEGER || lowest == INT64_MIN) {
    return "";
  }
  return platform_test(type, number, '<', lowest);
}

int64_t platform_most(const bind_type *type) {
  return bind_scalar_highest(platform_narrowest(type));
}

const char *platform_above(const bind_type *type, const char *number) {
  const int64_t highest = platform_most(type);
  if (type->kind != BIND_INTEGER || highest == INT64_MAX) {
    return "";
  }
  return platform_test(type, number, '>', highest);
}

/* A limit here, and the one where the type has 32 bits. */
static const char *platform_limit(const bind_type *type, int64_t here, int64_t narrow) {
  const char *text = bind_string("INT64_C(%lld)", (long long)here);
  if (here == INT64_MIN) {
    text = "INT64_MIN"; /* C has no such literal */
  }
  if (narrow == here) {
    return text;
  }
  return bind_string(
      "sizeof(%s) < 8 ? INT64_C(%lld) : %s", platform_base(type->c), (long long)narrow, text);
}

const char *platform_lowest(const bind_type *type) {
  return platform_limit(
      type, bind_scalar_lowest(type->scalar), bind_scalar_lowest(platform_narrowest(type)));
}

const char *platform_highest(const bind_type *type) {
  return platform_limit(type, bind_scalar_highest(type->scalar), platform_most(type));
}

/* ---- pointers ---- */

/* Tell whether a tensor's clause asks for integers of 64 bits. */
static bool platform_asks_for_wide(const dlf__clause *clause) {
  for (int32_t i = 0; clause && i < clause->dtype_count; i++) {
    const DLDataType t = clause->dtypes[i];
    if ((t.code == kDLInt || t.code == kDLUInt) && t.bits == 64) {
      return true;
    }
  }
  return false;
}

/* The pointer to elements of 64 bits that C gets as this argument, or NULL. */
static const char *platform_pointer(const bind_function *f, const bind_c_param *c) {
  const bind_param *p = c->param;
  if (c->by_pointer && !c->scratch && platform_is_wide(c->type.scalar)) {
    return c->type.c;
  }
  if (!p) {
    return NULL;
  }
  if (p->type.kind == BIND_ARRAY && platform_is_wide(p->type.scalar)) {
    return p->type.c;
  }
  const char *pointer = p->pointer;
  if (p->gift && !p->gift->filled) {
    pointer = p->gift->pointer;
  }
  if (pointer &&
      platform_asks_for_wide(dlf__contract_clause(f->compiled, (int32_t)(c - f->c_params)))) {
    return pointer;
  }
  return NULL;
}

/* C's struct of one array must still have as many bytes. */
static const char *platform_row(const bind_function *f, const bind_param *p) {
  const dlf__clause *clause = bind_clause_of(f, p);
  const int bytes = p->row * clause->dtypes[0].bits / 8;
  const char *pointer = p->gift ? p->gift->pointer : p->pointer;
  return bind_string(
      "_Static_assert(sizeof(%s) == %d, \"%s: %s: expected %d numbers in a %s: make the "
      "package again from this header\");\n",
      platform_base(pointer),
      bytes,
      f->short_name,
      p->name,
      p->row,
      platform_base(pointer));
}

/* A compiler may make an enum as small as its values allow. */
static const char *platform_enums(const bind_function *f, const bind_param *p) {
  const char *base = platform_base(p->gift ? p->gift->pointer : p->pointer);
  return bind_string("_Static_assert(sizeof(%s) == 4, \"%s: %s: expected %s to have 32 bits\");\n",
                     base,
                     f->short_name,
                     p->name,
                     base);
}

const char *platform_assertions(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_C_PARAM (c, f) {
    const char *pointer = platform_pointer(f, c);
    const char *base = platform_base(bind_or(pointer, "int64_t"));
    if (c->param && c->param->row) {
      bind_add(&t, platform_row(f, c->param));
      continue;
    }
    if (c->param && c->param->enums) {
      bind_add(&t, platform_enums(f, c->param));
      continue;
    }
    if (!pointer || platform_is_fixed(base) || platform_is_bytes(base)) {
      continue;
    }
    bind_line(&t,
              "_Static_assert(sizeof(%s) == 8, \"%s: %s: expected %s to have 64 bits: declare "
              "int64_t or uint64_t in the header\");",
              base,
              f->short_name,
              c->name,
              base);
  }
  return bind_keep(&t);
}
