# SPDX-License-Identifier: Apache-2.0

"""
    native(A::DLArray)

Look at the same memory through Julia's own `Array`, without copying: for BLAS, `lu!`, FFTW and what else asks for one.
Row-major elements come as the `transpose` of a `Matrix`, which BLAS takes as it is, other orders as a
`PermutedDimsArray`. The memory stays as long as any of these is used, `vec` and `reshape` of it too.
Throws `DLFerryError`: LAYOUT when there are gaps between elements, READ_ONLY since an `Array` cannot be, DTYPE for
`Bool`, whose bytes somebody else may set to what Julia does not expect. `Array(A)` copies, whatever it is.

C: `dlf_dltensor`
"""
function native(A::DLArray{T,N}) where {T,N}
    A.writable || throw(failure(:READ_ONLY, "native: expected writable data, got read-only"))
    T <: Union{Bool,NTuple{K,Bool} where K} && throw(failure(:DTYPE, "native: expected a dtype other than $(dtype(T))"))
    is_column_major(A.size, A.steps) && return own(A)
    N == 2 && is_column_major(reverse(A.size), reverse(A.steps)) && return transpose(own(reversed(A)))
    perm = Tuple(sortperm(collect(A.steps); by = abs))
    B = relook(A, map(k -> A.size[k], perm), map(k -> A.steps[k], perm))
    is_column_major(B.size, B.steps) ||
        throw(failure(:LAYOUT, "native: expected elements without gaps, got $(describe(A))"))
    return PermutedDimsArray(own(B), invperm(perm))
end

function is_column_major(size, steps)
    wanted = 1
    for (n, s) in zip(size, steps)
        n == 0 && return true
        n == 1 || s == wanted || return false
        wanted *= n
    end
    return true
end

# What is made of an Array, by vec or reshape, keeps it, or what it keeps its elements in; and that has a handle of its
# own. A Tensor would not do: what only a finalizer holds may be finalized first.
struct Release
    handle::Handle
    grave::Ptr{Grave}
end
(r::Release)(_) = bury(r.grave, r.handle, hub.dlf_release)

function own(A::DLArray{T,N}) where {T,N}
    isempty(A) && return Array{T,N}(undef, A.size)
    array = unsafe_wrap(Array, A.data, A.size)
    handle = retained(A.tensor)
    finalizer(Release(handle, dig(handle, hub.dlf_release)), memory(array))
    return array
end
memory(array) = isdefined(Base, :GenericMemory) ? getfield(getfield(array, :ref), :mem) : array
