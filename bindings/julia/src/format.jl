# SPDX-License-Identifier: Apache-2.0

# Ask once for a text of the usual length, and again if it was cut.
function text_of(f::Ptr{Cvoid}, x, name)
    capacity, held = 256, lend(x, name)
    while true
        text = zeros(UInt8, capacity)
        arg = enter_arg(held)
        arg === closed_arg && closed()
        n = GC.@preserve x held ccall(f, Int64, (Ptr{DLTensor}, UInt64, Ptr{UInt8}, Int64),
                                      arg.tensor, arg.flags, text, length(text))
        leave_arg(held, arg)
        n < capacity && return String(resize!(text, n))
        capacity = n + 1
    end
end

"""
    describe(t)

Describe a tensor or an array in one line, such as `"float32[2, 3] strides [3, 1] cpu read-only"`.

C: `dlf_describe`
"""
describe(t) = text_of(hub.dlf_describe, t, :describe)

"""
    format(t)

Print the elements of a tensor or an array as NumPy does, after one line of description. More than a thousand are summarised.

C: `dlf_format`
"""
format(t) = text_of(hub.dlf_format, t, :format)

Base.show(io::IO, t::Tensor) = print(io, "Tensor(", isopen(t) ? describe(t) : "closed", ")")
Base.show(io::IO, ::MIME"text/plain", t::Tensor) = isopen(t) ? print(io, format(t)) : show(io, t)
