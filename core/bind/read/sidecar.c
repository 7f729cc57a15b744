/* SPDX-License-Identifier: Apache-2.0 */
#include "sidecar.h"
#include "bind/base/text.h"
#include <string.h>

/* Where the file is being read. */
typedef struct sidecar_place {
  const char *file, *at;
  int line;
} sidecar_place;

static bool sidecar_fail(const char *file, int line, const char *what) {
  bind_error("%s:%d: %s", file, line, what);
  return false;
}

/* Skip blanks and comments, which begin with `#`. */
static void sidecar_skip(sidecar_place *p) {
  for (;; p->at++) {
    if (*p->at == '#') p->at += strcspn(p->at, "\n");
    if (*p->at == '\n') p->line++;
    if (!*p->at || !strchr(" \t\r\n", *p->at)) return;
  }
}

static bool sidecar_takes_name(sidecar_place *p, sidecar_block *out) {
  const size_t size = strspn(p->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*");
  out->line = p->line;
  out->name = bind_string("%.*s", (int)size, p->at);
  out->pattern = strchr(out->name, '*') != NULL;
  p->at += size;
  sidecar_skip(p);
  if (!size) return sidecar_fail(p->file, p->line, "expected the name of a function, which may hold `*`");
  if (*p->at != '{') return sidecar_fail(p->file, p->line, bind_string("%s: expected `{`", out->name));
  p->at++;
  return true;
}

/* Read up to the `}` that ends the block: braces nest, and none counts in a string. */
static bool sidecar_takes_contract(sidecar_place *p, sidecar_block *out) {
  bind_text text = {0};
  int depth = 1;
  bool quoted = false;
  for (; *p->at; p->at++) {
    if (*p->at == '#' && !quoted) p->at += strcspn(p->at, "\n");
    if (!*p->at) break;
    quoted ^= *p->at == '"';
    p->line += *p->at == '\n';
    if (!quoted) depth += (*p->at == '{') - (*p->at == '}');
    if (depth == 0) break;
    bind_raw(&text, *p->at == '\n' ? " " : p->at, 1);
  }
  out->contract = text.length ? bind_keep(&text) : "";
  if (!*p->at)
    return sidecar_fail(p->file, out->line, bind_string("%s: expected `}`, got the end of the file", out->name));
  p->at++;
  return true;
}

bool sidecar_read(const char *file, const char *text, sidecar *out) {
  sidecar_place p = {file, text, 1};
  *out = (sidecar){.file = file};
  for (sidecar_skip(&p); *p.at; sidecar_skip(&p)) {
    sidecar_block block = {0};
    if (!sidecar_takes_name(&p, &block) || !sidecar_takes_contract(&p, &block)) return false;
    for (int i = 0; i < out->count; i++)
      if (strcmp(out->blocks[i].name, block.name) == 0)
        return sidecar_fail(file, block.line,
                            bind_string("%s has a contract in line %d already", block.name, out->blocks[i].line));
    out->blocks = bind_grow(out->blocks, out->count, &out->capacity, sizeof *out->blocks);
    out->blocks[out->count++] = block;
  }
  return true;
}

/* Tell whether a pattern matches: `*` stands for any characters. */
static bool sidecar_matches(const char *pattern, const char *name) {
  const char *star = NULL, *retry = NULL;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      retry = name;
    } else if (*pattern == *name) {
      pattern++, name++;
    } else if (star) {
      pattern = star + 1;
      name = ++retry;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return !*pattern;
}

bool sidecar_find(sidecar *s, const char *function, const sidecar_block **out) {
  sidecar_block *found = NULL;
  *out = NULL;
  for (int i = 0; i < s->count; i++) {
    sidecar_block *block = &s->blocks[i];
    if (block->pattern || strcmp(block->name, function) != 0) continue;
    block->used = true;
    *out = block;
  }
  for (int i = 0; i < s->count; i++) {
    sidecar_block *block = &s->blocks[i];
    if (!block->pattern || !sidecar_matches(block->name, function)) continue;
    block->used = true;
    if (found && !*out)
      return sidecar_fail(s->file, block->line,
                          bind_string("%s matches %s of this line and %s of line %d: write a block of its own",
                                      function, block->name, found->name, found->line));
    found = block;
  }
  if (!*out) *out = found;
  return true;
}

int sidecar_report_unused(const sidecar *s) {
  int unused = 0;
  for (int i = 0; i < s->count; i++) {
    if (s->blocks[i].used) continue;
    sidecar_fail(s->file, s->blocks[i].line, bind_string("%s: the header has no such function", s->blocks[i].name));
    unused++;
  }
  return unused;
}
