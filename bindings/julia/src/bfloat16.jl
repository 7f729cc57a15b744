# SPDX-License-Identifier: Apache-2.0
"""
    BFloat16

The upper half of a `Float32`, DLPack's bfloat16. Stores and converts; arithmetic promotes to `Float32`.
"""
primitive type BFloat16 <: AbstractFloat 16 end

Base.Float32(x::BFloat16) = reinterpret(Float32, UInt32(reinterpret(UInt16, x)) << 16)
(::Type{T})(x::BFloat16) where {T<:Union{Float16,Float64,BigFloat}} = T(Float32(x))

# To nearest, ties to even; rounding may remove the payload of a NaN, so its quiet bit is set instead.
function BFloat16(x::Float32)
    bits = reinterpret(UInt32, x)
    isnan(x) && return reinterpret(BFloat16, UInt16(bits >> 16) | 0x0040)
    return reinterpret(BFloat16, UInt16((bits + 0x7fff + ((bits >> 16) & 1)) >> 16))
end

# Through Float32, as C's dlf_float_encode, ml_dtypes and BFloat16s.jl do: a tie after the first rounding goes to even.
BFloat16(x::Float64) = BFloat16(Float32(x))
BFloat16(x::Float16) = BFloat16(Float32(x))
BFloat16(x::Union{Integer,Rational,BigFloat}) = BFloat16(Float64(x))

Base.promote_rule(::Type{BFloat16}, ::Type{<:Union{Float16,Float32}}) = Float32
Base.promote_rule(::Type{BFloat16}, ::Type{Float64}) = Float64
Base.promote_rule(::Type{BFloat16}, ::Type{BigFloat}) = BigFloat
Base.promote_rule(::Type{BFloat16}, ::Type{<:Integer}) = Float32

for f in (:+, :-, :*, :/, :^)
    @eval Base.$f(a::BFloat16, b::BFloat16) = $f(Float32(a), Float32(b))
end
for f in (:(==), :<, :(<=), :isless, :isequal)
    @eval Base.$f(a::BFloat16, b::BFloat16) = $f(Float32(a), Float32(b))
end
for f in (:isnan, :isinf, :isfinite)
    @eval Base.$f(a::BFloat16) = $f(Float32(a))
end
Base.:-(a::BFloat16) = reinterpret(BFloat16, reinterpret(UInt16, a) ⊻ 0x8000)
Base.write(io::IO, a::BFloat16) = write(io, reinterpret(UInt16, a))
Base.read(io::IO, ::Type{BFloat16}) = reinterpret(BFloat16, read(io, UInt16))
Base.abs(a::BFloat16) = reinterpret(BFloat16, reinterpret(UInt16, a) & 0x7fff)
Base.hash(a::BFloat16, h::UInt) = hash(Float32(a), h)
Base.show(io::IO, a::BFloat16) = print(io, "BFloat16(", Float32(a), ")")
