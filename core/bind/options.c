/* SPDX-License-Identifier: Apache-2.0 */
/* The options of dlferry-bind, one row each: the parser, --help and line 1 of generated files use
 * the rows. */
#include "options.h"
#include "bind/base/template.h"
#include "emitters.h"
#include "preprocess.h"
#include <dlferry.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef enum option_kind {
  OPTION_TRUTH, /* without a value */
  OPTION_TEXT,
  OPTION_WORDS /* may be repeated */
} option_kind;

static const struct option_row {
  const char *name;
  const char *value; /* what --help calls it */
  size_t place;      /* in command_options */
  option_kind kind;
  bool kept; /* line 1 of generated files repeats it, in this order */
  const char *help;
} option_rows[] = {
    {.name = "name",
     .value = "NAME",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, read.name),
     .help = "name of the packages, such as photo"},
    {.name = "prefix",
     .value = "PREFIX[,PREFIX...]",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, read.prefix),
     .kept = true,
     .help = "strip this from the names of functions, enums and enum values, as in XGB,XG; the "
             "default is NAME_"},
    {.name = "lang",
     .value = "LIST",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, languages),
     .help = "languages to generate, any of $languages; without it only the checked C is written"},
    {.name = "out",
     .value = "DIR",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, out.directory),
     .help = "folder that receives NAME_dlferry.h, NAME_dlferry.c and a folder for each language"},
    {.name = "source",
     .value = "FILE",
     .kind = OPTION_WORDS,
     .place = offsetof(command_options, sources),
     .kept = true,
     .help = "C file that the packages carry besides the header; may be repeated"},
    {.name = "link",
     .value = "NAME",
     .kind = OPTION_WORDS,
     .place = offsetof(command_options, links),
     .kept = true,
     .help = "library that the sources call, as after -l; may be repeated"},
    {.name = "contracts",
     .value = "FILE",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, read.contracts),
     .kept = true,
     .help = "contracts of functions of HEADER, which stays as it is: NAME { contract }"},
    {.name = "new-contracts",
     .value = "FILE",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, skeleton),
     .help = "write a file to start from: guesses, which do nothing, for each function, handle and "
             "family"},
    {.name = "include",
     .value = "NAME",
     .kind = OPTION_WORDS,
     .place = offsetof(command_options, includes),
     .kept = true,
     .help =
         "header that the generated C includes instead of HEADER, such as an installed library's\n"
         "own; packages carry it only as a --source; may be repeated"},
    {.name = "preprocess",
     .place = offsetof(command_options, preprocess),
     .kept = true,
     .help = "read the headers after `cc -E` (CC names another compiler), for declarations and "
             "types that come from "
             "macros\n"
             "and included files"},
    {.name = "I",
     .value = "DIR",
     .kind = OPTION_WORDS,
     .place = offsetof(command_options, folders),
     .help = "with --preprocess: folder of included headers; may be repeated"},
    {.name = "D",
     .value = "NAME[=VALUE]",
     .kind = OPTION_WORDS,
     .place = offsetof(command_options, defines),
     .kept = true,
     .help = "with --preprocess: macro to define; may be repeated"},
    {.name = "package-file",
     .value = "FILE",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, package_file),
     .kept = true,
     .help = "version, license, license-files, authors and homepage of the packages, as in TOML: "
             "KEY = \"text\" or\n"
             "KEY = [\"text\", ...]"},
    {.name = "ignore-macro",
     .value = "NAME",
     .kind = OPTION_WORDS,
     .place = offsetof(command_options, ignored),
     .kept = true,
     .help = "macro that counts as empty, such as an export macro; may be repeated"},
    {.name = "go-module",
     .value = "PATH",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, go_module),
     .kept = true,
     .help = "import path of the Go module to write; the default is NAME"},
    {.name = "go-package",
     .value = "PATH",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, go_package),
     .kept = true,
     .help = "import path of a Go package to write inside an existing module, instead of a module"},
    {.name = "ir",
     .place = offsetof(command_options, ir),
     .help = "print what the generator reads in the header as JSON, and write nothing"},
    {.name = "cases",
     .place = offsetof(command_options, cases),
     .help = "print the calls that the generated tests make as JSON, and write nothing"},
    {.name = "explain",
     .value = "FUNCTION",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, explain),
     .help = "print how the generator reads a function, its signature in each language, and the "
             "clauses that\n"
             "might bind it if it is left out; '*' or another pattern: those of each function left "
             "out"},
    {.name = "new",
     .value = "NAME",
     .kind = OPTION_TEXT,
     .place = offsetof(command_options, project),
     .help = "write a project to start from into DIR: a header, C, CMakeLists.txt and tests"},
    {.name = "no-tests",
     .place = offsetof(command_options, no_tests),
     .kept = true,
     .help =
         "leave out the tests of the packages, which are calls that contracts accept and refuse"},
    {.name = "check",
     .place = offsetof(command_options, out.check),
     .help = "write nothing; list the files that differ and exit with status 1 if there are any"},
    {.name = "strict",
     .place = offsetof(command_options, read.strict),
     .help = "fail if a function cannot be bound, instead of skipping it"},
    {.name = "version", .place = offsetof(command_options, version), .help = "print the version"},
    {.name = "help", .place = offsetof(command_options, help), .help = "print this text"},
};

enum { OPTION_ROWS = sizeof option_rows / sizeof *option_rows };

static const char options_usage[] =
    "usage: dlferry-bind HEADER... --name NAME --lang LANGUAGE[,LANGUAGE...] --out DIR [option "
    "...]\n"
    "       dlferry-bind HEADER... --name NAME --ir|--cases\n"
    "       dlferry-bind HEADER... --name NAME --explain FUNCTION\n"
    "       dlferry-bind HEADER... --name NAME --new-contracts FILE\n"
    "       dlferry-bind --new NAME DIR\n"
    "\n"
    "Turn plain C headers into checked C and packages for other languages.\n"
    "\n"
    "$rows\n"
    "\n"
    "Exit status: 0 success, 1 the header is refused or files differ, 2 the command is wrong.\n";

static int options_wrong(const char *what, const char *word) {
  bind_error("%s%s; see dlferry-bind --help", what, word);
  return 2;
}

const char *options_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash) {
    return slash + 1;
  }
  return path;
}

/* Line 1 of generated files names a file without its folder. */
static bool options_is_file(const command_options *o, const void *place) {
  return place == &o->read.contracts || place == &o->package_file;
}

static void *options_place(command_options *o, const struct option_row *row) {
  return (char *)o + row->place;
}

/* "--name", "-I" */
static const char *options_spelled(const struct option_row *row) {
  return bind_string("%s%s", row->name[1] ? "--" : "-", row->name);
}

static int options_help(void) {
  bind_text rows = {0};
  for (const struct option_row *row = option_rows; row < option_rows + OPTION_ROWS; row++) {
    const char *title = bind_string("%s %s", options_spelled(row), bind_or(row->value, ""));
    const char *help = bind_filled(row->help, {"languages", bind_emitter_names()});
    for (size_t size; *help; help += size + (help[size] == '\n'), title = "") {
      size = strcspn(help, "\n");
      bind_line(&rows, "  %-20s %.*s", title, (int)size, help);
    }
  }
  return fputs(bind_filled(options_usage, {"rows", bind_keep(&rows)}), stdout) < 0;
}

/* Go's rule for import paths, without '~': parts of letters, digits and "-._" that neither begin
 * nor end with a dot. */
static bool options_is_import_path(const char *path) {
  char before = '/';
  for (const char *p = path; *p; before = *p++) {
    const bool plain =
        (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
    if (!plain && !strchr("-._/", *p)) {
      return false;
    }
    if ((*p == '/' && (before == '/' || before == '.')) || (*p == '.' && before == '/')) {
      return false;
    }
    if (*p == '-' && p == path) {
      return false;
    }
  }
  return before != '/' && before != '.';
}

/* Tell whether a name can stand between quotes after #include, and in a comment. */
static bool options_is_include(const char *name) {
  for (const char *p = name; *p; p++) {
    if (*p <= ' ' || *p > '~' || strchr("\"\\<>*", *p)) {
      return false;
    }
  }
  return *name != 0;
}

/* Tell whether a name is an identifier in every language. */
static bool options_is_plain_name(const char *name) {
  if (!(*name >= 'a' && *name <= 'z')) {
    return false;
  }
  for (const char *p = name; *p; p++) {
    if (!((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_')) {
      return false;
    }
  }
  return true;
}

/* The command for line 1 of the files: without folders, languages and the place. */
static const char *options_command(command_options *o) {
  const char *command = "dlferry-bind";
  for (int i = 0; i < o->headers.count; i++) {
    command = bind_string("%s %s", command, options_base_name(o->headers.items[i]));
  }
  command = bind_string("%s --name %s", command, o->read.name);
  const bool plain = strcmp(o->read.prefix, bind_string("%s_", o->read.name)) == 0;
  for (const struct option_row *row = option_rows; row < option_rows + OPTION_ROWS; row++) {
    const void *place = options_place(o, row);
    if (!row->kept || (plain && place == &o->read.prefix)) {
      continue;
    }
    if (row->kind == OPTION_TRUTH && *(const bool *)place) {
      command = bind_string("%s %s", command, options_spelled(row));
    }
    if (row->kind == OPTION_TEXT && *(const char *const *)place) {
      command =
          bind_string("%s %s %s",
                      command,
                      options_spelled(row),
                      options_is_file(o, place) ? options_base_name(*(const char *const *)place)
                                                : *(const char *const *)place);
    }
    const option_words none = {NULL, 0};
    const option_words *words = &none;
    if (row->kind == OPTION_WORDS) {
      words = place;
    }
    for (int i = 0; i < words->count; i++) {
      command =
          bind_string("%s %s %s",
                      command,
                      options_spelled(row),
                      words == &o->sources ? options_base_name(words->items[i]) : words->items[i]);
    }
  }
  return command;
}

/* Returns -1 to go on, else the exit status. */
static int options_take(int argc, char **argv, command_options *o) {
  struct option known[OPTION_ROWS + 1] = {{NULL, 0, NULL, 0}};
  char letters[2 * OPTION_ROWS + 2] = ":";
  char *letter = letters + 1;
  for (int i = 0; i < OPTION_ROWS; i++) {
    const struct option_row *row = &option_rows[i];
    known[i].name = row->name;
    if (row->kind == OPTION_TRUTH) {
      known[i].has_arg = no_argument;
    } else {
      known[i].has_arg = required_argument;
    }
    known[i].val = 256 + i;
    if (!row->name[1]) {
      *letter++ = row->name[0];
      *letter++ = ':';
    }
    if (row->kind != OPTION_WORDS) {
      continue;
    }
    option_words *words = options_place(o, row);
    words->items = bind_alloc((size_t)argc + 1, sizeof *words->items);
  }
  opterr = 0;
  optind = 1;
  for (int option; (option = getopt_long(argc, argv, letters, known, NULL)) != -1;) {
    if (option == ':') {
      return options_wrong("expected a value after ", argv[optind - 1]);
    }
    for (int i = 0; option < 256 && i < OPTION_ROWS; i++) {
      if (option == option_rows[i].name[0] && !option_rows[i].name[1]) {
        option = known[i].val;
      }
    }
    if (option < 256) {
      return options_wrong("unknown option ", argv[optind - 1]);
    }
    const struct option_row *row = &option_rows[option - 256];
    void *place = options_place(o, row);
    if (row->kind == OPTION_TRUTH) {
      *(bool *)place = true;
    }
    if (row->kind == OPTION_TEXT) {
      *(const char **)place = optarg;
    }
    option_words *words = NULL;
    if (row->kind == OPTION_WORDS) {
      words = place;
    }
    if (words) {
      words->items[words->count++] = optarg;
    }
    if (o->help) {
      return options_help();
    }
    if (o->version) {
      return printf("dlferry-bind %s\n", dlf_version()) < 0;
    }
  }
  return -1;
}

static int options_check_new(command_options *o, int count, char **words) {
  if (!options_is_plain_name(o->project)) {
    return options_wrong("--new: expected small letters, digits and _, got ", o->project);
  }
  if (count != 1) {
    return options_wrong("--new NAME: expected one folder", "");
  }
  o->folder = words[0];
  return -1;
}

static int options_check_languages(const char *languages) {
  char *list = bind_string("%s", languages);
  for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
    if (!bind_find_emitter(word)) {
      return options_wrong(bind_string("--lang: expected any of %s, got ", bind_emitter_names()),
                           word);
    }
  }
  return -1;
}

/* Tell whether a definition is a name alone or before `=`, and can stand in a comment. */
static bool options_is_macro(const char *text) {
  const size_t size =
      strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  if (!size || (*text >= '0' && *text <= '9') || (text[size] && text[size] != '=')) {
    return false;
  }
  for (const char *p = text; *p; p++) {
    if (*p < ' ' || *p > '~' || *p == '*' || *p == '\\') {
      return false;
    }
  }
  return true;
}

static int options_check(const command_options *o) {
  if (!o->read.name) {
    return options_wrong("expected --name", "");
  }
  if (!options_is_plain_name(o->read.name)) {
    return options_wrong("--name: expected small letters, digits and _, got ", o->read.name);
  }
  if (o->go_module && o->go_package) {
    return options_wrong("expected one of --go-module and --go-package", "");
  }
  if (o->go_module && !options_is_import_path(o->go_module)) {
    return options_wrong("--go-module: expected an import path, got ", o->go_module);
  }
  if (o->go_package && !options_is_import_path(o->go_package)) {
    return options_wrong("--go-package: expected an import path, got ", o->go_package);
  }
  for (int i = 0; i < o->includes.count; i++) {
    if (!options_is_include(o->includes.items[i])) {
      return options_wrong("--include: expected the name of a header, got ", o->includes.items[i]);
    }
  }
  for (int i = 0; i < o->defines.count; i++) {
    if (!options_is_macro(o->defines.items[i])) {
      return options_wrong("-D: expected NAME or NAME=VALUE on one line, got ",
                           o->defines.items[i]);
    }
  }
  if (!o->preprocess && o->folders.count + o->defines.count) {
    return options_wrong("-I and -D: expected --preprocess", "");
  }
  if (!o->ir && !o->cases && !o->explain && !o->skeleton && !o->out.directory) {
    return options_wrong("expected --out, --ir, --cases, --explain or --new-contracts", "");
  }
  return options_check_languages(o->languages);
}

int options_read(int argc, char **argv, command_options *o) {
  *o = (command_options){.languages = ""};
  int status = options_take(argc, argv, o);
  if (status >= 0) {
    return status;
  }
  if (o->project) {
    return options_check_new(o, argc - optind, argv + optind);
  }
  if (optind == argc) {
    return options_wrong("expected a header", "");
  }
  status = options_check(o);
  if (status >= 0) {
    return status;
  }
  o->headers = (option_words){(const char **)(argv + optind), argc - optind};
  o->read.headers = o->headers.items;
  o->read.ignore = o->ignored.items;
  if (o->preprocess) {
    o->read.which = preprocess_which;
  } else {
    o->read.which = NULL;
  }
  if (!o->read.prefix) {
    o->read.prefix = bind_string("%s_", o->read.name);
  }
  o->read.command = options_command(o);
  o->read.silent = o->skeleton || o->explain;
  return -1;
}
