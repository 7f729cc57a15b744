# SPDX-License-Identifier: Apache-2.0
using DLFerry, Test
using DLFerry: DLManagedTensor, DLManagedTensorVersioned

# Everything is built beside the package's own library, like its users' C.
const workshop = mktempdir()
const foreign = DLFerry.compile("foreign", [joinpath(@__DIR__, "foreign.c")]; folder = workshop,
                                include = [DLFerry.csrc], flags = ["-pthread"])

include("settle.jl")

delete(p::Ptr{DLManagedTensorVersioned}) = ccall(unsafe_load(p).deleter, Cvoid, (Ptr{Cvoid},), p)
delete(p::Ptr{DLManagedTensor}) = ccall(unsafe_load(p).deleter, Cvoid, (Ptr{Cvoid},), p)

"The package generated from the photo kernels, when it is on the load path."
const photo = Base.find_package("Photo") === nothing ? nothing : Base.require(Main, :Photo)
photo === nothing && @info "not run: what calls kernels; it needs the package Photo on JULIA_LOAD_PATH"

include("thrown.jl")

const files = ["names", "bfloat16", "smallfloat", "tensor", "wrap", "exchange", "view", "compare", "copy", "npy", "contract",
               "array", "linear", "close", "format", "foreign", "malformed", "cases", "photo", "package"]

# `runtests.jl` runs all files, `runtests.jl FILE...` these, `runtests.jl but FILE...` all others.
wanted = isempty(ARGS) ? files : ARGS
if first(wanted) == "but"
    wanted = setdiff(files, wanted[2:end])
end

@testset "DLFerry, $(Threads.nthreads()) threads" begin
    for file in wanted
        @testset "$file" begin
            include("test_$file.jl")
        end
        @test settle() == 0
    end
end
