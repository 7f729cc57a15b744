# SPDX-License-Identifier: Apache-2.0
using Serialization: Serialization, AbstractSerializer, serialize, serialize_type, deserialize

# Addresses mean nothing elsewhere: elements travel, handles do not.

function Serialization.serialize(s::AbstractSerializer, A::DLArray)
    serialize_type(s, typeof(A))
    serialize(s, Array(A))
end
Serialization.deserialize(s::AbstractSerializer, ::Type{DLArray{T,N}}) where {T,N} =
    DLArray{T,N}(wrap(deserialize(s)::Array{T,N}))


# Nothing is refused here: a worker of Distributed that got half a message waits for the other half for ever, and one
# that sends half of one ends. What has no elements to send, an object of C's or memory of a device, arrives closed.
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
