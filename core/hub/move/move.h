/* SPDX-License-Identifier: Apache-2.0 */
/* Move elements from one memory to another. */
#ifndef DLFERRY_MOVE_H
#define DLFERRY_MOVE_H

#include "loop.h"

DLF__BEGIN_HIDDEN

/* Copy between checked tensors of one dtype and shape that the processor reaches, and whose bytes
 * are apart. Either may be packed. `to` repeats no element. */
void dlf__move(const DLTensor *to, uint64_t to_flags, const DLTensor *from, uint64_t from_flags);
/* The same within one memory, in the order that reads each element before it is overwritten. False,
 * with nothing done, if the tensors have different strides: then no order might do. */
bool dlf__move_within(const DLTensor *to, uint64_t to_flags, const DLTensor *from,
                      uint64_t from_flags);
/* Copy elements that share bytes with others: the loop counts bits from both addresses. An element
 * has `bits` of them and fills room_bits, the highest with zeros. */
void dlf__move_bits(const dlf__loop *loop, void *to, const void *from, int64_t bits,
                    int64_t room_bits);
/* False if elements lie above each other, as those of an axis with stride 0 do, or between each
 * other. */
bool dlf__are_apart(const DLTensor *tensor);
/* Make a tensor of self's shape on the processor, whose elements the caller writes. */
dlf_status dlf__new_like(const char *name, const dlf_tensor *self, DLDataType dtype, uint64_t flags,
                         int32_t order, dlf_tensor **out, dlf_error *error);
/* Check that a source has the destination's shape. */
dlf_status dlf__check_same_shape(const char *name, const DLTensor *source,
                                 const DLTensor *destination, dlf_error *error);
/* Check that the processor reaches self, and that its flags are known. */
dlf_status dlf__check_readable(const char *name, const dlf_tensor *self, dlf_error *error);
/* Check that the processor may write to self, and that no element lies above another. */
dlf_status dlf__check_writable(const char *name, const dlf_tensor *self, dlf_error *error);

DLF__END_HIDDEN

#endif
