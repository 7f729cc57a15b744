/* SPDX-License-Identifier: Apache-2.0 */
/* The command dlferry-bind. */
#include "bind/base/names.h"
#include "bind/base/output.h"
#include "bind/cases/cases.h"
#include "bind/emit/query.h"
#include "bind/read/json.h"
#include "bind/read/read.h"
#include "bind/twin/checked.h"
#include "emitters.h"
#include "explain.h"
#include "new.h"
#include <dlferry.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char main_usage[] =
    "usage: dlferry-bind HEADER --name NAME --lang LANGUAGE[,LANGUAGE...] --out DIR [option ...]\n"
    "       dlferry-bind HEADER --name NAME --ir|--cases\n"
    "       dlferry-bind HEADER --name NAME --explain FUNCTION\n"
    "       dlferry-bind --new NAME DIR\n"
    "\n"
    "Turn a plain C header over DLTensor into checked C and packages for other languages.\n"
    "\n"
    "  --name NAME          of the packages, such as photo\n"
    "  --prefix PREFIX      stripped from functions, enums and their values; NAME_ unless given\n"
    "  --lang LIST          any of python,rust,go,julia; without it only the checked C is written\n"
    "  --out DIR            receives NAME_dlferry.h, NAME_dlferry.c and a folder for each language\n"
    "  --source FILE        C that the packages carry, besides the header; may be repeated\n"
    "  --link NAME          a library that these call, as after -l; may be repeated\n"
    "  --go-module PATH     of the Go module that is written; NAME unless given\n"
    "  --go-package PATH    instead: the Go package is part of a module that exists, where this imports it\n"
    "  --include NAME       what the C that is made includes instead of HEADER, such as the header that HEADER was\n"
    "                       preprocessed from; packages carry it only as a --source\n"
    "  --ignore-macro NAME  a macro that counts as empty, such as an export macro; may be repeated\n"
    "  --ir                 print what the header says as JSON, and write nothing\n"
    "  --cases              print the calls that generated tests make as JSON, and write nothing\n"
    "  --explain FUNCTION   print what is understood of a function, and its signature in each language\n"
    "  --new NAME           write a project to start from into DIR: a header, C, CMakeLists.txt and tests\n"
    "  --no-tests           leave out the tests that packages have: calls that contracts accept and refuse\n"
    "  --check              write nothing; list the files that differ and exit with status 1 if any does\n"
    "  --strict             fail when a function cannot be bound, instead of skipping it\n"
    "  --version            print the version\n"
    "  --help               print this\n"
    "\n"
    "HEADER may be preprocessed (cc -E -C), where it uses more of the preprocessor than simple macros; --include NAME\n"
    "then says which header C includes.\n"
    "Exit status: 0 done, 1 the header is refused or files differ, 2 the command is wrong.\n";

static int main_wrong_use(const char *what, const char *word) {
  bind_error("%s%s; see dlferry-bind --help", what, word);
  return 2;
}

static const char *main_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool main_read_file(const char *path, bind_file *out) {
  bind_text text = {0};
  char buffer[4096];
  size_t got;
  errno = 0;
  FILE *file = fopen(path, "rb");
  while (file && (got = fread(buffer, 1, sizeof buffer, file)) > 0) bind_raw(&text, buffer, got);
  const bool good = file && !ferror(file);
  if (!good) bind_error("cannot read %s: %s", path, strerror(errno ? errno : EIO));
  if (file) fclose(file);
  char *data = bind_alloc(text.length + 1, 1);
  if (text.length) memcpy(data, text.data, text.length);
  *out = (bind_file){bind_string("%s", main_base_name(path)), data, text.length};
  bind_text_free(&text);
  return good;
}

/* Packages compile what ends in .c, all in one folder with what else they carry. */
static bool main_are_sources(const bind_ir *ir) {
  bool good = true;
  for (int i = 0; i < ir->source_count; i++) {
    const char *name = ir->sources[i].name, *dot = strrchr(name, '.');
    if (!dot || !bind_word_in(dot, ".c .h .inc .def")) {
      bind_error("--source %s: packages carry C; make it a library of its own and say --link", name);
      good = false;
    }
    for (int k = -1; k < i; k++) {
      if ((k < 0 && !ir->carried) || strcmp(name, k < 0 ? ir->header.name : ir->sources[k].name) != 0) continue;
      bind_error("--source %s: packages have one folder for C, and another file is called so", name);
      good = false;
    }
  }
  return good;
}

static bool main_is_carried(const bind_ir *ir, const char *name) {
  bool carried = (ir->carried && strcmp(ir->header.name, name) == 0) ||
                 bind_word_in(name, "dlpack/dlpack.h dlferry.h") ||
                 strcmp(name, bind_string("%s_dlferry.h", ir->name)) == 0;
  for (int i = 0; i < ir->source_count; i++) carried |= strcmp(ir->sources[i].name, name) == 0;
  return carried;
}

/* Say which lines `#include "deep/x.h"` find a file of the user's that packages do not have at that place. */
static void main_look_for_includes(const bind_ir *ir, const char *path, const char *text) {
  int line = 1;
  for (const char *p = text; *p; line++, p += strcspn(p, "\n"), p += *p != 0) {
    const char *word = p + strspn(p, " \t#");
    if (p[strspn(p, " \t")] != '#' || strncmp(word, "include", 7) != 0) continue;
    const char *name = word + 7 + strspn(word + 7, " \t");
    if (*name++ != '"') continue;
    name = bind_string("%.*s", (int)strcspn(name, "\"\n"), name);
    if (main_is_carried(ir, name)) continue;
    FILE *found = fopen(bind_string("%.*s%s", (int)(main_base_name(path) - path), path, name), "rb");
    if (!found) continue;
    fclose(found);
    bind_error("%s:%d: packages do not carry \"%s\": name it with --source, and include it without a folder", path,
               line, name);
  }
}

/* A name that is an identifier in every language. */
static bool main_is_plain_name(const char *name) {
  if (!(*name >= 'a' && *name <= 'z')) return false;
  for (const char *p = name; *p; p++)
    if (!((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_')) return false;
  return true;
}

typedef struct main_options {
  bind_options read;
  const char *languages;
  const char **sources, **links, **ignore;
  int source_count, link_count, ignore_count;
  const char *go_module, *go_package, *include;
  const char *project; /**< --new */
  const char *explain;
  bool ir, cases, no_tests;
  bind_out out;
} main_options;

/* The command as line 1 of the files repeats it: without folders, languages and the place. */
static const char *main_command_of(const main_options *o) {
  const char *command = bind_string("dlferry-bind %s --name %s", main_base_name(o->read.header), o->read.name);
  if (strcmp(o->read.prefix, bind_string("%s_", o->read.name)) != 0)
    command = bind_string("%s --prefix %s", command, o->read.prefix);
  for (int i = 0; i < o->source_count; i++)
    command = bind_string("%s --source %s", command, main_base_name(o->sources[i]));
  for (int i = 0; i < o->link_count; i++) command = bind_string("%s --link %s", command, o->links[i]);
  if (o->include) command = bind_string("%s --include %s", command, o->include);
  for (int i = 0; i < o->ignore_count; i++) command = bind_string("%s --ignore-macro %s", command, o->ignore[i]);
  if (o->go_module) command = bind_string("%s --go-module %s", command, o->go_module);
  if (o->go_package) command = bind_string("%s --go-package %s", command, o->go_package);
  if (o->no_tests) command = bind_string("%s --no-tests", command);
  return command;
}

/* Go's own rule for import paths, without '~': parts of letters, digits and "-._", none of them beginning or ending with
 * a dot. */
static bool main_is_import_path(const char *path) {
  char before = '/';
  for (const char *p = path; *p; before = *p++) {
    const bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
    if (!plain && !strchr("-._/", *p)) return false;
    if ((*p == '/' && (before == '/' || before == '.')) || (*p == '.' && before == '/')) return false;
    if (*p == '-' && p == path) return false;
  }
  return before != '/' && before != '.';
}

/* What can stand between quotes after #include, and in a comment. */
static bool main_is_include(const char *name) {
  for (const char *p = name; *p; p++)
    if (*p <= ' ' || *p > '~' || strchr("\"\\<>*", *p)) return false;
  return *name != 0;
}

static int main_new(const char *name, int count, char **words) {
  if (!main_is_plain_name(name)) return main_wrong_use("--new: expected small letters, digits and _, got ", name);
  if (count != 1) return main_wrong_use("--new NAME: expected one folder", "");
  return new_project(name, words[0]);
}

/* -1 to go on, else the exit status. */
static int main_read_options(int argc, char **argv, main_options *o) {
  enum {
    NAME = 256,
    PREFIX,
    LANG,
    OUT,
    SOURCE,
    LINK,
    GO_MODULE,
    GO_PACKAGE,
    IGNORE,
    INCLUDE,
    IR,
    CASES,
    EXPLAIN,
    NEW,
    NO_TESTS,
    CHECK,
    STRICT,
    VERSION,
    HELP
  };
  static const struct option options[] = {{"name", required_argument, NULL, NAME},
                                          {"prefix", required_argument, NULL, PREFIX},
                                          {"lang", required_argument, NULL, LANG},
                                          {"out", required_argument, NULL, OUT},
                                          {"source", required_argument, NULL, SOURCE},
                                          {"link", required_argument, NULL, LINK},
                                          {"go-module", required_argument, NULL, GO_MODULE},
                                          {"go-package", required_argument, NULL, GO_PACKAGE},
                                          {"ignore-macro", required_argument, NULL, IGNORE},
                                          {"include", required_argument, NULL, INCLUDE},
                                          {"ir", no_argument, NULL, IR},
                                          {"cases", no_argument, NULL, CASES},
                                          {"explain", required_argument, NULL, EXPLAIN},
                                          {"new", required_argument, NULL, NEW},
                                          {"no-tests", no_argument, NULL, NO_TESTS},
                                          {"check", no_argument, NULL, CHECK},
                                          {"strict", no_argument, NULL, STRICT},
                                          {"version", no_argument, NULL, VERSION},
                                          {"help", no_argument, NULL, HELP},
                                          {NULL, 0, NULL, 0}};
  o->sources = bind_alloc((size_t)argc + 1, sizeof *o->sources);
  o->links = bind_alloc((size_t)argc + 1, sizeof *o->links);
  o->ignore = bind_alloc((size_t)argc + 1, sizeof *o->ignore);
  opterr = 0;
  optind = 1;
  for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
    switch (option) {
    case NAME: o->read.name = optarg; break;
    case PREFIX: o->read.prefix = optarg; break;
    case LANG: o->languages = optarg; break;
    case OUT: o->out.directory = optarg; break;
    case SOURCE: o->sources[o->source_count++] = optarg; break;
    case GO_MODULE: o->go_module = optarg; break;
    case GO_PACKAGE: o->go_package = optarg; break;
    case LINK: o->links[o->link_count++] = optarg; break;
    case IGNORE: o->ignore[o->ignore_count++] = optarg; break;
    case INCLUDE: o->include = optarg; break;
    case IR: o->ir = true; break;
    case CASES: o->cases = true; break;
    case EXPLAIN: o->explain = optarg; break;
    case NEW: o->project = optarg; break;
    case NO_TESTS: o->no_tests = true; break;
    case CHECK: o->out.check = true; break;
    case STRICT: o->read.strict = true; break;
    case VERSION: return printf("dlferry-bind %s\n", dlf_version()) < 0;
    case HELP: return fputs(main_usage, stdout) < 0;
    case ':': return main_wrong_use("expected a value after ", argv[optind - 1]);
    default: return main_wrong_use("unknown option ", argv[optind - 1]);
    }
  }
  if (o->project) return main_new(o->project, argc - optind, argv + optind);
  if (optind == argc) return main_wrong_use("expected a header", "");
  if (optind + 1 < argc) return main_wrong_use("expected one header, got also ", argv[optind + 1]);
  o->read.header = argv[optind];
  o->read.ignore = o->ignore;
  if (!o->read.name) return main_wrong_use("expected --name", "");
  if (!main_is_plain_name(o->read.name))
    return main_wrong_use("--name: expected small letters, digits and _, got ", o->read.name);
  if (o->go_module && o->go_package) return main_wrong_use("expected one of --go-module and --go-package", "");
  if (o->go_module && !main_is_import_path(o->go_module))
    return main_wrong_use("--go-module: expected an import path, got ", o->go_module);
  if (o->go_package && !main_is_import_path(o->go_package))
    return main_wrong_use("--go-package: expected an import path, got ", o->go_package);
  if (o->include && !main_is_include(o->include))
    return main_wrong_use("--include: expected the name of a header, got ", o->include);
  if (!o->read.prefix) o->read.prefix = bind_string("%s_", o->read.name);
  if (!o->ir && !o->cases && !o->explain && !o->out.directory)
    return main_wrong_use("expected --out, --ir, --cases or --explain", "");
  o->read.command = main_command_of(o);
  return -1;
}

/* Before anything is written: every language must be one of the table. */
static int main_check_languages(const char *languages) {
  char *list = bind_string("%s", languages);
  for (char *word = strtok(list, ","); word; word = strtok(NULL, ","))
    if (!bind_find_emitter(word))
      return main_wrong_use(bind_string("--lang: expected any of %s, got ", bind_emitter_names()), word);
  return -1;
}

static int main_run(int argc, char **argv) {
  main_options o = {0};
  bind_ir ir = {0};
  int status = main_read_options(argc, argv, &o);
  if (status < 0) status = main_check_languages(o.languages ? o.languages : "");
  if (status >= 0) return status;
  ir.version = dlf_version();
  ir.go_module = o.go_package ? o.go_package : o.go_module ? o.go_module : o.read.name;
  ir.go_inside = o.go_package != NULL;
  ir.links = o.links;
  ir.link_count = o.link_count;
  ir.sources = bind_alloc((size_t)o.source_count + 1, sizeof *ir.sources);
  if (!main_read_file(o.read.header, &ir.header)) return 1;
  ir.include = o.include ? o.include : ir.header.name;
  ir.carried = !o.include;
  for (; ir.source_count < o.source_count; ir.source_count++)
    if (!main_read_file(o.sources[ir.source_count], &ir.sources[ir.source_count])) return 1;
  if (!main_are_sources(&ir)) return 1;
  if (!bind_read(&ir, &o.read)) return 1;
  if (o.explain) return explain_function(&ir, o.explain, stdout);
  if (o.ir) return bind_emit_ir(&ir, stdout);
  if (o.cases) bind_make_cases(&ir);
  if (o.cases) return bind_emit_cases(&ir, stdout);
  if (!bind_next_function(&ir, NULL)) {
    const bool includes = !ir.function_count && strstr(ir.header.data, "include");
    bind_error("%s: no function that can be bound%s", o.read.header,
               includes ? ": it declares none, and what it includes is not read; give the header that declares them"
                        : "");
    return 1;
  }
  status = bind_emit_checked(&ir, &o.out);
  if (o.languages) main_look_for_includes(&ir, o.read.header, ir.header.data);
  for (int i = 0; o.languages && i < ir.source_count; i++)
    main_look_for_includes(&ir, o.sources[i], ir.sources[i].data);
  if (!o.no_tests && o.languages) bind_make_cases(&ir);
  char *list = bind_string("%s", o.languages ? o.languages : "");
  for (char *word = strtok(list, ","); word && !status; word = strtok(NULL, ","))
    status = bind_find_emitter(word)->emit(&ir, &o.out);
  return status || o.out.different || o.out.failed;
}

/* The command as a function, for a program whose main is not C's, such as Go's. Not for two threads at once. */
int dlf_bind_main(int argc, char **argv);

int dlf_bind_main(int argc, char **argv) {
  const int status = main_run(argc, argv);
  bind_free_all();
  return status;
}

#ifndef DLF_BIND_NO_MAIN
int main(int argc, char **argv) { return dlf_bind_main(argc, argv); }
#endif
