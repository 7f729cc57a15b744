# SPDX-License-Identifier: Apache-2.0

"""
    npy_open(path) -> Tensor

Map a file in NumPy's `.npy` format as a read-only tensor, without copying. Shortening the file meanwhile kills the
process. Throws `DLFerryError`: FOREIGN if the system refuses, DTYPE for objects, text and structures, UNSUPPORTED for
the other byte order; `ArgumentError` for another or too short file.

```julia
path = joinpath(mktempdir(), "a.npy")
DLFerry.npy_save(path, Float32[1 2; 3 4])
t = DLFerry.npy_open(path)
DLFerry.describe(t)                     # => "float32[2, 2] strides [1, 2] cpu read-only"
DLArray(t) == [1 2; 3 4]                # => true
```

C: `dlf_npy_open`
"""
npy_open(path::AbstractString) = Tensor(derive(Handle) do out, error
    ccall(hub.dlf_npy_open, Status, (Cstring, Ref{Handle}, Ref{CError}), scalar(Cstring, path, "npy_open"), out,
          error)
end)

"""
    npy_save(path, x)

Write a tensor or an array in NumPy's `.npy` format; at the end it replaces an older file of that name. Column-major
data is written as it is. Throws `DLFerryError`: FOREIGN if the system refuses, DTYPE for dtypes without a NumPy name,
DEVICE, UNSUPPORTED or NO_MEMORY.

```julia
path = joinpath(mktempdir(), "b.npy")
DLFerry.npy_save(path, [1.5, 2.5])
filesize(path)  # => 144
```

C: `dlf_npy_save`
"""
function npy_save(path::AbstractString, x)
    text = scalar(Cstring, path, "npy_save")
    GC.@preserve text begin
        place = pointer(text)
        compared(x, x, :npy_save) do arg, _, out, error # waits for the disk
            ccall(hub.dlf_npy_save, Status, (Arg, Ptr{UInt8}, Ptr{CError}), arg, place, error)
        end
    end
    return nothing
end
