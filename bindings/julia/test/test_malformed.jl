# SPDX-License-Identifier: Apache-2.0
# tests/cases/malformed.json: the error for each malformed tensor, and how often its deleter runs.
cases_folder = get(ENV, "DLFERRY_CASES", normpath(joinpath(@__DIR__, "..", "..", "..", "tests", "cases")))

status_of(e::ArgumentError) = "INVALID"
status_of(e::DimensionMismatch) = "SHAPE"
status_of(e::OverflowError) = "OVERFLOW"
status_of(e::DLFerryError) = String(e.status)

if !isfile(joinpath(cases_folder, "malformed.c"))
    @info "not run: the shared cases are not here; DLFERRY_CASES names their folder" cases_folder
    @test_skip false
else
    @eval using Libdl: dlopen, dlsym
    include("json.jl")
    malformed_library = dlopen(DLFerry.compile("malformed", [joinpath(cases_folder, "malformed.c")]; folder = workshop,
                                               include = [joinpath(cases_folder, "..", "..", "core", "include")]))
    make(name) = ccall(dlsym(malformed_library, :malformed_make), Ptr{Cvoid}, (Cstring,), name)
    make_legacy(name) = ccall(dlsym(malformed_library, :malformed_make_legacy), Ptr{Cvoid}, (Cstring,), name)
    deleted() = ccall(dlsym(malformed_library, :malformed_deleted), Int64, ())
    cases = JSON.parse(read(joinpath(cases_folder, "malformed.json"), String))["cases"]
    @test length(cases) >= 30

    @testset "$(case["name"])" for case in cases
        legacy, before = get(case, "legacy", false), deleted()
        p = legacy ? make_legacy(case["malformed"]) : make(case["malformed"])
        taken, verdict = try
            legacy ? from_dlpack_legacy(p) : from_dlpack(p), ("OK", "")
        catch e
            nothing, (status_of(e), e.msg)
        end
        @test verdict == (case["status"], case["message"])
        taken === nothing || (@test deleted() == before; DLFerry.format(taken); close(taken))
        @test deleted() - before == case["deleted"]
    end
end
