/* SPDX-License-Identifier: Apache-2.0 */
/* The DLPack 1.3 ABI (https://github.com/dmlc/dlpack), declared in dlferry's own words: every
 * structure, enumerator, flag and table of the specification. It has the include guard of the
 * original, so that the first of the two to be included wins and they never clash. */
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define DLPACK_EXTERN_C extern "C"
#else
#define DLPACK_EXTERN_C
#endif

#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 3

#ifdef _WIN32
#ifdef DLPACK_EXPORTS
#define DLPACK_DLL __declspec(dllexport)
#else
#define DLPACK_DLL __declspec(dllimport)
#endif
#else
#define DLPACK_DLL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the structures. With another major version only version and deleter may be used; a
 * new minor version only adds enumerators. */
typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

/** Kind of memory that holds the data. */
#ifdef __cplusplus
typedef enum : int32_t {
#else
typedef enum {
#endif
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3, /**< pinned host memory, from cudaMallocHost */
  kDLOpenCL = 4,   /**< data is a cl_mem */
  kDLVulkan = 7,
  kDLMetal = 8,
  kDLVPI = 9, /**< Verilog simulator */
  kDLROCM = 10,
  kDLROCMHost = 11, /**< pinned host memory, from hipMallocHost */
  kDLExtDev = 12,   /**< reserved for trying out a new device */
  kDLCUDAManaged = 13,
  kDLOneAPI = 14, /**< unified shared memory; ask the oneAPI runtime what lies behind a pointer */
  kDLWebGPU = 15,
  kDLHexagon = 16,
  kDLMAIA = 17,
  kDLTrn = 18 /**< AWS Trainium */
} DLDeviceType;

/** One device. */
typedef struct {
  DLDeviceType device_type;
  int32_t device_id; /**< from 0; 0 for plain, pinned and managed host memory */
} DLDevice;

/** Kind of number; DLDataType.code holds one of these. */
typedef enum {
  kDLInt = 0U,
  kDLUInt = 1U,
  kDLFloat = 2U,        /**< IEEE 754 */
  kDLOpaqueHandle = 3U, /**< meaning agreed between the two sides */
  kDLBfloat = 4U,
  kDLComplex = 5U, /**< real then imaginary part; bits counts both */
  kDLBool = 6U,    /**< 8 bits, 0 or 1 */
  kDLFloat8_e3m4 = 7U,
  kDLFloat8_e4m3 = 8U,
  kDLFloat8_e4m3b11fnuz = 9U,
  kDLFloat8_e4m3fn = 10U,
  kDLFloat8_e4m3fnuz = 11U,
  kDLFloat8_e5m2 = 12U,
  kDLFloat8_e5m2fnuz = 13U,
  kDLFloat8_e8m0fnu = 14U,
  kDLFloat6_e2m3fn = 15U, /**< bits other than 6: the consumer must stop */
  kDLFloat6_e3m2fn = 16U,
  kDLFloat4_e2m1fn = 17U /**< bits other than 4: the consumer must stop */
} DLDataTypeCode;

/** Type of an element: `lanes` numbers of `bits` bits each, in the machine's own byte order. Types
 * of less than a byte are packed, element i at bit i * bits counted from the lowest, unless the
 * padded flag says otherwise. */
typedef struct {
  uint8_t code; /**< a DLDataTypeCode; one byte wide, so that it is data and not an enum */
  uint8_t bits;
  uint16_t lanes; /**< 1 for a scalar */
} DLDataType;

/** A tensor that owns nothing. The first element lies at `(char *)data + byte_offset`. */
typedef struct {
  void *data; /**< aligned to 256 bytes by the letter, rarely so in practice; NULL for a tensor
                 without elements */
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;   /**< ndim extents; may be NULL when ndim is 0 */
  int64_t *strides; /**< ndim distances in elements; NULL meant row-major until DLPack 1.2 forbade
                       it for ndim > 0 */
  uint64_t byte_offset;
} DLTensor;

/** The owning structure up to DLPack 0.8, still what many producers give. */
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx; /**< the producer's own */
  void (*deleter)(
      struct DLManagedTensor *self); /**< called once by the owner of the structure; may be NULL */
} DLManagedTensor;

/** The consumer must not write the data. */
#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
/** The producer made a copy: the consumer is its only owner until it calls the deleter. */
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
/** Elements of less than a byte take a whole byte each. */
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)

/** The owning structure since DLPack 1.0. All fields before dl_tensor keep their place in every
 * future version. */
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(
      struct DLManagedTensorVersioned *self); /**< called once by the owner; may be NULL */
  uint64_t flags;                             /**< DLPACK_FLAG_BITMASK_... */
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

/** Allocate a tensor of prototype's dtype, ndim, shape and device. Returns 0, or -1 after calling
 * SetError once. */
typedef int (*DLPackManagedTensorAllocator)(DLTensor *prototype, DLManagedTensorVersioned **out,
                                            void *error_ctx,
                                            void (*SetError)(void *error_ctx, const char *kind,
                                                             const char *message));

/** Export a framework's tensor object, without stream synchronisation. Returns 0, or -1 with the
 * exception set. */
typedef int (*DLPackManagedTensorFromPyObjectNoSync)(void *py_object,
                                                     DLManagedTensorVersioned **out);

/** Describe a framework's tensor object in a structure that the caller holds; valid until control
 * returns to the framework. Returns 0, or -1 with the exception set. */
typedef int (*DLPackDLTensorFromPyObjectNoSync)(void *py_object, DLTensor *out);

/** Tell the stream that the framework works on at present. Returns 0, or -1 with the exception set.
 */
typedef int (*DLPackCurrentWorkStream)(DLDeviceType device_type, int32_t device_id,
                                       void **out_current_stream);

/** Make a framework's tensor object of a managed tensor, whose ownership passes. Returns 0, or -1
 * with the exception set. */
typedef int (*DLPackManagedTensorToPyObjectNoSync)(DLManagedTensorVersioned *tensor,
                                                   void **out_py_object);

/** The beginning of every version of the exchange table. */
typedef struct DLPackExchangeAPIHeader {
  DLPackVersion version;                    /**< check the major version before reading any slot */
  struct DLPackExchangeAPIHeader *prev_api; /**< an older table, or NULL */
} DLPackExchangeAPIHeader;

/** A framework's exchange functions: a capsule named "dlpack_exchange_api" in the attribute
 * `__dlpack_c_exchange_api__` of its tensor type. The table lives as long as the process. */
typedef struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header;
  DLPackManagedTensorAllocator managed_tensor_allocator;
  DLPackManagedTensorFromPyObjectNoSync managed_tensor_from_py_object_no_sync;
  DLPackManagedTensorToPyObjectNoSync managed_tensor_to_py_object_no_sync;
  DLPackDLTensorFromPyObjectNoSync dltensor_from_py_object_no_sync; /**< may be NULL */
  DLPackCurrentWorkStream current_work_stream;
} DLPackExchangeAPI;

#ifdef __cplusplus
}
#endif

#endif
