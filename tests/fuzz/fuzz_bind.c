/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a header, and what follows "#contracts" in a line of its own as contracts beside it:
 * it is refused with file and line, or all that the generator makes of it is made, in memory.
 * Linked with --wrap=bind_error. */
#include "bind/cases/cases.h"
#include "bind/emitters.h"
#include "bind/explain.h"
#include "bind/ir/json.h"
#include "bind/ir/read.h"
#include "bind/twin/twin.h"
#include "fuzz.h"

enum { LARGEST_SAID = 512 };

static int said, placed; /* errors, and those of them that name a line */

void __wrap_bind_error(const char *format, ...);
void __wrap_bind_error(const char *format, ...) {
  char text[LARGEST_SAID];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  said++;
  const char *colon = strchr(text, ':'); /* "k.h:3: ...", or the file of a line mark */
  while (colon && (strspn(colon + 1, "0123456789") == 0 ||
                   colon[1 + strspn(colon + 1, "0123456789")] != ':')) {
    colon = strchr(colon + 1, ':');
  }
  placed += colon != NULL;
  if (getenv("DLFERRY_FUZZ_SAY")) {
    fprintf(stderr, "%s\n", text);
  }
}

static const char mark[] = "\n#contracts\n";

/* What was read last, for the guesses. */
static bind_ir unread;
static bind_options read_options;
static const accept_inputs inputs = {&unread, &read_options};

static bool read_header(bind_ir *ir, const char *text, size_t size, const char *contracts,
                        bool strict) {
  static const char *const ignored[] = {"K_API", "K_CALL", NULL};
  static const char *const files[] = {"k.h", NULL};
  static const char *includes[] = {"k.h", NULL};
  bind_file *header = bind_alloc(1, sizeof *header);
  *header = (bind_file){"k.h", text, size};
  const bind_options options = {.headers = files,
                                .name = "k",
                                .prefix = "k_",
                                .command = "dlferry-bind k.h --name k",
                                .contracts = contracts ? "k.contracts" : NULL,
                                .contracts_text = contracts,
                                .ignore = ignored,
                                .strict = strict};
  *ir = (bind_ir){.package = {.version = "", .license = "", .homepage = ""},
                  .version = dlf_version(),
                  .go_module = "k",
                  .headers = header,
                  .header_count = 1,
                  .title = "k.h",
                  .includes = includes,
                  .include_count = 1,
                  .carried = true};
  said = placed = 0;
  unread = *ir;
  read_options = options;
  const bool read = bind_read(ir, &options);
  MUST(read || placed);
  return read;
}

/* Two runs write the same bytes, since users' tests compare the output. */
static void must_print_alike(const bind_ir *ir) {
  char *texts[2] = {NULL, NULL};
  size_t sizes[2];
  for (int i = 0; i < 2; i++) {
    FILE *file = open_memstream(&texts[i], &sizes[i]);
    MUST(file && bind_emit_ir(ir, file) == 0 && bind_emit_cases(ir, file) == 0);
    for (int k = 0; k < ir->function_count; k++) {
      MUST(explain_function(&inputs, ir, ir->functions[k].name, file) == 0);
    }
    fclose(file);
  }
  MUST(sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0);
  free(texts[0]);
  free(texts[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  bind_ir ir;
  bind_out out = {NULL, false, 0, 0};
  char *text = malloc(size + 1);
  if (!text) {
    return 0;
  }
  if (size) {
    memcpy(text, bytes, size);
  }
  text[size] = 0;
  char *contracts = strstr(text, mark);
  if (contracts) {
    size = (size_t)(contracts - text);
    *contracts = 0;
    contracts += sizeof mark - 1;
  }
  const bool strict = read_header(&ir, text, size, contracts, true);
  if (read_header(&ir, text, size, contracts, false)) {
    bind_make_cases(&ir);
    bind_emit_twins(&ir, &out);
    for (const bind_emitter *e = bind_emitters; e->name; e++) {
      bind_write_package(e, &ir, &out);
    }
    must_print_alike(&ir);
  } else {
    MUST(!strict);
  }
  MUST(out.different == 0 && out.failed == 0);
  free(text);
  bind_free_all();
  return 0;
}
