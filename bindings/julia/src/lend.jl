# SPDX-License-Identifier: Apache-2.0
# Tensors, lists of them and arrays of numbers, lent to a C function for the time of a call.

# dlf_arg
struct Arg
    tensor::Ptr{DLTensor}
    flags::UInt64
end

# A DLTensor whose shape and strides lie behind it in the same object. It is only good while it and the array it
# describes are preserved.
mutable struct Borrow{N}
    tensor::DLTensor
    size::NTuple{N,Int64}
    steps::NTuple{N,Int64}
    flags::UInt64
end

"What must be preserved while `arg` of it is in use."
lend(t::Tensor) = t
lend(::Nothing) = nothing
lend(x) = throw(ArgumentError("expected an array or a DLFerry.Tensor, got $(typeof(x))"))
@inline function lend(A::AbstractArray{T,N}) where {T,N}
    Base.require_one_based_indexing(A)
    apart = steps(A) # first: it is what refuses an array without strides
    d = DLTensor(address(A), cpu, N, dl_dtype(T), C_NULL, C_NULL, 0)
    return Borrow{N}(d, size(A), apart, is_read_only(A) ? READ_ONLY : UInt64(0))
end

@inline arg(t::Tensor) = Arg(lent(t), flags(t))
@inline arg(::Nothing) = Arg(C_NULL, 0)
@inline function arg(b::Borrow{N}) where {N}
    p, d = pointer_from_objref(b), b.tensor
    b.tensor = DLTensor(d.data, d.device, d.ndim, d.dtype, p + fieldoffset(Borrow{N}, 2),
                        p + fieldoffset(Borrow{N}, 3), 0)
    return Arg(p, b.flags)
end

"What must be preserved, besides the list, while it is in use, and where its dlf_args go."
@inline lend_list(list::NTuple{N,Any}) where {N} = map(lend, list), Ref{NTuple{N,Arg}}()
# A vector may change meanwhile, so what it holds is held here too.
lend_list(list::AbstractVector) = [(x, lend(x)) for x in list], Vector{Arg}(undef, length(list))
lend_list(list) = throw(ArgumentError("expected a vector or a tuple of tensors, got $(typeof(list))"))

@inline function fill_list!(args::Ref, held::Tuple)
    args[] = map(arg, held)
    return Ptr{Arg}(pointer_from_objref(args))
end
function fill_list!(args::Vector{Arg}, held::Vector)
    for k in eachindex(args, held)
        args[k] = arg(held[k][2])
    end
    return pointer(args)
end

"Numbers as C reads them: the very vector when it is of that type and without gaps, else a converted one."
numbers(::Type{T}, v::Vector{T}) where {T} = v
numbers(::Type{T}, v::Base.FastContiguousSubArray{T,1,<:DenseArray}) where {T} = v
numbers(::Type{T}, v::AbstractVector) where {T} = convert(Vector{T}, v)
@inline numbers(::Type{T}, v::NTuple{N,Any}) where {T,N} = Ref{NTuple{N,T}}(map(x -> convert(T, x), v))
numbers(::Type, v) = throw(ArgumentError("expected a vector or a tuple of numbers, got $(typeof(v))"))

@inline first_number(::Type{T}, v::AbstractVector{T}) where {T} = pointer(v)
@inline first_number(::Type{T}, v::Ref) where {T} = Ptr{T}(pointer_from_objref(v))
@inline count_numbers(v::AbstractVector) = Int64(length(v))
@inline count_numbers(::Ref{NTuple{N,T}}) where {N,T} = Int64(N)

"The element type of a tensor, or of a list of tensors, that a kernel is called with; `Nothing` when Julia has none."
element(::AbstractArray{T}) where {T} = T
element(t::Tensor) = julia_type(described(t).dtype)
list_element(list::Tuple) = isempty(list) ? Nothing : element(first(list))
list_element(list::AbstractVector) = isempty(list) ? Nothing : element(first(list))
list_element(::AbstractVector{<:AbstractArray{T}}) where {T} = T
