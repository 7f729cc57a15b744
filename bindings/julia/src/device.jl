# SPDX-License-Identifier: Apache-2.0

# DLDevice
struct DLDevice
    type::Int32
    id::Int32
end

const cpu = DLDevice(1, 0)

function dl_device(name::AbstractString; said = "device_parse")
    out, error = Ref(cpu), error_slot()
    status = ccall(hub.dlf_device_parse, Status, (Cstring, Ref{DLDevice}, Ref{CError}), terminated(name, said), out, error)
    status == 0 || throw(failure(error, "device_parse", said))
    return out[]
end

function device_name(d::DLDevice)
    text = zeros(UInt8, name_capacity)
    n = ccall(hub.dlf_device_format, Int64, (DLDevice, Ptr{UInt8}, Int64), d, text, length(text))
    return String(resize!(text, min(n, name_capacity - 1)))
end

"""
    is_cpu_accessible(device)

Tell whether the processor may use any address on a device, such as `"cpu"` or `"cuda:1"`: true for plain, pinned and
managed memory. [`is_reachable`](@ref DLFerry.is_reachable) tells it of a tensor.

```julia
DLFerry.is_cpu_accessible("cuda_host"), DLFerry.is_cpu_accessible("cuda:1")  # => (true, false)
```

C: `dlf_is_cpu_accessible`
"""
is_cpu_accessible(name::AbstractString) = is_cpu_accessible(dl_device(name))
is_cpu_accessible(d::DLDevice) = ccall(hub.dlf_is_cpu_accessible, Bool, (DLDevice,), d)

"""
    oneapi_enable(library = nothing)

Exchange oneAPI's tensors by dpctl's protocol, through dpctl's C library, which this loads. From then on imports and
exports refuse memory that no default context of a SYCL platform knows, and elements in device memory cannot be read.
Another call does nothing; `nothing` means `libDPCTLSyclInterface.so`, if the process has loaded it or the loader finds
it.

```julia
try
    DLFerry.oneapi_enable("/no/such/libDPCTLSyclInterface.so")
catch e
    e.status
end  # => :FOREIGN
```

C: `dlf_oneapi_enable`
"""
function oneapi_enable(library::Union{AbstractString,Nothing} = nothing)
    error = error_slot()
    status = library === nothing ? ccall(hub.dlf_oneapi_enable, Status, (Ptr{UInt8}, Ref{CError}), C_NULL, error) :
             ccall(hub.dlf_oneapi_enable, Status, (Cstring, Ref{CError}), library, error)
    status == 0 || throw(failure(error))
    return nothing
end
