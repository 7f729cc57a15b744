# SPDX-License-Identifier: Apache-2.0
# tests/cases: each operation of the hub in Julia, with the result, status and text that every language gives. Axes and
# indices count from 1 here, and from 0 in the cases.
isdefined(@__MODULE__, :cases_folder) || include("test_malformed.jl")
if !isfile(joinpath(cases_folder, "made.c"))
    @info "not run: the shared cases are not here; DLFERRY_CASES names their folder" cases_folder
    @test_skip false
else
    made_library = dlopen(DLFerry.compile("made", [joinpath(cases_folder, "made.c")]; folder = workshop,
                                          include = [joinpath(cases_folder, "..", "..", "core", "include")]))
    made(text) = ccall(dlsym(made_library, :made_tensor), Ptr{Cvoid}, (Cstring,), text)
    made_deleted() = ccall(dlsym(made_library, :made_deleted), Int64, ())
    read_cases(name) = JSON.parse(read(joinpath(cases_folder, "$name.json"), String))

    struct Inexpressible <: Exception end

    ints(c) = Int[get(c, "ints", [])...]
    axis(c) = ints(c)[1] + 1
    copy_word(number) = (:if_needed, :always, :never)[number+1]
    order(c) = Symbol(c["text"])

    "The indices from `start`, counted from 0; a range of Julia has no step 0 and no negative length."
    function range_of(start, count, step)
        step == 0 || count < 0 ? throw(Inexpressible()) : step == 1 ? (start+1:start+count) :
        (start+1:step:start+1+(count-1)*step)
    end

    function index(t, c)
        items = collect(Iterators.partition(ints(c), 4))
        indices = Any[]
        for (kind, start, count, step) in items
            kind == 2 && throw(Inexpressible())
            push!(indices, kind == 1 ? start + 1 : range_of(start, count, step))
        end
        length(indices) <= ndims(t) || throw(Inexpressible())
        return view(t, indices..., fill(:, ndims(t) - length(indices))...)
    end

    function read_one(t, c)
        where, lane = ints(c)[1:end-1] .+ 1, ints(c)[end] + 1
        value = t[where...]
        value isa Tuple || return value
        return lane <= length(value) ? value[lane] : throw(Inexpressible())
    end

    function wanted_number(c)
        reals = get(c, "reals", nothing)
        reals === nothing && return ints(c)[1]
        return length(reals) == 2 ? complex(reals...) : Float64(reals[1])
    end

    function exported(t, c)
        major, minor, copy = ints(c)
        p = DLFerry.export_dlpack(t; max_version = VersionNumber(major, minor), device = get(c, "text", nothing),
                                  copy = copy_word(copy))
        return p isa Ptr{DLManagedTensor} ? from_dlpack_legacy(p) : from_dlpack(p)
    end

    function opened(c)
        bytes = ints(c)
        isempty(bytes) || write(c["text"], UInt8.(bytes))
        return DLFerry.npy_open(c["text"])
    end

    # Bits of dlf_look_how that an array of Julia has: to write. Its elements have any strides and any address.
    function looked(t, c)
        how = ints(c)[1]
        how in (0, 1) || throw(Inexpressible())
        types = Dict("bool" => Bool, "uint8" => UInt8, "int8" => Int8, "int16" => Int16, "uint16" => UInt16,
                     "int32" => Int32, "float32" => Float32, "float64" => Float64)
        A = DLArray{types[c["text"]]}(t)
        how == 1 && (A[first(CartesianIndices(A))] = A[first(CartesianIndices(A))])
        n = length(A)
        close(A)
        return n
    end

    "A function of the operation's name, which takes a tensor, or two, and the case's axis; nothing if there is none."
    function named(c)
        haskey(c, "x") && isdefined(DLFerry, Symbol(c["op"])) || return nothing
        f = getfield(DLFerry, Symbol(c["op"]))
        return (x, c, y) -> haskey(c, "ints") ? f(x; dims = axis(c)) : haskey(c, "y") ? f(x, y) : f(x)
    end

    operations = Dict{String,Function}(
        "squeeze" => (x, c, y) -> dropdims(x; dims = axis(c)),
        "index" => (x, c, y) -> index(x, c),
        "slice" => (x, c, y) -> selectdim(x, axis(c), range_of(ints(c)[2:4]...)),
        "select" => (x, c, y) -> selectdim(x, axis(c), ints(c)[2] + 1),
        "permute" => (x, c, y) -> DLFerry.permute(x, ints(c) .+ 1),
        "reshape" => (x, c, y) -> reshape(x, [n == -1 ? Colon() : n for n in ints(c)]...; order = :row_major),
        "broadcast" => (x, c, y) -> DLFerry.broadcast(x, Tuple(ints(c))),
        "bitcast" => (x, c, y) -> DLFerry.bitcast(x, c["text"]),
        "copy" => (x, c, y) -> copy(x),
        "copy_into" => (x, c, y) -> copyto!(y, x),
        "cast" => (x, c, y) -> DLFerry.cast(x, c["text"]; saturate = haskey(c, "ints")),
        "cast_into" => (x, c, y) -> DLFerry.cast!(y, x),
        "fill" => (x, c, y) -> fill!(x, wanted_number(c)),
        "to_device" => (x, c, y) -> DLFerry.to_device(x, c["text"]; copy = copy_word(ints(c)[1])),
        "all_close" => (x, c, y) -> DLFerry.all_close(x, y; rtol = c["reals"][1], atol = c["reals"][2],
                                                      nans = ints(c)[1] != 0),
        "contains" => (x, c, y) -> contains(x, wanted_number(c)),
        "read" => (x, c, y) -> read_one(x, c),
        "count" => (x, c, y) -> length(x),
        "is_contiguous" => (x, c, y) -> DLFerry.is_contiguous(x; order = order(c)),
        "compact_strides" => (x, c, y) -> DLFerry.compact_strides(ints(c); order = order(c)),
        "encode" => (x, c, y) -> encoded(c),
        "npy_save" => (x, c, y) -> (DLFerry.npy_save(c["text"], x); DLFerry.npy_open(c["text"])),
        "npy_open" => (x, c, y) -> opened(c),
        "to_dlpack" => (x, c, y) -> from_dlpack(to_dlpack(x)),
        "to_dlpack_legacy" => (x, c, y) -> from_dlpack_legacy(to_dlpack_legacy(x)),
        "to_dlpack_copy" => (x, c, y) -> from_dlpack(to_dlpack_copy(x)),
        "export" => (x, c, y) -> exported(x, c),
        "look" => (x, c, y) -> looked(x, c))

    "The bits of a number that a small float holds."
    function encoded(c)
        T = Dict("bfloat16" => BFloat16, "float16" => Float16, "float8_e4m3fn" => Float8_E4M3FN,
                 "float8_e5m2" => Float8_E5M2, "float8_e8m0fnu" => Float8_E8M0FNU, "float6_e3m2fn" => Float6_E3M2FN,
                 "float4_e2m1fn" => Float4_E2M1FN)[c["text"]]
        return string(reinterpret(sizeof(T) == 1 ? UInt8 : UInt16, T(Float64(c["reals"][1]))))
    end

    operation(c) = get(() -> named(c), operations, c["op"])

    "A result as the cases write it."
    told(t::Tensor) = (text = DLFerry.format(t); close(t); text)
    told(x::Real) = isfinite(x) && isinteger(x) && !(x isa Bool) ? string(BigInt(x)) : string(x)
    told(x::DLFerry.SmallFloat) = told(Float32(x))
    told(z::Complex) = "$(told(real(z))) $(told(imag(z)))"
    told(values::Tuple) = join(values, " ")
    told(text::String) = text

    "A case's result, or its status and text; nothing if Julia cannot express it."
    function outcome(c)
        x = haskey(c, "x") ? from_dlpack(made(c["x"])) : nothing
        y = get(c, "y", "x") == "x" ? x : from_dlpack(made(c["y"]))
        get(c, "closed", false) && close(x)
        try
            return told(operation(c)(x, c, y))
        catch e
            e isa Union{DLFerryError,ArgumentError,DimensionMismatch,OverflowError} || return nothing
            return "$(status_of(e)) $(e.msg)"
        finally
            foreach(t -> t === nothing || close(t), (x, y))
        end
    end

    expected(c) = haskey(c, "gives") ? c["gives"] : join(c["fails"], " ")

    "The key under which languages.json lists a case, or nothing."
    function listed(c, cannot)
        keys = [c["op"], c["name"]]
        get(c, "closed", false) && push!(keys, "closed")
        found = findfirst(key -> haskey(cannot, key), keys)
        return found === nothing ? nothing : keys[found]
    end

    cannot = read_cases("languages")["cannot"]["julia"]
    used, before, count_made = Dict(key => 0 for key in keys(cannot)), made_deleted(), 0
    case_files = ("view", "compare", "layout", "float", "npy", "exchange", "access", "move")
    mktempdir() do folder
        cd(folder) do
            for c in (c for file in case_files for c in read_cases(file)["cases"])
                key = listed(c, cannot)
                key === nothing || (used[key] += 1)
                if operation(c) === nothing || key == c["op"]
                    @test (c["name"], key == c["op"], operation(c) !== nothing) == (c["name"], true, false)
                    continue
                end
                got = outcome(c)
                global count_made += haskey(c, "x") + (get(c, "y", "x") != "x")
                # What is listed must not be as elsewhere.
                key === nothing ? (@test (c["name"], got) == (c["name"], expected(c))) :
                (@test (c["name"], got) != (c["name"], expected(c)))
            end
        end
    end
    for (key, why) in cannot
        println("not expressible in Julia: $key, $(used[key]) cases: $why")
        @test (key, used[key]) != (key, 0)
    end
    settle()
    @test made_deleted() - before == count_made
end
