/* SPDX-License-Identifier: Apache-2.0 */
/* Escape doc texts, so that no language reads them as code. */
#include "escape.h"
#include <string.h>

static void escape_put(bind_text *out, bind_doc_style style, const char *doc, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char c = doc[i];
    const char *mark = "\\";
    if (style == BIND_DOC_LINE && c == '\\' && i + 1 == size) {
      bind_add(out, "\\."); /* a backslash at the end would continue the comment */
      continue;
    }
    if (style == BIND_DOC_C && i &&
        ((doc[i - 1] == '*' && c == '/') || (doc[i - 1] == '/' && c == '*'))) {
      bind_add(out, " ");
    }
    const bool string = style == BIND_DOC_STRING || style == BIND_DOC_C_STRING;
    if (string && c == '\n') {
      c = ' ';
    }
    bool escaped =
        (style == BIND_DOC_PYTHON || style == BIND_DOC_JULIA || string) && (c == '\\' || c == '"');
    escaped |= style == BIND_DOC_JULIA && c == '$';
    escaped |= style == BIND_DOC_C_STRING && c == '?' && i && doc[i - 1] == '?';
    if (escaped) {
      bind_raw(out, mark, 1);
    }
    bind_raw(out, &c, 1);
  }
}

const char *bind_doc_escape(bind_doc_style style, const char *doc) {
  bind_text out = {0};
  escape_put(&out, style, doc, strlen(doc));
  return bind_keep(&out);
}

void bind_put_doc(bind_text *text, bind_doc_style style, const char *lead, const char *doc) {
  bool fenced = false;
  for (const char *line = doc; *line;) {
    size_t size = strcspn(line, "\n");
    size_t skip = strspn(line, " ");
    if (skip > size) {
      skip = size;
    }
    bool fence = bind_begins(line + skip, "```");
    if (fence || fenced || skip < 4) {
      skip = 0;
    }
    fenced ^= fence;
    bind_text harmless = {0};
    escape_put(&harmless, style, line + skip, size - skip);
    if (harmless.length) {
      bind_line(text, "%s%s", lead, harmless.data);
    } else {
      size_t trimmed = strlen(lead);
      while (trimmed && lead[trimmed - 1] == ' ') {
        trimmed--;
      }
      bind_line(text, "%.*s", (int)trimmed, lead);
    }
    bind_text_free(&harmless);
    line += size + (line[size] == '\n');
  }
}
