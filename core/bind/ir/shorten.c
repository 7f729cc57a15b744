/* SPDX-License-Identifier: Apache-2.0 */
/* Strip prefixes from names. */
#include "builder.h"
#include <string.h>

/* ---- names ---- */

static bool ir_is_name(const char *name) {
  const size_t size =
      strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return *name && !name[size] && !strchr("0123456789", *name);
}

/* Return the rest of a name after a prefix in any case, or NULL if it does not begin so. A prefix
 * ends with a word: XG begins XGBooster, XGB does not. lib_ begins LibIndex too. */
static const char *ir_after(const char *name, const char *prefix, size_t size) {
  const bool lowered = size && prefix[size - 1] == '_';
  size_t i = 0;
  while (i < size && bind_to_lower(name[i]) == bind_to_lower(prefix[i])) {
    i++;
  }
  if (lowered && i + 1 == size && i && !bind_is_upper(name[i - 1]) && bind_is_upper(name[i])) {
    return name + i;
  }
  if (i < size) {
    return NULL;
  }
  if (!size || lowered) {
    return name + i;
  }
  if (name[i] == '_') {
    return name + i + 1;
  }
  if (bind_is_upper(name[i - 1]) && bind_is_lower(name[i])) {
    return NULL;
  }
  return name + i;
}

/* Strip the first of the prefixes, which commas part, that a name begins with; NULL if the rest is
 * not a name. */
const char *ir_strip(const char *name, const char *prefixes) {
  for (const char *p = prefixes;; p++) {
    const size_t size = strcspn(p, ",");
    const char *rest = ir_after(name, p, size);
    if (rest && (size || !*name)) {
      if (ir_is_name(rest)) {
        return rest;
      }
      return NULL;
    }
    p += size;
    if (!*p) {
      return name;
    }
  }
}

const char *ir_short_name(const ir_builder *b, const char *name) {
  const char *stripped = ir_strip(name, b->ir->prefix);
  if (stripped) {
    return stripped;
  }
  return name;
}
