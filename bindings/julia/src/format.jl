# SPDX-License-Identifier: Apache-2.0

"Ask C once for a text of the usual length, and again if it was cut."
function text_from(write)
    capacity = 256
    while true
        text = zeros(UInt8, capacity)
        n = write(text, capacity)
        n < capacity && return String(resize!(text, n))
        capacity = n + 1
    end
end

function text_of(f::Ptr{Cvoid}, x, name)
    held = lend(x, name)
    return text_from() do text, capacity
        arg = enter_arg(held)
        arg === closed_arg && closed(name)
        n = GC.@preserve x held ccall(f, Int64, (Ptr{DLTensor}, UInt64, Ptr{UInt8}, Int64),
                                      arg.tensor, arg.flags, text, capacity)
        leave_arg(held, arg)
        return n
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

"""
    describe_json(t::Tensor)

Describe a tensor as one JSON object: dtype, shape, strides in elements, device, flags, the version of the imported
structure, the address of the first element, and whether the release notifies an owner.

```julia
text = DLFerry.describe_json(DLFerry.create(Float32, 2, 3))
occursin("float32", text)  # => true
```

C: `dlf_describe_json`
"""
describe_json(t::Tensor) = text_from((text, capacity) -> during(t, :describe_json) do handle
    ccall(hub.dlf_describe_json, Int64, (Handle, Ptr{UInt8}, Int64), handle, text, capacity)
end)

Base.show(io::IO, t::Tensor) = print(io, "Tensor(", isopen(t) ? describe(t) : "closed", ")")
Base.show(io::IO, ::MIME"text/plain", t::Tensor) = isopen(t) ? print(io, format(t)) : show(io, t)
