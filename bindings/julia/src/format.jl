# SPDX-License-Identifier: Apache-2.0

# Ask once for a text of the usual length, and again when it was cut.
function text_of(f::Ptr{Cvoid}, t::Tensor)
    capacity = 256
    while true
        text = zeros(UInt8, capacity)
        n = inside(t) do handle
            ccall(f, Int64, (Ptr{DLTensor}, UInt64, Ptr{UInt8}, Int64), lent(handle), flags(handle), text, length(text))
        end
        n < capacity && return String(resize!(text, n))
        capacity = n + 1
    end
end

"""
    describe(t)

Describe a tensor in one line, such as `"float32[2, 3] strides [3, 1] cpu read-only"`.

C: `dlf_describe`
"""
describe(t::Tensor) = text_of(hub.dlf_describe, t)

"""
    format(t)

Print a tensor's elements as NumPy does, after one line of description. More than a thousand are summarised.

C: `dlf_format`
"""
format(t::Tensor) = text_of(hub.dlf_format, t)

for f in (:describe, :format)
    @eval $f(A::AbstractArray) = (t = wrap(A); s = $f(t); close(t); s)
end

Base.show(io::IO, t::Tensor) = print(io, "Tensor(", isopen(t) ? describe(t) : "closed", ")")
Base.show(io::IO, ::MIME"text/plain", t::Tensor) = isopen(t) ? print(io, format(t)) : show(io, t)
