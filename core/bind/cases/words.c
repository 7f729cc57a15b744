/* SPDX-License-Identifier: Apache-2.0 */
/* Questions of emitters about cases; arguments as JSON, for tests and for --cases. */
#include "bind/base/escape.h"
#include "bind/emit/query.h"
#include "cases.h"
#include <inttypes.h>

bool bind_has_cases(const bind_ir *ir) {
  BIND_EACH_FUNCTION (f, ir) {
    if (f->cases) {
      return true;
    }
  }
  return false;
}

const bind_case *bind_maker_case(const bind_function *maker) {
  const bind_case *first = maker->cases;
  /* others make nothing */
  if (first && first->broken == BIND_BROKEN_NOTHING) {
    return first;
  }
  return NULL;
}

const bind_case_value *bind_value_of(const bind_case *c, const bind_param *p) {
  return &c->values[p - c->function->params];
}

/* Tell whether this is one of the two tensors that begin at the same byte. */
static bool cases_shares(const bind_case *c, const bind_param *p, const bind_case_tensor *tensor) {
  return c->owner && (p == c->owner || p == c->guest) && tensor == bind_value_of(c, p)->tensor;
}

/* Two tensors that begin at the same byte have the stricter alignment of both. */
static int64_t cases_align(const bind_case *c, const bind_param *p,
                           const bind_case_tensor *tensor) {
  int64_t align = tensor->align;
  if (!cases_shares(c, p, tensor)) {
    return align;
  }
  const bind_param *both[] = {c->owner, c->guest};
  for (int i = 0; i < 2; i++) {
    if (bind_value_of(c, both[i])->tensor->align > align) {
      align = bind_value_of(c, both[i])->tensor->align;
    }
  }
  return align;
}

/* Return a tensor in words: "f32[2, 3] align 64". */
static const char *cases_words(const bind_case *c, const bind_param *p,
                               const bind_case_tensor *tensor) {
  const int64_t align = cases_align(c, p, tensor);
  bind_text words = {0};
  bind_put(&words, "\"%s[", tensor->dtype_name);
  for (int i = 0; i < tensor->ndim; i++) {
    bind_put(&words, "%s%" PRId64, bind_when(i, ", "), tensor->shape[i]);
  }
  bind_put(&words, "]%s", bind_when(!tensor->row_major, " strides"));
  for (int i = 0; i < tensor->ndim && !tensor->row_major; i++) {
    bind_put(&words, " %" PRId64, tensor->strides[i]);
  }
  bind_add(&words, bind_when(tensor->read_only, " read_only"));
  if (align) {
    bind_put(&words, " align %" PRId64, align);
  }
  if (tensor->skew) {
    bind_put(&words, " skew %" PRId64, tensor->skew);
  }
  if (p == c->guest && cases_shares(c, p, tensor)) {
    bind_put(&words, " alias %s", c->owner->name);
  }
  bind_put(&words, "\"");
  return bind_keep(&words);
}

static const char *cases_list(const bind_case *c, const bind_param *p, const bind_case_value *v) {
  bind_text list = {0};
  for (int i = 0; i < v->count; i++) {
    bind_append(
        &list, ", ", p->type.kind == BIND_LIST ? cases_words(c, p, &v->tensor[i]) : v->text);
  }
  return bind_string("[%s]", bind_keep(&list));
}

const char *bind_case_argument(const bind_case *c, const bind_param *p) {
  const bind_case_value *v = bind_value_of(c, p);
  if (!bind_is_passed(p, c->make) || v->absent) {
    return NULL;
  }
  switch (p->type.kind) {
  case BIND_TENSOR:
    return cases_words(c, p, v->tensor);
  case BIND_LIST:
  case BIND_ARRAY:
    return cases_list(c, p, v);
  case BIND_BOOL:
    return bind_truth(v->truth);
  case BIND_COMPLEX:
    return bind_string("[%s, %s]", v->text, v->imaginary);
  case BIND_CHAR:
    return bind_string("\"%s\"", v->text);
  case BIND_ENUM:
    return bind_number(v->integer);
  case BIND_STRING:
    return bind_string("\"%s\"", bind_doc_escape(BIND_DOC_STRING, v->text));
  case BIND_HANDLE:
    return bind_string(
        "\"%s%s\"", bind_maker_case(v->maker)->full_name, bind_when(v->closed, " closed"));
  default:
    return v->text;
  }
}
