/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of a call, as its C enters and leaves them: single ones, and behind them those of
 * lists, whose number only the call knows. */
#include "bind/emit/declare.h"
#include "parts.h"

int go_count_uses(const bind_function *f, const bind_param *before) {
  int count = 0;
  BIND_EACH_PARAM (p, f) {
    if (p == before) {
      break;
    }
    count += p->type.kind == BIND_HANDLE && !p->returned;
  }
  return count;
}

static bool go_has_object_list(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (bind_is_object_list(p)) {
      return true;
    }
  }
  return false;
}

bool go_enters(const bind_function *f) {
  return go_count_uses(f, NULL) > 0 || go_has_object_list(f);
}

const char *go_first_use(const bind_function *f, const bind_param *list) {
  const int single = go_count_uses(f, NULL);
  const char *first = single ? bind_number(single) : "";
  for (const bind_param *p = f->params; p < list; p++) {
    if (bind_is_object_list(p)) {
      first = bind_join(first, " + ", bind_string("%s_count", bind_twin_param_name(f, p->name)));
    }
  }
  return bind_said_or(first, "0");
}

const char *go_used(const bind_function *f) {
  const int count = go_count_uses(f, NULL);
  if (go_has_object_list(f)) {
    return "dlf_uses, (int32_t)dlf_used";
  }
  if (count) {
    return bind_string("dlf_uses, %d", count);
  }
  return "NULL, 0";
}

const char *go_without_memory(const bind_function *f, const char *pointers) {
  return bind_filled("!($pointers) ? dlf_error_set(&dlf_failure, DLF_NO_MEMORY, "
                     "\"$function: expected memory for a list, got none\") : ",
                     {"pointers", pointers},
                     {"function", f->short_name});
}

static const char go_single[] = "dlf_use dlf_uses[] = {\n"
                                "  $c_uses\n"
                                "};\n";

static const char go_with_lists[] = "$single\n"
                                    "const int64_t dlf_used = $all;\n"
                                    "dlf_use *dlf_uses = dlfgo_uses($first, $count, dlf_used);\n"
                                    "$c_listed\n";

/* The memory of the uses. */
static const char *go_room(const bind_function *f, const bind_field *fields) {
  const int count = go_count_uses(f, NULL);
  if (!go_has_object_list(f)) {
    return bind_filled_template(go_single, fields);
  }
  const char *single = bind_filled_template("const dlf_use dlf_single[] = {\n"
                                            "  $c_uses\n"
                                            "};\n",
                                            fields);
  return bind_filled_template(go_with_lists,
                              bind_with(fields,
                                        {"single", bind_when(count, single)},
                                        {"first", count ? "dlf_single" : "NULL"},
                                        {"count", bind_number(count)},
                                        {"all", go_first_use(f, f->params + f->param_count)}));
}

const char *go_entering(const bind_function *f, const bind_field *fields) {
  return bind_filled(
      "$room\n"
      "dlf_status dlf_got = ${memory}dlf_object_enter(\"$function\", $used, NULL, &dlf_failure);\n"
      "const bool dlf_inside = dlf_got == DLF_OK;\n",
      {"room", go_room(f, fields)},
      {"memory", bind_when(go_has_object_list(f), go_without_memory(f, "dlf_uses"))},
      {"function", f->short_name},
      {"used", go_used(f)});
}

const char *go_leaving(const bind_function *f) {
  return bind_string("if (dlf_inside) dlf_object_leave(%s);%s",
                     go_used(f),
                     bind_when(go_has_object_list(f), "\nfree(dlf_uses);"));
}
