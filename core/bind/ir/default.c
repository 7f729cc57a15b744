/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults of parameters, as literals that all languages read. */
#include "default.h"
#include "bind/base/names.h"
#include "bind/c/scalar.h"
#include "contract/contract.h"
#include <stdlib.h>
#include <string.h>

/* A real must not look like an integer. */
static const char *default_number(const char *text, bool real) {
  if (!real || strpbrk(text, ".eE")) {
    return text;
  }
  return bind_string("%s.0", text);
}

static void default_must_fit(ir_builder *b, const bind_function *f, const bind_param *p,
                             const char *text) {
  const bind_scalar scalar = p->type.scalar;
  if (p->type.kind == BIND_INTEGER) {
    const int64_t value = strtoll(text, NULL, 10);
    if (value >= bind_scalar_lowest(scalar) && value <= bind_scalar_highest(scalar)) {
      return;
    }
  } else {
    float narrow;
    if ((scalar != BIND_F32 && scalar != BIND_C64) ||
        !dlf_to_float(strtod(text, NULL), "", &narrow, NULL)) {
      return;
    }
  }
  ir_fail_in(b,
             f,
             "default of %s does not fit in %s",
             p->name,
             scalar == BIND_C64 ? "float" : bind_scalar_c(scalar));
}

/* A|B of an enum; several only if they can be or-ed. */
static void default_enumerators(ir_builder *b, const bind_function *f, bind_param *p,
                                const char *text) {
  const bind_enum *e = p->type.enumeration;
  bind_default *at = &p->def;
  for (const char *word = text; word; word = *word ? word + 1 : NULL) {
    const char *name = bind_sized(word, strcspn(word, "|"));
    if (word > text) {
      bind_default *next = bind_alloc(1, sizeof *next);
      at->next = next;
      at = next;
    }
    *at = (bind_default){
        .kind = BIND_DEFAULT_ENUMERATOR, .text = name, .enumerator = ir_find_enumerator(e, name)};
    word += strlen(name);
    if (!at->enumerator) {
      ir_fail_in(b, f, "default of %s: %s has no enumerator %s", p->name, e->name, name);
      return;
    }
    if (!*word) {
      break;
    }
  }
  if (p->def.next && !e->flags) {
    ir_fail_in(b, f, "default of %s: the values of %s cannot be combined", p->name, e->name);
  }
}

/* A|B of macros or enumerators for an integer. */
static void default_constants(ir_builder *b, const bind_function *f, bind_param *p,
                              const char *text) {
  int64_t all = 0;
  for (const char *word = text; *word;) {
    const char *name = bind_sized(word, strcspn(word, "|"));
    int64_t value = 0;
    if (!ir_constant(b, name, &value)) {
      ir_fail_in(b, f, "default of %s: the header has no integer constant %s", p->name, name);
      return;
    }
    all |= value;
    word += strlen(name);
    word += *word == '|';
  }
  p->def = (bind_default){.kind = BIND_DEFAULT_NUMBER, .text = bind_string("%lld", (long long)all)};
  default_must_fit(b, f, p, p->def.text);
}

static void default_complex(ir_builder *b, const bind_function *f, bind_param *p,
                            const dlf__default *d) {
  const char *text = d->text;
  const char *imaginary = "0.0";
  if (d->kind == DLF__DEFAULT_COMPLEX) {
    const size_t comma = strcspn(text, ",");
    imaginary = bind_sized(text + comma + 1, strlen(text) - comma - 2);
    text = bind_sized(text + 1, comma - 1);
  }
  p->def = (bind_default){.kind = BIND_DEFAULT_COMPLEX,
                          .text = default_number(text, true),
                          .imaginary = default_number(imaginary, true)};
  default_must_fit(b, f, p, p->def.text);
  default_must_fit(b, f, p, p->def.imaginary);
}

static void default_string(ir_builder *b, const bind_function *f, bind_param *p, const char *text) {
  p->def = (bind_default){.kind = BIND_DEFAULT_STRING, .text = text};
  for (const char *c = text; *c; c++) {
    if (*c < 0x20 || *c > 0x7E || strchr("\\$", *c)) {
      ir_fail_in(b, f, "default of %s: only plain ASCII without \\ and $ is supported", p->name);
      return;
    }
  }
}

void ir_build_default(ir_builder *b, const bind_function *f, bind_param *p, const dlf__default *d) {
  const bind_kind kind = p->type.kind;
  const bool number = d->kind == DLF__DEFAULT_NUMBER;
  const bool word = d->kind == DLF__DEFAULT_WORD;
  if (p->optional) {
    ir_fail_in(b, f, "default of %s: it is absent by default, since it is `opt`", p->name);
  } else if (number && (kind == BIND_INTEGER || kind == BIND_REAL)) {
    p->def = (bind_default){.kind = BIND_DEFAULT_NUMBER,
                            .text = default_number(d->text, kind == BIND_REAL)};
    default_must_fit(b, f, p, p->def.text);
  } else if (kind == BIND_COMPLEX && (number || d->kind == DLF__DEFAULT_COMPLEX)) {
    default_complex(b, f, p, d);
  } else if (word && kind == BIND_BOOL && bind_word_in(d->text, "true false")) {
    p->def = (bind_default){
        .kind = BIND_DEFAULT_BOOL, .text = "", .truth = strcmp(d->text, "true") == 0};
  } else if (d->kind == DLF__DEFAULT_STRING && kind == BIND_STRING) {
    default_string(b, f, p, d->text);
  } else if (d->kind == DLF__DEFAULT_CHARACTER && kind == BIND_CHAR) {
    p->def =
        (bind_default){.kind = BIND_DEFAULT_CHARACTER, .text = bind_string("%.1s", d->text + 1)};
    if (*p->letters && !strchr(p->letters, d->text[1])) {
      ir_fail_in(b, f, "default of %s: %s is not one of its characters", p->name, d->text);
    }
  } else if (word && p->type.enumeration) {
    default_enumerators(b, f, p, d->text);
  } else if (word && kind == BIND_INTEGER) {
    default_constants(b, f, p, d->text);
  } else {
    ir_fail_in(b, f, "default of %s: `%s` does not suit its type", p->name, d->text);
  }
}
