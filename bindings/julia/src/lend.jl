# SPDX-License-Identifier: Apache-2.0
# Tensors, lists of them, arrays of numbers and scalars, lent to a C function during a call. An argument that cannot be
# lent is refused by the parameter's name.

# dlf_arg
struct Arg
    tensor::Ptr{DLTensor}
    flags::UInt64
end

# A DLTensor with its shape and strides in the same object. It is valid only while it and the array that it describes
# are preserved. It has no reference to another object, so that the compiler may keep it on the stack.
mutable struct Borrow{N}
    tensor::DLTensor
    size::NTuple{N,Int64}
    steps::NTuple{N,Int64}
    flags::UInt64
end

# With the tensor of a DLArray, which cannot be closed during the call.
struct Owned{N}
    borrow::Borrow{N}
    owner::Tensor
end

@noinline refuse(name, wanted, x) = throw(ArgumentError("$name: expected $wanted, got $(typeof(x))"))

"The objects to preserve while its `enter_arg` is in use."
lend(t::Tensor, name) = t
lend(::Nothing, name) = nothing
lend(x, name) = refuse(name, "an array or a DLFerry.Tensor", x)
@inline lend(A::AbstractArray, name) = with_owner(lend_apart(A, name)...)
with_owner(borrow::Borrow, ::Nothing) = borrow
with_owner(borrow::Borrow{N}, owner::Tensor) where {N} = Owned{N}(borrow, owner)

"The same as two objects, each of which the compiler may keep on the stack: what to lend, and its owner or nothing."
@inline lend_apart(x, name) = lend(x, name), nothing
@inline function lend_apart(A::AbstractArray{T,N}, name) where {T,N}
    owner = tensor_of(A)
    owner === nothing || owner.handle == C_NULL || isopen(owner) || closed(name)
    check_axes(A, name)
    apart = steps(A, name) # first, since it refuses an array without strides
    d = DLTensor(address(A, name), cpu, N, dl_dtype(T, name), C_NULL, C_NULL, 0)
    return Borrow{N}(d, size(A), apart, (is_read_only(A) ? READ_ONLY : UInt64(0)) | layout_flags(T)), owner
end

# A placeholder for a closed tensor, which no call gets to see.
const closed_arg = Arg(C_NULL, typemax(UInt64))

"C's argument, which stays open until `leave_arg`."
@inline enter_arg(t::Tensor) = enter(t) ? Arg(lent(t.handle), flags(t.handle)) : closed_arg
@inline enter_arg(::Nothing) = Arg(C_NULL, 0)
@inline enter_arg(o::Owned) = enter_arg(o.borrow, o.owner)
@inline enter_arg(b::Borrow, owner::Tensor) = enter(owner) ? enter_arg(b) : closed_arg
@inline enter_arg(x, ::Nothing) = enter_arg(x)
@inline function enter_arg(b::Borrow{N}) where {N}
    p, d = pointer_from_objref(b), b.tensor
    b.tensor = DLTensor(d.data, d.device, d.ndim, d.dtype, p + fieldoffset(Borrow{N}, 2), p + fieldoffset(Borrow{N}, 3), 0)
    return Arg(p, b.flags)
end

@inline leave_arg(t::Tensor, entered::Arg) = (entered === closed_arg || leave(t); nothing)
@inline leave_arg(o::Owned, entered::Arg) = leave_arg(o.owner, entered)
@inline leave_arg(::Union{Nothing,Borrow}, ::Arg) = nothing
@inline leave_arg(::Borrow, owner::Tensor, entered::Arg) = leave_arg(owner, entered)
@inline leave_arg(x, ::Nothing, entered::Arg) = leave_arg(x, entered)

"The objects to preserve with a list while it is in use, and its dlf_args."
@inline lend_list(list::NTuple{N,Any}, name) where {N} = map(x -> lend(x, name), list), Ref{NTuple{N,Arg}}()
# A vector may change meanwhile, so its content is held here too.
lend_list(list::AbstractVector, name) = [(x, lend(x, name)) for x in list], Vector{Arg}(undef, length(list))
lend_list(list, name) = refuse(name, "a vector or a tuple of tensors", list)

@inline function enter_list!(args::Ref, held::Tuple)
    args[] = map(enter_arg, held)
    return Ptr{Arg}(pointer_from_objref(args))
end
function enter_list!(args::Vector{Arg}, held::Vector)
    for k in eachindex(args, held)
        args[k] = enter_arg(held[k][2])
    end
    return pointer(args)
end

@inline is_open(arg::Arg) = arg !== closed_arg
@inline is_open(args::Ref) = all(a -> a !== closed_arg, args[])
is_open(args::Vector{Arg}) = all(a -> a !== closed_arg, args)

@inline leave_list(args::Ref, held::Tuple) = (map(leave_arg, held, args[]); nothing)
leave_list(args::Vector{Arg}, held::Vector) = foreach((h, a) -> leave_arg(h[2], a), held, args)

"Numbers for C: the vector itself if it is Julia's own, of that type and without gaps, else a converted one."
numbers(::Type{T}, v::Vector{T}, name) where {T} = v
numbers(::Type{T}, v::Base.FastContiguousSubArray{T,1,<:Array}, name) where {T} = v
numbers(::Type{T}, v::AbstractVector, name) where {T} = converted(T, v, name)
converted(::Type{T}, v, name) where {T} = convert_each(T, v, name)
function convert_each(::Type{T}, v, name) where {T}
    numbers = Vector{T}(undef, length(v))
    for (k, x) in enumerate(v)
        numbers[k] = number(T, x, name)
    end
    return numbers
end
@inline numbers(::Type{T}, v::NTuple{N,Any}, name) where {T,N} = Ref{NTuple{N,T}}(map(x -> number(T, x, name), v))
numbers(::Type, v, name) = refuse(name, "a vector or a tuple of numbers", v)

@inline number(::Type{T}, x::Integer, name) where {T<:Base.BitInteger} = scalar(T, x, name)
@inline number(::Type{T}, x::Real, name) where {T<:AbstractFloat} = scalar(T, x, name)
number(::Type{T}, x::Number, name) where {T} = try convert(T, x)::T catch; no_number(T, x, name) end
number(::Type{T}, x, name) where {T} = no_number(T, x, name)
@noinline no_number(T, x, name) =
    throw(ArgumentError("$name: expected numbers that fit $T, got $(x isa Number ? x : typeof(x))"))

@inline first_number(::Type{T}, v::AbstractVector{T}) where {T} = pointer(v)
@inline first_number(::Type{T}, v::Ref) where {T} = Ptr{T}(pointer_from_objref(v))
@inline count_numbers(v::AbstractVector) = Int64(length(v))
@inline count_numbers(::Ref{NTuple{N,T}}) where {N,T} = Int64(N)

"Texts for C, and their addresses, which are valid while the texts are preserved."
function lend_texts(v::Union{AbstractVector,Tuple}, name)
    texts = String[lent_text(x, "$name[$(k - 1)]") for (k, x) in enumerate(v)] # from 0, as in all languages
    return texts, Ptr{UInt8}[pointer(text) for text in texts]
end
lend_texts(v, name) = refuse(name, "a vector or a tuple of texts", v)
lent_text(x::AbstractString, name) = terminated(x, name)
lent_text(x, name) = refuse(name, "a text", x)

"The objects of a list, which live until its call is over, and room for C's addresses of them."
function lend_objects(::Type{T}, list::Union{AbstractVector,Tuple}, name) where {T<:Opaque}
    objects = Held[x isa T ? x.held : refuse("$name[$(k - 1)]", "a $T", x) for (k, x) in enumerate(list)]
    return objects, Vector{Ptr{Cvoid}}(undef, length(objects))
end
lend_objects(::Type, list, name) = refuse(name, "a vector or a tuple of objects", list)

"A scalar for C. An integer that does not fit throws `OverflowError`, a text that C would cut `ArgumentError`."
@inline scalar(::Type{T}, x, name) where {T} = Base.cconvert(T, x)
@inline scalar(::Type{T}, x::Integer, name) where {T<:Union{Base.BitInteger}} =
    fitting(T, x, name)
@inline scalar(::Type{Cstring}, x::AbstractString, name) = terminated(x, name)
@inline scalar(::Type{Float64}, x::Float64, name) = x
@inline scalar(::Type{Float64}, x::Real, name) = (y = Float64(x); isinf(y) && isfinite(x) ? too_large(name) : y)
@inline scalar(::Type{Float32}, x::Real, name) = (y = Float32(x); isinf(y) ? narrowed(scalar(Float64, x, name), name) : y)
@inline scalar(::Type{Complex{T}}, x::Number, name) where {T} = complex(scalar(T, real(x), name), scalar(T, imag(x), name))
@inline scalar(::Type{T}, x::AbstractChar, name) where {T<:Union{Int8,UInt8}} = isascii(x) ? UInt32(x) % T : no_ascii(x, name)
@noinline no_ascii(x, name) = throw(ArgumentError("$name: expected a character of ASCII, got $(repr(x))"))
@noinline too_large(name) = throw(OverflowError("$name: expected a number that fits in float64, got a larger one"))
# C decides whether an infinity was finite before.
@noinline function narrowed(x, name)
    y, error = Ref(0f0), error_slot()
    status = ccall(hub.dlf_to_float, Status, (Float64, Cstring, Ref{Float32}, Ref{CError}), x, string(name), y, error)
    status == 0 || throw(failure(error))
    return y[]
end

"The element type of a tensor, or of a list of tensors, passed to a kernel; `Nothing` if Julia has none."
element(::AbstractArray{T}) where {T} = T
# Asked once C has made the result, which an exception would lose; a tensor that is closed by then tells nothing, and the
# result itself is asked.
function element(t::Tensor)
    enter(t) || return Nothing
    T = julia_type(unsafe_load(lent(t.handle)).dtype, flags(t.handle))
    leave(t)
    return T
end
list_element(list::Tuple) = isempty(list) ? Nothing : element(first(list))
list_element(list::AbstractVector) = isempty(list) ? Nothing : element(first(list))
list_element(::AbstractVector{<:AbstractArray{T}}) where {T} = T
