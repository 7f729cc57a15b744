/* SPDX-License-Identifier: Apache-2.0 */
/* What headers of cuVS need of CUDA's, which are not fetched for one name. */
#ifndef DLFERRY_TESTS_CUDA_RUNTIME_H
#define DLFERRY_TESTS_CUDA_RUNTIME_H

typedef struct CUstream_st *cudaStream_t;

#endif
