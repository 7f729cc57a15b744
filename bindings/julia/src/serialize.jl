# SPDX-License-Identifier: Apache-2.0
using Serialization: Serialization, AbstractSerializer, serialize, serialize_type, deserialize

# Addresses are invalid in other processes: elements are sent, handles are not.

function Serialization.serialize(s::AbstractSerializer, A::Look)
    serialize_type(s, typeof(A))
    serialize(s, isopen(A) ? Array(A) : nothing)
end

function Serialization.deserialize(s::AbstractSerializer, ::Type{A}) where {T,N,A<:Look{T,N}}
    array = deserialize(s)::Union{Nothing,Array{T,N}}
    array === nothing && return closed_look(A)
    A <: DLDense && return relook(array)
    t = wrap(array)
    return strided(T, size(array), strides(array), t)
end

closed_look(::Type{DLDense{T,N}}) where {T,N} = DLDense{T,N}(Array{T,N}(undef, ntuple(_ -> 0, N)), Life(), Tensor(C_NULL))
closed_look(::Type{DLStrided{T,N}}) where {T,N} =
    DLStrided{T,N}(C_NULL, ntuple(_ -> 0, N), ntuple(_ -> 0, N), false, Life(), Tensor(C_NULL))

# Nothing is refused here: a Distributed worker that gets half a message waits forever for the rest, and one that sends
# half a message ends. An object without elements to send, such as a C object or device memory, arrives closed.
function Serialization.serialize(s::AbstractSerializer, t::Tensor)
    copied = try copy(t) catch; nothing end
    copied !== nothing && flags(copied) & IS_SUBBYTE_TYPE_PADDED != 0 && (copied = nothing)
    serialize_type(s, Tensor)
    serialize(s, copied === nothing ? nothing : (dtype(copied), size(copied)))
    copied === nothing || GC.@preserve copied serialize(s, bytes_of(copied))
end

function Serialization.deserialize(s::AbstractSerializer, ::Type{Tensor})
    form = deserialize(s)
    form === nothing && return Tensor(C_NULL)
    t, bytes = create(form...), deserialize(s)::Vector{UInt8}
    GC.@preserve t copyto!(bytes_of(t), bytes)
    return t
end

"A row-major tensor's bytes, while it is preserved."
bytes_of(t::Tensor) = unsafe_wrap(Array, Ptr{UInt8}(pointer(t)), byte_size(t))

Serialization.serialize(s::AbstractSerializer, x::Opaque) = serialize_type(s, typeof(x))
Serialization.deserialize(::AbstractSerializer, ::Type{T}) where {T<:Opaque} = T(Held())
