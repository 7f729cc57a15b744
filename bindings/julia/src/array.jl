# SPDX-License-Identifier: Apache-2.0

"""
    DLArray(t::Tensor), DLArray{T}(t), DLArray{T,N}(t)

Look at a tensor's elements as an `AbstractArray`, without copying, with the strides it has. Keeps the tensor: the look
stays valid after `close(t)`. A read-only tensor refuses `setindex!`. With `T` and `N` given, the compiler knows the
type. Throws `DLFerryError`: DEVICE when the processor cannot reach the data, DTYPE when Julia has no such type or it is not
`T`; `DimensionMismatch` when `N` differs.

C: `dlf_dltensor`
"""
struct DLArray{T,N} <: AbstractArray{T,N}
    data::Ptr{T}
    size::NTuple{N,Int}
    steps::NTuple{N,Int}
    writable::Bool
    tensor::Tensor # ours alone: nobody closes it
    global look(::Type{T}, ::Val{N}, d::DLTensor, t::Tensor) where {T,N} =
        new{T,N}(Ptr{T}(address(d)), tuple_of(d.shape, Val(N)), tuple_of(d.strides, Val(N)), !isreadonly(t), t)
    global relook(A::DLArray{T,N}, size, steps) where {T,N} = new{T,N}(A.data, size, steps, A.writable, A.tensor)
end

tuple_of(::Ptr{Int64}, ::Val{0}) = ()
tuple_of(p::Ptr{Int64}, ::Val{N}) where {N} = map(Int, unsafe_load(Ptr{NTuple{N,Int64}}(p)))

# Val(n) made when the program runs takes 2 µs; these are made already.
@eval function val(n)
    $([:(n == $n && return $(Val(n))) for n in 0:8]...)
    return Val(n)
end

# These take over a handle that nobody else has.
function adopt(t::Tensor)
    d = described(t)
    T = julia_type(d.dtype)
    T === Nothing && throw(failure(:DTYPE, "DLArray: expected a dtype that Julia has, got $(dtype(t))"))
    return GC.@preserve t look(T, val(Int(d.ndim)), d, reachable(t, d))
end

function adopt(t::Tensor, ::Type{T}, ::Val{N}) where {T,N}
    d = described(t)
    d.dtype === dl_dtype(T) || throw(failure(:DTYPE, "DLArray: expected $(dtype(T)), got $(dtype(t))"))
    d.ndim == N || throw(failure(:SHAPE, "DLArray: expected $N dimensions, got $(d.ndim)"))
    return GC.@preserve t look(T, Val(N), d, reachable(t, d))
end

function reachable(t::Tensor, d::DLTensor)
    d.device === cpu || is_cpu_accessible(d.device) ||
        throw(failure(:DEVICE, "DLArray: expected data that the processor can reach, got $(device(t))"))
    return t
end

DLArray(t::Tensor) = adopt(retain(t))
DLArray{T}(t::Tensor) where {T} = typed(adopt(retain(t)), T)
DLArray{T,N}(t::Tensor) where {T,N} = adopt(retain(t), T, Val(N))

typed(A::DLArray{T}, ::Type{T}) where {T} = A
typed(A::DLArray, ::Type{T}) where {T} = throw(failure(:DTYPE, "DLArray: expected $(dtype(T)), got $(dtype(A))"))

# Here, since every loop and every check of an index asks for it first.
Base.size(A::DLArray) = A.tensor.handle == C_NULL ? lost() : A.size
@noinline lost() = throw(ArgumentError(
    "DLArray: expected memory, got none, since a precompiled module keeps none: make it in __init__"))
Base.strides(A::DLArray) = A.steps
Base.IndexStyle(::Type{<:DLArray}) = IndexCartesian()
Base.elsize(::Type{<:DLArray{T}}) where {T} = sizeof(T)
Base.unsafe_convert(::Type{Ptr{S}}, A::DLArray{T}) where {S,T} = Ptr{S}(A.data)
Base.isreadonly(A::DLArray) = !A.writable
dtype(A::DLArray{T}) where {T} = dtype(T)
device(A::DLArray) = device(A.tensor)

@inline distance(::Tuple{}, ::Tuple{}) = 0
@inline distance(index::Tuple, steps::Tuple) =
    (index[1] - 1) * steps[1] + distance(Base.tail(index), Base.tail(steps))

@inline function Base.getindex(A::DLArray{T,N}, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(A, index...)
    return GC.@preserve A element(A.data, distance(index, A.steps) + 1)
end

@inline function Base.setindex!(A::DLArray{T,N}, value, index::Vararg{Int,N}) where {T,N}
    A.writable || refuse_write()
    @boundscheck checkbounds(A, index...)
    x = convert(T, value)
    GC.@preserve A unsafe_store!(A.data, x, distance(index, A.steps) + 1)
    return A
end

@noinline refuse_write() = throw(failure(:READ_ONLY, "setindex!: expected writable data, got read-only"))

@inline element(p::Ptr, k) = unsafe_load(p, k)
# A foreign byte may be neither 0 nor 1, and Julia's compiler would trust it to be.
@inline element(p::Ptr{Bool}, k) = unsafe_load(Ptr{UInt8}(p), k) != 0x00
@inline element(p::Ptr{NTuple{N,Bool}}, k) where {N} = map(!iszero, unsafe_load(Ptr{NTuple{N,UInt8}}(p), k))

# So that `A .= f.(B)` sees when B lies in A's memory, and copies it first. Two looks may begin at different places.
Base.dataids(A::DLArray) = (UInt(A.data),)
Base.mightalias(A::DLArray, B::DLArray) = meet(span(A), span(B))
Base.mightalias(A::DLArray, B::AbstractArray) = meet(A, root(B), B)
Base.mightalias(B::AbstractArray, A::DLArray) = meet(A, root(B), B)
meet(A::DLArray, owner::Union{Array,DLArray}, B) = meet(span(A), span(owner))
meet(A::DLArray, owner, B) = invoke(Base.mightalias, Tuple{AbstractArray,AbstractArray}, A, B)
meet(a::Tuple, b::Tuple) = a[1] < b[2] && b[1] < a[2]

"The addresses from the first byte to behind the last; nothing lies between when there are no elements."
span(A::Array) = (p = UInt(pointer(A)); (p, p + sizeof(A)))
function span(A::DLArray{T}) where {T}
    isempty(A) && return (UInt(0), UInt(0))
    reach = map((n, s) -> (n - 1) * s * sizeof(T), A.size, A.steps)
    p = UInt(A.data)
    low, high = sum((0, map(r -> min(r, 0), reach)...)), sum((sizeof(T), map(r -> max(r, 0), reach)...))
    return (p + low % UInt, p + high % UInt)
end

# Ten times as fast as Base's own, which counts elements in one order and indices in another.
function Base.copyto!(A::DLArray{T,N}, B::Union{Array{S,N},SubArray{S,N,<:Array},DLArray{S,N}}) where {T,S,N}
    size(A) == size(B) || return invoke(copyto!, Tuple{AbstractArray,AbstractArray}, A, B)
    from = Base.unalias(A, B)
    @inbounds @simd for k in CartesianIndices(A)
        A[k] = from[k]
    end
    return A
end

Base.unaliascopy(A::DLArray{T,N}) where {T,N} = adopt(copy(wrap(A)), T, Val(N))
Base.deepcopy_internal(A::DLArray, seen::IdDict) = get!(() -> Base.unaliascopy(A), seen, A)::typeof(A)

steps(A::DLArray, name) = A.steps
address(A::DLArray) = Ptr{Cvoid}(A.data)
root_is_read_only(A::DLArray) = !A.writable
tensor_of(A::DLArray) = A.tensor
reversed(A::DLArray) = relook(A, reverse(A.size), reverse(A.steps))
