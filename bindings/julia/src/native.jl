# SPDX-License-Identifier: Apache-2.0

"""
    native(A::DLArray)

Look at the same memory through Julia's own `Array`, without copying, for what takes nothing else. Row-major elements come
as the `transpose` of a `Matrix`, other orders as a `PermutedDimsArray`. The memory stays as long as any of these is used,
`vec` and `reshape` of it too, and after `close(A)`.
Throws `DLFerryError`: LAYOUT when there are gaps between elements, READ_ONLY since an `Array` cannot be, DTYPE for
`Bool`, whose bytes somebody else may set to what Julia does not expect. `Array(A)` copies, whatever it is.

C: `dlf_look`
"""
native(A::DLDense{T}) where {T} = own(Ptr{T}(pointer(A)), size(A), A.tensor)
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

# What is made of an Array, by vec or reshape, keeps it, or what it keeps its elements in; and that has a handle of its
# own. A Tensor would not do: what only a finalizer holds may be finalized first.
struct Release
    handle::Handle
    grave::Ptr{Grave}
end
(r::Release)(_) = bury(r.grave, r.handle, hub.dlf_release)
