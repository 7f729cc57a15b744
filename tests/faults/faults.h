/* SPDX-License-Identifier: Apache-2.0 */
/* Included before every file of the hub when it is built for the fault tests: its allocations may
 * be told to fail. */
#ifndef DLFERRY_FAULTS_H
#define DLFERRY_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void *faults_malloc(size_t size);
void *faults_calloc(size_t count, size_t size);
void faults_free(void *memory);

#ifdef DLFERRY_FAULTS_HUB
#define malloc faults_malloc
#define calloc faults_calloc
#define free faults_free
#endif

/* Let the n-th allocation of this thread from here on fail, counted from 0; below 0 none. */
void faults_arm(int64_t n);
/* True once the armed allocation has failed. */
bool faults_fired(void);
/* Blocks that the hub holds. */
int64_t faults_blocks(void);
/* Free the blocks of an aborted test. */
void faults_sweep(void);

#endif
