/* SPDX-License-Identifier: Apache-2.0 */
/* dlferry: an implementation of DLPack for C.
 *
 * DLPack is the C structure in which NumPy, PyTorch, JAX, Rust, Go and Julia libraries exchange
 * tensors without a copy. This library, the hub, makes, wraps, imports, exports and checks such
 * tensors. You can use it in three ways:
 *
 * - by a plain `const DLTensor *`, any DLPack tensor of any producer: functions that take one
 *   allocate nothing;
 * - by a `dlf_tensor *`, one atomically counted handle on a tensor, its shape and its owner;
 * - by your own C header: `dlferry-bind` makes packages for Python, Rust, Go and Julia from its
 *   functions.
 *
 * dlferry/contract.h, dlferry/object.h, dlferry/npy.h, dlferry/oneapi.h and dlferry/pyobject.h have
 * other parts. The amalgamated dlferry.h contains all.
 *
 * Sections and functions marked `C only` have no counterpart in the bindings; the mark says why.
 *
 * Errors. A function that can fail returns a dlf_status, and fills the caller's dlf_error, the last
 * argument, which may be NULL. Outputs are NULL after a failure. Messages have the form `name:
 * expected X, got Y`.
 *
 * NULL. A pointer may be NULL only if its comment says so, or if it points to nothing: shape,
 * strides and lists of length 0, and the buffer of a text, which is then only measured. For any
 * other NULL a function fails with INVALID; without a status to return it does nothing and returns
 * 0, false or NULL, and a text may give the reason.
 *
 * Ownership has five verbs. A function *borrows* its plain inputs: it uses them only during the
 * call. Its result *keeps* an input alive if the comment says so. It *takes* a parameter named
 * `owned` on success; on failure the caller still owns it. It *gives* the object stored in `out`:
 * the caller must release it. It *lends* a returned pointer to const, which lives as long as its
 * object.
 *
 * Numbers. Axes and counts of axes are int64_t, as extents and strides are: the languages' integers
 * have this width, so that callers need no checks of their own. Only DLTensor's ndim is DLPack's
 * int32_t. Enums are int32_t in structures and parameters, which name the enum; a number outside it
 * is refused.
 *
 * Threads. Any thread may call any function. A handle may be shared; retain and release are atomic.
 * Synchronising access to elements is up to you. A release callback or a foreign deleter runs on
 * the thread of the last release, so it must not wait for a lock that this thread may hold: a
 * runtime that needs its own thread passes a release queue. */
#ifndef DLFERRY_H
#define DLFERRY_H

#include <dlferry/older_dlpack.h>
#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef DLF_API
#if defined(__GNUC__) && !defined(DLF_HIDDEN)
#define DLF_API __attribute__((visibility("default")))
#else
#define DLF_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ---- */

#define DLF_VERSION_MAJOR 0
#define DLF_VERSION_MINOR 3
#define DLF_VERSION_PATCH 0

/** The DLPack version that this library implements and stamps on exports. */
#define DLF_DLPACK_MAJOR 1
#define DLF_DLPACK_MINOR 3

/** The version as one number that grows: 201 is 0.2.1. */
#define DLF_VERSION_NUMBER (DLF_VERSION_MAJOR * 10000 + DLF_VERSION_MINOR * 100 + DLF_VERSION_PATCH)

/** Return the version of the library, such as "0.3.0". Lends a static string. */
DLF_API const char *dlf_version(void);

/** Return the version of the library as a number, like the header's DLF_VERSION_NUMBER. */
DLF_API int32_t dlf_version_number(void);

/* ---- Error ---- */

/** Kinds of failure. Values are never renumbered. */
typedef enum dlf_status {
  DLF_OK = 0,
  DLF_INVALID = 1,     /**< malformed tensor or argument */
  DLF_BOUNDS = 2,      /**< index or axis out of range */
  DLF_OVERFLOW = 3,    /**< a size does not fit */
  DLF_DTYPE = 4,       /**< dtype unknown here, or not the expected one */
  DLF_SHAPE = 5,       /**< shape breaks a contract */
  DLF_DEVICE = 6,      /**< device absent, or data not reachable from here */
  DLF_LAYOUT = 7,      /**< would need a copy, and copying is forbidden */
  DLF_READ_ONLY = 8,   /**< write to read-only data requested */
  DLF_VERSION = 9,     /**< DLPack major version not understood */
  DLF_NO_MEMORY = 10,  /**< allocation failed */
  DLF_FOREIGN = 11,    /**< a producer, device or kernel failed by itself */
  DLF_UNSUPPORTED = 12 /**< known, but not in this build */
} dlf_status;

/** Status and text of a failure, in memory of the caller.
 *  Lower case, UTF-8, ends with NUL; a longer text ends with an ellipsis at a character boundary.
 * Successful calls do not change it. */
typedef struct dlf_error {
  int32_t status; /**< a dlf_status */
  char message[252];
} dlf_error;

/** Store a failure in error, for kernels that report their own; returns status.
 *  Borrows message, which is cut to fit and may be error's own; message may be NULL, which is no
 * text. With error NULL only the status is returned. A number that is no dlf_status becomes
 * FOREIGN, and the text names it. C only: kernels in C report by it.
 *  @param status a dlf_status */
DLF_API dlf_status dlf_error_set(dlf_error *error, int32_t status, const char *message);

/** Return a status's name in this header without the prefix, such as "READ_ONLY".
 *  "UNKNOWN" for other numbers. Lends a static string. */
DLF_API const char *dlf_status_name(int32_t status);

/* ---- Dtype ---- */

/** Bytes that hold every name of a dtype or device, including the final NUL. */
#define DLF_NAME_CAPACITY 48

/** Read a dtype from its name.
 *  Accepts the usual names ("float32", "uint8x4", "float8_e4m3fn"), the short ones of contracts
 * ("f32", "u8_x4", "f8_e4m3fn") and "dtype(code, bits)" for codes without a name. complex64 is two
 * float32. "bcomplex32", two bfloat16, is not yet released by DLPack: such tensors pass through the
 * hub, and no function makes one by allocation or dlf_bitcast. Fails with DTYPE, or INVALID if name
 * is NULL. */
DLF_API dlf_status dlf_dtype_parse(const char *name, DLDataType *out, dlf_error *error);

/** Write the usual name of a dtype, such as "float32" or "uint8x4".
 *  Returns the length without the final NUL; a longer text is cut to capacity. */
DLF_API int64_t dlf_dtype_format(DLDataType dtype, char *buffer, int64_t capacity);

/** Write the short name of a dtype for contracts, such as "f32" or "u8_x4".
 *  Returns the length without the final NUL; a longer text is cut to capacity. */
DLF_API int64_t dlf_dtype_format_short(DLDataType dtype, char *buffer, int64_t capacity);

/** Count the bytes of one element with all lanes, rounded up.
 *  Packed sub-byte elements share bytes: use dlf_byte_size for the size of a tensor. */
DLF_API int64_t dlf_dtype_size(DLDataType dtype);

/** Tell whether two dtypes are the same: code, bits and lanes. */
DLF_API bool dlf_dtype_equal(DLDataType a, DLDataType b);

/** Read a value of a dtype of reals from its bits, exactly.
 *  The dtypes are float16, float32, float64, bfloat16 and all of 8, 6 and 4 bits; lanes are
 * ignored, and bits above the width, too. Fails with DTYPE.
 *  @param bits as one lane of an element has them */
DLF_API dlf_status dlf_float_decode(DLDataType dtype, uint64_t bits, double *out, dlf_error *error);

/** Round a value to a dtype of reals and give its bits.
 *  To nearest, ties to even, as NumPy and ml_dtypes do: through float32 for bfloat16 and all dtypes
 * of 8 bits or less. A value too large becomes infinity, or else NaN, or else the largest value.
 * NaN becomes the quiet one of its sign, and in dtypes without NaN a zero. float8_e8m0fnu has only
 * positive powers of two: ties go up, and all else is NaN. Fails with DTYPE. */
DLF_API dlf_status dlf_float_encode(DLDataType dtype, double value, uint64_t *out,
                                    dlf_error *error);

/* ---- Device ---- */

/** Read a device from its name, such as "cpu", "cuda:1" or "oneapi:0".
 *  Accepts "device(25):0" for codes without a name. Without a number it is the first device. "tpu",
 * "tpu_host" and "ascend" are not yet released by DLPack: such tensors pass through the hub, and no
 * function allocates one. Fails with DEVICE, or INVALID if name is NULL. */
DLF_API dlf_status dlf_device_parse(const char *name, DLDevice *out, dlf_error *error);

/** Write the name of a device, such as "cpu" or "cuda:1".
 *  Returns the length without the final NUL; a longer text is cut to capacity. */
DLF_API int64_t dlf_device_format(DLDevice device, char *buffer, int64_t capacity);

/** Tell whether two devices are the same: type and id.
 *  Ignores the id of plain, pinned and managed memory, which has no meaning in DLPack. */
DLF_API bool dlf_device_equal(DLDevice a, DLDevice b);

/** Tell whether the processor may use any address on this device.
 *  True for plain, pinned and managed memory; a backend answers for other devices, false without
 * one. */
DLF_API bool dlf_is_cpu_accessible(DLDevice device);

/** Tell whether the processor may use a tensor's elements in place.
 *  Like dlf_is_cpu_accessible, but asks a backend about the address: oneAPI allocations differ. */
DLF_API bool dlf_is_reachable(const DLTensor *tensor);

/** Facts about a device that only its own runtime knows. Begin with DLF_BACKEND_INIT.
 *  The functions run on any thread, may run at the same time, and may be NULL. */
typedef struct dlf_backend {
  int64_t size; /**< of this structure, in bytes: later versions may add fields at its end, and the
                 * hub ignores unknown ones */
  /** Tell whether the processor may use an address on the device; NULL means all addresses. Absent:
   * false. */
  bool (*is_cpu_accessible)(void *context, DLDevice device, const void *address);
  /** Store the stream that the device uses now, and return 0; other results are failures, like
   * absence. */
  int (*current_stream)(void *context, DLDevice device, void **out);
  void *context; /**< lives as long as the process, like everything that the functions need */
  /** Decide whether a tensor that its producer exported may be imported. Return DLF_OK, or else a
   * status with a text `expected X, got Y` in error, which is never NULL: then the import fails
   * with both. *device_id is the producer's; the handle gets the one that this function leaves
   * there, 0 or more. Absent: every tensor may be. */
  dlf_status (*check_import)(void *context, const DLTensor *tensor, int32_t *device_id,
                             dlf_error *error);
  /** Decide likewise whether a tensor may be exported. The consumer gets the *device_id that this
   * function leaves. */
  dlf_status (*check_export)(void *context, const DLTensor *tensor, int32_t *device_id,
                             dlf_error *error);
} dlf_backend;
#define DLF_BACKEND_INIT {sizeof(dlf_backend), 0, 0, 0, 0, 0}

/** Register the backend for a kind of device, for the rest of the process.
 *  Borrows backend. dlf_is_cpu_accessible, dlf_is_reachable, all functions that read elements, and
 * current_work_stream of dlf_exchange_api ask it. Without one, that slot fails for devices other
 * than plain, pinned and managed memory, whose stream is NULL. Every function that imports or
 * exports asks check_import or check_export, except for the import of an unmodified export of
 * dlf_to_dlpack. Fails with INVALID for NULL, a size too small, the CPU, or a kind that has one, or
 * UNSUPPORTED beyond 32.
 *  @param device_type a DLDeviceType, also one without a name
 *  C only: a backend is callbacks in C. */
DLF_API dlf_status dlf_backend_register(int32_t device_type, const dlf_backend *backend,
                                        dlf_error *error);

/* ---- Layout: arithmetic on any DLTensor that dlf_check accepts. No function allocates or reads
 * elements. ---- */

/** Order of axes in memory. An axis of extent 1 and an empty tensor fit every order. */
typedef enum dlf_order {
  DLF_ROW_MAJOR = 0,    /**< last axis fastest (C) */
  DLF_COLUMN_MAJOR = 1, /**< first axis fastest (Fortran, Julia) */
  DLF_DENSE = 2         /**< no gaps, any order of axes, no negative stride */
} dlf_order;

/** Highest number of dimensions, as in NumPy and PyTorch. */
#define DLF_MAX_NDIM 64

/* Flags. DLPack 1.3 names three; the last one changed how elements lie, and a new flag may do so
 * again. A flag that this library does not know stays with the tensor through retain, views, and
 * versioned export and import, and dlf_describe and dlf_describe_json show it. Functions that use
 * the elements fail with UNSUPPORTED: copy, comparison, dlf_look, dlf_npy_save, a contract, legacy
 * export; dlf_format omits them. So do dlf_wrap and dlf_versioned_from_legacy, whose tensors say
 * 1.3. */

/** Flag of a plain DLTensor that may be read-only. Never part of a managed tensor. */
#define DLF_FLAGS_UNKNOWN (UINT64_C(1) << 63)

/** A tensor with the flags that a plain DLTensor lacks.
 *  flags are DLPACK_FLAG_BITMASK_... or DLF_FLAGS_UNKNOWN. */
typedef struct dlf_arg {
  const DLTensor *tensor; /**< NULL for an absent optional tensor */
  uint64_t flags;
} dlf_arg;

/** Count the elements of a tensor.
 *  Fails with OVERFLOW, or INVALID for a negative extent. */
DLF_API dlf_status dlf_count(const DLTensor *tensor, int64_t *out, dlf_error *error);

/** Compute the bytes that the elements take without gaps.
 *  Sub-byte elements count packed, ceil(n * bits * lanes / 8), unless flags say padded; GetDataSize
 * of dlpack.h gives the padded size. Fails with OVERFLOW, or INVALID for a negative extent. */
DLF_API dlf_status dlf_byte_size(const DLTensor *tensor, uint64_t flags, int64_t *out,
                                 dlf_error *error);

/** Compute the touched bytes, low to high - 1, relative to the first element.
 *  low is negative for negative strides; both are 0 for an empty tensor. Fails with OVERFLOW, or
 * INVALID for a negative extent. */
DLF_API dlf_status dlf_byte_range(const DLTensor *tensor, uint64_t flags, int64_t *low,
                                  int64_t *high, dlf_error *error);

/** Tell whether the elements have this order without gaps. NULL strides mean row-major.
 *  @param order a dlf_order; false for other numbers */
DLF_API bool dlf_is_contiguous(const DLTensor *tensor, int32_t order);

/** Compute strides, in elements, for this shape without gaps, row- or column-major.
 *  Fails with OVERFLOW, or INVALID.
 *  @param order a dlf_order, but not DLF_DENSE */
DLF_API dlf_status dlf_compact_strides(int64_t ndim, const int64_t *shape, int32_t order,
                                       int64_t *strides, dlf_error *error);

/** Return the address of the first element: data plus byte_offset. */
DLF_API void *dlf_data(const DLTensor *tensor);

/** Return the highest power of two that divides the first element's address.
 *  Test dlf_alignment(t) >= 64. Without elements or data it is 2^62, since nothing is misaligned.
 */
DLF_API int64_t dlf_alignment(const DLTensor *tensor);

/** Tell whether two tensors' byte ranges share a byte; true if that is unknown.
 *  One address is one memory, for any two devices: the processor, CUDA, HIP and SYCL share an
 * address space, and managed or pinned memory may be described as either's. Handles of other
 * devices are compared only with those of the same device. */
DLF_API bool dlf_overlap(dlf_arg a, dlf_arg b);

/* ---- Check ---- */

/** The level of dlf_check and dlf_check_managed. */
typedef enum dlf_check_level {
  DLF_CHECK_STRUCTURE =
      0, /**< pointers, ndim, extents, sizes, dtype, device: without this nothing else is safe */
  DLF_CHECK_STRICT =
      1 /**< also the letter of DLPack 1.3: strides, NULL data when empty, 256-byte alignment */
} dlf_check_level;

/** Check a foreign tensor.
 *  Borrows tensor. Fails with INVALID, OVERFLOW, DTYPE or DEVICE. Unknown dtypes, devices and flags
 * are data and accepted: only an operation that must understand them fails.
 *  @param flags  those that came with the tensor, 0 if none did
 *  @param level  a dlf_check_level */
DLF_API dlf_status dlf_check(const DLTensor *tensor, uint64_t flags, int32_t level,
                             dlf_error *error);

/** Check a foreign managed tensor: its version, then its tensor like dlf_check.
 *  Borrows managed; reads only the version if the major version differs. DLF_CHECK_STRICT also
 * requires that the tensor's version names all its flags, and a deleter beside a manager_ctx. Fails
 * with VERSION, INVALID, or like dlf_check. For a legacy tensor call dlf_check. C only: imports
 * check what they take.
 *  @param level  a dlf_check_level */
DLF_API dlf_status dlf_check_managed(const DLManagedTensorVersioned *managed, int32_t level,
                                     dlf_error *error);

/** Memory of the caller as a tensor on the CPU, such as a slice of Go or Rust. Begin with
 * DLF_WINDOW_INIT.
 *  All counts are signed and have the languages' width, so that callers need no checks. */
typedef struct dlf_window {
  int64_t size;  /**< of this structure, like in dlf_backend */
  void *memory;  /**< first byte; NULL only if bytes is 0 */
  int64_t bytes; /**< of the memory, 0 or more */
  DLDataType dtype;
  bool whole;    /**< the elements must fill the memory; less than one element may be left */
  int64_t start; /**< distance of the element at index 0 from the first byte, in elements */
  int64_t ndim;
  const int64_t *shape;
  int64_t stride_count;   /**< ndim; ignored if strides is NULL */
  const int64_t *strides; /**< in elements; NULL means row-major */
  uint64_t flags;         /**< only DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED matters */
} dlf_window;
#define DLF_WINDOW_INIT {sizeof(dlf_window), 0, 0, {0, 0, 0}, false, 0, 0, 0, 0, 0, 0}

/** Describe the caller's memory as a tensor, which must lie inside it.
 *  Borrows all. Fills *out, which points to the window's shape and strides; its data is NULL
 * without elements. Allocates nothing. Fails with SHAPE if the elements must fill the memory and do
 * not, BOUNDS if one would lie outside it, LAYOUT if a packed sub-byte element at index 0 would not
 * begin a byte, INVALID for impossible counts, extents and strides, OVERFLOW, DTYPE, or UNSUPPORTED
 * for unknown flags.
 *  @param name opens the error text, such as "wrap" or "blur: image"; NULL for check_window */
DLF_API dlf_status dlf_check_window(const char *name, const dlf_window *window, DLTensor *out,
                                    dlf_error *error);

/* ---- Look: typed access to elements in place ---- */

/** Conditions of typed access beside a dtype, as bits; one of several orders suffices. */
typedef enum dlf_look_how {
  DLF_LOOK_WRITE = 1,        /**< elements will be written */
  DLF_LOOK_ROW_MAJOR = 2,    /**< as one row-major run without gaps */
  DLF_LOOK_COLUMN_MAJOR = 4, /**< as one column-major run without gaps */
  DLF_LOOK_DENSE = 8,        /**< as one run without gaps, in any order of axes */
  DLF_LOOK_BITS = 16,     /**< elements of any dtype with the requested width, including padding */
  DLF_LOOK_UNALIGNED = 32 /**< by a reader that accepts any address */
} dlf_look_how;

/** The elements of a tensor in memory. */
typedef struct dlf_elements {
  void *data;    /**< the first one; NULL if there are none */
  int64_t count; /**< their number; all of them together take less than 2^63 bytes */
  int64_t width; /**< bytes from one to the next */
} dlf_elements;

/** Check that the processor may use elements as values of one type, in place.
 *  Borrows tensor; lends the result in *out, as long as the tensor. Allocates nothing. Fails like
 * dlf_check, with UNSUPPORTED for unknown flags and for elements that are not whole bytes (of
 * padded ones without lanes, only if dtype is not theirs), DTYPE, DEVICE if the processor cannot
 * reach the data, READ_ONLY for writing to read-only data or with DLF_FLAGS_UNKNOWN, LAYOUT for
 * another order or an address without C's alignment of such a scalar, or OVERFLOW. The first of
 * these wins, in this order, so that one mistake reads the same in every language.
 *  @param dtype the expected one; 0 bits accept any
 *  @param how   bits of dlf_look_how */
DLF_API dlf_status dlf_look(dlf_arg tensor, DLDataType dtype, uint32_t how, dlf_elements *out,
                            dlf_error *error);

/* ---- Tensor ---- */

/** A counted handle on a tensor: its description, its elements and their owner. */
typedef struct dlf_tensor dlf_tensor;

/** A release queue: owners released on foreign threads wait for their runtime's thread. */
typedef struct dlf_queue dlf_queue;

/** Allocate a tensor: row-major, aligned to 256 bytes, with elements of zero.
 *  Gives *out. Fails with NO_MEMORY, INVALID, OVERFLOW, DTYPE, or UNSUPPORTED for a device other
 * than the CPU. */
DLF_API dlf_status dlf_create(DLDataType dtype, int64_t ndim, const int64_t *shape, DLDevice device,
                              dlf_tensor **out, dlf_error *error);

/** A caller-supplied allocator. Begin with DLF_ALLOCATOR_INIT.
 *  Both functions may run on any thread. */
typedef struct dlf_allocator {
  int64_t size; /**< of this structure, like in dlf_backend */
  /** Return size bytes at a multiple of alignment, a power of two, or NULL. They need not be zero.
   */
  void *(*allocate)(void *context, int64_t size, int64_t alignment);
  void (*release)(void *context, void *memory, int64_t size);
  void *context;
  /** Give a reference to context back: runs once for each tensor made, after release. NULL: context
   * lives as long as every tensor made with it. */
  void (*release_context)(void *context);
} dlf_allocator;
#define DLF_ALLOCATOR_INIT {sizeof(dlf_allocator), 0, 0, 0, 0}

/** Allocate a tensor with a caller-supplied allocator, for any device.
 *  Like dlf_create, but allocate decides the content of the elements. A tensor without elements
 * allocates nothing and has NULL data. Takes one reference to the allocator's context if that has a
 * release_context; on failure the caller still owns it. Gives *out. Fails with NO_MEMORY, INVALID,
 * OVERFLOW, DTYPE, or DEVICE. C only: an allocator is callbacks in C. */
DLF_API dlf_status dlf_create_with(const dlf_allocator *allocator, DLDataType dtype, int64_t ndim,
                                   const int64_t *shape, DLDevice device, dlf_tensor **out,
                                   dlf_error *error);

/** Make a tensor around memory that has an owner.
 *  Borrows tensor and copies its shape and strides. Takes owned: release(owned) runs once, with the
 * last reference, on the thread that drops it. owned and release may be NULL. Gives *out. Fails
 * like dlf_check, with UNSUPPORTED for flags that DLPack 1.3 does not name, or with NO_MEMORY.
 *  @param tensor  the memory. The device id of plain, pinned and managed memory becomes 0: it has
 * no meaning in DLPack
 *  @param flags   DLPACK_FLAG_BITMASK_... */
DLF_API dlf_status dlf_wrap(const DLTensor *tensor, uint64_t flags, void *owned,
                            void (*release)(void *owner), dlf_tensor **out, dlf_error *error);

/** Make a tensor around memory whose owner is a few words, such as an address and a length.
 *  Takes owned: its size bytes are copied into the handle, which saves an allocation, and release
 * runs once with their address there. Gives *out. Otherwise like dlf_wrap, but fails with INVALID
 * without release or for a size that is not a multiple of 8 up to 64.
 *  @param owned at a multiple of 8, like the copy */
DLF_API dlf_status dlf_wrap_small(const DLTensor *tensor, uint64_t flags, const void *owned,
                                  int64_t size, void (*release)(void *owner), dlf_tensor **out,
                                  dlf_error *error);

/** Make a tensor around memory whose owner its own runtime must release.
 *  Takes owned: after the last reference it waits in queue, and dlf_queue_drain returns it. Keeps
 * queue. Gives *out. Otherwise like dlf_wrap, but without an owner it fails with INVALID. */
DLF_API dlf_status dlf_wrap_queued(const DLTensor *tensor, uint64_t flags, dlf_queue *queue,
                                   void *owned, dlf_tensor **out, dlf_error *error);

/** Add a reference. Returns self. NULL does nothing.
 *  C only: an object of a language holds one reference. */
DLF_API dlf_tensor *dlf_retain(dlf_tensor *self);

/** Drop a reference; the last one releases the owner. NULL does nothing. */
DLF_API void dlf_release(dlf_tensor *self);

/** Return a handle's tensor.
 *  Lends it: shape and strides are never NULL if ndim > 0, and plain, pinned and managed memory
 * always has device id 0. */
DLF_API const DLTensor *dlf_dltensor(const dlf_tensor *self);

/** Tell whether no other reference, view or export of a handle's elements exists.
 *  Users that the hub does not know, such as the producer, do not count: see IS_COPIED of
 * dlf_flags. */
DLF_API bool dlf_is_unique(const dlf_tensor *self);

/** Return a handle's DLPACK_FLAG_BITMASK_... flags.
 *  IS_COPIED only means that the producer keeps nothing. */
DLF_API uint64_t dlf_flags(const dlf_tensor *self);

/** Return the DLPack version of the structure that a handle was imported from.
 *  0.8 for a legacy structure; for a tensor of the hub's own the version that it implements. NULL:
 * 0.0. */
DLF_API DLPackVersion dlf_dlpack_version(const dlf_tensor *self);

/** Count the bytes that are freed with a handle now: its own, and those of elements that nothing
 * else refers to. These are elements that the hub allocated, or that came with IS_COPIED. All
 * others have an owner outside. */
DLF_API int64_t dlf_held_bytes(const dlf_tensor *self);

/** Count the tensors that are not released yet: 0 when nothing leaked.
 *  Owners that wait in a queue count. */
DLF_API int64_t dlf_live(void);

/* ---- Release queue (C only: what bindings release their owners by) ---- */

/** Create a release queue for a runtime that must release on its own thread.
 *  wake(context) runs on the releasing thread when an owner arrives in an empty queue. It may still
 * run on other threads after dlf_queue_release, so context must live until released(context) runs:
 * once, on any thread, after the queue was closed and the last wake returned. Tensors that keep the
 * queue do not delay it. In a child process, forked while another thread was inside wake, it never
 * runs. Both functions must neither block nor enter the runtime; wake, released and context may be
 * NULL. Gives *out. Fails with NO_MEMORY; then released does not run. */
DLF_API dlf_status dlf_queue_create(void (*wake)(void *context), void (*released)(void *context),
                                    void *context, dlf_queue **out, dlf_error *error);

/** Let the releasing thread release an owner without the queue if it can.
 *  release(owner) runs on the thread that drops the last reference, until the queue is closed. It
 * returns true if it has released owner, and false if owner must wait in the queue. Call this
 * before the first dlf_wrap_queued. self and release may be NULL. */
DLF_API void dlf_queue_set_release(dlf_queue *self, bool (*release)(void *owner));

/** Move up to capacity waiting owners into owners and return their number.
 *  The caller must release each. Lock-free; only one thread at a time. Call again while it returns
 * capacity. */
DLF_API int64_t dlf_queue_drain(dlf_queue *self, void **owners, int64_t capacity);

/** Return the address of a word that is never NULL while owners wait.
 *  Lends it, as long as the queue lives, so that a runtime may poll without a call. In C, pass it
 * to dlf_queue_has_waiting. */
DLF_API void *const *dlf_queue_head(const dlf_queue *self);

/** Return the owner that will wait in this queue, for a runtime that collects cycles of its
 * objects. Lends it. NULL for a tensor that has another kind of owner or another queue. A view has
 * its base's owner. If references is not 0 and others keep the owner too, by more references to the
 * tensor's handle than this number or by any to the base of a view, NULL as well: the owner is then
 * reached from elsewhere. */
DLF_API void *dlf_queue_owner(const dlf_queue *self, const dlf_tensor *tensor, int64_t references);

/** Tell whether owners wait, from the result of dlf_queue_head. NULL: false. Always true once the
 * queue is closed. */
static inline bool dlf_queue_has_waiting(void *const *head) {
#if defined(__GNUC__)
  return head && __atomic_load_n(head, __ATOMIC_RELAXED) != 0; /* dlf_queue_drain synchronises */
#else
  return head && *(void *const volatile *)head != 0;
#endif
}

/** Close a queue: it wakes no more, and never returns owners again.
 *  A runtime drains first. Returns whether no thread is inside wake any more, so that context may
 * be freed. A runtime that cannot pass a C function as released calls again until then, but not
 * forever: a forked child waits for threads that it does not have. Only the draining thread may
 * call it. NULL does nothing. */
DLF_API bool dlf_queue_close(dlf_queue *self);

/** Release a queue, which closes it.
 *  It is freed with the last tensor that keeps it. NULL does nothing. */
DLF_API void dlf_queue_release(dlf_queue *self);

/* ---- Exchange ---- */

/** Import a managed tensor.
 *  Takes owned: its deleter runs once, with the last reference. Gives *out. Fails with VERSION for
 * another major version, of which only the version is read: the caller still owns it and calls the
 * deleter. Fails like dlf_check, or with NO_MEMORY. Importing an unmodified export of dlf_to_dlpack
 * returns the original handle if that has axes, elements, and the export's flags and version;
 * otherwise it returns another handle on the same owner. */
DLF_API dlf_status dlf_from_dlpack(DLManagedTensorVersioned *owned, dlf_tensor **out,
                                   dlf_error *error);

/** Import a managed tensor of DLPack 0.8 and before.
 *  Takes owned: its deleter runs once, with the last reference. Gives *out. Fails like dlf_check,
 * or with NO_MEMORY. */
DLF_API dlf_status dlf_from_dlpack_legacy(DLManagedTensor *owned, dlf_tensor **out,
                                          dlf_error *error);

/** Export a handle without copying.
 *  Gives *out, which keeps self until its deleter runs, on any thread. The export has self's flags
 * except IS_COPIED, which would make the consumer the only owner: self may be used and exported
 * again. Fails with NO_MEMORY. */
DLF_API dlf_status dlf_to_dlpack(dlf_tensor *self, DLManagedTensorVersioned **out,
                                 dlf_error *error);

/** Export a handle without copying, and give up the reference to it.
 *  Takes owned: the export keeps it until its deleter runs, on any thread. This is dlf_to_dlpack
 * and dlf_release without counting. Gives *out. Fails like dlf_to_dlpack. C only: exports call it
 * with a handle that they give up. */
DLF_API dlf_status dlf_into_dlpack(dlf_tensor *owned, DLManagedTensorVersioned **out,
                                   dlf_error *error);

/** Export a handle without copying to a consumer of DLPack 0.8 and before.
 *  Gives *out, which keeps self until its deleter runs, on any thread. Fails with READ_ONLY and,
 * for padded sub-byte elements and unknown flags, UNSUPPORTED, since that structure cannot express
 * them, or NO_MEMORY. */
DLF_API dlf_status dlf_to_dlpack_legacy(dlf_tensor *self, DLManagedTensor **out, dlf_error *error);

/** Export a row-major copy that only the consumer owns, flagged IS_COPIED.
 *  Borrows self. Gives *out. Fails like dlf_copy. */
DLF_API dlf_status dlf_to_dlpack_copy(dlf_tensor *self, DLManagedTensorVersioned **out,
                                      dlf_error *error);

/** Rule for copies in an export or a change of device. Values are never renumbered. */
typedef enum dlf_copy_mode {
  DLF_COPY_IF_NEEDED =
      0, /**< only to reach the device, or to give read-only data to a consumer of DLPack 0.8 */
  DLF_COPY_ALWAYS = 1,
  DLF_COPY_NEVER = 2
} dlf_copy_mode;

/** Stream number of a consumer without a stream, or without synchronisation. */
#define DLF_STREAM_NONE (-1)

/** A consumer's request: the parameters of Python's __dlpack__.
 *  Begin with DLF_EXPORT_OPTIONS_INIT. */
typedef struct dlf_export_options {
  int64_t size; /**< of this structure, like in dlf_backend */
  DLPackVersion
      max_version; /**< the newest that the consumer reads; major 0 requests the legacy structure */
  DLDevice device; /**< the consumer's device for the data; device_type 0: the data's own */
  int32_t copy;    /**< a dlf_copy_mode */
  int32_t reserved; /**< 0 */
  int64_t stream;   /**< number of a stream in Python's array API, or DLF_STREAM_NONE */
} dlf_export_options;
#define DLF_EXPORT_OPTIONS_INIT                                                                    \
  {sizeof(dlf_export_options),                                                                     \
   {DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR},                                                           \
   {(DLDeviceType)0, 0},                                                                           \
   0,                                                                                              \
   0,                                                                                              \
   DLF_STREAM_NONE}

/** Export a handle for a consumer's device, copy mode, stream and version.
 *  Gives *out, or *legacy to a consumer of DLPack 0.8 and before; the other one is NULL. The export
 * keeps self, or is a copy. Only data that the processor can reach is copied, and only to the CPU.
 * options may be NULL, which asks for nothing. legacy may be NULL: such a consumer is refused with
 * VERSION. Fails with DEVICE, INVALID or UNSUPPORTED for a stream, or like dlf_to_dlpack,
 * dlf_to_dlpack_legacy and dlf_copy. */
DLF_API dlf_status dlf_export(dlf_tensor *self, const dlf_export_options *options,
                              DLManagedTensorVersioned **out, DLManagedTensor **legacy,
                              dlf_error *error);

/** Give a handle with data on a device: self again, or a copy.
 *  Only data that the processor can reach is copied, and only to the CPU. Gives *out: self with a
 * new reference, or the copy. Fails with DEVICE, INVALID, or like dlf_copy.
 *  @param device  device_type 0 for the data's own
 *  @param copy    a dlf_copy_mode */
DLF_API dlf_status dlf_to_device(dlf_tensor *self, DLDevice device, int32_t copy, dlf_tensor **out,
                                 dlf_error *error);

/** Make a versioned managed tensor from a legacy one, without copying.
 *  Takes owned on success: the deleter of *out calls that of owned, once, on any thread. On failure
 * the caller still owns it. Gives *out. Fails like dlf_check, with INVALID, UNSUPPORTED for flags
 * that DLPack 1.3 does not name, or NO_MEMORY.
 *  C only: dlf_from_python calls it.
 *  @param flags  facts that the caller knows and the structure cannot say, such as
 * DLPACK_FLAG_BITMASK_READ_ONLY */
DLF_API dlf_status dlf_versioned_from_legacy(DLManagedTensor *owned, uint64_t flags,
                                             DLManagedTensorVersioned **out, dlf_error *error);

/** Make a legacy managed tensor from a versioned one, without copying.
 *  Takes owned on success, like dlf_versioned_from_legacy. Gives *out. Fails with VERSION,
 * READ_ONLY and UNSUPPORTED like dlf_to_dlpack_legacy, like dlf_check, or with NO_MEMORY. C only:
 * exports give both structures. */
DLF_API dlf_status dlf_legacy_from_versioned(DLManagedTensorVersioned *owned, DLManagedTensor **out,
                                             dlf_error *error);

/** Names of the PyCapsule with a managed tensor; a consumer that takes it sets USED.
 *  A capsule keeps the pointer to its name, so code that makes capsules must stay loaded. */
#define DLF_CAPSULE "dltensor_versioned"
#define DLF_CAPSULE_USED "used_dltensor_versioned"
#define DLF_CAPSULE_LEGACY "dltensor"
#define DLF_CAPSULE_LEGACY_USED "used_dltensor"

/** Get the device that a handle's exports name, for Python's __dlpack_device__.
 *  It is the handle's own, unless a backend gives it another id. Fails like that backend's
 * check_export, with INVALID, or FOREIGN. */
DLF_API dlf_status dlf_export_device(const dlf_tensor *self, DLDevice *out, dlf_error *error);

/** Call a managed tensor's deleter, if it has one. NULL does nothing. */
DLF_API void dlf_dlpack_release(DLManagedTensorVersioned *owned);

/** Call a legacy managed tensor's deleter, if it has one. NULL does nothing. */
DLF_API void dlf_dlpack_release_legacy(DLManagedTensor *owned);

/* ---- Exchange table: objects of frameworks, through the functions of their types ---- */

/** Return the exchange table whose "py_object" is a dlf_tensor *. Lends a static table.
 *  managed_tensor_to_py_object_no_sync takes the tensor, and calls its deleter on failure. Only the
 * allocator reports a text: a Python attribute must carry a table that sets exceptions instead. C
 * only: bindings offer tables of their own objects. */
DLF_API const DLPackExchangeAPI *dlf_exchange_api(void);

/** Names of the attribute with a framework's table, new and old, and of its capsule.
 *  The attribute may also be an integer, the address. */
#define DLF_EXCHANGE_ATTRIBUTE "__dlpack_c_exchange_api__"
#define DLF_EXCHANGE_ATTRIBUTE_OLD "__c_dlpack_exchange_api__"
#define DLF_EXCHANGE_CAPSULE "dlpack_exchange_api"

/** Find a table that we can read in a framework's chain of tables.
 *  Lends *out, forever. Fails with VERSION if no table has our major version, INVALID for NULL or
 * if a required function is missing.
 *  @param table the address in the attribute
 *  C only: dlf_from_python calls it. */
DLF_API dlf_status dlf_exchange_find(const void *table, const DLPackExchangeAPI **out,
                                     dlf_error *error);

/** Import a framework's object through its table, without stream synchronisation.
 *  Borrows object. Gives *out. Fails with FOREIGN, with the framework's exception set, or like
 * dlf_from_dlpack. C only: languages import by dlf_from_python. */
DLF_API dlf_status dlf_exchange_import(const DLPackExchangeAPI *api, void *object, dlf_tensor **out,
                                       dlf_error *error);

/** Describe a framework's object through its table, without owning it.
 *  Lends *out until control returns to the framework. The table does not pass flags. Fails with
 * UNSUPPORTED if the table does not lend, FOREIGN, or like dlf_check. C only: languages import by
 * dlf_from_python. */
DLF_API dlf_status dlf_exchange_borrow(const DLPackExchangeAPI *api, void *object, DLTensor *out,
                                       dlf_error *error);

/** Make a framework's object that keeps self.
 *  Gives *out, a reference of the framework's kind. Fails with FOREIGN, or NO_MEMORY. */
DLF_API dlf_status dlf_exchange_export(const DLPackExchangeAPI *api, dlf_tensor *self, void **out,
                                       dlf_error *error);

/** Allocate a tensor inside a framework.
 *  Gives *out. Fails with FOREIGN and the framework's text, INVALID, or like dlf_from_dlpack.
 *  C only: a framework's allocator is for code in C. */
DLF_API dlf_status dlf_exchange_create(const DLPackExchangeAPI *api, DLDataType dtype, int64_t ndim,
                                       const int64_t *shape, DLDevice device, dlf_tensor **out,
                                       dlf_error *error);

/** Get the stream that a framework uses now.
 *  *out is NULL for the CPU. Fails with FOREIGN, or INVALID.
 *  C only: a framework's stream is for code in C. */
DLF_API dlf_status dlf_exchange_stream(const DLPackExchangeAPI *api, DLDevice device, void **out,
                                       dlf_error *error);

/* ---- Copy ---- */

/** Copy the elements into a new, writable row-major tensor.
 *  Any strides. Borrows self. Gives *out. Fails with DEVICE if the processor cannot reach the data,
 * UNSUPPORTED for unknown flags, or NO_MEMORY. */
DLF_API dlf_status dlf_copy(dlf_tensor *self, dlf_tensor **out, dlf_error *error);

/** Copy like dlf_copy, and give each packed sub-byte element whole bytes of its own.
 *  The result is flagged IS_SUBBYTE_TYPE_PADDED then, as NumPy's arrays of such dtypes are. Borrows
 * self. Gives *out. Fails like dlf_copy, or with UNSUPPORTED for packed lanes or elements above 64
 * bits. */
DLF_API dlf_status dlf_copy_padded(dlf_tensor *self, dlf_tensor **out, dlf_error *error);

/** Copy the elements into existing memory of the same dtype and shape.
 *  Any strides on both sides. Either tensor may be packed and the other one padded. The tensors may
 * share memory if their strides are equal: the destination then gets what the source had before.
 * Borrows both. Fails with DTYPE or SHAPE if they differ, READ_ONLY, LAYOUT if elements of the
 * destination lie above or between each other, or for shared memory and other strides, DEVICE, or
 * UNSUPPORTED for unknown flags and likewise to dlf_copy_padded. Nothing is written then. */
DLF_API dlf_status dlf_copy_into(dlf_tensor *source, dlf_tensor *destination, dlf_error *error);

/** Give a handle whose elements have an order without gaps: self again, or a copy like dlf_copy's.
 *  Gives *out: self with a new reference, or the copy, which is row-major for DLF_DENSE. Fails with
 * INVALID for no dlf_order, or like dlf_copy.
 *  @param order a dlf_order */
DLF_API dlf_status dlf_contiguous(dlf_tensor *self, int32_t order, dlf_tensor **out,
                                  dlf_error *error);

/** Let one large copy, cast or fill use up to so many threads, from now on in all the process.
 *  1 before the first call. Results of less than 16 MiB get one thread. Threads are made for each
 * call and end before it returns, so that fork and the end of the process need no care; if the
 * system has none, the caller's thread does it all. Fails with INVALID for less than 1 or more than
 * 64. */
DLF_API dlf_status dlf_set_threads(int32_t count, dlf_error *error);

/* ---- Cast ---- */

/** Convert the elements into existing memory of another dtype, over any strides.
 *  Between bool, integers of 8 to 64 bits, and all dtypes of reals, packed or padded, and from
 * these to complex; complex numbers only to complex ones. Exact, with one rounding from any source:
 * to nearest, ties to even, as NumPy and ml_dtypes do. (These round float64, and integers of 32 and
 * 64 bits, through float32 to bfloat16 and all reals of 8 bits or less, which is twice.) Integers
 * wrap. A real loses its fraction as an integer; beyond the range, where C defines nothing, it
 * becomes the nearest integer, and NaN 0. A real too large for its dtype becomes what
 * dlf_float_encode says; NaN keeps its sign, and its payload among IEEE's dtypes. True is what is
 * not 0. The same dtype is a copy, like dlf_copy_into's. Borrows both. Fails with DEVICE,
 * READ_ONLY, DTYPE, SHAPE, LAYOUT if elements of the destination lie above each other, or for
 * shared memory, or UNSUPPORTED for unknown flags.
 *  @param saturate integers, finite reals and infinities become the nearest number of the dtype */
DLF_API dlf_status dlf_cast_into(dlf_tensor *source, dlf_tensor *destination, bool saturate,
                                 dlf_error *error);

/** Convert the elements into a new, writable row-major tensor, as dlf_cast_into does.
 *  Elements of less than 8 bits are packed. Borrows self. Gives *out. Fails likewise, or with
 * NO_MEMORY.
 *  @param saturate as of dlf_cast_into */
DLF_API dlf_status dlf_cast(dlf_tensor *self, DLDataType dtype, bool saturate, dlf_tensor **out,
                            dlf_error *error);

/* ---- Format ---- */

/** Describe a tensor in one line: "float32[2, 3] strides [1, 2] cpu read-only".
 *  Omits row-major strides; for a tensor that dlf_check refuses, it gives the reason. Returns the
 * length without the final NUL; a longer text is cut to capacity. */
DLF_API int64_t dlf_describe(const DLTensor *tensor, uint64_t flags, char *buffer,
                             int64_t capacity);

/** Describe a handle as one JSON object.
 *  {"dtype": "float32", "shape": [2, 3], "strides": [3, 1], "device": "cpu", "flags":
 * ["read_only"], "version": "1.3", "address": "0x7f00", "owner_known": true}: strides in elements,
 * version of the imported structure ("0.8" for a legacy one), address of the first element, and
 * whether the release notifies an owner. Returns the length without the final NUL; a longer text is
 * cut to capacity. */
DLF_API int64_t dlf_describe_json(const dlf_tensor *self, char *buffer, int64_t capacity);

/** Print a tensor's elements as NumPy's array2string does, after one line of description.
 *  The separator is a comma; lines are up to 75 characters wide, and reals have up to 8 digits
 * after the point. Summarises more than a thousand elements; omits elements without arithmetic,
 * with unknown flags, out of the processor's reach, or still too many. Returns the length without
 * the final NUL; a longer text is cut to capacity. */
DLF_API int64_t dlf_format(const DLTensor *tensor, uint64_t flags, char *buffer, int64_t capacity);

/* ---- Stream ---- */

/** A kernel's stream: a cudaStream_t or similar; NULL for the CPU and default streams.
 *  A kernel declares a parameter of this type; bindings fill it in. */
typedef struct dlf_stream {
  void *handle;
} dlf_stream;

#ifdef __cplusplus
}
#endif

#include <dlferry/compare.h>
#include <dlferry/view.h>

#endif
