# SPDX-License-Identifier: Apache-2.0
# DLPack's reals of 8, 6 and 4 bits, each in a byte. C converts them; a table of each makes reading fast.

"""
    SmallFloat

The types of DLPack's reals of 8, 6 and 4 bits, such as [`Float8_E4M3FN`](@ref). They store and convert; arithmetic
promotes to `Float32`. `T(x)` rounds to nearest, ties to even, as NumPy and ml_dtypes do; a value too large becomes
infinity, or else NaN, or else the largest one. `reinterpret(UInt8, x)` has the bits.

```julia
Float32(Float8_E4M3FN(17))                # => 16.0f0
Float4_E2M1FN(1) + Float4_E2M1FN(0.5)     # => 1.5f0
DLFerry.dtype(wrap([Float8_E5M2(1)]))     # => "float8_e5m2"
```

C: `dlf_float_encode`, `dlf_float_decode`
"""
abstract type SmallFloat <: AbstractFloat end

const ocp, fnuz = "of the OCP's 8-bit formats", "without infinities and negative zero"
# The name of the dtype, with its code and bits, and a word about it.
const small_types = (
    (:Float8_E3M4, 7, 8, "IEEE-like, with infinities"),
    (:Float8_E4M3, 8, 8, "IEEE-like, with infinities"),
    (:Float8_E4M3B11FNUZ, 9, 8, "with a bias of 11, $fnuz"),
    (:Float8_E4M3FN, 10, 8, "one $ocp: up to 448, without infinities"),
    (:Float8_E4M3FNUZ, 11, 8, "with a bias of 8, $fnuz"),
    (:Float8_E5M2, 12, 8, "one $ocp: up to 57344, with infinities"),
    (:Float8_E5M2FNUZ, 13, 8, "with a bias of 16, $fnuz"),
    (:Float8_E8M0FNU, 14, 8, "a power of two, the scale of a block"),
    (:Float6_E2M3FN, 15, 6, "up to 7.5, without infinities and NaN"),
    (:Float6_E3M2FN, 16, 6, "up to 28, without infinities and NaN"),
    (:Float4_E2M1FN, 17, 4, "up to 6, without infinities and NaN"),
)

for (name, code, bits, about) in small_types
    stored = bits == 8 ? "" : " An array has a byte for each, whose upper bits are not used: its tensor is padded. " *
                              "[`copy_padded`](@ref DLFerry.copy_padded) pads a packed one."
    text = """
            $name <: SmallFloat

        DLPack's $(lowercase(string(name))): a real of $bits bits, $about.$stored See [`SmallFloat`](@ref).
        """
    @eval begin
        primitive type $name <: SmallFloat 8 end
        @doc $text $name
        export $name
        small_code(::Type{$name}) = $(UInt8(code))
        small_bits(::Type{$name}) = $(UInt8(bits))
    end
end

const ByteFloat = Union{(eval(name) for (name, _, bits) in small_types if bits == 8)...}
"Reals of fewer than 8 bits: their arrays have a byte for each."
const PaddedFloat = Union{(eval(name) for (name, _, bits) in small_types if bits < 8)...}

# For each type, what C says of all bytes.
const small_values = Dict{Type,Vector{Float32}}(eval(t[1]) => zeros(Float32, 256) for t in small_types)
for (name, _) in small_types
    @eval small_table(::Type{$name}) = $(small_values[eval(name)])
end

Base.Float32(x::T) where {T<:SmallFloat} = @inbounds small_table(T)[reinterpret(UInt8, x) + 1]
(::Type{T})(x::SmallFloat) where {T<:Union{Float16,Float64,BigFloat,BFloat16}} = T(Float32(x))
(::Type{T})(x::SmallFloat) where {T<:Integer} = T(Float32(x))
(::Type{Bool})(x::SmallFloat) = Bool(Float32(x))
(::Type{T})(x::Union{Float16,Float32,BFloat16,SmallFloat}) where {T<:SmallFloat} = T(Float64(x))
(::Type{T})(x::Union{Integer,Rational,BigFloat,AbstractIrrational}) where {T<:SmallFloat} = T(Float64(x))
(::Type{T})(x::T) where {T<:SmallFloat} = x

Base.promote_rule(::Type{<:SmallFloat}, ::Type{<:Union{Float16,Float32,BFloat16,Integer}}) = Float32
Base.promote_rule(::Type{<:SmallFloat}, ::Type{Float64}) = Float64
Base.promote_rule(::Type{<:SmallFloat}, ::Type{BigFloat}) = BigFloat
Base.promote_rule(::Type{<:SmallFloat}, ::Type{<:SmallFloat}) = Float32

for f in (:+, :-, :*, :/, :^)
    @eval Base.$f(a::T, b::T) where {T<:SmallFloat} = $f(Float32(a), Float32(b))
end
for f in (:(==), :<, :(<=), :isless, :isequal)
    @eval Base.$f(a::T, b::T) where {T<:SmallFloat} = $f(Float32(a), Float32(b))
end
for f in (:isnan, :isinf, :isfinite, :signbit)
    @eval Base.$f(a::SmallFloat) = $f(Float32(a))
end

# Of both: exact comparisons, for which a promotion would round the integer, as equal values have equal hashes; and
# functions that Base has for its own types alone.
const NarrowFloat = Union{BFloat16,SmallFloat}
for f in (:(==), :<, :(<=), :isless, :isequal), T in (:Integer, :Rational)
    @eval Base.$f(a::NarrowFloat, b::$T) = $f(Float32(a), b)
    @eval Base.$f(a::$T, b::NarrowFloat) = $f(a, Float32(b))
end
for f in (:sqrt, :cbrt, :exp, :exp2, :exp10, :expm1, :log, :log2, :log10, :log1p, :sin, :cos, :tan, :asin, :acos, :atan,
          :sinh, :cosh, :tanh, :asinh, :acosh, :atanh)
    @eval Base.$f(a::NarrowFloat) = $f(Float32(a))
end
for f in (:hypot, :rem, :mod, :atan)
    @eval Base.$f(a::T, b::T) where {T<:NarrowFloat} = $f(Float32(a), Float32(b))
end
const OwnRounding = Union{map(mode -> RoundingMode{mode}, (:Nearest, :ToZero, :Down, :Up))...} # Base has the others
Base.round(a::T, r::OwnRounding) where {T<:NarrowFloat} = T(round(Float32(a), r))
for f in (:round, :trunc, :floor, :ceil)
    @eval Base.$f(::Type{T}, a::NarrowFloat) where {T<:Integer} = $f(T, Float32(a))
end
Base.eps(::Type{T}) where {T<:SmallFloat} = T(minimum(filter(>(1), small_table(T))) - 1)
Base.eps(::Type{BFloat16}) = BFloat16(0.0078125)
(::Type{T})(x::BFloat16) where {T<:Integer} = T(Float32(x))
(::Type{Bool})(x::BFloat16) = Bool(Float32(x))
for f in (:-, :abs)
    @eval Base.$f(a::T) where {T<:SmallFloat} = T($f(Float32(a)))
end
Base.floatmax(::Type{T}) where {T<:SmallFloat} = T(maximum(filter(isfinite, small_table(T))))
Base.typemax(::Type{T}) where {T<:SmallFloat} = any(isinf, small_table(T)) ? T(Inf) : floatmax(T)
Base.typemin(::Type{T}) where {T<:SmallFloat} = T === Float8_E8M0FNU ? T(2.0^-127) : -typemax(T)
Base.write(io::IO, a::SmallFloat) = write(io, reinterpret(UInt8, a))
Base.read(io::IO, ::Type{T}) where {T<:SmallFloat} = reinterpret(T, read(io, UInt8))
Base.hash(a::SmallFloat, h::UInt) = hash(Float32(a), h)
Base.show(io::IO, a::SmallFloat) = print(io, nameof(typeof(a)), "(", Float32(a), ")")
