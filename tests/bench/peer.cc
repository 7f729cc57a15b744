// SPDX-License-Identifier: Apache-2.0
// The kernel of three tensors as users of tvm-ffi write it. It checks less than a contract does: that each argument is a
// tensor, nothing of dtype, shape, layout or overlap.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <cstdint>

static void difference(tvm::ffi::TensorView a, tvm::ffi::TensorView b, tvm::ffi::TensorView out) {
  const float *p = static_cast<const float *>(a.data_ptr()), *q = static_cast<const float *>(b.data_ptr());
  float *far = static_cast<float *>(out.data_ptr());
  const int64_t pixels = a.size(0) * a.size(1);
  for (int64_t i = 0; i < pixels; i++) far[i] = std::fabs(p[i] - q[i]);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(difference, difference);
