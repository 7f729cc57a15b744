# SPDX-License-Identifier: Apache-2.0
# Generates, builds and calls the package of tests/bind/kinds.h: test_parameters.jl DLFERRY_BIND KINDS_FOLDER OUT
using DLFerry, Test
using Serialization: deserialize, serialize
using Base.Threads: @threads, nthreads

bind, kinds_folder, out = ARGS
for name in ("kinds", "other")
    folder = joinpath(out, name)
    command = `$bind kinds.h --name $name --prefix kinds_ --lang julia --source kinds.c --out $folder`
    cd(() -> run(command), kinds_folder)
    run(`$(Base.julia_cmd()) --startup-file=no $(joinpath(folder, "julia", "deps", "build.jl"))`)
    push!(LOAD_PATH, joinpath(folder, "julia"))
end
import Kinds, Other

include(joinpath(@__DIR__, "..", "thrown.jl"))
told(f) = thrown(f).msg

"Release the objects that the garbage collector held back."
settle() = foreach(_ -> (GC.gc(); yield()), 1:3)

docs(name) = string(Base.Docs.doc(Base.Docs.Binding(Kinds, name)))

@testset "an object that is opened, used and closed" begin
    sum = Kinds.sum_create(start = 2)
    @test sum isa Kinds.Sum <: DLFerry.Opaque && isopen(sum) && string(sum) == "Kinds.Sum(open)"
    @test told(() -> deepcopy([sum])) == "deepcopy: expected a value that can be copied, got an object of C: Kinds.Sum"
    @test Kinds.sum_total(sum) === 2.0
    @test Kinds.sum_add(sum, [1.0, 2.0]) === nothing
    @test Kinds.scale([1.0, -1.0], sum) == [5.0, -5.0]
    @test Kinds.scale!(zeros(2), [1.0, 2.0], sum) == [5.0, 10.0]
    @test Kinds.open_sums() == 1
    @test close(sum) === nothing && !isopen(sum) && string(sum) == "Kinds.Sum(closed)"
    @test Kinds.open_sums() == 0
    @test close(sum) === nothing
    closed = "expected an open sum, got a closed one"
    @test told(() -> Kinds.sum_total(sum)) == "sum_total: sum: $closed"
    @test told(() -> Kinds.scale([1.0], sum)) == "scale: sum: $closed"
    @test thrown(() -> Kinds.sum_add(sum, [1.0])) isa ArgumentError
    @test thrown(() -> Kinds.sum_total(nothing)) isa MethodError

    from_values = Kinds.sum_from_values([1.0, 2.0, 3.0])
    @test Kinds.sum_total(from_values) == 6
    close(from_values)
    @test thrown(() -> Kinds.sum_create(start = 13)).status === :UNSUPPORTED
    @test thrown(() -> Kinds.sum_create(start = -1)) isa ArgumentError
    @test Kinds.open_sums() == 0
    @test occursin("sum_from_values", docs(:Sum)) && occursin("sum_total", docs(:Sum))
end

@testset "an object that travels arrives closed" begin
    Kinds.sum_create() do sum
        arrived, all = deserialize(seekstart((io = IOBuffer(); serialize(io, (sum, "all")); io)))
        @test arrived isa Kinds.Sum && !isopen(arrived) && isopen(sum) && all == "all"
        @test close(arrived) === nothing && told(() -> Kinds.sum_total(arrived)) ==
              "sum_total: sum: expected an open sum, got a closed one"
    end
    @test Kinds.open_sums() == 0
end

@testset "a call that fails before C lets go of the object" begin
    sum = Kinds.sum_create()
    for wrong in ("text", nothing, view([1.0, 2.0, 3.0], [1, 3]))
        thrown(() -> Kinds.sum_add(sum, wrong))
    end
    gone = wrap([1.0])
    close(gone)
    @test told(() -> Kinds.sum_add(sum, gone)) == "sum_add: values: expected an open tensor, got a closed one"
    @test thrown(() -> Kinds.sum_add(sum, [1])).status === :DTYPE
    other = Kinds.sum_create(start = 2)
    @test Kinds.sum_move(sum, other) === nothing # no call is inside any more
    @test Kinds.sum_total(sum) == 2
    close(sum)
    close(other)
    @test Kinds.open_sums() == 0
end

@testset "a forgotten object is freed, by a task and not in the finalizer" begin
    open_some() = foreach(_ -> Kinds.sum_create(), 1:100)
    # This calls C directly, since our own calls would free forgotten objects.
    function count()
        n = Ref{Int64}(-1)
        ccall(Kinds.kernels.kinds_open_sums_checked, Cint, (Ref{Int64}, Ptr{Cvoid}), n, C_NULL)
        return n[]
    end
    open_some()
    GC.gc()
    @test count() >= 99 # found, and not freed by the collector
    @test timedwait(() -> count() <= 1, 60.0) === :ok
    open_some()
    GC.gc()
    @test Kinds.open_sums() <= 1
    settle()
    @test Kinds.open_sums() == 0
end

@testset "closing under a call of another thread: the call ends well, then the object goes" begin
    sum = Kinds.sum_create()
    use = Ref(DLFerry.Use(sum.held, :sum, :sum, 0))
    enter() = ccall(DLFerry.hub.dlf_object_enter, Cint, (Cstring, Ref{DLFerry.Use}, Cint, Ptr{Cvoid}, Ptr{Cvoid}),
                    "f", use, 1, C_NULL, C_NULL)
    leave() = ccall(DLFerry.hub.dlf_object_leave, Cvoid, (Ref{DLFerry.Use}, Cint), use, 1)
    @test enter() == 0 # as a call in another thread does
    @test told(() -> Kinds.sum_add(sum, [1.0])) ==
          "sum_add: sum: expected a sum that this thread does not use, got one inside a call of it"
    close(sum)
    @test !isopen(sum)
    @test Kinds.open_sums() == 1
    leave()
    @test Kinds.open_sums() == 0
    @test enter() != 0
    close(sum)

    for round in 1:300 # with one thread it only goes round
        sum = Kinds.sum_create(start = 1)
        started = Threads.Atomic{Int}(0)
        @threads for k in 1:2
            Threads.atomic_add!(started, 1)
            while nthreads() > 1 && started[] < 2
            end
            if k == 1
                try
                    foreach(_ -> Kinds.sum_total(sum) == 1 || error("a freed sum"), 1:20)
                catch e
                    e isa ArgumentError || rethrow()
                end
            else
                foreach(_ -> close(sum), 1:2)
            end
        end
        Kinds.open_sums() == 0 || error("$(Kinds.open_sums()) sums are left in round $round")
    end
    @test Kinds.open_sums() == 0
end

@testset "calls of many threads take turns, naming objects in either order, while collections run" begin
    rounds, met, x = 300, Kinds.met(), [1.0]
    a, b = Kinds.sum_create(), Kinds.sum_create()
    @test told(() -> Kinds.sum_move(a, a)) == "sum_move: from: expected another sum than sum, got the same one"
    @threads for turn in 1:4
        first, second = isodd(turn) ? (a, b) : (b, a)
        for i in 1:rounds
            Kinds.sum_add(first, x)
            Kinds.sum_move(first, second)
            Kinds.sum_add(second, x)
            Kinds.scale(x, first)
            Kinds.sum_spell(first)
            Kinds.sum_total(second)
            Kinds.sum_count(first)
            i % 100 == 0 && GC.gc()
        end
    end
    @test Kinds.met() == met
    @test Kinds.sum_total(a) + Kinds.sum_total(b) == 4 * 2 * rounds
    @test Kinds.sum_counted(a) + Kinds.sum_counted(b) == 4 * rounds
    @test parse(Float64, Kinds.sum_spell(a)) == Kinds.sum_total(a)
    close(a)
    close(b)
end

@testset "an object is closed at the end of a block, after a failure too" begin
    @test Kinds.sum_create(sum -> (Kinds.sum_add(sum, [1.0]); Kinds.sum_total(sum)); start = 2) == 3
    @test thrown(() -> Kinds.sum_from_values(_ -> error("inside"), [1.0])).msg == "inside"
    kept = Kinds.sum_from_values([1.0, 2.0]) do sum
        Kinds.sum_total(sum) == 3 ? sum : nothing
    end
    @test !isopen(kept) && Kinds.open_sums() == 0
    @test occursin("sum_from_values(values) do sum", docs(:sum_from_values))
end

@testset "closing a tensor under a call of another thread" begin
    sum, big = Kinds.sum_create(start = 1), 1 << 14
    calls = (t -> Kinds.scale(t, sum), t -> Kinds.weigh((t, t), [1.0, 1.0]), t -> Kinds.weigh([t, t], [1.0, 1.0]))
    for round in 1:100, call in calls
        t = wrap(ones(big))
        started = Threads.Atomic{Int}(0)
        @threads for k in 1:2
            Threads.atomic_add!(started, 1)
            while nthreads() > 1 && started[] < 2
            end
            try
                k == 1 ? foreach(_ -> all(>=(1), call(t)) || error("a tensor that is gone"), 1:2) : close(t)
            catch e
                e isa ArgumentError || rethrow()
            end
        end
        t.state[] == DLFerry.CLOSED || error("a call is still inside")
    end
    # If one of several is closed, the open ones are left again.
    open, shut = wrap([1.0]), wrap([1.0])
    close(shut)
    for list in ((open, shut), [open, shut], Any[open, [1.0], shut])
        @test told(() -> Kinds.weigh(list, ones(length(list)))) == "weigh: rows: expected an open tensor, got a closed one"
    end
    @test told(() -> Kinds.scale!(shut, open, sum)) == "scale: out: expected an open tensor, got a closed one"
    @test open.state[] == 0
    close(sum)
end

@testset "what cannot be passed is refused by name" begin
    sum = Kinds.sum_create()
    @test told(() -> Kinds.scale("text", sum)) == "scale: x: expected an array or a DLFerry.Tensor, got String"
    @test told(() -> Kinds.scale(1:3, sum)) == "scale: x: expected an array with strides, got UnitRange{Int64}; pass collect(x)"
    @test occursin("scale: x: expected an element type of DLPack, got Union", told(() -> Kinds.scale([1, nothing], sum)))
    @test told(() -> Kinds.stack("text")) == "stack: frames: expected a vector or a tuple of tensors, got String"
    @test told(() -> Kinds.stack([[1.0]', "b"])) == "stack: frames: expected an array or a DLFerry.Tensor, got String"
    @test told(() -> Kinds.pick([1.0], 1)) == "pick: index: expected a vector or a tuple of numbers, got Int64"
    @test told(() -> Kinds.word(2^40)) == "word: number: expected -2147483648 to 2147483647, got 1099511627776"
    @test thrown(() -> Kinds.word(-big"2"^40)) isa OverflowError
    close(sum)
end

# Arrays of other packages: indices that begin elsewhere, and none that the processor can reach.
struct FromZero <: AbstractVector{Float64} end
Base.size(::FromZero) = (2,)
Base.axes(::FromZero) = (Base.IdentityUnitRange(0:1),)
struct Elsewhere <: AbstractVector{Float64} end
Base.size(::Elsewhere) = (2,)
Base.strides(::Elsewhere) = (1,)

@testset "an argument that cannot be lent is refused by the names of function and parameter" begin
    @test told(() -> Kinds.range(FromZero())) == "range: x: expected indices that begin at 1, got 0:1"
    @test told(() -> wrap(FromZero())) == "wrap: expected indices that begin at 1, got 0:1"
    for x in (Elsewhere(), view(Elsewhere(), 1:2))
        @test thrown(() -> Kinds.range(x)).status === :LAYOUT
        @test told(() -> Kinds.range(x)) == "range: x: expected an array with an address, got $(typeof(x))"
    end
    @test told(() -> wrap(Elsewhere())) == "wrap: expected an array with an address, got Elsewhere"
    for A in (DLArray(wrap([1.0])), DLArray(wrap([1.0]; readonly = true)), DLArray(wrap([1.0 2.0]')))
        close(A)
        @test told(() -> Kinds.range(A)) == "range: x: expected an open tensor, got a closed one"
    end
end

@testset "a finite number never becomes infinite" begin
    x, text = [1.0], "expected a number that fits in float64, got a larger one"
    for value in (big(10)^400, -big(10)^400, big(10.0)^400, big(10)^400 // 3)
        @test thrown(() -> Kinds.find(x; value = value)) isa OverflowError
        @test told(() -> Kinds.find(x; value = value)) == "find: value: $text"
        @test told(() -> Kinds.weigh([x], [value])) == told(() -> Kinds.weigh((x,), (value,))) == "weigh: weights: $text"
    end
    @test Kinds.find(x; value = big(1.0)) == Kinds.find(x; value = 1 // 1) == Kinds.find(x; value = true)
    @test Kinds.find([Inf]; value = big(Inf))[1] == 0 && Kinds.find([-Inf]; value = -Inf)[1] == 0
    @test told(() -> Kinds.weigh((x,), ('a',))) == "weigh: weights: expected numbers that fit Float64, got Char"
end

@testset "lists of tensors" begin
    a, b = rand(3, 2), rand(3, 2)
    expected = permutedims(cat(a', b'; dims = 3), (3, 1, 2))
    @test Kinds.stack([a', b']) == Kinds.stack((rowmajor(a), wrap(b'))) == expected
    @test Kinds.stack(Any[a', DLArray(wrap(rowmajor(b)))]) == expected
    @test (@inferred DLArray{Float64,3} Kinds.stack([a', b'])) isa DLArray{Float64,3}
    @test (@inferred DLArray{Float32,3} Kinds.stack((Float32.(a)', Float32.(b)'))) isa DLArray{Float32,3}
    out = zeros(3, 2, 2)
    @test Kinds.stack!(rowmajor(out), (a', b')) == expected == rowmajor(out)
    @test thrown(() -> Kinds.stack([a, b])).status === :LAYOUT
    @test told(() -> Kinds.stack([a', rand(2, 3)'])) ==
          "stack: frames[1] (from 0): [h] is 3, expected 2 as frames[h]; got f64[3, 2], wanted T[h, w] *n"
    @test thrown(() -> Kinds.stack([a', Float32.(b)'])).status === :DTYPE
    for empty in ([], (), Matrix{Float64}[])
        @test thrown(() -> Kinds.stack(empty)) isa ArgumentError
    end
    for wrong in (a, [1.0, 2.0], (a', 1), [a', "b"], "text", nothing, [a', nothing], view([a', b'], 1))
        @test thrown(() -> Kinds.stack(wrong)) isa Union{ArgumentError,DLFerryError}
    end
    @test Kinds.stack(fill(a', 200))[200, :, :] == a'
end

@testset "arrays of numbers" begin
    x = [10.0, 11.0, 12.0]
    for index in ([2, 0], (2, 0), view([9, 2, 0], 2:3), view([2 9; 0 9], :, 1), 2:-2:0, Int32[2, 0], (Int8(2), 0x00),
                  Any[2, 0], [2.0, 0.0], view([2, 9, 0], 1:2:3), DLArray(wrap([2, 0])))
        @test Kinds.pick(x, index) == [12.0, 10.0]
    end
    v = [2, 0]
    window = view([9, 2, 0], 2:3)
    @test DLFerry.numbers(Int64, v, :v) === v && DLFerry.numbers(Int64, window, :v) === window # lent, not copied
    for empty in (Int64[], (), [])
        @test Kinds.pick(x, empty) == Float64[]
    end
    @test thrown(() -> Kinds.pick(x, [3])).status === :BOUNDS
    for (wrong, said) in ((0.5, "numbers that fit Int64, got 0.5"), (2.0^70, "numbers that fit Int64, got $(2.0^70)"),
                          ("a", "numbers that fit Int64, got String"), (missing, "numbers that fit Int64, got Missing"),
                          (big(2)^70, "$(typemin(Int)) to $(typemax(Int)), got $(big(2)^70)"))
        @test told(() -> Kinds.pick(x, [wrong])) == told(() -> Kinds.pick(x, (wrong,))) == "pick: index: expected $said"
    end
    for wrong in (1, "text", nothing, rand(Int, 2, 2))
        @test thrown(() -> Kinds.pick(x, wrong)) isa ArgumentError
    end
    @test Kinds.weigh([x, 2x], (1, 0.5)) == 2x
    @test Kinds.weigh!(zeros(3), (x,), [3]) == 3x
    @test told(() -> Kinds.weigh([x, x], [1.0])) ==
          "weigh: weights has 1 value, expected n = 2 from rows; wanted f64 *n"
    @test thrown(() -> Kinds.weigh(Vector{Float64}[], Float64[])) isa DimensionMismatch
end

@testset "what cannot be written to is refused by every function that writes, and nothing is written" begin
    x, sum = [1.0, 2.0, 3.0], Kinds.sum_create(start = 1)
    stacked, kept = zeros(2, 2, 1), zeros(3)
    vectors = (out -> Kinds.scale!(out, x, sum), out -> Kinds.weigh!(out, [x], [2.0]), out -> Kinds.pick!(out, x, 0:2),
               Kinds.fill!)
    lists = (out -> Kinds.stack!(out, (ones(1, 2)', ones(1, 2)')),)
    for (writers, out) in ((vectors, kept), (lists, stacked)), write! in writers
        locked, other = wrap(out; readonly = true), Float32.(out)
        for refused in (locked, DLArray(locked), from_dlpack(to_dlpack(locked)))
            @test thrown(() -> write!(refused)).status === :READ_ONLY
        end
        for (refused, status) in ((view(out, map(collect, axes(out))...), :LAYOUT), (other, :DTYPE), (wrap(other), :DTYPE),
                                  (Array{Any}(out), :DTYPE))
            @test thrown(() -> write!(refused)).status === status
        end
        closed = wrap(out)
        close(closed)
        for refused in (closed, nothing, "text")
            @test thrown(() -> write!(refused)) isa Union{ArgumentError,DLFerryError}
        end
    end
    @test iszero(kept) && iszero(stacked) && Kinds.sum_add(sum, Float64[]) === nothing
    locked = wrap(x; readonly = true) # inputs may be read-only
    @test Kinds.scale(locked, sum) == x == Kinds.weigh((locked,), [1.0])
    close(sum)
end

@testset "scalars, texts and enums come back, the value first" begin
    @test (@inferred Kinds.range([3.0, 1.0, 2.0])) === (1.0, 3.0)
    @test (@inferred Kinds.find([1.0, 2.0]; value = 2)) === (Int64(1), true, Kinds.SIGN_POSITIVE)
    @test Kinds.find([1.0]; value = -1) === (Int64(1), false, Kinds.SIGN_NEGATIVE)
    @test thrown(() -> Kinds.range(Float64[])) isa DimensionMismatch
    @test (@inferred Kinds.word(3)) == "three"
    @test thrown(() -> Kinds.word(4)).status === :FOREIGN
    @test occursin("find(x; value = 0.0) -> (Int64, found, sign)", docs(:find))
end

@testset "tensors that are given" begin
    @test (@inferred DLArray{Float64,1} Kinds.positive([1.0, -2.0, 3.0])) == [1.0, 3.0]
    @test (@inferred DLArray{Float32,1} Kinds.positive(Float32[-1])) isa DLArray{Float32,1}
    values, counts = @inferred Tuple{DLArray{Float64,1},DLArray{Int64,1}} Kinds.unique([3.0, 1.0, 3.0])
    @test values == [1.0, 3.0] && counts == [1, 2] && counts isa DLArray{Int64,1}
    @test Kinds.unique(Float64[]) == (Float64[], Int64[])
    @test Kinds.gift(0) == zeros(3)
    @test [thrown(() -> Kinds.gift(k)) isa T for (k, T) in
           ((1, DLFerryError), (2, DLFerryError), (3, DLFerryError), (4, DLFerryError))] == trues(4)
    @test [thrown(() -> Kinds.gift(k)).status for k in 1:4] == [:FOREIGN, :DTYPE, :FOREIGN, :UNSUPPORTED]
end

@testset "an extent that a function computes; a stream" begin
    @test Kinds.resample(Float32[1, 2], 2) == Float32[1, 1, 2, 2]
    @test thrown(() -> Kinds.resample(Float32[1], 1001)) isa DimensionMismatch
    y = zeros(3)
    @test Kinds.fill!(y) === true && y == ones(3) # the stream is the default one
    @test Kinds.fill!(y; value = 2) && y == [2.0, 2.0, 2.0]
    @test Kinds.fill!(y; stream = Ptr{Cvoid}(UInt(16))) === false
    @test told(() -> Kinds.fill!(y; stream = 16)) == "fill: stream: expected the address of a stream, got Int64"
    @test occursin("default stream", docs(:fill!))
end

@testset "every function says how it is called and what it is in C" begin
    ours(name) = getfield(Kinds, name) isa Function && !startswith(string(name), r"[#_]")
    functions = setdiff(filter(ours, names(Kinds; all = true)), (:eval, :include))
    for name in functions
        text = sprint(show, "text/plain", Base.Docs.doc(Base.Docs.Binding(Kinds, name)))
        @test occursin(Regex("^ *\\Q$name\\E\\(.*\n"), text) && occursin(r"C: kinds_\w+$", text)
    end
    @test length(functions) >= 21
    for type in (:Sum, :Sign)
        @test occursin("C: `kinds_$(lowercase(string(type)))`", docs(type))
    end
    @test occursin("sum_from_values(values) -> sum", docs(:sum_from_values))
    @test occursin("range(x) -> (low, high)", docs(:range)) && occursin("(returned)", docs(:range))
    @test occursin("stack!(out, frames) -> out", docs(:stack!)) && occursin("rowmajor", docs(:stack))
    @test occursin("T[h, w] *n", docs(:stack)) && occursin("Fails with BOUNDS", docs(:pick))
end

@testset "nothing is dispatched while the garbage collector may run, even where types are not known" begin
    for (f, types) in ((Kinds.stack, (Vector{Any},)), (Kinds.weigh, (Any, Any)), (Kinds.scale, (Any, Kinds.Sum)),
                       (Kinds.pick!, (Any, Any, Any)), (Kinds.resample, (Any, Real)), (Kinds.word, (Integer,)))
        code = string(code_typed(f, types)[1])
        during = match(r"jl_gc_safe_enter(.*)jl_gc_safe_leave"s, code)
        @test during !== nothing && !occursin(r"invoke|::Any", during[1])
    end
end

# Results are dropped inside, since @allocated would otherwise count their box.
picking(out, x, index) = (Kinds.pick!(out, x, index); nothing)
ranging(x) = (Kinds.range(x); nothing)
finding(x) = (Kinds.find(x); nothing)
adding(sum, x) = Kinds.sum_add(sum, x)
allocated(f, args...) = (f(args...); @allocated f(args...))

@testset "a call allocates nothing" begin
    x, sum = rand(8), Kinds.sum_create()
    @test allocated(picking, zeros(2), x, [1, 2]) == 0
    @test allocated(picking, zeros(2), x, (0, 1)) == 0
    @test allocated(ranging, x) == allocated(finding, x) == allocated(adding, sum, x) == 0
    close(sum)
end

@testset "two packages in one process" begin
    # The same C under another name: each copy has its own count.
    first, second = Kinds.sum_create(start = 1), Other.sum_create(start = 2)
    @test (Kinds.open_sums(), Other.open_sums()) == (1, 1)
    close(first)
    @test (Kinds.open_sums(), Other.open_sums()) == (0, 1)
    @test thrown(() -> Kinds.sum_total(second)) isa MethodError # an object stays with its package
    @test Kinds.SIGN_ZERO !== Other.SIGN_ZERO
    close(second)

    # A tensor goes through both and through DLFerry's own hub.
    made = Kinds.positive([1.0, -2.0, 3.0])
    @test Other.scale(made, Other.sum_from_values(made)) == [4.0, 12.0]
    taken = DLArray(from_dlpack(to_dlpack(Other.stack([Kinds.stack([made', made'])[1, :, :], made']))))
    @test size(taken) == (2, 1, 2) && vec(taken[2, :, :]) == made
    @test Kinds.open_gifts() == 1 && Other.open_gifts() == 0
    @test thrown(() -> Other.sum_total(thrown)) isa MethodError
    for package in (Kinds, Other)
        @test told(() -> package.sum_create(start = 13)) == "sum_create: expected a lucky start, got 13"
    end
end

@testset "a process ends in peace with objects that are open, or found and not freed yet" begin
    code = """
        import Kinds
        const kept = Kinds.sum_create()
        foreach(_ -> Kinds.sum_create(), 1:10)
        GC.gc()
        foreach(_ -> Kinds.sum_create(), 1:10)
        atexit(() -> print(Kinds.sum_total(kept)))
        """
    environment = merge(ENV, Dict("JULIA_LOAD_PATH" => join(Base.load_path(), ":")))
    @test read(setenv(`$(Base.julia_cmd()) --startup-file=no -e $code`, environment), String) == "0.0"
end

Base.include(Module(), joinpath(out, "kinds", "julia", "test", "runtests.jl"))

@testset "nothing is left" begin
    settle()
    for package in (Kinds, Other)
        @test package.open_sums() == 0 && package.open_gifts() == 0
    end
    @test DLFerry.live() == 0
end
