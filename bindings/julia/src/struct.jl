# SPDX-License-Identifier: Apache-2.0
# Structs with public fields, in packages made by dlferry-bind. Such a package defines, for each of them, a layout that
# its C code has too, and copies from and to it.

"The layout of a struct for C."
function fields_layout end

"The fields of a struct in that layout."
function lend_fields end

"A struct from its fields in that layout."
function take_fields end

"A struct with the defaults that a function of C fills in."
function default_fields(::Type{T}, f::Ptr{Cvoid}) where {T}
    place = Ref{fields_layout(T)}()
    GC.@preserve place ccall(f, Cvoid, (Ptr{Cvoid},), place_of_fields(T, place))
    return take_fields(place[])
end

place_of_fields(::Type{T}, place) where {T} = Ptr{Cvoid}(Base.unsafe_convert(Ptr{fields_layout(T)}, place))

"The numbers of a field that is an array, from a tuple or any other sequence of so many."
function scalars(::Type{T}, items, ::Val{N}, name) where {T,N}
    length(items) == N || throw(ArgumentError("$name: expected $N numbers, got $(length(items))"))
    return NTuple{N,T}(scalar(T, item, name) for item in items)
end
