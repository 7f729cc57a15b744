/* SPDX-License-Identifier: Apache-2.0 */
/* The options of dlferry-bind, one row each: the parser, --help and line 1 of generated files use
 * the rows. */
#include "options.h"
#include "bind/base/system.h"
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

/* What line 1 of generated files says of an option, in the order of the rows. */
typedef enum option_line {
  OPTION_APART,
  OPTION_KEPT,
  OPTION_KEPT_FILE /* its value without folders */
} option_line;

static const struct option_row {
  const char *name;
  const char *value; /* what --help calls it */
  option_kind kind;
  option_line line;
  size_t place; /* in command_options */
  const char *help;
} option_rows[] = {
    {"name",
     "NAME",
     OPTION_TEXT,
     OPTION_APART,
     offsetof(command_options, read.name),
     "name of the packages, such as photo"},
    {"prefix",
     "PREFIX[,PREFIX...]",
     OPTION_TEXT,
     OPTION_KEPT,
     offsetof(command_options, read.prefix),
     "strip this from the names of functions, enums and enum values, as in XGB,XG; the "
     "default is NAME_"},
    {"lang",
     "LIST",
     OPTION_TEXT,
     OPTION_APART,
     offsetof(command_options, languages),
     "languages to generate, any of $languages; without it only the checked C is written"},
    {"out",
     "DIR",
     OPTION_TEXT,
     OPTION_APART,
     offsetof(command_options, out.directory),
     "folder that receives NAME_dlferry.h, NAME_dlferry.c and a folder for each language"},
    {"source",
     "FILE",
     OPTION_WORDS,
     OPTION_KEPT_FILE,
     offsetof(command_options, sources),
     "C file that the packages carry besides the header; may be repeated"},
    {"link",
     "NAME",
     OPTION_WORDS,
     OPTION_KEPT,
     offsetof(command_options, links),
     "library that the sources call, as after -l; may be repeated"},
    {"contracts",
     "FILE",
     OPTION_TEXT,
     OPTION_KEPT_FILE,
     offsetof(command_options, read.contracts),
     "contracts of functions of HEADER, which stays as it is: NAME { contract }"},
    {"new-contracts",
     "FILE",
     OPTION_TEXT,
     OPTION_APART,
     offsetof(command_options, skeleton),
     "write a file to start from: guesses, which do nothing, for each function, handle and "
     "family;\n"
     "with --contracts the same FILE: add to it what is new, and leave the rest as it is"},
    {"diff",
     "OLD",
     OPTION_WORDS,
     OPTION_APART,
     offsetof(command_options, old_headers),
     "compare HEADER with its older version OLD: print each change of source, ABI and contracts "
     "in a sentence;\n"
     "status 0: none breaks, 1: some do, 2: a file cannot be read; may be repeated"},
    {"old-folder",
     "DIR",
     OPTION_WORDS,
     OPTION_APART,
     offsetof(command_options, old_folders),
     "with --diff and --preprocess: folder of headers that OLD includes, instead of -I; may be "
     "repeated"},
    {"include",
     "NAME",
     OPTION_WORDS,
     OPTION_KEPT,
     offsetof(command_options, includes),
     "header that the generated C includes instead of HEADER, such as an installed library's\n"
     "own; packages carry it only as a --source; may be repeated"},
    {"preprocess",
     NULL,
     OPTION_TRUTH,
     OPTION_KEPT,
     offsetof(command_options, preprocess),
     "read the headers after `cc -E` (CC names another compiler), for declarations and "
     "types that come from macros\n"
     "and included files"},
    {"I",
     "DIR",
     OPTION_WORDS,
     OPTION_APART,
     offsetof(command_options, folders),
     "with --preprocess: folder of included headers; may be repeated"},
    {"D",
     "NAME[=VALUE]",
     OPTION_WORDS,
     OPTION_KEPT,
     offsetof(command_options, defines),
     "with --preprocess: macro to define; may be repeated"},
    {"package-file",
     "FILE",
     OPTION_TEXT,
     OPTION_KEPT_FILE,
     offsetof(command_options, package_file),
     "version, license, license-files, authors and homepage of the packages, as in TOML: "
     "KEY = \"text\" or\n"
     "KEY = [\"text\", ...]"},
    {"ignore-macro",
     "NAME",
     OPTION_WORDS,
     OPTION_KEPT,
     offsetof(command_options, ignored),
     "macro that counts as empty, such as an export macro; may be repeated"},
    {"go-module",
     "PATH",
     OPTION_TEXT,
     OPTION_KEPT,
     offsetof(command_options, go_module),
     "import path of the Go module to write; the default is NAME"},
    {"go-package",
     "PATH",
     OPTION_TEXT,
     OPTION_KEPT,
     offsetof(command_options, go_package),
     "import path of a Go package to write inside an existing module, instead of a module"},
    {"ir",
     NULL,
     OPTION_TRUTH,
     OPTION_APART,
     offsetof(command_options, ir),
     "print what the generator reads in the header as JSON, and write nothing"},
    {"cases",
     NULL,
     OPTION_TRUTH,
     OPTION_APART,
     offsetof(command_options, cases),
     "print the calls that the generated tests make as JSON, and write nothing"},
    {"explain",
     "FUNCTION",
     OPTION_TEXT,
     OPTION_APART,
     offsetof(command_options, explain),
     "print how the generator reads a function, its signature in each language, and the "
     "clauses that\n"
     "might bind it if it is left out; '*' or another pattern: those of each function left out"},
    {"coverage",
     "FORMAT",
     OPTION_TEXT,
     OPTION_APART,
     offsetof(command_options, coverage),
     "print how many functions are bound, and why the others are not: `table` or `json`"},
    {"new",
     "NAME",
     OPTION_TEXT,
     OPTION_APART,
     offsetof(command_options, project),
     "write a project to start from into DIR: a header, C, CMakeLists.txt and tests"},
    {"no-tests",
     NULL,
     OPTION_TRUTH,
     OPTION_KEPT,
     offsetof(command_options, no_tests),
     "leave out the tests of the packages, which are calls that contracts accept and refuse"},
    {"check",
     NULL,
     OPTION_TRUTH,
     OPTION_APART,
     offsetof(command_options, out.check),
     "write nothing; list the files that differ and exit with status 1 if there are any"},
    {"strict",
     NULL,
     OPTION_TRUTH,
     OPTION_APART,
     offsetof(command_options, read.strict),
     "fail if a function cannot be bound, instead of skipping it"},
    {"version",
     NULL,
     OPTION_TRUTH,
     OPTION_APART,
     offsetof(command_options, version),
     "print the version"},
    {"help", NULL, OPTION_TRUTH, OPTION_APART, offsetof(command_options, help), "print this text"},
};

enum { OPTION_ROWS = sizeof option_rows / sizeof *option_rows };

static const char options_usage[] =
    "usage: dlferry-bind HEADER... --name NAME --lang LANGUAGE[,LANGUAGE...] --out DIR [option "
    "...]\n"
    "       dlferry-bind HEADER... --name NAME --ir|--cases\n"
    "       dlferry-bind HEADER... --name NAME --explain FUNCTION\n"
    "       dlferry-bind HEADER... --name NAME --coverage table|json\n"
    "       dlferry-bind HEADER... --name NAME --new-contracts FILE\n"
    "       dlferry-bind --diff OLD... HEADER... [--contracts FILE]\n"
    "       dlferry-bind --new NAME DIR\n"
    "\n"
    "Turn plain C headers into checked C and packages for other languages.\n"
    "\n"
    "$rows\n"
    "\n"
    "Exit status: 0 success, 1 the header is refused or files differ, 2 the command is wrong.\n";

static int options_wrong(const char *problem, const char *word) {
  bind_error("%s%s; see dlferry-bind --help", problem, word);
  return 2;
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
  BIND_EACH (const struct option_row, row, option_rows, OPTION_ROWS) {
    const char *title = bind_string("%s %s", options_spelled(row), bind_or(row->value, ""));
    const char *help = bind_filled(row->help, {"languages", bind_emitter_names()});
    for (size_t size; *help; help += size + (help[size] == '\n'), title = "") {
      size = strcspn(help, "\n");
      bind_line(&rows, "  %-20s %.*s", title, (int)size, help);
    }
  }
  return fputs(bind_filled(options_usage, {"rows", bind_keep(&rows)}), stdout) < 0;
}

#define OPTIONS_SMALL "abcdefghijklmnopqrstuvwxyz"
#define OPTIONS_DIGITS "0123456789"
#define OPTIONS_ALPHANUMERIC OPTIONS_SMALL "ABCDEFGHIJKLMNOPQRSTUVWXYZ" OPTIONS_DIGITS

/* Go's rule for import paths, without '~': parts of letters, digits and "-._" that neither begin
 * nor end with a dot. */
static bool options_is_import_path(const char *path) {
  char before = '/';
  if (*path == '-' || path[strspn(path, OPTIONS_ALPHANUMERIC "-._/")]) {
    return false;
  }
  for (const char *p = path; *p; before = *p++) {
    if ((*p == '/' && (before == '/' || before == '.')) || (*p == '.' && before == '/')) {
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
  const bool begins = bind_is_lower(*name);
  return begins && !name[strspn(name, OPTIONS_SMALL OPTIONS_DIGITS "_")];
}

/* The values that the command gives for an option: none for one without a value. */
static option_words options_values(command_options *o, const struct option_row *row) {
  const char **text = options_place(o, row);
  if (row->kind == OPTION_WORDS) {
    return *(option_words *)options_place(o, row);
  }
  return (option_words){text, row->kind == OPTION_TEXT && *text};
}

/* The command for line 1 of the files: without folders, languages and the place. */
static const char *options_command(command_options *o) {
  const char *command = "dlferry-bind";
  for (int i = 0; i < o->headers.count; i++) {
    command = bind_string("%s %s", command, bind_base_name(o->headers.items[i]));
  }
  command = bind_string("%s --name %s", command, o->read.name);
  const bool plain = strcmp(o->read.prefix, bind_string("%s_", o->read.name)) == 0;
  BIND_EACH (const struct option_row, row, option_rows, OPTION_ROWS) {
    const void *place = options_place(o, row);
    if (row->line == OPTION_APART || (plain && place == &o->read.prefix)) {
      continue;
    }
    if (row->kind == OPTION_TRUTH && *(const bool *)place) {
      command = bind_string("%s %s", command, options_spelled(row));
    }
    const option_words values = options_values(o, row);
    for (int i = 0; i < values.count; i++) {
      const char *value = values.items[i];
      if (row->line == OPTION_KEPT_FILE) {
        value = bind_base_name(value);
      }
      command = bind_string("%s %s %s", command, options_spelled(row), value);
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
    known[i] = (struct option){row->name, row->kind != OPTION_TRUTH, NULL, 256 + i};
    if (!row->name[1]) {
      *letter++ = row->name[0];
      *letter++ = ':';
    }
    if (row->kind != OPTION_WORDS) {
      continue;
    }
    option_words *words = options_place(o, row);
    words->items = bind_items(argc, sizeof *words->items);
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
    } else if (row->kind == OPTION_TEXT) {
      *(const char **)place = optarg;
    } else {
      option_words *words = place;
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
  const size_t size = strspn(text, OPTIONS_ALPHANUMERIC "_");
  if (!size || bind_is_digit(*text) || (text[size] && text[size] != '=')) {
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
  if (o->old_folders.count && !(o->old_headers.count && o->preprocess)) {
    return options_wrong("--old-folder: expected --diff and --preprocess", "");
  }
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
  if (o->coverage && strcmp(o->coverage, "table") != 0 && strcmp(o->coverage, "json") != 0) {
    return options_wrong("--coverage: expected table or json, got ", o->coverage);
  }
  const bool prints = o->ir || o->cases || o->explain || o->coverage || o->old_headers.count;
  if (!prints && !o->skeleton && !o->out.directory) {
    return options_wrong(
        "expected --out, --ir, --cases, --explain, --coverage, --new-contracts or --diff", "");
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
  if (o->old_headers.count && !o->read.name) {
    o->read.name = "diff"; /* callers see no name of it */
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
  }
  if (!o->read.prefix) {
    o->read.prefix = bind_string("%s_", o->read.name);
  }
  o->read.command = options_command(o);
  o->read.silent = o->skeleton || o->explain || o->coverage || o->old_headers.count;
  return -1;
}
