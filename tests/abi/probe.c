/* SPDX-License-Identifier: Apache-2.0 */
/* Prints every size, offset, enumerator and constant of the dlpack.h that it includes, as C or C++,
 * one `kind name value` a line; abi.py compares the output of two. */
#include <dlpack/dlpack.h>
#include <stdio.h>

#ifdef __cplusplus
#include <type_traits>
#define IS_SIGNED(T) (std::is_signed<std::underlying_type<T>::type>::value ? 1 : 0)
#else
#define IS_SIGNED(T) _Generic((T)0, int: 1, default: 0)
#endif

#define SIZE(type) printf("size %s %zu\n", #type, sizeof(type))
#define FIELD(type, name)                                                                          \
  printf("field %s.%s %zu+%zu\n", #type, #name, offsetof(type, name), sizeof(((type *)0)->name))
#define VALUE(name) printf("value %s %lld\n", #name, (long long)(name))
#define CONSTANT(name)                                                                             \
  printf("constant %s %llu size %zu\n", #name, (unsigned long long)(name), sizeof(name))

/* A conversion that does not compile, or warns, when the function types differ. */
static void check_types(void) {
  typedef void (*set_error)(void *error_ctx, const char *kind, const char *message);
  int (*allocator)(DLTensor *, DLManagedTensorVersioned **, void *, set_error) =
      (DLPackManagedTensorAllocator)0;
  int (*from_object)(void *, DLManagedTensorVersioned **) =
      (DLPackManagedTensorFromPyObjectNoSync)0;
  int (*to_object)(DLManagedTensorVersioned *, void **) = (DLPackManagedTensorToPyObjectNoSync)0;
  int (*describe)(void *, DLTensor *) = (DLPackDLTensorFromPyObjectNoSync)0;
  int (*stream)(DLDeviceType, int32_t, void **) = (DLPackCurrentWorkStream)0;
  DLManagedTensor legacy;
  DLManagedTensorVersioned versioned;
  void (*delete_legacy)(struct DLManagedTensor *) = 0;
  void (*delete_versioned)(struct DLManagedTensorVersioned *) = 0;
  legacy.deleter = delete_legacy;
  versioned.deleter = delete_versioned;
  printf("types %d\n",
         !allocator && !from_object && !to_object && !describe && !stream && !legacy.deleter &&
             !versioned.deleter);
}

static void print_structures(void) {
  SIZE(DLPackVersion);
  FIELD(DLPackVersion, major);
  FIELD(DLPackVersion, minor);
  SIZE(DLDevice);
  FIELD(DLDevice, device_type);
  FIELD(DLDevice, device_id);
  SIZE(DLDataType);
  FIELD(DLDataType, code);
  FIELD(DLDataType, bits);
  FIELD(DLDataType, lanes);
  SIZE(DLTensor);
  FIELD(DLTensor, data);
  FIELD(DLTensor, device);
  FIELD(DLTensor, ndim);
  FIELD(DLTensor, dtype);
  FIELD(DLTensor, shape);
  FIELD(DLTensor, strides);
  FIELD(DLTensor, byte_offset);
  SIZE(DLManagedTensor);
  FIELD(DLManagedTensor, dl_tensor);
  FIELD(DLManagedTensor, manager_ctx);
  FIELD(DLManagedTensor, deleter);
  SIZE(DLManagedTensorVersioned);
  FIELD(DLManagedTensorVersioned, version);
  FIELD(DLManagedTensorVersioned, manager_ctx);
  FIELD(DLManagedTensorVersioned, deleter);
  FIELD(DLManagedTensorVersioned, flags);
  FIELD(DLManagedTensorVersioned, dl_tensor);
  SIZE(DLPackExchangeAPIHeader);
  FIELD(DLPackExchangeAPIHeader, version);
  FIELD(DLPackExchangeAPIHeader, prev_api);
  SIZE(DLPackExchangeAPI);
  FIELD(DLPackExchangeAPI, header);
  FIELD(DLPackExchangeAPI, managed_tensor_allocator);
  FIELD(DLPackExchangeAPI, managed_tensor_from_py_object_no_sync);
  FIELD(DLPackExchangeAPI, managed_tensor_to_py_object_no_sync);
  FIELD(DLPackExchangeAPI, dltensor_from_py_object_no_sync);
  FIELD(DLPackExchangeAPI, current_work_stream);
  SIZE(DLDeviceType);
  SIZE(DLDataTypeCode);
  printf("signed DLDeviceType %d\n", IS_SIGNED(DLDeviceType));
  printf("signed DLDataTypeCode %d\n", IS_SIGNED(DLDataTypeCode));
}

static void print_values(void) {
  CONSTANT(DLPACK_MAJOR_VERSION);
  CONSTANT(DLPACK_MINOR_VERSION);
  CONSTANT(DLPACK_FLAG_BITMASK_READ_ONLY);
  CONSTANT(DLPACK_FLAG_BITMASK_IS_COPIED);
  CONSTANT(DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
#include "values.inc" /* VALUE(kDL...); for each name of the headers */
}

int main(void) {
  check_types();
  print_structures();
  print_values();
  return 0;
}
