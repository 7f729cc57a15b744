/* SPDX-License-Identifier: Apache-2.0 */
/* Runs malformed.json in C, through the imports and through dlf_check; malformed_cases.py makes the
 * rows. */
#include "malformed.h"

#include <dlferry.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *malformed;
  bool legacy;
  dlf_status status;
  const char *message;
  int64_t deleted;
} test_case;

static const test_case cases[] = {
#include "malformed_cases.inc"
};

static int failures;

static void expect(const test_case *c, const char *function, dlf_status status,
                   const dlf_error *error) {
  const char *got = status ? error->message : "", *wanted = strchr(c->message, ':');
  const size_t length = strlen(function);
  const bool named = !status || strncmp(got, function, length) == 0;
  if (status == c->status && named &&
      strcmp(status ? got + length : got, wanted ? wanted : "") == 0 &&
      (!status || error->status == (int32_t)status)) {
    return;
  }
  failures++;
  printf("FAILED %s\n  expected %s: %s\n  got      %s: %s\n",
         c->name,
         dlf_status_name((int32_t)c->status),
         c->message,
         dlf_status_name((int32_t)status),
         got);
}

/* The status of a structure's check is that of its import, and the text differs in the function's
 * name only. */
static void check_legacy(const test_case *c, const DLManagedTensor *managed) {
  dlf_error error = {0};
  const dlf_status status = dlf_check(&managed->dl_tensor, 0, DLF_CHECK_STRUCTURE, &error);
  expect(c, "check", status, &error);
}

static void check(const test_case *c, const DLManagedTensorVersioned *managed) {
  dlf_error error = {0};
  const dlf_status status = dlf_check_managed(managed, DLF_CHECK_STRUCTURE, &error);
  expect(c, "check_managed", status, &error);
}

static dlf_status import(const test_case *c, dlf_tensor **handle, dlf_error *error) {
  dlf_status status;
  if (c->legacy) {
    DLManagedTensor *owned = malformed_make_legacy(c->malformed);
    if (!owned) {
      abort();
    }
    check_legacy(c, owned);
    status = dlf_from_dlpack_legacy(owned, handle, error);
    if (status) {
      dlf_dlpack_release_legacy(owned);
    }
  } else {
    DLManagedTensorVersioned *owned = malformed_make(c->malformed);
    if (!owned) {
      abort();
    }
    check(c, owned);
    status = dlf_from_dlpack(owned, handle, error);
    if (status) {
      dlf_dlpack_release(owned);
    }
  }
  return status;
}

int main(void) {
  const size_t count = sizeof cases / sizeof *cases;
  for (const test_case *c = cases; c < cases + count; c++) {
    dlf_error error = {0};
    dlf_tensor *handle = (dlf_tensor *)&handle; /* which a failure makes NULL */
    const int64_t before = malformed_deleted();
    const dlf_status status = import(c, &handle, &error);
    if (status && handle) {
      printf("FAILED %s: gave a tensor beside a failure\n", c->name), failures++;
    }
    dlf_release(handle);
    expect(c, "from_dlpack", status, &error);
    if (dlf_live() == 0 && malformed_deleted() - before == c->deleted) {
      continue;
    }
    failures++;
    printf("FAILED %s\n  expected %" PRId64 " deleters and no live tensor, got %" PRId64
           " and %" PRId64 "\n",
           c->name,
           c->deleted,
           malformed_deleted() - before,
           dlf_live());
  }
  printf("malformed: %zu cases, %d failures\n", count, failures);
  return count == 0 || failures > 0;
}
