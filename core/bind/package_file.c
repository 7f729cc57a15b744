/* SPDX-License-Identifier: Apache-2.0 */
/* A strict reader of KEY = "text" and KEY = ["text", ...], and what each key may hold. */
#include "package_file.h"
#include "bind/base/text.h"
#include <string.h>

typedef struct package_reader {
  const char *path, *at;
  int line;
} package_reader;

/* Print the line, then what was expected there. */
static bool package_fail(const package_reader *r, const char *expected, const char *got) {
  bind_error("%s:%d: expected %s, got %s", r->path, r->line, expected, got);
  return false;
}

/* Return what stands at a place, for a message. */
static const char *package_here(const package_reader *r) {
  const size_t size = strcspn(r->at, "\n");
  if (size) {
    return bind_sized(r->at, size > 40 ? 40 : size);
  }
  if (*r->at) {
    return "the end of the line";
  }
  return "the end";
}

static void package_skip(package_reader *r, bool lines) {
  for (;; r->at++) {
    if (*r->at == '#') {
      r->at += strcspn(r->at, "\n");
    }
    if (*r->at == '\n' && lines) {
      r->line++;
    } else if (!*r->at || !strchr(" \t\r", *r->at)) {
      return;
    }
  }
}

/* What stands between the quotes; of the escapes only \" and \\, since no value needs others. */
static bool package_read_characters(package_reader *r, bind_text *text) {
  for (r->at++; *r->at != '"'; r->at++) {
    if (*r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\')) {
      r->at++;
    } else if (*r->at == '\\') {
      return package_fail(r, "\\\" or \\\\", package_here(r));
    }
    if ((unsigned char)*r->at < ' ' || *r->at == 127) {
      return package_fail(r, "a text that ends with \"", package_here(r));
    }
    bind_raw(text, r->at, 1);
  }
  r->at++;
  return text->length || package_fail(r, "a text", "an empty one");
}

static bool package_read_string(package_reader *r, const char **out) {
  bind_text text = {0};
  if (*r->at != '"') {
    return package_fail(r, "a text in \"\"", package_here(r));
  }
  const bool fine = package_read_characters(r, &text);
  if (fine) {
    *out = bind_keep(&text);
  } else {
    bind_text_free(&text);
  }
  return fine;
}

static bool package_read_list(package_reader *r, const char ***out, int *count) {
  int capacity = 0;
  if (*r->at != '[') {
    return package_fail(r, "a list in []", package_here(r));
  }
  r->at++;
  for (package_skip(r, true); *r->at != ']'; package_skip(r, true)) {
    const char *text;
    if (!package_read_string(r, &text)) {
      return false;
    }
    BIND_ADD(*out, *count, capacity, text);
    package_skip(r, true);
    if (*r->at == ',') {
      r->at++;
    } else if (*r->at != ']') {
      return package_fail(r, ", or ]", package_here(r));
    }
  }
  r->at++;
  return true;
}

/* ---- what the keys may hold ---- */

/* Cargo and Julia want three numbers, of which none begins with a needless 0. */
static bool package_is_version(const char *text) {
  for (int i = 0; i < 3; i++) {
    const size_t size = strspn(text, "0123456789");
    if (!size || size > 9 || (*text == '0' && size > 1) || text[size] != (i < 2 ? '.' : 0)) {
      return false;
    }
    text += size + (i < 2);
  }
  return true;
}

static bool package_is_license(const char *text) {
  return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-() ") ==
         strlen(text);
}

static bool package_is_address(const char *text) {
  const bool web = bind_begins(text, "https://") || bind_begins(text, "http://");
  return web && !strpbrk(text, " \"<>\\");
}

/* "Name" or "Name <address>" */
static bool package_is_author(const char *text) {
  const char *open = strchr(text, '<');
  const char *at = NULL;
  if (open) {
    at = strchr(open, '@');
  }
  const char *end = text + strlen(text) - 1;
  if (!open) {
    return !strchr(text, '>');
  }
  return open > text + 1 && open[-1] == ' ' && at && *end == '>' && strchr(open, '>') == end &&
         !strchr(open + 1, '<') && !strpbrk(open, " \"\\");
}

static bool package_is_file(const char *text) {
  return text[strlen(text) - 1] != '/' && !strpbrk(text, "\\*?[");
}

static const struct package_key {
  const char *name;
  bool (*holds)(const char *text);
  const char *expected;
} package_keys[] = {
    {"version", package_is_version, "three numbers such as 1.2.0"},
    {"license", package_is_license, "an SPDX expression such as MIT"},
    {"license-files", package_is_file, "names of files"},
    {"authors", package_is_author, "\"Name\" or \"Name <address>\""},
    {"homepage", package_is_address, "an address that begins with https://"},
};

enum { PACKAGE_KEYS = sizeof package_keys / sizeof *package_keys };

static bool package_read_value(package_reader *r, int key, bind_package *out) {
  const char **texts[PACKAGE_KEYS] = {&out->version, &out->license, NULL, NULL, &out->homepage};
  const char **list = NULL;
  const char *text = "";
  int count = 1;
  if (texts[key]) {
    if (!package_read_string(r, &text)) {
      return false;
    }
    *texts[key] = text;
    list = &text;
  } else {
    count = 0;
    if (!package_read_list(r, &list, &count)) {
      return false;
    }
  }
  for (int i = 0; i < count; i++) {
    if (!package_keys[key].holds(list[i])) {
      bind_error("%s:%d: %s: expected %s, got \"%s\"",
                 r->path,
                 r->line,
                 package_keys[key].name,
                 package_keys[key].expected,
                 list[i]);
      return false;
    }
  }
  if (key == 2) {
    out->license_files = bind_items(count, sizeof *out->license_files);
    out->license_file_count = count;
    for (int i = 0; i < count; i++) {
      out->license_files[i].name = list[i];
    }
  }
  if (key == 3) {
    out->authors = list;
    out->author_count = count;
  }
  return true;
}

static bool package_read_line(package_reader *r, unsigned *seen, bind_package *out) {
  const size_t size =
      strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
  const char *name = bind_sized(r->at, size);
  int key = 0;
  if (!size) {
    return package_fail(r, "a key", package_here(r));
  }
  while (key < PACKAGE_KEYS && strcmp(package_keys[key].name, name) != 0) {
    key++;
  }
  if (key == PACKAGE_KEYS) {
    return package_fail(r, "version, license, license-files, authors or homepage", name);
  }
  if (*seen & 1u << key) {
    return package_fail(r, bind_string("%s once", name), "it again");
  }
  *seen |= 1u << key;
  r->at += size;
  package_skip(r, false);
  if (*r->at != '=') {
    return package_fail(r, bind_string("= after %s", name), package_here(r));
  }
  r->at++;
  package_skip(r, false);
  if (!package_read_value(r, key, out)) {
    return false;
  }
  package_skip(r, false);
  return !*r->at || *r->at == '\n' || package_fail(r, "the end of the line", package_here(r));
}

bool package_file_parse(const char *path, const char *text, bind_package *out) {
  package_reader r = {path, text, 1};
  unsigned seen = 0;
  for (package_skip(&r, true); *r.at; package_skip(&r, true)) {
    if (!package_read_line(&r, &seen, out)) {
      return false;
    }
  }
  return true;
}
