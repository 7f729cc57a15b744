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

"The bytes of a field that is a text: without a NUL if it does not fit or has one inside, which C refuses."
function text_field(text, ::Val{N}) where {N}
    bytes = codeunits(text)
    fits = length(bytes) < N && !(0x00 in bytes)
    field = Ref{NTuple{N,UInt8}}()
    GC.@preserve field begin
        place = Ptr{UInt8}(Base.unsafe_convert(Ptr{NTuple{N,UInt8}}, field))
        for i in 1:N
            unsafe_store!(place, !fits ? 0x01 : i <= length(bytes) ? bytes[i] : 0x00, i)
        end
    end
    return field[]
end

"The text of such a field."
function text_of_field(field)
    bytes = collect(UInt8, field)
    return String(bytes[1:something(findfirst(iszero, bytes), length(bytes) + 1)-1])
end
