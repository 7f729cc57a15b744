# SPDX-License-Identifier: Apache-2.0
# Prints what DLFerry costs beside plain ccalls, or writes it into its README: ratios.jl FOLDER [--short | README]. The C
# of the plain ones is compiled into FOLDER. A round measures everything, one after the other, in processor time; each keeps its best.
using DLFerry, Photo, Libdl
using DLFerry: CError, DLManagedTensorVersioned, hub
include("readme.jl")

const example = normpath(joinpath(@__DIR__, "..", "..", "..", "examples", "photo"))
const bare = dlopen(DLFerry.compile("bare", [joinpath(@__DIR__, "bare.c"), joinpath(example, "photo.c"),
                                             joinpath(DLFerry.csrc, "dlferry.c")];
                                    folder = ARGS[1], include = [example, DLFerry.csrc]))
const bare_wrap, bare_release, bare_export, bare_wrap_export, bare_delete, bare_give, bare_kernel, raw_difference =
    map(name -> dlsym(bare, name), (:bare_wrap, :bare_release, :bare_export, :bare_wrap_export, :bare_delete, :bare_give,
                                    :bare_kernel,
                                    :bare_difference))
const photo = dlopen(DLFerry.built_path(dirname(dirname(pathof(Photo))), "photo"))
const checked_difference = dlsym(photo, :photo_difference_checked)

function processor_time()
    now = Ref((0, 0))
    ccall(:clock_gettime, Cint, (Cint, Ref{Tuple{Int,Int}}), 3, now) # CLOCK_THREAD_CPUTIME_ID
    return now[][1] * 1e9 + now[][2]
end

function time_of(call::F, calls) where {F}
    start = processor_time()
    for _ in 1:calls
        call()
    end
    return (processor_time() - start) / calls
end

delete(p::Ptr{DLManagedTensorVersioned}) = ccall(unsafe_load(p).deleter, Cvoid, (Ptr{Cvoid},), p)

function calls_of(a, b, out)
    size, steps = Ref((4, 4)), Ref((1, 4))
    t, error, handle, managed = wrap(a), Ref{CError}(), Ref(C_NULL), Ref(C_NULL)
    held = ccall(bare_wrap, Ptr{Cvoid}, (Ptr{Cvoid}, Ref{NTuple{2,Int}}, Ref{NTuple{2,Int}}), a, size, steps)
    given() = ccall(bare_give, Ptr{Cvoid}, (Ptr{Cvoid}, Ref{NTuple{2,Int}}, Ref{NTuple{2,Int}}), a, size, steps)
    lent = map(A -> DLFerry.lend(A, :x), (a, b, out))
    args = map(DLFerry.enter_arg, lent)
    roots = IdDict{Ptr{Cvoid},Any}()
    return (
        bare = () -> ccall(bare_kernel, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), a, b, out, error),
        bare_export = () -> begin
            p = ccall(bare_export, Ptr{Cvoid}, (Ptr{Cvoid},), held)
            ccall(bare_delete, Cvoid, (Ptr{Cvoid},), p)
        end,
        hub_export = () -> begin
            ccall(hub.dlf_to_dlpack, Int32, (Ptr{Cvoid}, Ref{Ptr{Cvoid}}, Ref{CError}), t.handle, managed, error)
            delete(Ptr{DLManagedTensorVersioned}(managed[]))
        end,
        export_tensor = () -> delete(to_dlpack(t)),
        bare_array = () -> begin
            p = ccall(bare_wrap_export, Ptr{Cvoid}, (Ptr{Cvoid}, Ref{NTuple{2,Int}}, Ref{NTuple{2,Int}}), a, size, steps)
            ccall(bare_delete, Cvoid, (Ptr{Cvoid},), p)
        end,
        kept_array = () -> begin
            p = ccall(bare_wrap_export, Ptr{Cvoid}, (Ptr{Cvoid}, Ref{NTuple{2,Int}}, Ref{NTuple{2,Int}}), a, size, steps)
            roots[p] = a
            ccall(bare_delete, Cvoid, (Ptr{Cvoid},), p)
            delete!(roots, p)
        end,
        export_array = () -> delete(to_dlpack(a)),
        hub_import = () -> begin
            ccall(hub.dlf_from_dlpack, Int32, (Ptr{Cvoid}, Ref{Ptr{Cvoid}}, Ref{CError}), given(), handle, error)
            ccall(hub.dlf_release, Cvoid, (Ptr{Cvoid},), handle[])
        end,
        import_tensor = () -> close(from_dlpack(given())),
        raw_kernel = () -> GC.@preserve(lent, ccall(
            raw_difference, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ref{CError}),
            args[1].tensor, args[2].tensor, args[3].tensor, error)),
        checked_kernel = () -> ccall(checked_difference, Int32, (DLFerry.Arg, DLFerry.Arg, DLFerry.Arg, Ref{CError}),
                                     args[1], args[2], args[3], error),
        kernel = () -> Photo.difference!(out, a, b),
    )
end

rows = (
    ("`to_dlpack(t)`, and its deleter", :export_tensor, "C that counts an owner and allocates the same", :bare_export, 1.5),
    ("the same", :export_tensor, "the hub's functions", :hub_export, 0),
    ("`to_dlpack(A)`, and its deleter", :export_array, "C that allocates the same, `A` in an `IdDict`", :kept_array, 1.5),
    ("the same", :export_array, "the same without the `IdDict`: unsafe", :bare_array, 0),
    ("`from_dlpack(p)`, `close`", :import_tensor, "the hub's functions", :hub_import, 2),
    ("`Photo.difference!(out, a, b)`", :kernel, "a C function that does nothing", :bare, 0),
    ("the same", :kernel, "the kernel itself, `photo_difference`", :raw_kernel, 10),
    ("the same", :kernel, "`photo_difference_checked`", :checked_kernel, 0),
)

function main(calls, rounds, readme)
    timed = calls_of(rand(Float32, 4, 4), rand(Float32, 4, 4), zeros(Float32, 4, 4))
    best = Dict(name => Inf for name in keys(timed))
    for _ in 1:rounds
        foreach((name, call) -> best[name] = min(best[name], time_of(call, calls)), keys(timed), timed)
    end
    figure(x) = rpad(round(x; digits = 1), 4)
    table = "| Julia $VERSION, $(Threads.nthreads()) thread | ns | beside plain `ccall`s of | ns | ratio | aim |\n" *
            "|---|---|---|---|---|---|\n"
    for (text, name, beside, other, aim) in rows
        ratio = round(best[name] / best[other]; digits = 2)
        table *= "| $text | $(figure(best[name])) | $beside | $(figure(best[other])) | $ratio | $(aim == 0 ? "" : "≤ $aim") |\n"
    end
    put_table(readme, "calls", table)
end

"--short" in ARGS ? main(100, 1, "") : main(100_000, 30, get(ARGS, 2, ""))
