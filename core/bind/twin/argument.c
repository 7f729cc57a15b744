/* SPDX-License-Identifier: Apache-2.0 */
#include "argument.h"
#include "bind/base/text.h"

const char *argument_labels(const bind_enum *e) {
  bind_text values = {0};
  for (int i = 0; i < e->count && values.length < 400; i++) {
    bind_put(&values, "%s%s", bind_when(i, "|"), e->values[i].label);
  }
  return bind_keep(&values);
}

bool argument_is_in(const bind_enum *e, int64_t value) {
  int64_t all = 0;
  bool found = e->count == 0;
  for (int i = 0; i < e->count; i++) {
    all |= e->values[i].value;
    found |= e->values[i].value == value;
  }
  if (e->flags) {
    return !(value & ~all);
  }
  return found;
}

const char *argument_enum_test(const bind_enum *e, const char *value) {
  bind_text test = {0};
  bind_put(&test, e->flags ? "if ((long long)%s & ~(0LL" : "if (", value);
  for (int i = 0; i < e->count; i++) {
    if (e->flags) {
      bind_put(&test, " | %s", e->values[i].name);
    } else {
      bind_put(&test, "%s%s != %s", bind_when(i, " &&\n    "), value, e->values[i].name);
    }
  }
  bind_line(&test, e->flags ? "))" : ")");
  return bind_keep(&test);
}

const char *argument_letters(const bind_param *p) {
  const char *all = "";
  for (const char *c = p->letters; *c; c++) {
    all = bind_string("%s%s'%c'", all, bind_when(*all, "|"), *c);
  }
  return bind_said_or(all, "a character of ASCII");
}

const char *argument_where(const bind_function *f, const bind_param *p) {
  return bind_string("%s: %s", f->short_name, p->name);
}

const char *argument_closed(const bind_function *f, const bind_param *p) {
  return bind_string("%s: expected an open %s, got a closed one",
                     argument_where(f, p),
                     p->type.handle->short_name);
}
