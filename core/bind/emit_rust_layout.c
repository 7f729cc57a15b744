/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that break as rustfmt breaks them. */
#include "emit_rust.h"
#include <string.h>

rust_list rust_list_for(int capacity) {
  return (rust_list){bind_alloc((size_t)capacity + 1, sizeof(const char *)), 0, 0};
}

void rust_add(rust_list *list, const char *item) {
  list->width += strlen(item) + (list->count ? 2 : 0);
  list->items[list->count++] = item;
}

rust_list rust_lines(const char *lines) {
  rust_list list = rust_list_for((int)strlen(lines));
  for (const char *line = lines; *line;) {
    const size_t size = strcspn(line, "\n");
    if (size) rust_add(&list, bind_string("%.*s", (int)size, line));
    line += size + (line[size] == '\n');
  }
  return list;
}

const char *rust_join(const rust_list *list) {
  const char *text = "";
  for (int i = 0; i < list->count; i++) text = bind_string("%s%s%s", text, i ? ", " : "", list->items[i]);
  return text;
}

size_t rust_room(const bind_text *t, const char *head, const char *tail) {
  const size_t taken = 4 * (size_t)t->depth + strlen(head) + strlen(tail);
  return taken < RUST_LINE ? RUST_LINE - taken : 0;
}

void rust_put_list(bind_text *t, const char *head, const rust_list *list, const char *tail, size_t limit) {
  if (list->width <= limit) {
    bind_line(t, "%s%s%s", head, rust_join(list), tail);
    return;
  }
  const size_t size = strlen(head);
  bind_open(t, "%.*s", (int)(head[size - 1] == ' ' ? size - 1 : size), head);
  for (int i = 0; i < list->count; i++) bind_line(t, "%s,", list->items[i]);
  bind_close(t, "%s", *tail == ' ' ? tail + 1 : tail);
}

void rust_put_wrapped(bind_text *t, const char *open, const char *name, const rust_list *list, const char *close) {
  const char *head = bind_string("%s(", name);
  const char *line = bind_string("%s %s", open, head), *end = bind_string(") %s", close);
  if (list->width <= RUST_CALL && list->width <= rust_room(t, line, end)) {
    bind_line(t, "%s%s%s", line, rust_join(list), end);
    return;
  }
  bind_open(t, "%s", open);
  rust_put_list(t, head, list, ")", list->width <= rust_room(t, head, ")") ? RUST_CALL : 0);
  bind_close(t, "%s", close);
}
