/* SPDX-License-Identifier: Apache-2.0 */
/* Each function of the headers counts once: a family's members, not the family. Below the counts it
 * stands under each of its reasons. */
#include "coverage.h"
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include <stdlib.h>
#include <string.h>

/* Functions that the table names for each reason; JSON has all. */
enum { COVERAGE_SHOWN = 4 };

typedef enum coverage_kind {
  COVERAGE_BOUND,
  COVERAGE_FREES,
  COVERAGE_GUESSED,
  COVERAGE_HIDDEN,
  COVERAGE_LEFT_OUT,
  COVERAGE_KINDS
} coverage_kind;

static const struct coverage_words {
  const char *key; /* in JSON */
  const char *title;
} coverage_words[COVERAGE_KINDS] = {
    [COVERAGE_BOUND] = {"bound", "bound"},
    [COVERAGE_FREES] = {"frees", "called by an object's end"},
    [COVERAGE_GUESSED] = {"guessed", "need a contract that --new-contracts can guess"},
    [COVERAGE_HIDDEN] = {"hidden", "hidden by a contract"},
    [COVERAGE_LEFT_OUT] = {"left_out", "left out"}};

/* The functions that are left out for one reason. */
typedef struct coverage_reason {
  const char *why;
  const char **functions;
  int count, capacity;
  int alone; /* functions for which it is the only one */
} coverage_reason;

typedef struct coverage_table {
  int counts[COVERAGE_KINDS];
  int total;
  coverage_reason *reasons;
  int reason_count, reason_capacity;
  bind_index whys; /* places of reasons */
} coverage_table;

/* "image: the type `x` is not bound" is one reason for all parameters, and for a result. */
static const char *coverage_reason_of(const char *unbound) {
  static const char result[] = "its result: ";
  const size_t size = bind_name_size(unbound);
  if (size && bind_begins(unbound + size, ": ")) {
    return unbound + size + 2;
  }
  if (bind_begins(unbound, result)) {
    return unbound + sizeof result - 1;
  }
  return unbound;
}

static void coverage_add_reason(coverage_table *table, const bind_function *f,
                                const char *sentence) {
  const char *why = coverage_reason_of(sentence);
  if (bind_find_place(&table->whys, why) < 0) {
    const coverage_reason reason = {.why = why};
    bind_add_place(&table->whys, why, table->reason_count);
    BIND_ADD(table->reasons, table->reason_count, table->reason_capacity, reason);
  }
  coverage_reason *to = &table->reasons[bind_find_place(&table->whys, why)];
  if (to->count && to->functions[to->count - 1] == f->name) {
    return; /* two of its parameters have it */
  }
  BIND_ADD(to->functions, to->count, to->capacity, f->name);
}

static void coverage_add_reasons(coverage_table *table, const bind_function *f) {
  const char *first = coverage_reason_of(f->reasons[0]);
  bool alone = true;
  for (int i = 0; i < f->reason_count; i++) {
    coverage_add_reason(table, f, f->reasons[i]);
    alone &= strcmp(coverage_reason_of(f->reasons[i]), first) == 0;
  }
  if (alone) {
    table->reasons[bind_find_place(&table->whys, first)].alone++;
  }
}

/* The most frequent reason first; qsort is not stable. */
static int coverage_by_count(const void *a, const void *b) {
  const coverage_reason *left = a;
  const coverage_reason *right = b;
  if (left->count != right->count) {
    return right->count - left->count;
  }
  return strcmp(left->why, right->why);
}

static coverage_table coverage_count(const accept_inputs *inputs, const bind_ir *ir) {
  coverage_table table = {0};
  const accept_kept kept = accept_find(inputs, ir);
  table.counts[COVERAGE_HIDDEN] = ir->hidden;
  table.counts[COVERAGE_FREES] = ir->freeing_count;
  BIND_EACH_DECLARED (f, ir) {
    const int i = (int)(f - ir->functions);
    if (f->member_count) {
      continue;
    }
    if (!f->unbound) {
      table.counts[COVERAGE_BOUND]++;
    } else if (kept.binds[i]) {
      table.counts[COVERAGE_GUESSED]++;
    } else {
      table.counts[COVERAGE_LEFT_OUT]++;
      coverage_add_reasons(&table, f);
    }
  }
  for (int k = 0; k < COVERAGE_KINDS; k++) {
    table.total += table.counts[k];
  }
  if (table.reason_count) {
    qsort(table.reasons, (size_t)table.reason_count, sizeof *table.reasons, coverage_by_count);
  }
  return table;
}

static void coverage_put_table(bind_text *t, const coverage_table *table, const bind_ir *ir) {
  bind_line(t, "%s: %d functions", ir->title, table->total);
  for (int k = 0; k < COVERAGE_KINDS; k++) {
    const int percent =
        table->total ? (100 * table->counts[k] + table->total / 2) / table->total : 0;
    bind_line(t, "%6d  %3d %%  %s", table->counts[k], percent, coverage_words[k].title);
  }
  BIND_EACH (const coverage_reason, reason, table->reasons, table->reason_count) {
    const char *advice = bind_advice(reason->why);
    bind_put(t, "\n%6d  %s%s%s", reason->count, reason->why, bind_when(*advice, ": "), advice);
    if (reason->alone == 0) {
      bind_put(t, " (never the only reason)");
    } else if (reason->alone < reason->count) {
      bind_put(t, " (the only reason for %d)", reason->alone);
    }
    bind_put(t, ":\n        ");
    for (int i = 0; i < reason->count && i < COVERAGE_SHOWN; i++) {
      bind_put(t, "%s%s", bind_when(i > 0, ", "), reason->functions[i]);
    }
    if (reason->count > COVERAGE_SHOWN) {
      bind_put(t, " and %d more", reason->count - COVERAGE_SHOWN);
    }
    bind_put(t, "\n");
  }
}

static void coverage_put_json(bind_text *t, const coverage_table *table, const bind_ir *ir) {
  bind_put(t, "{\"format\": 2, \"headers\": \"%s\"", bind_doc_escape(BIND_DOC_STRING, ir->title));
  bind_put(t, ", \"functions\": %d", table->total);
  for (int k = 0; k < COVERAGE_KINDS; k++) {
    bind_put(t, ", \"%s\": %d", coverage_words[k].key, table->counts[k]);
  }
  bind_put(t, ", \"reasons\": [");
  BIND_EACH (const coverage_reason, reason, table->reasons, table->reason_count) {
    bind_put(t,
             "%s\n  {\"why\": \"%s\", \"advice\": \"%s\", \"alone\": %d, \"functions\": [",
             bind_when(reason != table->reasons, ","),
             bind_doc_escape(BIND_DOC_STRING, reason->why),
             bind_doc_escape(BIND_DOC_STRING, bind_advice(reason->why)),
             reason->alone);
    for (int i = 0; i < reason->count; i++) {
      bind_put(t, "%s\"%s\"", bind_when(i > 0, ", "), reason->functions[i]);
    }
    bind_put(t, "]}");
  }
  bind_line(t, "\n]}");
}

int coverage_print(const accept_inputs *inputs, const bind_ir *ir, bool json, FILE *file) {
  bind_text text = {0};
  const coverage_table table = coverage_count(inputs, ir);
  if (json) {
    coverage_put_json(&text, &table, ir);
  } else {
    coverage_put_table(&text, &table, ir);
  }
  return !bind_print(&text, file);
}
