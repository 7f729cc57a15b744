/* SPDX-License-Identifier: Apache-2.0 */
#include "faults.h"

#include <pthread.h>
#include <string.h>

/* In front of every block, so that all that are alive can be found. Keeps malloc's alignment. */
typedef struct block {
  _Alignas(16) struct block *next;
  struct block *previous;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block alive = {&alive, &alive};
static int64_t count;
static _Thread_local int64_t left = -1;
static _Thread_local bool fired;

void faults_arm(int64_t n) {
  left = n;
  fired = false;
}

bool faults_fired(void) {
  return fired;
}

int64_t faults_blocks(void) {
  pthread_mutex_lock(&lock);
  const int64_t now = count;
  pthread_mutex_unlock(&lock);
  return now;
}

void *faults_malloc(size_t size) {
  if (left >= 0 && left-- == 0) {
    fired = true;
    return NULL;
  }
  block *b = size <= SIZE_MAX - sizeof *b ? malloc(sizeof *b + size) : NULL;
  if (!b) {
    return NULL;
  }
  pthread_mutex_lock(&lock);
  b->next = &alive;
  b->previous = alive.previous;
  alive.previous->next = b;
  alive.previous = b;
  count++;
  pthread_mutex_unlock(&lock);
  return b + 1;
}

void *faults_calloc(size_t number, size_t size) {
  if (size && number > SIZE_MAX / size) {
    return NULL;
  }
  void *memory = faults_malloc(number * size);
  return memory ? memset(memory, 0, number * size) : NULL;
}

void faults_free(void *memory) {
  if (!memory) {
    return;
  }
  block *b = (block *)memory - 1;
  pthread_mutex_lock(&lock);
  b->previous->next = b->next;
  b->next->previous = b->previous;
  count--;
  pthread_mutex_unlock(&lock);
  free(b);
}

void faults_sweep(void) {
  while (alive.next != &alive) {
    faults_free(alive.next + 1);
  }
}
