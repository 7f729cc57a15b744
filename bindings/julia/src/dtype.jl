# SPDX-License-Identifier: Apache-2.0

# DLDataType. The code is a number, never an enum: foreign memory may hold any.
struct DLDataType
    code::UInt8
    bits::UInt8
    lanes::UInt16
end

const named_types = (
    (Int8, 0), (Int16, 0), (Int32, 0), (Int64, 0),
    (UInt8, 1), (UInt16, 1), (UInt32, 1), (UInt64, 1),
    (Float16, 2), (Float32, 2), (Float64, 2), (BFloat16, 4),
    (ComplexF16, 5), (ComplexF32, 5), (ComplexF64, 5), (Bool, 6),
)

"Julia's types that DLPack names, and of which it can have lanes."
const Element = Union{map(first, named_types)...,ByteFloat}

for (T, code) in named_types
    @eval dl_dtype(::Type{$T}) = DLDataType($(UInt8(code)), $(UInt8(8 * sizeof(T))), 0x0001)
end
dl_dtype(::Type{T}) where {T<:SmallFloat} = DLDataType(small_code(T), small_bits(T), 0x0001)
# Julia 1.11 and later have a type for others' packages, such as BFloat16s: it is lent, and an import gets ours.
if isdefined(Core, :BFloat16)
    @eval dl_dtype(::Type{Core.BFloat16}) = dl_dtype(BFloat16)
end

# The flag of a tensor whose elements of fewer than 8 bits have a byte each.
layout_flags(::Type) = UInt64(0)
layout_flags(::Type{<:PaddedFloat}) = UInt64(4) # DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
function dl_dtype(::Type{NTuple{N,T}}) where {N,T<:Element}
    1 <= N <= typemax(UInt16) || return nothing
    d = dl_dtype(T)
    return DLDataType(d.code, d.bits, N % UInt16)
end
dl_dtype(T::Type) = nothing
dl_dtype(T::Type, name) = (d = dl_dtype(T); d === nothing ? no_dtype(T, name) : d)
dl_dtype(text::AbstractString, name) = dl_dtype(text)
@noinline no_dtype(T, name) = throw(failure(:DTYPE, "$name: expected an element type of DLPack, got $T"))

function dl_dtype(name::AbstractString; said = "dtype_parse")
    out, error = Ref(DLDataType(0, 0, 0)), error_slot()
    status = ccall(hub.dlf_dtype_parse, Status, (Cstring, Ref{DLDataType}, Ref{CError}), terminated(name, said), out, error)
    status == 0 || throw(failure(error, "dtype_parse", said))
    return out[]
end

"The Julia type whose values have this layout in memory, or `Nothing`; several lanes are an `NTuple`."
function julia_type(d::DLDataType)
    T = scalar_type(d.code, d.bits)
    (T === Nothing || d.lanes == 1) && return T
    d.lanes == 0 && return Nothing
    return NTuple{Int(d.lanes),T}
end

"The same for elements that are padded to bytes, if the flags say so."
julia_type(d::DLDataType, flags::UInt64) =
    flags & layout_flags(PaddedFloat) != 0 && d.lanes == 1 && d.bits < 8 ? padded_type(d) : julia_type(d)

@eval function scalar_type(code, bits)
    $([:(code == $code && bits == $(8 * sizeof(T)) && return $T) for (T, code) in named_types]...)
    $([:(code == $code && bits == 8 && return $T) for (T, code, bits) in small_types if bits == 8]...)
    return Nothing
end

@eval function padded_type(d::DLDataType)
    $([:(d.code == $code && d.bits == $bits && return $T) for (T, code, bits) in small_types if bits < 8]...)
    return Nothing
end

const name_capacity = 48 # DLF_NAME_CAPACITY

dtype_name(d::DLDataType) = dtype_name(d, hub.dlf_dtype_format)
function dtype_name(d::DLDataType, format::Ptr{Cvoid})
    text = zeros(UInt8, name_capacity)
    n = ccall(format, Int64, (DLDataType, Ptr{UInt8}, Int64), d, text, length(text))
    return String(resize!(text, min(n, name_capacity - 1)))
end

"""
    dtype(T::Type), short_dtype(T)

Name the dtype of a Julia type: `dtype(Float32)` is `"float32"`, `dtype(NTuple{4,UInt8})` is `"uint8x4"`. `short_dtype`
gives the short name of contracts, also for the usual name of a dtype.

```julia
DLFerry.dtype(NTuple{4,UInt8})       # => "uint8x4"
DLFerry.short_dtype("bfloat16")      # => "bf16"
```

C: `dlf_dtype_format`, `dlf_dtype_format_short`
"""
dtype(T::Type) = dtype_name(dl_dtype(T, :dtype))
short_dtype(T) = dtype_name(dl_dtype(T, :short_dtype), hub.dlf_dtype_format_short)

"""
    dtype_size(T)

Count the bytes of one element of a dtype with all its lanes, rounded up. Packed sub-byte elements share bytes.

```julia
DLFerry.dtype_size("float32x3"), DLFerry.dtype_size(Float64), DLFerry.dtype_size("uint4")  # => (12, 8, 1)
```

C: `dlf_dtype_size`
"""
dtype_size(T) = Int(ccall(hub.dlf_dtype_size, Int64, (DLDataType,), dl_dtype(T, :dtype_size)))
