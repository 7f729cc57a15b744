/* SPDX-License-Identifier: Apache-2.0 */
/* Run a fuzz target without libFuzzer: over the files of a folder, then over mutations of them from
 * a fixed seed.
 *
 *   replay_X FOLDER [MUTATIONS] */
#include "fuzz.h"

#include <dirent.h>

enum { LARGEST = 8192, FILES = 4096 };

static uint64_t state = 0x9E3779B97F4A7C15u;

static uint32_t
below(uint32_t limit) { /* xorshift64*, so that every machine sees the same inputs */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)((state * 0x2545F4914F6CDD1Du) >> 32) % limit;
}

typedef struct sample {
  uint8_t bytes[LARGEST];
  size_t size;
} sample;

static void mutate(sample *s, const sample *other) {
  for (uint32_t i = 1 + below(6); i > 0; i--) {
    const uint32_t at = below((uint32_t)s->size + 1);
    switch (below(5)) {
    case 0:
      if (at < s->size) {
        s->bytes[at] = (uint8_t)below(256);
      }
      break;
    case 1:
      if (at < s->size) {
        s->bytes[at] ^= (uint8_t)(1u << below(8));
      }
      break;
    case 2: /* insert */
      if (s->size < LARGEST) {
        memmove(s->bytes + at + 1, s->bytes + at, s->size - at);
        s->bytes[at] = (uint8_t)below(256);
        s->size++;
      }
      break;
    case 3: /* cut */
      if (at < s->size) {
        memmove(s->bytes + at, s->bytes + at + 1, s->size - at - 1);
        s->size--;
      }
      break;
    default: /* the tail of another */
      if (at < other->size) {
        memcpy(s->bytes + at, other->bytes + at, other->size - at);
        s->size = other->size > s->size ? other->size : s->size;
      }
    }
  }
}

/* Read a file and give it to the target. */
static bool take(const char *folder, const char *name, sample *out) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return false;
  }
  out->size = fread(out->bytes, 1, LARGEST, file);
  fclose(file);
  LLVMFuzzerTestOneInput(out->bytes, out->size);
  return true;
}

int main(int count, char **words) {
  static sample samples[FILES];
  static sample work;
  uint32_t files = 0;
  struct dirent **entries = NULL;
  const int found = count > 1 ? scandir(words[1], &entries, NULL, alphasort) : -1;
  if (found < 0) {
    return fprintf(stderr, "usage: %s FOLDER [MUTATIONS]\n", words[0]), 2;
  }
  for (int i = 0; i < found; i++) {
    const char *name = entries[i]->d_name;
    if (name[0] != '.' && files < FILES && !take(words[1], name, &samples[files++])) {
      return 2;
    }
    free(entries[i]);
  }
  free(entries);
  if (files == 0) {
    return fprintf(stderr, "%s holds no inputs\n", words[1]), 2;
  }
  const long mutations = count > 2 ? atol(words[2]) : 0;
  for (long i = 0; i < mutations; i++) {
    work = samples[below(files)];
    mutate(&work, &samples[below(files)]);
    LLVMFuzzerTestOneInput(work.bytes, work.size);
  }
  printf("%u inputs, %ld mutations of them\n", (unsigned)files, mutations);
  return 0;
}
