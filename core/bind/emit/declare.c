/* SPDX-License-Identifier: Apache-2.0 */
/* The declarations of twins in C. */
#include "declare.h"
#include "bind/base/names.h"
#include <string.h>

bool bind_is_behind(const bind_param *p) {
  const bool number = p->type.kind >= BIND_INTEGER && p->type.kind <= BIND_ENUM;
  return p->optional && number;
}

const char *bind_cast_to(const char *c) {
  size_t size = strlen(c);
  if (size && c[size - 1] == ' ') {
    size--;
  }
  return bind_string("(%.*s)", (int)size, c);
}

static const char *declare_param(const bind_function *f, const bind_param *p, bool make) {
  const char *name = bind_twin_param_name(f, p->name);
  if (make && p->made) {
    return bind_string("DLManagedTensorVersioned **%s, ", name);
  }
  if (p->kept) {
    return bind_string("dlf_tensor *dlf_kept_%s, ", name);
  }
  if (p->ended) {
    return bind_string("%s*dlf_ended_%s, ", p->type.c, name);
  }
  if (p->type.kind == BIND_TENSOR) {
    return bind_string("dlf_arg %s, ", name);
  }
  if (p->type.kind == BIND_LIST) {
    return bind_string("const dlf_arg *%s, int64_t %s_count, ", name, name);
  }
  if (p->type.kind == BIND_ARRAY) {
    return bind_string("%s%s, int64_t %s_count, ", p->type.c, name, name);
  }
  if (bind_is_behind(p)) {
    return bind_string("const %s*%s, ", p->type.c, name);
  }
  if (p->type.structure && !p->returned) {
    return bind_string("const %s*%s, ", p->type.c, name);
  }
  const char *star = bind_when(p->returned && p->type.kind != BIND_GIVEN, "*");
  return bind_string("%s%s%s, ", p->type.c, star, name);
}

/* Tell whether a type's spelling has the name: `size_t size_t` is legal, but hides the type in
 * casts. */
static bool declare_spells(const bind_type *type, const char *name) {
  char words[256];
  size_t length = 0;
  for (const char *c = type->c; c && *c && length + 1 < sizeof words; c++) {
    words[length++] = *c == '*' ? ' ' : *c;
  }
  words[length] = 0;
  return bind_word_in(name, words);
}

/* A list or an array has a second parameter in the twins. */
static bool declare_is_count(const bind_function *f, const char *name) {
  BIND_EACH_PARAM (p, f) {
    const bind_kind kind = p->type.kind;
    if ((kind == BIND_LIST || kind == BIND_ARRAY) &&
        strcmp(name, bind_string("%s_count", p->name)) == 0) {
      return true;
    }
  }
  return false;
}

/* C++ includes the twins' header. */
static const char declare_keywords[] = "alignas alignof and and_eq asm bitand bitor bool catch "
                                       "char8_t char16_t char32_t class compl concept const_cast "
                                       "consteval constexpr constinit co_await co_return co_yield "
                                       "decltype delete dynamic_cast explicit export false friend "
                                       "mutable namespace new noexcept not not_eq nullptr operator "
                                       "or or_eq private protected public reinterpret_cast "
                                       "requires static_assert static_cast template this "
                                       "thread_local throw true try typeid typename using virtual "
                                       "wchar_t xor xor_eq";

/* Tell whether the twins need a name themselves. */
static bool declare_is_taken(const bind_function *f, const char *name) {
  if (bind_word_in(name, declare_keywords)) {
    return true;
  }
  if (bind_begins(name, "dlf") || strcmp(name, "error") == 0) {
    return true; /* our own locals, and the last parameter */
  }
  if (strcmp(name, f->name) == 0 || (f->status_text && strcmp(name, f->status_text) == 0)) {
    return true; /* functions that they call */
  }
  if (declare_spells(&f->result, name) || declare_is_count(f, name)) {
    return true;
  }
  BIND_EACH_C_PARAM (c, f) {
    if (declare_spells(&c->type, name)) {
      return true;
    }
  }
  BIND_EACH_PARAM (p, f) {
    const bind_gift *gift = p->gift;
    if (declare_spells(&p->type, name) || (gift && gift->freed && strcmp(name, gift->freed) == 0)) {
      return true;
    }
  }
  BIND_EACH (const bind_hook, hook, f->hooks, f->hook_count) {
    if (strcmp(name, hook->name) == 0) {
      return true;
    }
  }
  return false;
}

const char *bind_twin_param_name(const bind_function *f, const char *name) {
  bool parameter = false;
  BIND_EACH_C_PARAM (c, f) {
    parameter |= strcmp(name, c->name) == 0;
  }
  if (!parameter || !declare_is_taken(f, name) || bind_begins(name, BIND_OWN_NAME)) {
    return name;
  }
  return bind_string(BIND_OWN_NAME "%s", name);
}

const char *bind_result_name(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (strcmp(p->name, "result") == 0) {
      return "dlf_result";
    }
  }
  return "result";
}

static const char *declare_twin(const bind_function *f, const char *name, bool make) {
  bind_text text = {0};
  bind_put(&text, "dlf_status %s(", name);
  BIND_EACH_PARAM (p, f) {
    if (!(make && p->counts)) {
      bind_add(&text, declare_param(f, p, make));
    }
  }
  if (f->returns == BIND_RETURN_VALUE) {
    bind_put(&text, "%s*%s, ", f->result.c, bind_result_name(f));
  }
  bind_add(&text, "dlf_error *error)");
  return bind_keep(&text);
}

const char *bind_declare_twin(const bind_function *f, const char *name) {
  return declare_twin(f, name, false);
}

const char *bind_declare_checked(const bind_function *f) {
  return declare_twin(f, f->checked_name, false);
}

const char *bind_declare_new(const bind_function *f) {
  return declare_twin(f, f->new_name, true);
}
