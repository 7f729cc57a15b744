/* SPDX-License-Identifier: Apache-2.0 */
/* The options of dlferry-bind. */
#ifndef DLFERRY_BIND_OPTIONS_H
#define DLFERRY_BIND_OPTIONS_H

#include "bind/base/output.h"
#include "bind/ir/read.h"

typedef struct option_words {
  const char **items; /**< NULL ends them */
  int count;
} option_words;

typedef struct command_options {
  bind_options read;
  const char *languages;                 /**< "" without --lang */
  option_words headers;                  /**< as the command names them, at least one */
  option_words old_headers, old_folders; /**< of --diff */
  option_words sources, links, ignored, includes;
  option_words folders, defines; /**< -I and -D of --preprocess */
  const char *package_file;
  const char *go_module, *go_package, *explain, *skeleton, *coverage;
  const char *project, *folder; /**< of --new */
  bool preprocess;
  bool ir, cases, no_tests, version, help;
  bind_out out;
} command_options;

/** Read the command's words. Returns -1 to go on, else the exit status. */
int options_read(int argc, char **argv, command_options *o);

#endif
