# SPDX-License-Identifier: Apache-2.0
# Every malformed tensor that tests/cases knows: refused or taken, its deleter runs once.
cases_folder = get(ENV, "DLFERRY_CASES", normpath(joinpath(@__DIR__, "..", "..", "..", "tests", "cases")))

if !isfile(joinpath(cases_folder, "malformed.c"))
    @info "not run: the shared cases are not here; DLFERRY_CASES names their folder" cases_folder
    @test_skip false
else
    @eval using Libdl: dlopen, dlsym
    malformed_library = dlopen(DLFerry.compile("malformed", [joinpath(cases_folder, "malformed.c")]; folder = workshop,
                                               include = [joinpath(cases_folder, "..", "..", "core", "include")]))
    global make(name) = ccall(dlsym(malformed_library, :malformed_make), Ptr{Cvoid}, (Cstring,), name)
    global make_legacy(name) = ccall(dlsym(malformed_library, :malformed_make_legacy), Ptr{Cvoid}, (Cstring,), name)
    global deleted() = ccall(dlsym(malformed_library, :malformed_deleted), Int64, ())

    function is_a_name(word)
        p = Ptr{DLManagedTensorVersioned}(make(word))
        p == C_NULL && return false
        unsafe_load(p).deleter == C_NULL || delete(p)
        return true
    end
    header = read(joinpath(cases_folder, "malformed.h"), String)
    names = filter!(is_a_name, unique(m.match for m in eachmatch(r"\b[a-z]+[0-9]*(_[a-z0-9]+)+\b", header)))
    @test length(names) >= 20

    @testset "$name" for name in names
        for (maker, import_) in ((make, from_dlpack), (make_legacy, from_dlpack_legacy))
            p = maker(name)
            p == C_NULL && continue
            before = deleted()
            expected = name == "well_formed_null_deleter" ? before : before + 1
            taken = try
                import_(p)
            catch e
                @test e isa Union{ArgumentError,DimensionMismatch,OverflowError,DLFerryError}
                @test deleted() == expected
                nothing
            end
            startswith(name, "well_formed") && @test taken !== nothing
            taken === nothing || (@test deleted() == before; DLFerry.format(taken); close(taken))
            @test deleted() == expected
        end
    end
end
