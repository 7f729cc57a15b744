/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the hub's files share. All names begin with dlf__ and stay inside the library.
 */
#ifndef DLFERRY_INTERNAL_H
#define DLFERRY_INTERNAL_H

#include "platform.h"

#include <dlferry.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* Attributes of GNU C, whose builtins the arithmetic below needs too. */
#define DLF__APART __attribute__((__noinline__))
#define DLF__COLD                                                                                  \
  __attribute__((__cold__, __noinline__)) /* kept away from frequently executed code */
#define DLF__INLINE inline __attribute__((__always_inline__)) /* also with more than one caller */
#define DLF__LIKELY(condition) __builtin_expect(condition, 1)
/* What lies between these is hidden even if the library is not compiled with hidden visibility. */
#define DLF__BEGIN_HIDDEN _Pragma("GCC visibility push(hidden)")
#define DLF__END_HIDDEN _Pragma("GCC visibility pop")

DLF__BEGIN_HIDDEN

/* ---- arithmetic: true if the exact result does not fit, like the builtins ---- */

static inline bool dlf__add(int64_t a, int64_t b, int64_t *out) {
  return __builtin_add_overflow(a, b, out);
}
static inline bool dlf__mul(int64_t a, int64_t b, int64_t *out) {
  return __builtin_mul_overflow(a, b, out);
}

/* ---- error.c ---- */

/* Store a failure and return its status; error may be NULL. */
DLF__COLD dlf_status dlf__fail(dlf_error *error, dlf_status status, const char *format, ...)
    DLF__PRINTF(3, 4);

/* Fail with INVALID for a NULL that is not allowed, where something is wanted: "a path". */
DLF__COLD dlf_status dlf__missing(const char *name, const char *wanted, dlf_error *error);
/* The same for a place of the result, and for a tensor. */
DLF__COLD dlf_status dlf__no_place(const char *name, dlf_error *error);
DLF__COLD dlf_status dlf__no_tensor(const char *name, dlf_error *error);

#define DLF__LARGEST_STRUCT UINT64_C(65536)
/* Tell whether a caller's structure may have this size. Arrays are walked by it: an odd one would
 * misalign their elements, a huge one overflow. */
static inline bool dlf__is_struct_size(int64_t size, size_t known, size_t alignment) {
  return (uint64_t)size - known <= DLF__LARGEST_STRUCT - known && size % (int64_t)alignment == 0;
}
/* Fail with INVALID unless it may; `known` is the size of the oldest structure of its type. */
#define DLF__CHECK_STRUCT(name, type, size, known, error)                                          \
  dlf__check_struct(name, #type, size, known, _Alignof(type), error)
dlf_status dlf__check_struct(const char *name, const char *type, int64_t size, size_t known,
                             size_t alignment, dlf_error *error);

/* A text in a buffer of fixed size, which counts on after the buffer is full. */
typedef struct dlf__text {
  char *buffer;
  int64_t capacity, length;
} dlf__text;

enum { DLF__UNSAID = -1 }; /* the length of a text that is not read */

dlf__text dlf__text_in(char *buffer, int64_t capacity);
void dlf__put(dlf__text *text, const char *format, ...) DLF__PRINTF(2, 3);
/* "[2, 3]"; the list may be NULL when count is 0. */
void dlf__put_list(dlf__text *text, const int64_t *list, int32_t count);
/* End a text that outgrew its buffer with an ellipsis at a character boundary. */
void dlf__text_finish(dlf__text *text);

/* ---- exchange_api.c ---- */

/* dlf_from_dlpack, which takes owned after a failure too. */
dlf_status dlf__take_dlpack(DLManagedTensorVersioned *owned, dlf_tensor **out, dlf_error *error);
/* Slots of an exchange table that use no object. */
int dlf__exchange_allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *error_ctx,
                           void (*SetError)(void *error_ctx, const char *kind,
                                            const char *message));
int dlf__exchange_stream(DLDeviceType type, int32_t id, void **out_stream);
/* The name of the Python exception for a status. */
const char *dlf__exception_of(dlf_status status);

/* ---- dtype.c ---- */

/* Codes of DLPack's main branch that no release has. Such tensors pass, and none is made, since a
 * release may give them other numbers. */
enum {
  DLF__BCOMPLEX = 18, /* complex of two bfloat16 */
  DLF__TPU = 19,
  DLF__TPU_HOST = 20,
  DLF__ASCEND = 21
};
/* Refuse to make a tensor whose dtype or device has one of these codes. */
dlf_status dlf__check_codes_released(const char *name, DLDataType dtype, DLDevice device,
                                     dlf_error *error);

/* Refuse dtypes that no consumer may guess: no bits, no lanes, a float8/6/4 of a wrong width. name
 * opens the text. */
dlf_status dlf__check_dtype(const char *name, DLDataType dtype, dlf_error *error);
static inline bool dlf__same_dtype(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
/* The bits of one element, with all lanes. */
static inline int64_t dlf__element_bits(DLDataType dtype) {
  return (int64_t)dtype.bits * dtype.lanes;
}
/* True when elements share bytes. */
/* Whole bytes of an element: dlf_dtype_size without a call. */
static inline int64_t dlf__element_bytes(DLDataType dtype) {
  return (dlf__element_bits(dtype) + 7) / 8;
}

static inline bool dlf__is_packed(DLDataType dtype, uint64_t flags) {
  return dlf__element_bits(dtype) % 8 != 0 && !(flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
}

static inline bool dlf__is_complex(DLDataType dtype) {
  return dtype.code == kDLComplex || dtype.code == DLF__BCOMPLEX;
}
/* The dtype of a complex number's two parts; any other dtype is its own. */
static inline DLDataType dlf__part_of(DLDataType dtype) {
  if (dlf__is_complex(dtype)) {
    dtype.bits /= 2;
  }
  if (dtype.code == kDLComplex) {
    dtype.code = kDLFloat;
  } else if (dtype.code == DLF__BCOMPLEX) {
    dtype.code = kDLBfloat;
  }
  return dtype;
}

/* The alignment of a C scalar of this dtype; a complex number has that of its parts. */
static inline int64_t dlf__natural_alignment(DLDataType dtype) {
  const int64_t bits = dlf__part_of(dtype).bits;
  if (bits == 0 || bits % 8 != 0) {
    return 1; /* the halves of complex1 have no bits */
  }
  const int64_t bytes = bits / 8;
  if ((bytes & -bytes) < 16) {
    return bytes & -bytes;
  }
  return 16;
}

/* The flags that DLPack 1.3 names. The effect of others on the elements is unknown. */
#define DLF__KNOWN_FLAGS                                                                           \
  (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED |                                 \
   DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED)
static inline uint64_t dlf__unknown_flags(uint64_t flags) {
  return flags & ~(DLF__KNOWN_FLAGS | DLF_FLAGS_UNKNOWN);
}
/* Fail with UNSUPPORTED for unknown flags, before elements are used. */
dlf_status dlf__check_flags(const char *name, uint64_t flags, dlf_error *error);
/* The same for the flags of a new tensor, whose exports say 1.3; INVALID for DLF_FLAGS_UNKNOWN. */
DLF__COLD dlf_status dlf__refuse_new_flags(const char *name, uint64_t flags, dlf_error *error);

/* ---- backend.c ---- */

extern _Atomic int32_t dlf__backend_count;
/* The backend of a kind of device, or NULL. */
const dlf_backend *dlf__backend_of(int32_t type);
/* Ask the device's backend, if any, whether the processor may use an address; NULL means all
 * addresses. */
bool dlf__backend_reaches(DLDevice device, const void *address);
/* Ask the device's backend for its stream. Returns 0, or -1 if it fails or there is no backend. */
int dlf__backend_stream(DLDevice device, void **out);

/* ---- device.c ---- */

/* Plain, pinned and managed memory: the processor reaches any address there, without asking a
 * backend. */
static inline bool dlf__is_host(DLDevice device) {
  const int32_t type = (int32_t)device.device_type;
  return type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost || type == kDLCUDAManaged;
}
/* Fail with DEVICE unless the processor may use the tensor's address. */
dlf_status dlf__check_reachable(const char *name, const DLTensor *tensor, dlf_error *error);

/* ---- layout.c ---- */

/* Address of the first element; NULL stays NULL. */
static inline void *dlf__data(const DLTensor *tensor) {
  if (tensor->data) {
    return (void *)((uintptr_t)tensor->data + (uintptr_t)tensor->byte_offset);
  }
  return NULL;
}
/* The same in 64 bits, also where pointers have 32: an offset that was not checked may lead far. */
static inline uint64_t dlf__address(const DLTensor *tensor) {
  if (tensor->data) {
    return (uint64_t)(uintptr_t)tensor->data + tensor->byte_offset;
  }
  return 0;
}
/* True if data is in the address space that processor and devices share, false for a handle. */
bool dlf__is_address(const DLTensor *tensor);
dlf_status dlf__count(const char *name, const DLTensor *tensor, int64_t *out, dlf_error *error);
dlf_status dlf__byte_size(const char *name, const DLTensor *tensor, uint64_t flags, int64_t *out,
                          dlf_error *error);
dlf_status dlf__byte_range(const char *name, const DLTensor *tensor, uint64_t flags, int64_t *low,
                           int64_t *high, dlf_error *error);
/* Tell whether an int64_t counts the bits between a sound tensor's elements: they lie within 2^60
 * bytes. */
bool dlf__counts_bits(const DLTensor *tensor, uint64_t flags);
/* Whole bytes before element `index`, which may be negative, and how many bits of the next one, 0
 * to 7, lie before it. True if the bytes do not fit. */
bool dlf__bytes_before(int64_t index, DLDataType dtype, uint64_t flags, int64_t *bytes, int *bit);
/* dlf_overlap for handles of one shape that the processor reaches: what has been checked once needs
 * no check of its arithmetic. */
bool dlf__handles_overlap(const dlf_tensor *a, const dlf_tensor *b);
dlf_status dlf__compact_strides(const char *name, int64_t ndim, const int64_t *shape, int32_t order,
                                int64_t *strides, dlf_error *error);
/* Fill in contiguous strides for a shape whose element count fits. */
void dlf__fill_strides(int64_t ndim, const int64_t *shape, int32_t order, int64_t *strides);

/* True if an extent is 0; the shape may be unchecked. */
static inline bool dlf__is_empty(const DLTensor *tensor) {
  for (int32_t i = 0; i < tensor->ndim; i++) {
    if (tensor->shape[i] == 0) {
      return true;
    }
  }
  return false;
}
/* DLPack 1.3: "if the tensor is of size zero, then the data pointer should be set to NULL". */
static inline void dlf__clear_if_empty(DLTensor *tensor) {
  if (!dlf__is_empty(tensor)) {
    return;
  }
  tensor->data = NULL;
  tensor->byte_offset = 0;
}
/* Refuse a number of axes that no tensor has. */
dlf_status dlf__check_ndim(const char *name, int64_t ndim, dlf_error *error);
/* Refuse it likewise, and no shape. */
dlf_status dlf__check_shape(const char *name, int64_t ndim, const int64_t *shape, dlf_error *error);
/* Describe a row-major tensor without data. Refuses a number of axes likewise. */
dlf_status dlf__describe_plain(const char *name, DLDataType dtype, int64_t ndim,
                               const int64_t *shape, DLDevice device, DLTensor *out,
                               dlf_error *error);
/* Fill in the distances in elements between neighbours along each axis of a checked tensor: 0 if a
 * single element leaves the stride unbounded, and for a tensor without elements. */
void dlf__steps(const DLTensor *tensor, int64_t *steps);

/* ---- check.c ---- */

dlf_status dlf__check(const char *name, const DLTensor *tensor, uint64_t flags, dlf_error *error);
/* Fail with INVALID for NULL, and with VERSION for another major version. */
dlf_status dlf__check_version(const char *name, const DLManagedTensorVersioned *managed,
                              dlf_error *error);
/* Check all but data: gives the range of bytes that the elements touch. tensor is not NULL. */
dlf_status dlf__check_description(const char *name, const DLTensor *tensor, uint64_t flags,
                                  int64_t *low, int64_t *high, dlf_error *error);
/* The part of dlf__check for tensors that are not plainly sound. */
DLF__COLD dlf_status dlf__look_closely(const char *name, const DLTensor *tensor, uint64_t flags,
                                       dlf_error *error);

/* ---- handle.c ---- */

struct dlf_tensor {
  DLTensor dl;
  uint64_t flags;
  DLPackVersion version; /* of the structure of the import; 0.8 for a legacy one */
  bool has_owner;        /* the release has an owner to notify */
  _Atomic int64_t references;
  void (*let_go)(dlf_tensor *self); /* runs for the last reference; ends in dlf__tensor_free */
  void *owner;
  union {
    void (*release)(void *owner);
    dlf_queue *queue; /* where the owner waits, if the tensor is queued */
  };
  dlf_tensor *next;  /* in the queue, or among those that wait for another release */
  int64_t extents[]; /* shape, then strides */
};

/* Give a handle the device id that its device's backend knows; plain, pinned and managed memory has
 * id 0. */
static inline void dlf__name_device(dlf_tensor *self, int32_t id) {
  if (!dlf__is_host(self->dl.device)) {
    self->dl.device.device_id = id;
  }
}

/* The version of a handle's exports and copies: ours, since they obey its rules, or a later one,
 * whose flags and codes ours does not name: a consumer of 1.3 may ignore them in a tensor of 1.3,
 * and must not in one of 1.9. */
static inline DLPackVersion dlf__version_to_tell(const dlf_tensor *self) {
  DLPackVersion version = {DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR};
  if (self->version.major == DLF_DLPACK_MAJOR && self->version.minor > DLF_DLPACK_MINOR) {
    version = self->version;
  }
  return version;
}

/* The number of live handles. */
extern _Atomic int64_t dlf__live;
/* Fill in a new handle's shape and strides, which a producer before DLPack 1.2 may omit; returns
 * it. */
DLF__APART dlf_tensor *dlf__copy_extents(dlf_tensor *self, const int64_t *shape,
                                         const int64_t *strides);
/* For a handle that another handle owns; that owner is not such a handle itself. */
void dlf__let_go_of_root(dlf_tensor *self);
DLF__COLD dlf_status dlf__no_handle(const char *name, dlf_error *error);

/* ---- tensor.c ---- */

/* dlf_create with flags, and without the check that DLPack has released the codes. */
dlf_status dlf__create(const char *name, DLDataType dtype, int64_t ndim, const int64_t *shape,
                       DLDevice device, uint64_t flags, dlf_tensor **out, dlf_error *error);
typedef enum dlf__content {
  DLF__ZEROS,
  DLF__UNWRITTEN /* the caller writes every byte */
} dlf__content;
/* The same with any strides, NULL for row-major, and any alignment, at least 256; prototype->data
 * is ignored. If exported is not NULL, the handle is exported at once, in the same block. */
dlf_status dlf__allocate(const char *name, const DLTensor *prototype, uint64_t flags,
                         dlf__content content, int64_t align, DLManagedTensorVersioned **exported,
                         dlf_tensor **out, dlf_error *error);
/* For a handle whose release is called with its owner. */
void dlf__let_go_of_owner(dlf_tensor *self);
/* The deleter of such an export, which lies in the handle's block. */
void dlf__delete_made(DLManagedTensorVersioned *managed);

/* ---- number.c ---- */

/* One lane of one element. */
typedef struct dlf__number {
  dlf_number_kind kind;
  int fraction; /* for reals: bits after the first one, */
  int lowest;   /* and the lowest exponent with all of them */
  int64_t signed_value;
  uint64_t unsigned_value; /* of a bool: 0 or 1 */
  double real, imaginary;  /* 0 of what has none */
} dlf__number;

/* True for the dtypes that dlf__read supports. */
bool dlf__is_readable(DLDataType dtype);
/* Read a lane of the element that lies `element` elements from the first, inside a checked tensor's
 * byte range. */
dlf__number dlf__read(const DLTensor *tensor, uint64_t flags, int64_t element, int32_t lane);
/* Round a real to the precision of a number: its fraction and lowest exponent. Its largest value
 * does not count. */
double dlf__round(double value, const dlf__number *kind);

/* ---- column.c: numbers printed one below the other, in a common notation ---- */

/* What the numbers of one dtype have in common, so that they get one notation and one width. Begin
 * with zeros but for in_axes and plus. */
typedef struct dlf__column {
  bool in_axes; /* True takes as much room as False */
  bool plus;    /* positive reals have a sign: imaginary parts */
  bool used, scientific;
  bool finite, non_finite, negative_infinity; /* seen reals */
  double least, most;                         /* of the finite ones but 0, without sign */
  dlf__number kind;                           /* the last number seen: all are of one kind */
  int left, right; /* characters before and after the point; of other kinds all are left */
  int exponent;    /* digits, if scientific */
} dlf__column;

/* First see all numbers, decide, then fit all, then put them. value is the number's real or
 * imaginary part. */
void dlf__column_see(dlf__column *self, const dlf__number *number, double value);
void dlf__column_decide(dlf__column *self);
void dlf__column_fit(dlf__column *self, const dlf__number *number, double value);
void dlf__column_put(const dlf__column *self, dlf__text *text, const dlf__number *number,
                     double value);
int64_t dlf__column_width(const dlf__column *self);

/* ---- compare.c ---- */

/* Check that the processor may use the elements, and, to read them, that they are numbers. */
dlf_status dlf__check_elements(const char *name, dlf_arg arg, bool read, dlf_error *error);
/* Exact, for every pair of kinds. */
bool dlf__equal_numbers(const dlf__number *a, const dlf__number *b);
/* A number without its imaginary part. */
double dlf__real_of(const dlf__number *number);
/* Likewise, to be rounded to at most 32 bits: an integer's bits beyond a double's are one last bit
 * that is not 0, so that it is rounded only then. */
double dlf__real_of_sticky(const dlf__number *number);

/* ---- view.c ---- */

/* A copy of self's description with shape and strides that the caller may change; each has room for
 * self's ndim. */
DLTensor dlf__editable(const dlf_tensor *self, int64_t *shape, int64_t *strides);
/* Make a view of self with this description. */
dlf_status dlf__give_view(const char *name, dlf_tensor *self, const DLTensor *shown,
                          dlf_tensor **out, dlf_error *error);
/* Move the first element of a view by a number of elements. */
dlf_status dlf__advance(const char *name, DLTensor *shown, uint64_t flags, int64_t elements,
                        dlf_error *error);
/* Tell whether an axis has all of these indices. */
bool dlf__is_range(int64_t extent, int64_t start, int64_t count, int64_t step);

/* ---- library.c ---- */

/* A list of functions is a macro that applies another one to each, such as this one, which declares
 * its pointer in a struct. */
#define DLF__FUNCTION_POINTER(result, name, parameters) result(*name) parameters;

/* A function, and its place in that struct. */
typedef struct dlf__library_function {
  const char *name;
  size_t place;
} dlf__library_function;

/* Load a library for the caller alone, or for NULL what all the process sees. `name` begins the
 * text, `title` is in it. */
dlf_status dlf__open_library(const char *name, const char *title, const char *path, void **out,
                             dlf_error *error);
/* Write the functions' addresses into the struct. Returns the name of one that the library lacks,
 * or NULL. */
const char *dlf__find_functions(void *library, const dlf__library_function *functions, size_t count,
                                void *out);
void dlf__close_library(void *library);

DLF__END_HIDDEN

#endif
