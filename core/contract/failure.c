/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a call that breaks its contract: function, tensor, fault, actual value, expected
 * value. */
#include "hub/convert/convert.h"
#include "matching.h"

void dlf__put_subject(dlf__text *text, const dlf__match *m, const dlf__subject *s) {
  dlf__put(text, "%s", m->contract->names[s->clause->parameter]);
  if (s->item >= 0) {
    dlf__put(text, "[%" PRId64 "] (from 0)", s->item);
  }
}

void dlf__put_source(dlf__text *text, const dlf__match *m, int32_t symbol) {
  const dlf__symbol *s = &m->contract->symbols[symbol];
  bool number;
  if (s->parameter < 0) {
    number = m->counted >> symbol & 1;
  } else {
    number = s->counts >= 0;
  }
  if (s->hook >= 0) {
    dlf__put(text, "%s", s->name);
    return;
  }
  if (number) {
    dlf__put(text,
             "the number of %s",
             m->contract->names[s->parameter < 0 ? m->binders[symbol] : s->counts]);
  } else if (s->parameter < 0) {
    dlf__put(text, "%s[%s]", m->contract->names[m->binders[symbol]], s->name);
  } else {
    dlf__put(text, "%s", s->name);
  }
}

dlf__failure dlf__failure_begin(const dlf__match *m, const dlf__subject *s) {
  dlf__failure f = {{NULL, 0, DLF__UNSAID}, m->error}; /* without an error there is no text */
  if (m->error) {
    f.text = dlf__text_in(m->error->message, sizeof m->error->message);
  }
  dlf__put(&f.text, "%s: ", m->contract->function);
  if (s) {
    dlf__put_subject(&f.text, m, s);
  }
  return f;
}

dlf_status dlf__failure_end(dlf__failure *f, dlf_status status) {
  dlf__text_finish(&f->text);
  if (f->error) {
    f->error->status = (int32_t)status;
  }
  return status;
}

static void put_wanted(dlf__failure *f, const dlf__subject *s, bool got) {
  char word[DLF_NAME_CAPACITY];
  if (got) {
    dlf_dtype_format_short(s->tensor->dtype, word, sizeof word);
    dlf__put(&f->text, "; got %s", word);
    dlf__put_list(&f->text, s->tensor->shape, s->tensor->ndim);
  }
  dlf__put(&f->text, got ? ", wanted %s" : "; wanted %s", s->clause->text);
}

dlf_status dlf__failure_end_wanted(dlf__failure *f, const dlf__subject *s, bool got,
                                   dlf_status status) {
  put_wanted(f, s, got);
  return dlf__failure_end(f, status);
}

/* Tell whether a cast of the tensor keeps the clause. What the call writes does not reach a copy.
 */
static bool may_be_cast(const dlf__subject *s, const DLDataType *wanted, int32_t count) {
  const DLDataType dtype = s->tensor->dtype;
  if (s->clause->written || s->clause->after_call || !dlf_is_reachable(s->tensor)) {
    return false;
  }
  for (int32_t i = 0; i < count; i++) {
    if (dtype.lanes == wanted[i].lanes && dlf__is_castable(dtype, wanted[i])) {
      return true;
    }
  }
  return false;
}

dlf_status dlf__failure_end_dtype(dlf__failure *f, const dlf__subject *s, const DLDataType *wanted,
                                  int32_t count) {
  put_wanted(f, s, true);
  if (f->error && may_be_cast(s, wanted, count)) {
    dlf__put(&f->text, ": cast converts");
  }
  return dlf__failure_end(f, DLF_DTYPE);
}
