/* SPDX-License-Identifier: Apache-2.0 */
/* A header, and behind "#contracts" in a line of its own a file of contracts: the file is refused
 * with its line, or what it binds is made, in memory. The skeleton of any header that can be read
 * does nothing when it is read back. Linked with --wrap=bind_error. */
#include "bind/emitters.h"
#include "bind/explain.h"
#include "bind/guess.h"
#include "bind/ir/json.h"
#include "bind/ir/read.h"
#include "bind/twin/twin.h"
#include "fuzz.h"

static int said;

void __wrap_bind_error(const char *format, ...);
void __wrap_bind_error(const char *format, ...) {
  va_list list;
  said++;
  va_start(list, format);
  if (getenv("DLFERRY_FUZZ_SAY")) {
    vfprintf(stderr, format, list), fputc('\n', stderr);
  }
  va_end(list);
}

static const char mark[] = "\n#contracts\n";

/* What was read last, for the guesses. */
static bind_ir unread;
static bind_options read_options;
static const accept_inputs inputs = {&unread, &read_options};

static bool read_with(bind_ir *ir, const char *text, const char *contracts) {
  static const char *const files[] = {"k.h", NULL};
  static const char *includes[] = {"k.h", NULL};
  bind_file *header = bind_alloc(1, sizeof *header);
  *header = (bind_file){"k.h", text, strlen(text)};
  const bind_options options = {.headers = files,
                                .name = "k",
                                .prefix = "k_",
                                .command = "dlferry-bind k.h --name k",
                                .contracts = contracts ? "k.contracts" : NULL,
                                .contracts_text = contracts};
  *ir = (bind_ir){.package = {.version = "", .license = "", .homepage = ""},
                  .version = dlf_version(),
                  .go_module = "k",
                  .headers = header,
                  .header_count = 1,
                  .title = "k.h",
                  .includes = includes,
                  .include_count = 1,
                  .carried = true};
  said = 0;
  unread = *ir;
  read_options = options;
  return bind_read(ir, &options);
}

static int bound(const bind_ir *ir) {
  int count = 0;
  for (int i = 0; i < ir->function_count; i++) {
    count += !ir->functions[i].unbound;
  }
  return count;
}

/* Guesses are inert, and those of a pattern are a text that can be printed for any function. */
static void must_guess(const char *header) {
  bind_ir ir, again;
  bind_text text = {0};
  if (!read_with(&ir, header, "")) {
    return; /* as beside an empty file */
  }
  for (int i = 0; i < ir.guess_count; i++) {
    bind_line(&text, "?%s;", ir.guesses[i]);
  }
  guess_put_families(&text, &ir, "?");
  const guess_facts facts = guess_find_facts(&ir);
  for (int i = 0; i < ir.function_count; i++) {
    const guess_block guess = guess_function(&facts, &ir.functions[i]);
    guess_put_block(&text, &ir.functions[i], &guess, "?");
  }
  const char *guesses = bind_keep(&text);
  if (strchr(guesses, '$')) {
    return; /* no name of the file has it */
  }
  MUST(read_with(&again, header, guesses));
  MUST(bound(&again) == bound(&ir));
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
    *contracts = 0;
  }
  must_guess(text);
  if (read_with(&ir, text, contracts ? contracts + sizeof mark - 1 : "")) {
    FILE *file = fopen("/dev/null", "w");
    bind_emit_twins(&ir, &out);
    for (const bind_emitter *e = bind_emitters; e->name; e++) {
      bind_write_package(e, &ir, &out);
    }
    MUST(file && explain_function(&inputs, &ir, "*", file) == 0 && bind_emit_ir(&ir, file) == 0);
    fclose(file);
  } else {
    MUST(said);
  }
  free(text);
  bind_free_all();
  return 0;
}
