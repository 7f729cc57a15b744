# SPDX-License-Identifier: Apache-2.0

"""
    copy(t::Tensor) -> Tensor

Copy the elements into a new, writable row-major tensor. Throws `DLFerryError`: DEVICE if the processor cannot reach the
data, UNSUPPORTED for packed sub-byte elements that are not row-major, or NO_MEMORY.

C: `dlf_copy`
"""
Base.copy(t::Tensor) = weigh(Tensor(derive(Handle) do out, error
    give(hub.dlf_copy, t, out, error)
end))

# Copied field by field, a second object would release the same handle.
Base.deepcopy_internal(t::Tensor, seen::IdDict) = get!(() -> copy(t), seen, t)::Tensor
