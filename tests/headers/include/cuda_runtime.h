/* SPDX-License-Identifier: Apache-2.0 */
/* What headers of cuVS need of CUDA's, which are not fetched for two names. */
#ifndef DLFERRY_TESTS_CUDA_RUNTIME_H
#define DLFERRY_TESTS_CUDA_RUNTIME_H

typedef struct CUstream_st *cudaStream_t;
typedef enum { CUDA_R_32F = 0, CUDA_R_16F = 2, CUDA_R_8U = 8 } cudaDataType_t;

#endif
