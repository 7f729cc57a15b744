# SPDX-License-Identifier: Apache-2.0

# DLManagedTensorVersioned, and DLManagedTensor of DLPack 0.8 and before
struct DLManagedTensorVersioned
    major::UInt32
    minor::UInt32
    manager_ctx::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
    flags::UInt64
    dl_tensor::DLTensor
end

struct DLManagedTensor
    dl_tensor::DLTensor
    manager_ctx::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
end

"""
    from_dlpack(managed::Ptr) -> Tensor

Import a `DLManagedTensorVersioned *` without copying. Takes it: its deleter runs once, when the tensor is let go, or
before the error is thrown. Throws `DLFerryError` (VERSION for another major version; DTYPE, DEVICE), `ArgumentError` for
a malformed one, or `OverflowError`.

C: dlf_from_dlpack
"""
function from_dlpack(managed::Ptr)
    drain()
    out, error = Ref{Handle}(), Ref{CError}()
    owned = Ptr{Cvoid}(managed)
    status = ccall(hub.dlf_from_dlpack, Status, (Ptr{Cvoid}, Ref{Handle}, Ref{CError}), owned, out, error)
    status == 0 && return Tensor(out[])
    ccall(hub.dlf_dlpack_release, Cvoid, (Ptr{Cvoid},), owned)
    throw(failure(error))
end

"""
    from_dlpack_legacy(managed::Ptr) -> Tensor

Import a `DLManagedTensor *` of DLPack 0.8 and before, as [`from_dlpack`](@ref) does.

C: dlf_from_dlpack_legacy
"""
function from_dlpack_legacy(managed::Ptr)
    drain()
    out, error = Ref{Handle}(), Ref{CError}()
    owned = Ptr{Cvoid}(managed)
    status = ccall(hub.dlf_from_dlpack_legacy, Status, (Ptr{Cvoid}, Ref{Handle}, Ref{CError}), owned, out, error)
    status == 0 && return Tensor(out[])
    ccall(hub.dlf_dlpack_release_legacy, Cvoid, (Ptr{Cvoid},), owned)
    throw(failure(error))
end

"""
    to_dlpack(t) -> Ptr{DLManagedTensorVersioned}

Export a tensor or an array without copying. The caller must pass the pointer on to a consumer, or call its deleter;
until then the memory stays. Throws `DLFerryError` (NO_MEMORY).

C: dlf_to_dlpack
"""
to_dlpack(t::Tensor) = derive(Ptr{DLManagedTensorVersioned}) do out, error
    ccall(hub.dlf_to_dlpack, Status, (Handle, Ref{Ptr{DLManagedTensorVersioned}}, Ref{CError}), t, out, error)
end

"""
    to_dlpack_legacy(t) -> Ptr{DLManagedTensor}

Export without copying to a consumer of DLPack 0.8 and before. Throws `DLFerryError`: READ_ONLY since that structure
cannot say so, UNSUPPORTED for padded sub-byte elements likewise, or NO_MEMORY.

C: dlf_to_dlpack_legacy
"""
to_dlpack_legacy(t::Tensor) = derive(Ptr{DLManagedTensor}) do out, error
    ccall(hub.dlf_to_dlpack_legacy, Status, (Handle, Ref{Ptr{DLManagedTensor}}, Ref{CError}), t, out, error)
end

"""
    to_dlpack_copy(t) -> Ptr{DLManagedTensorVersioned}

Export a row-major copy that the consumer owns alone. Throws as `copy` does.

C: dlf_to_dlpack_copy
"""
to_dlpack_copy(t::Tensor) = derive(Ptr{DLManagedTensorVersioned}) do out, error
    ccall(hub.dlf_to_dlpack_copy, Status, (Handle, Ref{Ptr{DLManagedTensorVersioned}}, Ref{CError}), t, out, error)
end

for f in (:to_dlpack, :to_dlpack_legacy, :to_dlpack_copy)
    @eval function $f(A::AbstractArray)
        t = wrap(A)
        try
            return $f(t)
        finally
            close(t) # the export holds its own reference
        end
    end
end
