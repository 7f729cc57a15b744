/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that a dlpack.h before 1.2 lacks. Any header from 1.0 on may precede dlferry.h,
 * which includes this. */
#ifndef DLFERRY_OLDER_DLPACK_H
#define DLFERRY_OLDER_DLPACK_H

#include <dlpack/dlpack.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(DLPACK_MAJOR_VERSION) || DLPACK_MAJOR_VERSION != 1
#error "dlferry.h needs a dlpack.h of major version 1"
#endif
#if DLPACK_MINOR_VERSION < 2
#ifndef DLPACK_FLAG_BITMASK_IS_COPIED
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
#endif
#ifndef DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)
#endif
/* In C, the original headers of 1.0 and 1.1 declare only the struct. */
typedef struct DLManagedTensorVersioned DLManagedTensorVersioned;
#define kDLMAIA ((DLDeviceType)17)
#define kDLTrn ((DLDeviceType)18)
#define kDLFloat8_e3m4 7U
#define kDLFloat8_e4m3 8U
#define kDLFloat8_e4m3b11fnuz 9U
#define kDLFloat8_e4m3fn 10U
#define kDLFloat8_e4m3fnuz 11U
#define kDLFloat8_e5m2 12U
#define kDLFloat8_e5m2fnuz 13U
#define kDLFloat8_e8m0fnu 14U
#define kDLFloat6_e2m3fn 15U
#define kDLFloat6_e3m2fn 16U
#define kDLFloat4_e2m1fn 17U
typedef int (*DLPackManagedTensorAllocator)(DLTensor *prototype, DLManagedTensorVersioned **out,
                                            void *error_ctx,
                                            void (*SetError)(void *error_ctx, const char *kind,
                                                             const char *message));
typedef int (*DLPackManagedTensorFromPyObjectNoSync)(void *py_object,
                                                     DLManagedTensorVersioned **out);
typedef int (*DLPackDLTensorFromPyObjectNoSync)(void *py_object, DLTensor *out);
typedef int (*DLPackCurrentWorkStream)(DLDeviceType device_type, int32_t device_id,
                                       void **out_current_stream);
typedef int (*DLPackManagedTensorToPyObjectNoSync)(DLManagedTensorVersioned *tensor,
                                                   void **out_py_object);
/* The table came with 1.2, but some headers that call themselves 1.1 have it, without a macro. From
 * here on its names mean the types below, with the same layout: cast a pointer to the header's own
 * type, or find it with dlf_exchange_find. Those headers call prev_api prev_version_api; both names
 * work. */
#define DLPackExchangeAPIHeader dlf_exchange_header
#define DLPackExchangeAPI dlf_exchange_table
typedef struct DLPackExchangeAPIHeader {
  DLPackVersion version;
  union {
    struct DLPackExchangeAPIHeader *prev_api;
    struct DLPackExchangeAPIHeader *prev_version_api;
  };
} DLPackExchangeAPIHeader;
typedef struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header;
  DLPackManagedTensorAllocator managed_tensor_allocator;
  DLPackManagedTensorFromPyObjectNoSync managed_tensor_from_py_object_no_sync;
  DLPackManagedTensorToPyObjectNoSync managed_tensor_to_py_object_no_sync;
  DLPackDLTensorFromPyObjectNoSync dltensor_from_py_object_no_sync;
  DLPackCurrentWorkStream current_work_stream;
} DLPackExchangeAPI;
#endif

#ifdef __cplusplus
}
#endif

#endif
