/* SPDX-License-Identifier: Apache-2.0 */
/* Failures of files: exceptions that are Python's for the system's reason too. */
#include "hub.h"

void hub_raise_of_file(dlf_status status, const dlf_error *error, int number) {
  if (status != DLF_FOREIGN || !number) {
    dlfpy_raise(status, error);
    return;
  }
  dlfpy_raise_instance(
      dlfpy_call_from("dlferry.errors", "of_file", "(si)", error->message, number));
}
