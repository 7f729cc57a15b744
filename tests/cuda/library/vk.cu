/* SPDX-License-Identifier: Apache-2.0 */
#include "vk.h"

#include <atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

static std::atomic<uint64_t> last_stream, last_address;
static std::atomic<int64_t> freed;

enum { THREADS = 256 };

static unsigned blocks_for(int64_t n) {
  return (unsigned)((n + THREADS - 1) / THREADS);
}

static int answer(cudaError_t code, dlf_error *error) {
  if (code == cudaSuccess) {
    return DLF_OK;
  }
  return dlf_error_set(error, DLF_FOREIGN, cudaGetErrorString(code));
}

/* Work on the tensor's device, and note what the call passed. */
static cudaError_t begin(const DLTensor *tensor, dlf_stream stream, cudaStream_t *out) {
  last_stream = (uint64_t)(uintptr_t)stream.handle;
  last_address = (uint64_t)(uintptr_t)tensor->data;
  *out = (cudaStream_t)stream.handle;
  return cudaSetDevice(tensor->device.device_id);
}

/* ---- scale ---- */

template <typename T> __global__ void scale(const T *x, float factor, T *out, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = T((float)x[i] * factor);
  }
}

template <typename T>
static void launch_scale(const DLTensor *x, double factor, DLTensor *out, cudaStream_t stream) {
  const int64_t n = x->shape[0];
  scale<T><<<blocks_for(n), THREADS, 0, stream>>>(
      (const T *)x->data, (float)factor, (T *)out->data, n);
}

extern "C" int vk_scale(const DLTensor *x, double factor, DLTensor *out, dlf_stream stream,
                        dlf_error *error) {
  cudaStream_t queue;
  cudaError_t code = begin(x, stream, &queue);
  if (code == cudaSuccess && x->shape[0]) { /* data is the address of the first element */
    if (x->dtype.code == kDLBfloat) {
      launch_scale<__nv_bfloat16>(x, factor, out, queue);
    } else if (x->dtype.bits == 32) {
      launch_scale<float>(x, factor, out, queue);
    } else if (x->dtype.bits == 16) {
      launch_scale<__half>(x, factor, out, queue);
    } else {
      launch_scale<__nv_fp8_e4m3>(x, factor, out, queue);
    }
    code = cudaGetLastError(); /* of the launch; do not wait for the kernel */
  }
  return answer(code, error);
}

/* ---- add, sum ---- */

__global__ void add(const float *x, const float *y, float *out, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = x[i] + y[i];
  }
}

extern "C" int vk_add(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_stream stream,
                      dlf_error *error) {
  const int64_t n = x->shape[0];
  cudaStream_t queue;
  cudaError_t code = begin(out, stream, &queue);
  if (code == cudaSuccess && n) {
    add<<<blocks_for(n), THREADS, 0, queue>>>(
        (const float *)x->data, (const float *)y->data, (float *)out->data, n);
    code = cudaGetLastError();
  }
  return answer(code, error);
}

extern "C" int vk_sum(const DLTensor *const *all, int count, DLTensor *out, dlf_stream stream,
                      dlf_error *error) {
  const int64_t n = out->shape[0];
  cudaStream_t queue;
  cudaError_t code = begin(out, stream, &queue);
  if (code == cudaSuccess) {
    code = cudaMemsetAsync(out->data, 0, (size_t)n * sizeof(float), queue);
  }
  for (int i = 0; i < count && n && code == cudaSuccess; i++) {
    add<<<blocks_for(n), THREADS, 0, queue>>>(
        (const float *)all[i]->data, (const float *)out->data, (float *)out->data, n);
    code = cudaGetLastError();
  }
  return answer(code, error);
}

/* ---- fill ---- */

__global__ void spin(int64_t cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

__global__ void fill(float *x, float value, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = value;
  }
}

extern "C" int vk_fill(DLTensor *x, double value, int64_t cycles, dlf_stream stream,
                       dlf_error *error) {
  const int64_t n = x->shape[0];
  cudaStream_t queue;
  cudaError_t code = begin(x, stream, &queue);
  if (code == cudaSuccess && n) {
    spin<<<1, 1, 0, queue>>>(cycles);
    fill<<<blocks_for(n), THREADS, 0, queue>>>((float *)x->data, (float)value, n);
    code = cudaGetLastError();
  }
  return answer(code, error);
}

/* ---- copy, negate ---- */

typedef struct matrix {
  float *data;
  int64_t row, column;
} matrix;

__global__ void copy(matrix from, matrix to, int64_t h, int64_t w) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h * w) {
    const int64_t y = i / w;
    const int64_t x = i % w;
    to.data[y * to.row + x * to.column] = from.data[y * from.row + x * from.column];
  }
}

static matrix matrix_of(const DLTensor *tensor) {
  return {(float *)tensor->data, tensor->strides[0], tensor->strides[1]};
}

extern "C" int vk_copy(const DLTensor *x, DLTensor *out, dlf_stream stream, dlf_error *error) {
  const int64_t h = x->shape[0];
  const int64_t w = x->shape[1];
  cudaStream_t queue;
  cudaError_t code = begin(x, stream, &queue);
  if (code == cudaSuccess && h * w) {
    copy<<<blocks_for(h * w), THREADS, 0, queue>>>(matrix_of(x), matrix_of(out), h, w);
    code = cudaGetLastError();
  }
  return answer(code, error);
}

__global__ void negate(const float4 *x, float4 *out, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float4 four = x[i];
    out[i] = make_float4(-four.x, -four.y, -four.z, -four.w);
  }
}

extern "C" int vk_negate(const DLTensor *x, DLTensor *out, dlf_stream stream, dlf_error *error) {
  const int64_t n = x->shape[0] / 4;
  cudaStream_t queue;
  cudaError_t code = begin(x, stream, &queue);
  if (code == cudaSuccess && n) {
    negate<<<blocks_for(n), THREADS, 0, queue>>>((const float4 *)x->data, (float4 *)out->data, n);
    code = cudaGetLastError();
  }
  return answer(code, error);
}

/* ---- ramp ---- */

__global__ void ramp(float *out, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = (float)i;
  }
}

static void free_ramp(void *memory) {
  cudaFree(memory);
  freed++;
}

/* The kernel runs on the default stream, on which consumers expect the data of new tensors. */
extern "C" int vk_ramp(const DLTensor *like, DLManagedTensorVersioned **out, dlf_error *error) {
  int64_t n = like->shape[0];
  void *memory = NULL;
  dlf_tensor *handle;
  cudaError_t code = cudaSetDevice(like->device.device_id);
  if (code == cudaSuccess) {
    code = cudaMalloc(&memory, (size_t)(n ? n : 1) * sizeof(float));
  }
  if (code == cudaSuccess && n) {
    ramp<<<blocks_for(n), THREADS>>>((float *)memory, n);
    code = cudaGetLastError();
  }
  if (code != cudaSuccess) {
    cudaFree(memory);
    return answer(code, error);
  }
  const DLTensor made = {memory, like->device, 1, {kDLFloat, 32, 1}, &n, NULL, 0};
  dlf_status status = dlf_wrap(&made, 0, memory, free_ramp, &handle, error);
  if (status) {
    cudaFree(memory);
    return status;
  }
  status = dlf_to_dlpack(handle, out, error);
  dlf_release(handle);
  return status;
}

/* ---- what the functions got ---- */

extern "C" int64_t vk_freed(void) {
  return freed;
}

extern "C" uint64_t vk_last_stream(void) {
  return last_stream;
}

extern "C" uint64_t vk_last_address(void) {
  return last_address;
}

extern "C" int vk_fail(const DLTensor *x, int code) {
  (void)x;
  return code;
}

extern "C" const char *vk_text(int code) {
  return cudaGetErrorString((cudaError_t)code);
}
