/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

/* "source, ABI" */
static const char *diff_effects(int effects) {
  static const char *const names[] = {"source", "ABI", "contract"};
  const char *all = "";
  for (int i = 0; i < 3; i++) {
    if (effects & (1 << i)) {
      all = bind_join(all, ", ", names[i]);
    }
  }
  return all;
}

static void diff_put_breaks(bind_text *t, const diff_report *r, int count) {
  bind_line(t, "%d break%s", count, bind_when(count != 1, "s"));
  BIND_EACH (const diff_line, line, r->lines, r->count) {
    if (line->effects) {
      bind_line(t, "  %s (%s)", line->text, diff_effects(line->effects));
    }
  }
}

static void diff_put_additions(bind_text *t, const diff_report *r, int count) {
  bind_line(t, "%d compatible change%s", count, bind_when(count != 1, "s"));
  BIND_EACH (const diff_line, line, r->lines, r->count) {
    if (!line->effects) {
      bind_line(t, "  %s", line->text);
    }
  }
}

int diff_print(const diff_version *old, const diff_version *now, FILE *file) {
  diff_report report = {.old = old, .now = now};
  bind_text text = {0};
  int breaks = 0;
  diff_functions(&report);
  diff_structs(&report);
  diff_enums(&report);
  diff_macros(&report);
  diff_contracts(&report);
  BIND_EACH (const diff_line, line, report.lines, report.count) {
    breaks += line->effects != DIFF_NONE;
  }
  diff_put_breaks(&text, &report, breaks);
  diff_put_additions(&text, &report, report.count - breaks);
  return bind_print(&text, file) ? breaks : -1;
}
