# SPDX-License-Identifier: Apache-2.0
# Input that every language must refuse with the same status and the same text: tests/cases/bad_input.json.
cases_file = joinpath(cases_folder, "bad_input.json")

status_of(e::ArgumentError) = "INVALID"
status_of(e::DimensionMismatch) = "SHAPE"
status_of(e::OverflowError) = "OVERFLOW"
status_of(e::DLFerryError) = String(e.status)

"Make a case's tensor; `memory` holds what others may alias."
function tensor(spec, memory, name)
    shape, bytes = Tuple{Vararg{Int}}(spec["shape"]), DLFerry.dl_dtype(spec["dtype"])
    size_of = cld(Int(bytes.bits) * Int(bytes.lanes), 8)
    strides = haskey(spec, "strides") ? Tuple{Vararg{Int}}(spec["strides"]) : nothing
    block = get!(() -> zeros(UInt8, 1 << 20), memory, get(spec, "alias_of", name))
    start = pointer(block) + (-UInt(pointer(block))) % 256 + get(spec, "offset", 0) * size_of + get(spec, "skew", 0)
    t = GC.@preserve block wrap(start, spec["dtype"], shape; strides = strides, device = get(spec, "device", "cpu"),
                                readonly = get(spec, "read_only", false), owner = block)
    haskey(spec, "value") && fill!(DLArray(t), spec["value"])
    return t
end

# The kernels' tensors in C's order; the outputs among them.
const kernels = Dict(
    "photo_gray" => (["rgb", "out"], ["out"]), "photo_blur" => (["image", "out"], ["out"]),
    "photo_sobel" => (["image", "out"], ["out"]), "photo_equalize" => (["image", "out"], ["out"]),
    "photo_difference" => (["a", "b", "out"], ["out"]), "photo_draw_histogram" => (["image"], ["image"]),
    "photo_mean" => (["image"], []))

function call(photo, case)
    name = case["call"]
    tensors, memory = Dict{String,Tensor}(), Dict{String,Vector{UInt8}}()
    for (parameter, spec) in sort!(collect(case["tensors"]); by = p -> haskey(p[2], "alias_of"))
        tensors[parameter] = tensor(spec, memory, parameter)
    end
    parameters, outputs = kernels[name]
    written = filter(p -> haskey(tensors, p), outputs)
    f = getfield(photo, Symbol(name[length("photo_")+1:end], isempty(written) ? "" : "!"))
    options = (Symbol(k) => k == "corner" ? photo.Corner(v) : v for (k, v) in get(case, "scalars", Dict()))
    return f((tensors[p] for p in written)..., (tensors[p] for p in parameters if !(p in outputs))...; options...)
end

function verdict(f)
    try
        f()
    catch e
        return status_of(e), e.msg
    end
    return "OK", ""
end

if !isfile(cases_file)
    @info "not run: the shared cases are not here; DLFERRY_CASES names their folder" cases_folder
    @test_skip false
else
    include("json.jl")
    cases = filter(c -> "julia" in get(c, "only", ["julia"]), JSON.parse(read(cases_file, String))["cases"])

    @testset "$(case["name"])" for case in cases
        expected = (case["status"], case["message"])
        if haskey(case, "malformed")
            legacy = get(case, "legacy", false)
            before = deleted()
            p = legacy ? make_legacy(case["malformed"]) : make(case["malformed"])
            @test verdict(() -> close(legacy ? from_dlpack_legacy(p) : from_dlpack(p))) == expected
            @test deleted() - before == case["deleted"]
        elseif haskey(case, "call") && photo !== nothing
            @test verdict(() -> call(photo, case)) == expected
        elseif photo === nothing
            @test_skip case["name"]
        end
    end
end
