/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses in words, from the contract as it is compiled. */
#include "words.h"
#include "bind/base/names.h"
#include "bind/base/text.h"
#include "parameters.h"
#include <dlferry.h>
#include <string.h>

/* Return the number of C's argument for a parameter; -1 for none. */
static int32_t words_argument(const bind_function *f, const bind_param *p) {
  for (int32_t i = 0; i < f->c_param_count; i++) {
    if (f->c_params[i].param == p) {
      return i;
    }
  }
  return -1;
}

static const dlf__clause *words_clause(const bind_function *f, const bind_param *p) {
  return dlf__contract_clause(f->compiled, words_argument(f, p));
}

/* ---- dtypes ---- */

/* "float32 or float64" */
static const char *words_dtypes(const DLDataType *dtypes, int32_t count) {
  const char *text = "";
  for (int32_t i = 0; i < count; i++) {
    char name[DLF_NAME_CAPACITY];
    dlf_dtype_format(dtypes[i], name, sizeof name);
    text = bind_join(text, i + 1 < count ? ", " : " or ", bind_string("%s", name));
  }
  return text;
}

static const char *words_of_dtypes(const DLDataType *dtypes, int32_t count) {
  if (!count) {
    return " of any dtype";
  }
  return bind_string(" of %s", words_dtypes(dtypes, count));
}

/* " of float32 or float64", " of the dtype of image" for a variable that an earlier argument has.
 */
static const char *words_elements(const bind_function *f, const bind_param *p,
                                  const dlf__clause *c) {
  if (c->type < 0) {
    return words_of_dtypes(c->dtypes, c->dtype_count);
  }
  for (const bind_param *q = f->params; q < p; q++) {
    const dlf__clause *its = words_clause(f, q);
    if (its && its->like < 0 && its->type == c->type) {
      return bind_string(" of the dtype of %s", q->name);
    }
  }
  DLF__EACH_CONSTRAINT (k, f->compiled) {
    if (k->kind == DLF__TYPE_IN && k->type == c->type) {
      return words_of_dtypes(k->dtypes, k->dtype_count);
    }
  }
  return bind_string(" of %s", f->compiled->types[c->type]);
}

/* ---- shapes ---- */

/* Behind "hook(": "f(x)" is "f(...)", "model->nv" stays. */
static const char *words_hook(const char *inside) {
  const char *name = bind_sized(inside, strcspn(inside, "(,) "));
  const char *field = strstr(name, "->");
  const bool is_field = field && field[2] != '*';
  return bind_string("%s%s", name, bind_when(!is_field, "(...)"));
}

/* "m/^2" is "m/2 rounded up", "hook(f)" is "f(...)". */
static const char *words_expression(const char *text) {
  bind_text t = {0};
  const char *rounded = "";
  if (bind_begins(text, "hook(")) {
    return words_hook(text + 5);
  }
  for (const char *at = text; *at; at++) {
    if (*at == '/') {
      rounded = at[1] == '^' ? " rounded up" : " rounded down";
    }
    if (*at != '^') {
      bind_raw(&t, at, 1);
    }
  }
  bind_put(&t, "%s", rounded);
  return bind_keep(&t);
}

static const char *words_axis(const bind_function *f, const dlf__axis *axis) {
  switch (axis->kind) {
  case DLF__AXIS_ANY:
    return "any";
  case DLF__AXIS_SYMBOL:
    return f->compiled->symbols[axis->symbol].name; /* of "m<=n" only m */
  default:
    return words_expression(axis->text);
  }
}

/* "m is at most 2*n, as C reports" for [m<=2*n], or "". */
static const char *words_most(const bind_function *f, const dlf__clause *c) {
  DLF__EACH_AXIS (axis, c) {
    const char *most = strstr(axis->text, "<=");
    if (!most) {
      continue;
    }
    const char *name = words_axis(f, axis);
    if (most[2] == '_') {
      return bind_string("%s is what C reports", name);
    }
    return bind_string("%s is at most %s, as C reports", name, words_expression(most + 2));
  }
  return "";
}

/* What becomes of memory that the library owns or keeps. */
static const char *words_memory(const bind_function *f, const bind_param *p) {
  const bind_gift *gift = p->gift;
  if (gift && gift->until_change) {
    return bind_string("it is memory of %s, which no call changes as long as this lives",
                       gift->handle);
  }
  if (gift && gift->kind == BIND_GIFT_LENT) {
    return bind_string("it is memory of %s, which it keeps open",
                       bind_or(gift->handle, "the object"));
  }
  if (gift && gift->kind == BIND_GIFT_FREED) {
    return bind_string("%s frees its memory", gift->freed);
  }
  if (gift) {
    return "it is a copy";
  }
  if (p->taken) {
    return bind_string("C frees it with the %s, and no other call takes it", p->kept_in);
  }
  if (p->ended) {
    return "C frees it in this call, also if that fails, so it is closed";
  }
  if (p->kept || p->kept_object) {
    return bind_string("C keeps it as long as the %s",
                       p->kept_in ? p->kept_in : f->creates->short_name);
  }
  return "";
}

static const char *words_shape(const bind_function *f, const dlf__clause *c) {
  const char *axes = "";
  if (c->implicit) {
    return "";
  }
  if (c->axis_count == 0) {
    return " without axes";
  }
  if (c->axis_count == 1 && c->run >= 0) {
    return " of any shape";
  }
  DLF__EACH_AXIS (axis, c) {
    axes = bind_join(axes, ", ", words_axis(f, axis));
  }
  return bind_string(" with shape (%s%s)", axes, bind_when(c->axis_count == 1, ","));
}

/* ---- the words after the shape ---- */

/* Tell whether what computes an argument of C reads a tensor: `ld(a)`, `order(a, b) {...}`. */
static bool words_reads(const dlf__derived *d, int32_t tensor) {
  for (int32_t i = 0; i < d->tensor_count; i++) {
    if (d->tensors[i] == tensor) {
      return true;
    }
  }
  return d->tensor == tensor;
}

/* The matrices that have one order with a tensor: "u and vt". */
static const char *words_ordered(const bind_function *f, const dlf__derived *d, int32_t tensor) {
  const char *others = "";
  BIND_EACH_PARAM (q, f) {
    const int32_t argument = words_argument(f, q);
    if (argument != tensor && words_reads(d, argument)) {
      others = bind_join(others, " and ", q->name);
    }
  }
  return others;
}

/* The strides of a `strided` tensor that C can be told: "rows or columns ..., in the same order as
 * u and vt". */
static const char *words_strides(const bind_function *f, int32_t tensor) {
  const char *matrix = NULL;
  const char *others = "";
  bool walks = false;
  for (int32_t i = 0; i < f->c_param_count; i++) {
    const dlf__derived *d = dlf__contract_derived(f->compiled, i);
    if (!d || !words_reads(d, tensor)) {
      continue;
    }
    walks |= d->source == DLF__SOURCE_STRIDE && d->blas;
    if (!matrix && d->source == DLF__SOURCE_LD) {
      matrix = "rows without gaps between their elements";
    }
    if (d->source == DLF__SOURCE_ORDER) {
      matrix = "rows or columns without gaps between their elements";
    }
    if (d->source == DLF__SOURCE_ORDER && !d->relative && !*others) {
      others = words_ordered(f, d, tensor);
    }
  }
  if (*others) {
    return bind_string("%s, in the same order as %s", matrix, others);
  }
  if (matrix) {
    return matrix;
  }
  if (walks) {
    return "any stride but 0";
  }
  return "any strides";
}

/* The layout, unless it is that of the model or of `samelayout`. */
static const char *words_layout(const bind_function *f, const dlf__clause *c) {
  const bool row = c->axis_count == 1 && c->run < 0;
  if (c->like >= 0 && f->compiled->clauses[c->like].layout == c->layout) {
    return "";
  }
  switch (c->layout) {
  case DLF__LAYOUT_FORTRAN:
    return "column-major";
  case DLF__LAYOUT_DENSE:
    return "no gaps, axes in any order";
  case DLF__LAYOUT_ROWS:
    return "no gaps inside a row";
  case DLF__LAYOUT_STRIDED:
    return c->same_layout ? "" : words_strides(f, c->parameter);
  default:
    break;
  }
  if (c->like >= 0 || c->same_layout || (c->axis_count == 0 && !c->implicit)) {
    return "";
  }
  if (row) {
    return "contiguous";
  }
  return "row-major";
}

/* "on cpu or cuda" */
static const char *words_devices(const bind_function *f, const dlf__clause *c) {
  const dlf__clause *model = c;
  if (c->like >= 0) {
    model = &f->compiled->clauses[c->like];
  }
  if (model != c && model->place == c->place && model->devices == c->devices) {
    return "";
  }
  if (c->place == DLF__PLACE_SAME) {
    return "on the device of the first array";
  }
  if (c->place == DLF__PLACE_ANY) {
    return "on any device";
  }
  const char *text = "";
  for (int32_t i = 0; c->place == DLF__PLACE_LIST && i < c->device_count; i++) {
    char name[DLF_NAME_CAPACITY];
    dlf_device_format((DLDevice){(DLDeviceType)c->devices[i], 0}, name, sizeof name);
    text = bind_join(text, " or ", bind_sized(name, strcspn(name, ":")));
  }
  return bind_join(bind_when(*text, "on"), " ", text);
}

static const char *words_properties(const bind_function *f, const dlf__clause *c) {
  const char *text = words_layout(f, c);
  if (c->same_layout) {
    text = bind_join(text, ", ", "strides like those of the first array of this rank");
  }
  if (c->noalias) {
    text = bind_join(text, ", ", "no memory shared with other arguments");
  }
  if (c->align) {
    text = bind_join(text, ", ", bind_string("aligned to %lld bytes", (long long)c->align));
  }
  return bind_join(text, ", ", words_devices(f, c));
}

/* ---- clauses ---- */

static const char *words_of_clause(const bind_function *f, const bind_param *p) {
  const dlf__array *array = dlf__contract_array(f->compiled, words_argument(f, p));
  const dlf__clause *c = words_clause(f, p);
  const char *text;
  if (array && !array->dtype.bits) {
    return bind_is_object_list(p) ? "objects" : "texts";
  }
  if (array) {
    return bind_string("numbers, %s", words_dtypes(&array->dtype, 1));
  }
  if (!c) {
    return "";
  }
  if (c->like >= 0) {
    const dlf__clause *model = &f->compiled->clauses[c->like];
    text = bind_string("array of the dtype and shape of %s", f->compiled->names[model->parameter]);
  } else {
    text = bind_string("array%s%s", words_elements(f, p, c), words_shape(f, c));
  }
  text = bind_join(text, ", ", words_properties(f, c));
  if (c->count >= 0) {
    const char *count = f->compiled->symbols[c->count].name;
    text = bind_string("%s arrays, each an %s", count, text);
  }
  text = bind_join(text, "; ", words_most(f, c));
  text = bind_join(text, "; ", words_memory(f, p));
  if (p->direction == BIND_INOUT) {
    text = bind_string("%s; it is read and written", text);
  }
  return text;
}

/* "k < hook(total(index))" is "k < total(...)". */
static const char *words_without_hooks(const char *text) {
  bind_text t = {0};
  for (const char *hook; (hook = strstr(text, "hook(")); text = hook) {
    bind_raw(&t, text, (size_t)(hook - text));
    bind_put(&t, "%s", words_hook(hook + 5));
    int depth = 0;
    do {
      depth += (*hook == '(') - (*hook == ')');
    } while (*hook++ && (depth || hook[-1] != ')'));
  }
  bind_put(&t, "%s", text);
  return bind_keep(&t);
}

/* "n % 3" is "n is a multiple of 3", "n in 0..3" is "0 <= n <= 3". */
static const char *words_of_constraint(const dlf__constraint *k) {
  switch (k->kind) {
  case DLF__RANGE:
    return bind_string("%s <= %s <= %s", k->right_text, k->left_text, k->high_text);
  case DLF__MULTIPLE:
    return bind_string("%s is a multiple of %s", k->left_text, k->right_text);
  default:
    return k->text;
  }
}

/* "'U' or 'L'" */
static const char *words_of_letters(const char *letters) {
  const char *text = "";
  for (const char *letter = letters; *letter; letter++) {
    text = bind_join(text, " or ", bind_string("'%c'", *letter));
  }
  return text;
}

static const char *words_of_limits(const bind_function *f, const bind_param *p) {
  const char *text = "";
  DLF__EACH_CONSTRAINT (k, f->compiled) {
    if (bind_is_limited(p, f->compiled, k)) {
      text = bind_join(text, " and ", words_without_hooks(words_of_constraint(k)));
    }
  }
  if (p->type.kind == BIND_CHAR && *p->letters) {
    text = bind_join(text, " and ", bind_string("%s is %s", p->name, words_of_letters(p->letters)));
  }
  return text;
}

void words_describe(bind_function *f) {
  if (!f->compiled) { /* after a failure nothing is emitted */
    return;
  }
  BIND_EACH (bind_param, p, f->params, f->param_count) {
    p->words = words_of_clause(f, p);
    p->limits_words = words_of_limits(f, p);
    if (p->kept_object || p->ended) {
      p->doc = bind_join(p->doc, "; ", words_memory(f, p));
    }
    if (p->text && p->text->mode) {
      p->doc =
          bind_join(p->doc,
                    "; ",
                    bind_string("the path of a file, which the call opens by \"%s\" and closes",
                                p->text->mode));
    }
    if (p->made_from) {
      p->doc = bind_join(p->doc, "; ", bind_string("it was made from %s", p->made_from));
    }
  }
  f->derived_words = "";
  BIND_EACH_C_PARAM (c, f) {
    if (c->derived && !c->report) {
      f->derived_words = bind_join(f->derived_words, ", ", c->name);
    }
  }
}
