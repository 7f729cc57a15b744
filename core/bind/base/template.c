/* SPDX-License-Identifier: Apache-2.0 */
/* Templates with names in them. */
#include "template.h"
#include <stdlib.h>
#include <string.h>

/* Return the value of "$name" or "${name}" at *at, and move *at behind it. */
static const char *fill_value(const char **at, const bind_field *fields) {
  const bool braced = (*at)[1] == '{';
  const char *name = *at + 1 + braced;
  size_t size = 0;
  while (bind_is_lower(name[size]) || name[size] == '_') {
    size++;
  }
  for (; fields->name; fields++) {
    if (!size || *fields->name != *name || strncmp(fields->name, name, size) != 0 ||
        fields->name[size]) {
      continue;
    }
    *at = name + size + (braced && name[size] == '}');
    return fields->value;
  }
  bind_error("a template names no field: %.40s", *at);
  exit(2);
}

/* Append; look for lines only if there is indentation. */
static void fill_put(bind_text *text, const char *bytes, size_t size) {
  (text->depth ? bind_put_bytes : bind_raw)(text, bytes, size);
}

static void fill_line(bind_text *text, const char *line, const char *end,
                      const bind_field *fields) {
  while (line < end) {
    const char *mark = memchr(line, '$', (size_t)(end - line));
    if (!mark) {
      mark = end;
    }
    fill_put(text, line, (size_t)(mark - line));
    line = mark;
    if (mark == end) {
      return;
    }
    if (mark[1] == '$') {
      fill_put(text, "$", 1);
      line += 2;
    } else {
      const char *value = fill_value(&line, fields);
      fill_put(text, value, strlen(value));
    }
  }
}

/* Append a value that stands alone: indent each of its lines as the template's; an empty one leaves
 * no line. */
static void fill_lines(bind_text *text, const char *value, const char *lead, size_t indent) {
  while (*value) {
    const size_t size = strcspn(value, "\n");
    fill_put(text, lead, size ? indent : 0);
    fill_put(text, value, size);
    fill_put(text, "\n", 1);
    value += size + (value[size] == '\n');
  }
}

void bind_template(bind_text *text, const char *template, const bind_field *fields) {
  for (const char *line = template, *next; *line; line = next) {
    const size_t size = strcspn(line, "\n");
    const size_t indent = strspn(line, " \t");
    const char *end = line + size;
    const char *after = line + indent;
    next = end + (*end == '\n');
    const bool alone = *after == '$' && after[1] != '$' && next > end;
    const char *value = NULL;
    if (alone) {
      value = fill_value(&after, fields);
    }
    if (alone && after == end) {
      fill_lines(text, value, line, indent);
    } else {
      fill_line(text, line, end, fields);
      fill_put(text, end, (size_t)(next - end));
    }
  }
}

const char *bind_filled_template(const char *template, const bind_field *fields) {
  bind_text text = {0};
  bind_template(&text, template, fields);
  return bind_keep(&text);
}

const bind_field *bind_all_fields(const bind_field *fields, const bind_field *more) {
  size_t count = 0;
  size_t added = 0;
  while (fields[count].name) {
    count++;
  }
  while (more[added].name) {
    added++;
  }
  bind_field *all = bind_alloc(count + added + 1, sizeof *all);
  memcpy(all, fields, count * sizeof *all);
  memcpy(all + count, more, added * sizeof *all);
  return all;
}

const char *bind_field_of(const bind_field *fields, const char *name) {
  return bind_filled_template(bind_string("$%s", name), fields);
}
