/* SPDX-License-Identifier: Apache-2.0 */
#include "emit_predicate.h"

void bind_put_predicate_helpers(bind_text *text) { (void)text; }
bool bind_put_predicate(bind_text *text, const bind_function *f) {
  (void)text;
  (void)f;
  return false;
}
void bind_put_predicate_arguments(bind_text *text, const bind_function *f) {
  (void)text;
  (void)f;
}
