# SPDX-License-Identifier: Apache-2.0
# A DLArray keeps this vector beside its tensor: `close` empties it, and nothing else changes its length. The
# compiler knows that stores into elements do not change a length, so loops check it once; a flag in a struct would be
# read for each element. A vector made while Julia writes a precompiled file has another length: the file may keep its
# address, which is invalid in the process that loads it.
const Life = Vector{Nothing}
const life = Ref(1) # that length
set_life() = (life[] = ccall(:jl_generating_output, Cint, ()) == 0 ? 1 : 2)
born() = Life(undef, life[])

"""
A [`DLArray`](@ref) with contiguous column-major elements, like Julia's own arrays, so `LinearAlgebra` and other code
that takes a `DenseArray` by its address runs at full speed. Writable, aligned, and never of `Bool`s, since others may
store unexpected bytes there.
"""
struct DLDense{T,N} <: DenseArray{T,N}
    array::Array{T,N} # while it lives, the memory stays: a GC.@preserve in each access would be slow
    alive::Life
    tensor::Tensor    # ours alone: only close(A) closes it
end

"A [`DLArray`](@ref) of any strides, or read-only, or of `Bool`s."
struct DLStrided{T,N} <: AbstractArray{T,N}
    data::Ptr{T}
    size::NTuple{N,Int}
    steps::NTuple{N,Int}
    writable::Bool
    alive::Life
    tensor::Tensor
end

const Look{T,N} = Union{DLDense{T,N},DLStrided{T,N}}

# The elements of a DLStrided while `holding` keeps its memory: their access checks nothing else than bounds.
struct Bare{T,N} <: AbstractArray{T,N}
    data::Ptr{T}
    size::NTuple{N,Int}
    steps::NTuple{N,Int}
    tensor::Tensor
end

"""
    DLArray(t::Tensor), DLArray{T}(t), DLArray{T,N}(t)

Return a tensor's elements as an `AbstractArray`, without copying, with any strides. Keeps the tensor: the array stays
valid after `close(t)`; `close` of the array releases it. Contiguous elements become a `DenseArray` if they are
column-major, and the `transpose` or a `PermutedDimsArray` of one if they are row-major, so that BLAS and LAPACK take
them directly; a read-only array refuses `setindex!` and is not a `DenseArray`. `DLArray` is the union of these types.
Throws `DLFerryError`: DEVICE if the processor cannot reach the data, DTYPE if Julia has no such type or it is not `T`;
`DimensionMismatch` if `N` differs.

C: `dlf_look`
"""
const DLArray{T,N} = Union{Look{T,N},Transpose{T,DLDense{T,N}},
                           PermutedDimsArray{T,N,perm,iperm,DLDense{T,N}} where {perm,iperm}}

tuple_of(::Ptr{Int64}, ::Val{0}) = ()
tuple_of(p::Ptr{Int64}, ::Val{N}) where {N} = map(Int, unsafe_load(Ptr{NTuple{N,Int64}}(p)))

# Val(n) made at run time takes 2 µs; these are made in advance.
@eval function val(n)
    $([:(n == $n && return $(Val(n))) for n in 0:8]...)
    return Val(n)
end

# dlf_elements, and bits of dlf_look_how
struct Elements
    data::Ptr{Cvoid}
    count::Int64
    width::Int64
end
const LOOK_WRITE, LOOK_DENSE, LOOK_BITS, LOOK_UNALIGNED = UInt32(1), UInt32(8), UInt32(16), UInt32(32)
const any_dtype = DLDataType(0, 0, 0)

# Reals of fewer than 8 bits that are padded are bytes to C.
@inline function asked(arg::Arg, dtype::DLDataType, how::UInt32)
    arg.flags & layout_flags(PaddedFloat) == 0 && return dtype, how
    is = unsafe_load(arg.tensor).dtype
    padded = julia_type(is, arg.flags) <: PaddedFloat && (dtype === any_dtype || dtype === is)
    return padded ? (dl_dtype(UInt8), how | LOOK_BITS) : (dtype, how)
end

"Ask C whether the processor may use a tensor's elements; throw its error. `x` is a Tensor or a result of `lend`."
function look(x, dtype::DLDataType, how::UInt32)
    arg = enter_arg(x)
    arg === closed_arg && closed(:elements)
    refused = GC.@preserve x refusal(arg, dtype, how)
    leave_arg(x, arg)
    refused === nothing || throw(refused)
    return nothing
end

"C's error, or nothing."
@inline function refusal(arg::Arg, dtype::DLDataType, how::UInt32)
    out, error = Ref{Elements}(), error_slot()
    wanted, way = asked(arg, dtype, how)
    status = ccall(hub.dlf_look, Status, (Arg, DLDataType, UInt32, Ref{Elements}, Ref{CError}), arg, wanted, way, out,
                   error)
    return status == 0 ? nothing : failure(error)
end

# These take a reference, and release it if they throw.
function adopt(handle::Handle)
    d = looked(handle, any_dtype)
    T = julia_type(d.dtype, flags(handle))
    T === Nothing && give_up(handle, failure(:DTYPE, "DLArray: expected a dtype that Julia has, got $(dtype_name(d.dtype))"))
    return shaped(T, val(Int(d.ndim)), d, handle)
end

function adopt(handle::Handle, ::Type{T}, ::Val{N}) where {T,N}
    d = looked(handle, dl_dtype(T, :DLArray)::DLDataType)
    d.ndim == N || give_up(handle, failure(:SHAPE, "DLArray: expected $N dimensions, got $(d.ndim)"))
    return shaped(T, Val(N), d, handle)
end

@inline function looked(handle::Handle, dtype::DLDataType)
    lent_tensor = lent(handle)
    refused = refusal(Arg(lent_tensor, flags(handle)), dtype, LOOK_UNALIGNED)
    refused === nothing || give_up(handle, refused)
    return unsafe_load(lent_tensor)
end
@noinline give_up(handle::Handle, error) = (release(handle); throw(error))

const Bools = Union{Bool,NTuple{K,Bool} where K}

function shaped(::Type{T}, n::Val{N}, d::DLTensor, handle::Handle) where {T,N}
    data, size, steps = Ptr{T}(address(d)), tuple_of(d.shape, n), tuple_of(d.strides, n)
    writable = flags(handle) & READ_ONLY == 0
    if !(T <: Bools) && UInt(data) % Base.datatype_alignment(T) == 0 && writable
        is_column_major(size, steps) && return dense(data, size, handle)
        N > 1 && is_column_major(reverse(size), reverse(steps)) && return reversed(dense(data, reverse(size), handle))
    end
    return DLStrided{T,N}(data, size, steps, writable, born(), Tensor(handle))
end

# The memory is released once the Array is unreachable. A finalizer of the Tensor would not do: objects that become
# unreachable together are finalized in any order, and the Array may be used longer than the DLArray.
function dense(data::Ptr{T}, size::NTuple{N,Int}, handle::Handle) where {T,N}
    t = Tensor(handle, nothing)
    isempty_size(size) && return DLDense{T,N}(Array{T,N}(undef, size), born(), finalizer(abandon, t))
    array = unsafe_wrap(Array, data, size)
    finalizer(t, memory(array))
    return DLDense{T,N}(array, born(), t)
end
isempty_size(size) = any(iszero, size)

@static if isdefined(Base, :GenericMemory)
    memory(array) = getfield(getfield(array, :ref), :mem)
else
    memory(array) = array
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

(::Type{DLArray})(t::Tensor) = (drain(); adopt(retained(t, :elements)))
(::Type{DLArray{T}})(t::Tensor) where {T} = (look(t, dl_dtype(T, :DLArray), LOOK_UNALIGNED); DLArray(t))
(::Type{DLArray{T,N}})(t::Tensor) where {T,N} = (drain(); adopt(retained(t, :elements), T, Val(N)))

# The DLArray inside an array that shows it in another order.
core(A::Look) = A
core(A::DLArray) = parent(A)

"""
    close(A::DLArray)

Release the memory now instead of when the garbage collector finds it; if a kernel is in a call with it, or an operation
on the whole array runs, when that ends. Such operations are broadcasts, `sum`, `maximum` and what else `mapreduce`
does, `extrema`, `norm` and `fill!`, also of a `view`, `adjoint`, `reshape` or `reinterpret` of `A`; `copyto!` of `A` or
a `view` of it, `write` and `read!`; and functions of C that get its address, such as those of BLAS and LAPACK: with
several threads a `close` after such a call collects garbage, which waits for the other threads' calls.

Later use of `A`, also through a `view` or `reshape` of it, throws `ArgumentError`. Do not close an array while another
thread uses its elements in a loop, your own or one of Base (`map`, `sort!`, `==`, `findmax`), by `pointer(A)`, or in a
function of C that calls Julia or lets Julia collect garbage meanwhile. Closing twice is allowed.

C: `dlf_release`
"""
function Base.close(A::Look)
    lock(close_lock)
    empty!(A.alive)
    unlock(close_lock)
    return ends_addresses(A.tensor) ? close(A.tensor) : nothing # else the collector releases it
end
const close_lock = Threads.SpinLock() # two at once would empty it twice
Base.close(A::DLArray) = close(core(A))
Base.isopen(A::DLArray) = !isempty(core(A).alive) && isopen(core(A).tensor)

# The function called here never returns, so that loops check once.
@inline check_alive(A::Look) = length(A.alive) == life[] ? nothing : length(A.alive) == 0 ? gone() : lost()
@noinline gone() = throw(ArgumentError("DLArray: expected one that is open, got a closed one"))
@noinline lost() = throw(ArgumentError(
    "DLArray: expected memory, got none, since a precompiled module keeps none: make it in __init__"))

Base.size(A::DLDense) = (check_alive(A); size(A.array))
Base.size(A::DLStrided) = (check_alive(A); A.size)
Base.strides(A::DLDense) = strides(A.array)
Base.strides(A::DLStrided) = A.steps
Base.IndexStyle(::Type{<:DLDense}) = IndexLinear()
Base.IndexStyle(::Type{<:DLStrided}) = IndexCartesian()
Base.elsize(::Type{<:Look{T}}) where {T} = sizeof(T)
Base.unsafe_convert(::Type{Ptr{S}}, A::DLDense{T}) where {S,T} = (show_address(A); Ptr{S}(pointer(A.array)))
# BLAS asks for addresses in the same way to read and to write.
Base.unsafe_convert(::Type{Ptr{S}}, A::DLStrided) where {S} = (A.writable || refuse_write(A); Ptr{S}(pointer(A)))
Base.pointer(A::DLStrided) = (show_address(A); A.data)

# Each address that a ccall gets comes from here, and nothing tells when the call ends. But its thread reaches no
# safepoint before that: a collection, for which all threads stop at one, comes after the calls that took an address.
"Note that others get the address of an open array."
@inline function show_address(A::Look)
    if !alone()
        A.tensor.is_addressed = true
        Threads.atomic_fence() # either close sees this, or check_alive what close did
    end
    return check_alive(A)
end
"Wait until no call of another thread has the address of an array, which none can take any more; false if that fails."
function ends_addresses(t::Tensor)
    Threads.atomic_fence()
    (alone() || !t.is_addressed || !isopen(t)) && return true
    collections = Base.gc_num().pause
    GC.gc(false)
    return Base.gc_num().pause != collections # the program may have disabled collections
end
Base.isreadonly(A::DLArray) = core(A) isa DLStrided && !core(A).writable
dtype(A::DLArray{T}) where {T} = dtype(T)
device(A::DLArray) = GC.@preserve A device(core(A).tensor)

@inline distance(::Tuple{}, ::Tuple{}) = 0
@inline distance(index::Tuple, steps::Tuple) =
    (index[1] - 1) * steps[1] + distance(Base.tail(index), Base.tail(steps))

# A view of an array checks only its own bounds: we must check the memory even under @inbounds.
@inline function Base.getindex(A::DLDense, k::Int, more::Int...)
    @boundscheck checkbounds(A, k, more...)
    check_alive(A)
    return @inbounds A.array[k, more...]
end

@inline function Base.setindex!(A::DLDense{T}, value, k::Int, more::Int...) where {T}
    x = convert(T, value) # it may run code that closes the array
    @boundscheck checkbounds(A, k, more...)
    check_alive(A)
    @inbounds A.array[k, more...] = x
    return A
end

@inline function Base.getindex(A::DLStrided{T,N}, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(A, index...)
    check_alive(A)
    return GC.@preserve A element(A.data, distance(index, A.steps) + 1)
end

@inline function Base.setindex!(A::DLStrided{T,N}, value, index::Vararg{Int,N}) where {T,N}
    A.writable || refuse_write(A)
    x = convert(T, value)
    @boundscheck checkbounds(A, index...)
    check_alive(A)
    GC.@preserve A unsafe_store!(A.data, x, distance(index, A.steps) + 1)
    return A
end

Base.size(A::Bare) = A.size
Base.IndexStyle(::Type{<:Bare}) = IndexCartesian()
@inline function Base.getindex(A::Bare{T,N}, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(A, index...)
    return GC.@preserve A element(A.data, distance(index, A.steps) + 1)
end
@inline function Base.setindex!(A::Bare{T,N}, value, index::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(A, index...)
    GC.@preserve A unsafe_store!(A.data, convert(T, value), distance(index, A.steps) + 1)
    return A
end

@noinline refuse_write(A) = look(A.tensor, any_dtype, LOOK_WRITE | LOOK_UNALIGNED)

@inline element(p::Ptr, k) = unsafe_load(p, k)
# A foreign byte may be neither 0 nor 1, and Julia's compiler would rely on it.
@inline element(p::Ptr{Bool}, k) = unsafe_load(Ptr{UInt8}(p), k) != 0x00
@inline element(p::Ptr{NTuple{N,Bool}}, k) where {N} = map(!iszero, unsafe_load(Ptr{NTuple{N,UInt8}}(p), k))

"What shows the elements of a `P` otherwise."
shows(P) = Union{SubArray{<:Any,<:Any,<:P},Base.ReshapedArray{<:Any,<:Any,<:P},
                 Base.ReinterpretArray{<:Any,<:Any,<:Any,<:P},PermutedDimsArray{<:Any,<:Any,<:Any,<:Any,<:P},
                 Transpose{<:Any,<:P},Adjoint{<:Any,<:P}}
# What shows a DLArray, or what shows one.
const Shows = shows(Union{DLArray,shows(DLArray)})
const Wrapper = shows(AbstractArray)
# Arrays that are not column-major.
const Shown{T,N} = Union{DLStrided{T,N},Transpose{T,DLDense{T,N}},
                         PermutedDimsArray{T,N,perm,iperm,DLDense{T,N}} where {perm,iperm}}
# A row-major array, or what it is while it is held.
const Turned{T,N,P<:Union{DLDense,Array}} = Union{Transpose{T,P},PermutedDimsArray{T,N,perm,iperm,P} where {perm,iperm}}
const Broadcasted = Base.Broadcast.Broadcasted

# So that `A .= f.(B)` detects that B lies in A's memory, and copies it first. Two arrays may begin at different places.
Base.dataids(A::Union{Look,Bare}) = (UInt(first(span(A))),)
const Looking = Union{DLArray,Shows,Bare,shows(Bare)}
Base.mightalias(A::SubArray{T,<:Any,P}, B::SubArray{T,<:Any,P}) where {T,P<:Union{DLArray,Bare}} =
    A.parent === B.parent ? Base._indicesmightoverlap(A.indices, B.indices) : meet(span(root(A)), span(root(B)))
Base.mightalias(A::Looking, B::Looking) = meet(span(root(A)), span(root(B)))
Base.mightalias(A::Looking, B::AbstractArray) = meet(A, root(B), B)
Base.mightalias(B::AbstractArray, A::Looking) = meet(A, root(B), B)
meet(A::AbstractArray, owner::Union{Array,Look,Bare}, B) = meet(span(root(A)), span(owner))
meet(A::AbstractArray, owner, B) = invoke(Base.mightalias, Tuple{AbstractArray,AbstractArray}, A, B)
meet(a::Tuple, b::Tuple) = a[1] < b[2] && b[1] < a[2]

"The addresses of the first byte and after the last; equal without elements."
span(A::Array) = (p = UInt(pointer(A)); (p, p + sizeof(A)))
span(A::DLDense) = span(A.array)
function span(A::Union{DLStrided{T},Bare{T}}) where {T}
    isempty_size(A.size) && return (UInt(0), UInt(0))
    reach = map((n, s) -> (n - 1) * s * sizeof(T), A.size, A.steps)
    p = UInt(A.data)
    low, high = sum((0, map(r -> min(r, 0), reach)...)), sum((sizeof(T), map(r -> max(r, 0), reach)...))
    return (p + low % UInt, p + high % UInt)
end

# An operation on whole arrays holds their memory: if one is closed meanwhile, by a function that the operation calls,
# by another task or by another thread, its memory stays until the operation ends. So the operation gets the arrays
# inside, without a check for each element, which would prevent vectorized loops. Nothing else uses them.
"Call `f` with what `opened` gives for each argument, whose memory stays meanwhile."
@inline function holding(f::F, arguments::Vararg{Any,K}) where {F,K}
    owners = owners_of(arguments)
    enter_all(owners) || gone()
    try
        return apart(f, map(opened, arguments)...)
    finally
        leave_all(owners)
    end
end
# Not inside the try block, in which the compiler keeps variables in memory.
@noinline apart(f::F, arguments::Vararg{Any,K}) where {F,K} = f(arguments...)

"The same, and `f` writes the first argument, which is returned."
@inline function writing(f::F, A, more::Vararg{Any,K}) where {F,K}
    check_writable(A)
    holding(f, A, more...)
    return A
end
@inline check_writable(A) = nothing
@inline check_writable(A::DLStrided) = A.writable || refuse_write(A)
@inline check_writable(A::Wrapper) = check_writable(parent(A))

"The tensors of the open arrays in a tuple, throwing for a closed one."
@inline owners_of(::Tuple{}) = ()
@inline owners_of(x::Tuple) = (owner_of(first(x))..., owners_of(Base.tail(x))...)
@inline owner_of(x) = ()
@inline owner_of(A::Look) = (check_alive(A); (A.tensor,))
@inline owner_of(A::Wrapper) = owner_of(parent(A))
@inline owner_of(bc::Broadcasted) = owners_of(bc.args)

@inline enter_all(::Tuple{}) = true
@inline enter_all(t::Tuple) = enter(first(t)) && (enter_all(Base.tail(t)) || (leave(first(t)); false))
@inline leave_all(t::Tuple) = foreach(leave, t)

# An Array for a DLDense, a Bare for a DLStrided, and what shows them likewise.
@inline opened(x) = x
@inline opened(A::DLDense) = A.array
@inline opened(A::DLStrided{T,N}) where {T,N} = Bare{T,N}(A.data, A.size, A.steps, A.tensor)
@inline opened(A::Wrapper) = around(A, opened(parent(A)))
@inline around(A, inner) = inner isa typeof(parent(A)) ? A : rewrapped(A, inner)
@inline rewrapped(A::SubArray, inner) = Base.unsafe_view(inner, parentindices(A)...)
@inline rewrapped(A::Base.ReshapedArray, inner) = reshape(inner, size(A))
@inline rewrapped(A::Base.ReinterpretArray{T}, inner) where {T} =
    ndims(A) == ndims(inner) ? reinterpret(T, inner) : reinterpret(reshape, T, inner)
@inline rewrapped(A::PermutedDimsArray{<:Any,<:Any,perm}, inner) where {perm} = PermutedDimsArray(inner, perm)
@inline rewrapped(A::Transpose, inner) = Transpose(inner)
@inline rewrapped(A::Adjoint, inner) = Adjoint(inner)
@inline opened(bc::Broadcasted{<:Base.Broadcast.AbstractArrayStyle{N}}) where {N} =
    Broadcasted{Base.Broadcast.DefaultArrayStyle{N}}(bc.f, map(opened, bc.args), bc.axes)

struct LookStyle{N} <: Base.Broadcast.AbstractArrayStyle{N} end
LookStyle{M}(::Val{N}) where {M,N} = LookStyle{N}()
Base.BroadcastStyle(::Type{<:Look{T,N}}) where {T,N} = LookStyle{N}()
Base.BroadcastStyle(::Type{Transpose{T,DLDense{T,2}}}) where {T} = LookStyle{2}()
Base.BroadcastStyle(::Type{PermutedDimsArray{T,N,perm,iperm,DLDense{T,N}}}) where {T,N,perm,iperm} = LookStyle{N}()
Base.BroadcastStyle(::Type{A}) where {A<:Shows} = LookStyle{ndims(A)}()
Base.copy(bc::Broadcasted{<:LookStyle}) = holding(copy, bc)
Base.copyto!(A::AbstractArray, bc::Broadcasted{<:LookStyle}) = writing(copyto!, A, apart_from(A, bc))
Base.copyto!(A::AbstractArray, bc::Broadcasted{LookStyle{0}}) = writing(copyto!, A, apart_from(A, bc))
const Plain = Base.Broadcast.DefaultArrayStyle
# Arrays inside that begin at different places of one memory do not know of each other: copy before.
apart_from(A, x) = Base.Broadcast.broadcast_unalias(A, x)
apart_from(A, bc::Broadcasted{Style}) where {Style} =
    Broadcasted{Style}(bc.f, map(x -> apart_from(A, x), bc.args), bc.axes)
const Target = Union{DLArray,Shows}
Base.copyto!(A::Target, bc::Broadcasted{<:Plain}) = writing(copyto!, A, apart_from(A, bc))
Base.copyto!(A::Target, bc::Broadcasted{Plain{0}}) = writing(copyto!, A, apart_from(A, bc))

Base.mapreduce(f, op, A::Target; options...) = reduced(f, op, A, values(options))
reduced(f, op, A, ::NamedTuple{(),Tuple{}}) = holding(a -> mapreduce(f, op, in_any_order(op, a)), A)
reduced(f, op, A, options) = holding(a -> mapreduce(f, op, a; options...), A)
# In the order of memory, which is five times as fast, if the result is the same.
in_any_order(op, a) = a
in_any_order(::Union{typeof(max),typeof(min),typeof(&),typeof(|)}, a::Turned{<:Number}) = parent(a)
Base.extrema(A::Target; options...) = extrema(identity, A; options...)
Base.extrema(f, A::Target; options...) = holding(a -> limits(f, a, values(options)), A)
limits(f, a, ::NamedTuple{(),Tuple{}}) = extrema(f, in_any_order(max, a))
# Two passes, which are vectorized, take a third of the time of Base's one.
function limits(::typeof(identity), a::Union{Array{T},Turned{T}}, ::NamedTuple{(),Tuple{}}) where {T<:Real}
    isempty(a) && return extrema(a) # which throws
    numbers = in_any_order(max, a)
    return (minimum(numbers), maximum(numbers))
end
limits(f, a, options) = extrema(f, a; options...)
LinearAlgebra.norm(A::Target, p::Real = 2) = holding(a -> LinearAlgebra.norm(in_any_order(max, a), p), A)

# Ten times as fast as Base's own, which counts elements in one order and indices in another.
Base.copyto!(A::Shown{T,N}, B::Union{Array{S,N},SubArray{S,N,<:Array},DLArray{S,N}}) where {T,S,N} = written(A, B)
Base.copyto!(A::Array{T,N}, B::Shown{S,N}) where {T,S,N} = written(A, B)
function written(A, B)
    axes(A) == axes(B) || return invoke(copyto!, Tuple{AbstractArray,AbstractArray}, A, B)
    return writing(write_each!, A, Base.unalias(A, B))
end
function write_each!(A, B)
    @inbounds @simd for k in CartesianIndices(A)
        A[k] = B[k]
    end
end
Base.fill!(A::Target, x) = writing(fill_each!, A, convert(eltype(A), x))
fill_each!(A, value) = fill!(in_any_order(max, A), value)
function fill_each!(A::Bare, value)
    @inbounds @simd for k in CartesianIndices(A)
        A[k] = value
    end
end
const Windows{T,N} = Union{SubArray{T,N,<:Target},Base.ReshapedArray{T,N,<:Target},
                           Base.ReinterpretArray{T,N,<:Any,<:Target}}
Base.copyto!(A::Windows{T,N}, B::Union{Array{S,N},Windows{S,N},DLArray{S,N}}) where {T,S,N} = written(A, B)
Base.copyto!(A::Array{T,N}, B::Windows{S,N}) where {T,S,N} = written(A, B)
converted(::Type{T}, v::Target, name) where {T} = holding(v -> convert_each(T, v, name), v)
# A stream may let another task run before it has all bytes.
Base.write(io::IO, A::DLArray) = holding(a -> write(io, a), A)
Base.read!(io::IO, A::DLArray) = writing(a -> read!(io, a), A)
# memmove, which handles an overlap
Base.copyto!(A::DLDense{T}, B::Union{Array{T},DLDense{T}}) where {T} = writing(copyto!, A, B)
Base.copyto!(A::Array{T}, B::DLDense{T}) where {T} = holding(copyto!, A, B)
Base.typed_hcat(::Type{T}, A::DLArray{<:Any,2}, more::AbstractVecOrMat...) where {T} =
    holding((a...) -> Base.typed_hcat(T, a...), A, more...)

Base.unaliascopy(A::DLDense{T,N}) where {T,N} = relook(holding(copy, A))
Base.unaliascopy(A::PermutedDimsArray{T,N,perm,iperm,P}) where {T,N,perm,iperm,P<:DLArray} =
    PermutedDimsArray(Base.unaliascopy(parent(A)), perm)
function Base.unaliascopy(A::Bare{T,N}) where {T,N}
    t = wrap(copy(A))
    return Bare{T,N}(pointer(t), size(A), strides(t), t)
end
function Base.unaliascopy(A::DLStrided{T,N}) where {T,N}
    t = copy(wrap(A))
    return strided(T, size(A), strides(t), t)
end
Base.deepcopy_internal(A::Look, seen::IdDict) = get!(() -> Base.unaliascopy(A), seen, A)::typeof(A)

"A DLArray over one of Julia's arrays."
relook(array::Array) = dense(pointer(array), size(array), handle_of(array, false))
strided(::Type{T}, size::NTuple{N,Int}, steps, t::Tensor) where {T,N} =
    DLStrided{T,N}(pointer(t), size, steps, !isreadonly(t), born(), t)

Base.show(io::IO, A::DLArray) = isopen(A) ? invoke(show, Tuple{IO,AbstractArray}, io, A) : show_closed(io)
Base.show(io::IO, m::MIME"text/plain", A::DLArray) =
    isopen(A) ? invoke(show, Tuple{IO,MIME"text/plain",AbstractArray}, io, m, A) : show_closed(io)
show_closed(io) = print(io, "DLArray(closed)")

steps(A::DLStrided, name) = A.steps
steps(A::DLDense, name) = strides(A.array)
address(A::DLStrided) = Ptr{Cvoid}(A.data)
address(A::DLDense) = Ptr{Cvoid}(pointer(A.array))
has_address(A::Look) = true
root_is_read_only(A::DLStrided) = !A.writable
tensor_of(A::Look) = A.tensor
reversed(A::DLStrided{T,N}) where {T,N} =
    DLStrided{T,N}(A.data, reverse(A.size), reverse(A.steps), A.writable, A.alive, A.tensor)
reversed(A::DLDense{T,2}) where {T<:Number} = transpose(A)
reversed(A::Transpose{T,DLDense{T,2}}) where {T<:Number} = parent(A)

# Base's comparison, of norms; DLFerry.all_close compares elements.
Base.isapprox(a::Tensor, b::Tensor; options...) = isapprox(DLArray(a), DLArray(b); options...)
