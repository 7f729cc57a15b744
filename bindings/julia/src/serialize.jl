# SPDX-License-Identifier: Apache-2.0
using Serialization: Serialization, AbstractSerializer, serialize, serialize_type, deserialize

# Addresses mean nothing elsewhere: elements travel, handles do not.

function Serialization.serialize(s::AbstractSerializer, A::DLArray)
    serialize_type(s, typeof(A))
    serialize(s, Array(A))
end
Serialization.deserialize(s::AbstractSerializer, ::Type{DLArray{T,N}}) where {T,N} =
    DLArray{T,N}(wrap(deserialize(s)::Array{T,N}))

Serialization.serialize(::AbstractSerializer, t::Union{Tensor,Opaque}) =
    throw(ArgumentError("serialize: expected what has elements, such as DLArray(t), got a $(typeof(t))"))
