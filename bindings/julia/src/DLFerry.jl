# SPDX-License-Identifier: Apache-2.0
"""
Share tensors between languages through DLPack, without a copy.

    t = DLFerry.wrap(A)              # any strided Julia array, kept alive until the last consumer releases it
    p = DLFerry.to_dlpack(t)         # for another runtime: a `DLManagedTensorVersioned *`
    B = DLArray(from_dlpack(p))      # from another runtime, as an `AbstractArray`

`A[i, j]` is the same element in every language: a Julia `Array` is passed with its column-major strides, and nothing is
reversed or copied silently. [`rowmajor`](@ref) reverses the dimensions for a row-major consumer.

Failures throw `ArgumentError`, `DimensionMismatch`, `OverflowError` or [`DLFerryError`](@ref), with the same text as in
every language.
"""
module DLFerry

export Tensor, DLArray, DLFerryError, BFloat16, Contract
export SmallFloat # and its types, by smallfloat.jl
export wrap, rowmajor, from_dlpack, from_dlpack_legacy, to_dlpack, to_dlpack_legacy, to_dlpack_copy
export from_python, to_python

# One direction: each file uses only those before it.
include("compile.jl")
include("bind.jl")
include("library.jl")
include("error.jl")
include("bfloat16.jl")
include("smallfloat.jl")
include("dtype.jl")
include("encode.jl")
include("device.jl")
include("queue.jl")
include("roots.jl")
include("object.jl")
include("tensor.jl")
include("layout.jl")
include("wrap.jl")
include("exchange.jl")
include("view.jl")
include("lend.jl")
include("measure.jl")
include("python.jl")
include("array.jl")
include("compare.jl")
include("linear.jl")
include("check.jl")
include("copy.jl")
include("cast.jl")
include("fill.jl")
include("format.jl")
include("npy.jl")
include("contract.jl")
include("native.jl")
include("serialize.jl")
include("struct.jl")
include("kernel.jl")

function __init__()
    make_error_slots()
    make_root_lists()
    make_grave_lists()
    set_life()
    load!(hub, library_path())
    load!(rooting, built_path(dirname(@__DIR__), "dlferry_roots"))
    loaded = VersionNumber(version())
    (loaded.major, loaded.minor) == (package_version.major, package_version.minor) ||
        error("DLFerry $package_version: expected a library of version ",
              "$(package_version.major).$(package_version.minor), got $loaded from $(library_path())")
    fill_small_values()
    atexit(shut_queue)
end

end
