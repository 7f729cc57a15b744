/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are refused: the accepted one with one thing changed, kept if no other case is refused with the same words. */
#include "cases_call.h"
#include <string.h>

static bool cases_is_taken(const cases_finder *s, const char *name) {
  for (const bind_case *c = s->first; c; c = c->next)
    if (strcmp(c->name, name) == 0) return true;
  return false;
}

void cases_keep(cases_finder *s, const char *name, bind_broken broken, const bind_param *p, dlf_status status,
                const char *text) {
  bind_case *made = cases_copy(s, s->scratch);
  made->name = bind_string("%s", name);
  for (int again = 2; cases_is_taken(s, made->name); again++) made->name = bind_string("%s_%d", name, again);
  made->full_name = bind_string("%s/%s", s->f->short_name, made->name);
  made->broken = broken;
  made->param = p;
  made->status = status;
  made->text = bind_string("%s", text);
  made->next = NULL;
  if (s->last)
    s->last->next = made;
  else
    s->first = made;
  s->last = made;
}

void cases_break(cases_finder *s) { (void)s; }
