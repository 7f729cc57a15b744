/* SPDX-License-Identifier: Apache-2.0 */
/* Write files that differ, or compare them. */
#include "output.h"
#include "system.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Tell whether the file holds these bytes; with `more` others may follow them. */
static bool output_holds(const char *path, const char *data, size_t size, bool more) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    return false;
  }
  char buffer[1 << 16]; /* a package of a large header has megabytes */
  size_t at = 0;
  size_t got;
  bool same = true;
  while (same && (got = fread(buffer, 1, sizeof buffer, file)) > 0) {
    size_t ours = size - at;
    if (got < size - at) {
      ours = got;
    }
    same = (more || ours == got) && memcmp(data + at, buffer, ours) == 0;
    at += ours;
  }
  same = same && !ferror(file) && at == size;
  fclose(file);
  return same;
}

static void output_put(bind_out *out, const char *path, const char *data, size_t size, bool more) {
  if (!out->directory) {
    return;
  }
  char *full = bind_string("%s/%s", out->directory, path);
  if (output_holds(full, data, size, more)) {
    return;
  }
  if (out->check) {
    bind_error("differs: %s", full);
    out->different++;
    return;
  }
  FILE *file = NULL;
  if (bind_make_folders(full)) {
    file = fopen(full, "wb");
  }
  bool written = file && fwrite(data, 1, size, file) == size;
  if (file && fclose(file) != 0) {
    written = false;
  }
  if (written) {
    return;
  }
  bind_error("cannot write %s: %s", full, strerror(errno));
  out->failed++;
}

void bind_write(bind_out *out, const char *path, const bind_text *text) {
  output_put(out, path, bind_or(text->data, ""), text->length, false);
}

/* Find the first line `version = "..."` of a manifest, in any form of TOML; NULL for none. */
static const char *output_find_version(const char *text, size_t *size) {
  static const char start[] = "\nversion";
  const char *line = strstr(text, start);
  const char *at = "";
  if (line) {
    at = line + sizeof start - 1;
  }
  at += strspn(at, " \t");
  if (*at != '=') {
    return NULL;
  }
  at += 1 + strspn(at + 1, " \t");
  if (*at != '"' && *at != '\'') {
    return NULL;
  }
  const char *end = strpbrk(at + 1, *at == '"' ? "\"\n" : "'\n");
  if (!end || *end != *at) {
    return NULL;
  }
  *size = (size_t)(end - line) + 1;
  return line;
}

void bind_write_manifest(bind_out *out, const char *path, const bind_text *text) {
  bind_text was = {0};
  bind_text kept = {0};
  if (out->directory) {
    bind_read_file(&was, bind_string("%s/%s", out->directory, path)); /* or there is none yet */
  }
  size_t old_size = 0;
  size_t size = 0;
  const char *old = NULL;
  if (was.data) {
    old = output_find_version(was.data, &old_size);
  }
  const char *new = output_find_version(text->data, &size);
  if (old && new) {
    bind_raw(&kept, text->data, (size_t)(new - text->data));
    bind_raw(&kept, old, old_size);
    bind_raw(&kept, new + size, text->length - (size_t)(new + size - text->data));
  }
  bind_write(out, path, kept.data ? &kept : text);
  bind_text_free(&was);
  bind_text_free(&kept);
}

void bind_write_start(bind_out *out, const char *path, const bind_text *text) {
  output_put(out, path, bind_or(text->data, ""), text->length, true);
}

void bind_write_bytes(bind_out *out, const char *path, const char *data, size_t size) {
  output_put(out, path, data, size, false);
}
