/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of objects that C reads. */
#include "parts.h"

/* Refuse an item that another argument is too, an item of an earlier list or of this one: C may
 * lend one object twice. */
static const char *objects_same(const bind_function *f, const bind_param *p, const bind_param *q) {
  const bind_handle *h = p->type.handle;
  const bool both_read = bind_is_const(&p->type) && bind_is_const(&q->type);
  if (q->type.handle != h || q->returned || f->threadsafe || both_read || !(h->lent || q->ended)) {
    return "";
  }
  const bind_field *fields =
      bind_fields({"name", p->name},
                  {"other", q->name},
                  {"where", argument_where(f, p)},
                  {"handle", h->short_name},
                  {"count", q == p ? "i" : bind_string("%s_count", q->name)});
  if (!bind_is_object_list(q)) {
    return bind_filled_template(
        "if ($name[i] == $other)\n"
        "  return dlferry_fail(error, DLF_INVALID, \"$where[%lld] (from 0): "
        "expected another $handle than $other, got the same one\", (long "
        "long)i);\n",
        fields);
  }
  return bind_filled_template(
      "for (int64_t k = 0; $other && k < $count; k++)\n"
      "  if ($name[i] == $other[k])\n"
      "    return dlferry_fail(error, DLF_INVALID, \"$where[%lld] (from 0): expected another "
      "$handle "
      "than $other[%lld] (from 0), got the same one\", (long long)i, (long long)k);\n",
      fields);
}

const char *objects_checks(const bind_function *f, const bind_param *p) {
  const char *item = bind_string("%s[i]", p->name);
  bind_text same = {0};
  BIND_EACH_PARAM (q, f) {
    if (q <= p || !bind_is_object_list(q)) {
      bind_add(&same, objects_same(f, p, q));
    }
  }
  return bind_filled(
      "for (int64_t i = 0; $name && i < ${name}_count; i++) {\n"
      "  if (!$item)\n"
      "    return dlferry_fail(error, DLF_INVALID, \"$where[%lld] (from 0): expected "
      "an open $handle, got a closed one\", (long long)i);\n"
      "  $untaken\n"
      "  $same\n"
      "  $unlent\n"
      "}\n",
      {"name", p->name},
      {"item", item},
      {"where", argument_where(f, p)},
      {"handle", p->type.handle->short_name},
      {"untaken", keep_untaken(f, p, item)},
      {"same", bind_keep(&same)},
      {"unlent", give_unlent(f, p, item)});
}

const char *objects_argument(const bind_c_param *c) {
  return bind_string(
      "%s_count ? %s(uintptr_t)%s : NULL", c->param->name, bind_cast_to(c->type.c), c->param->name);
}
