/* SPDX-License-Identifier: Apache-2.0 */
/* Questions of emitters about cases; tensors in words, for tests and for --cases. */
#include "bind/emit/query.h"
#include "cases.h"

bool bind_has_cases(const bind_ir *ir) {
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->cases) {
      return true;
    }
  }
  return false;
}

const bind_case *bind_first_case(const bind_function *f) {
  return f->cases;
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

/* Two tensors that begin at the same byte have the stricter alignment of both. */
static int64_t cases_align(const bind_case *c, const bind_param *p,
                           const bind_case_tensor *tensor) {
  int64_t align = tensor->align;
  if (!bind_case_shares(c, p, tensor)) {
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

bool bind_case_shares(const bind_case *c, const bind_param *p, const bind_case_tensor *tensor) {
  return c->owner && (p == c->owner || p == c->guest) && tensor == bind_value_of(c, p)->tensor;
}

const char *bind_case_words(const bind_case *c, const bind_param *p,
                            const bind_case_tensor *tensor) {
  const long long align = cases_align(c, p, tensor);
  const char *words = bind_string("%s[", tensor->dtype_name);
  for (int i = 0; i < tensor->ndim; i++) {
    words = bind_string("%s%s%lld", words, bind_when(i, ", "), (long long)tensor->shape[i]);
  }
  words = bind_string("%s]%s", words, bind_when(!tensor->row_major, " strides"));
  for (int i = 0; i < tensor->ndim && !tensor->row_major; i++) {
    words = bind_string("%s %lld", words, (long long)tensor->strides[i]);
  }
  if (tensor->read_only) {
    words = bind_string("%s read_only", words);
  }
  if (align) {
    words = bind_string("%s align %lld", words, align);
  }
  if (tensor->skew) {
    words = bind_string("%s skew %lld", words, (long long)tensor->skew);
  }
  return words;
}

int64_t bind_case_room(const bind_case *c) {
  const bind_case_tensor *owner = bind_value_of(c, c->owner)->tensor;
  const int64_t align = cases_align(c, c->owner, owner);
  const int64_t size =
      (owner->reach * owner->dtype.bits * owner->dtype.lanes + 7) / 8 + owner->skew;
  return size + (align > 16 ? align : 16);
}
