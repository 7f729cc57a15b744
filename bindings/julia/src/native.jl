# SPDX-License-Identifier: Apache-2.0

"""
    native(A::DLArray)

Return the same memory as Julia's own `Array`, without copying, for code that takes nothing else. Row-major elements
become the `transpose` of a `Matrix`, other orders a `PermutedDimsArray`. The memory stays alive while any of these is
used, including `vec` and `reshape` of it, even after `close(A)`. Throws `DLFerryError`: LAYOUT for gaps between
elements, READ_ONLY since an `Array` cannot be, DTYPE for `Bool`, since others may store unexpected bytes there.
`Array(A)` always copies.

C: `dlf_look`
"""
native(A::DLDense{T}) where {T} = GC.@preserve A own(pointer(A.array), size(A), A.tensor)
native(A::Transpose{T,DLDense{T,N}}) where {T,N} = transpose(native(parent(A)))
native(A::PermutedDimsArray{T,N,perm,iperm,DLDense{T,N}}) where {T,N,perm,iperm} = PermutedDimsArray(native(parent(A)), perm)
function native(A::DLStrided{T,N}) where {T,N}
    check_alive(A)
    look(lend(A, :native), any_dtype, LOOK_WRITE | LOOK_DENSE)
    T <: Bools && throw(failure(:DTYPE, "native: expected a dtype other than $(dtype(T)), got $(dtype(T))"))
    perm = Tuple(sortperm(collect(A.steps); by = abs))
    return PermutedDimsArray(own(A.data, map(k -> A.size[k], perm), A.tensor), invperm(perm))
end

function own(data::Ptr{T}, size::NTuple{N,Int}, t::Tensor) where {T,N}
    isempty_size(size) && return Array{T,N}(undef, size)
    array, handle = unsafe_wrap(Array, data, size), retained(t)
    finalizer(Release(handle, dig(handle, hub.dlf_release)), memory(array))
    return array
end

# An array made from an Array by vec or reshape keeps that, or the object with its elements; and that has its own
# handle. A Tensor would not do: an object held only by a finalizer may be finalized first.
struct Release
    handle::Handle
    grave::Ptr{Grave}
end
(r::Release)(_) = bury(r.grave, r.handle, hub.dlf_release)
