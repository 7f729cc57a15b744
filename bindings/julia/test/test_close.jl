# SPDX-License-Identifier: Apache-2.0
# Arrays that are closed in the middle of an operation, over memory that faults once it is released.
using LinearAlgebra, Libdl

let library = dlopen(foreign)
    global guarded(n, flags) = from_dlpack(ccall(dlsym(library, :foreign_guarded), Ptr{DLManagedTensorVersioned},
                                                 (Int64, UInt64), n, flags))
    global slow_sum = dlsym(library, :foreign_sum)
    global count_sums() = ccall(dlsym(library, :foreign_summing), Cint, ())
    global guarded_deleted() = ccall(dlsym(library, :foreign_guarded_deleted), Cint, ())
end

# What is converted for an element, or compared with one, runs code of its own.
struct Odd end
const on_odd = Ref{Any}(() -> nothing)
Base.convert(::Type{Float64}, ::Odd) = (on_odd[](); 2.0)
Base.transpose(x::Odd) = x

"An array that alone keeps its memory."
function alone(size...; order = :column_major, flags = 0, look = identity)
    t = guarded(prod(size), flags)
    u = reshape(t, size...; order = order)
    v = look(u)
    A = DLArray(v)
    foreach(close, (t, u, v))
    return A
end

# The first is closed, the second used.
const looks = (
    "columns" => () -> (A = alone(6, 8); (A, A)),
    "rows" => () -> (A = alone(6, 8; order = :row_major); (A, A)),
    "gaps" => () -> (A = alone(12, 8; look = t -> view(t, 1:2:12, :)); (A, A)),
    "a view" => () -> (A = alone(6, 8); (A, view(A, 2:5, :))))

# Each calls hit, which returns its argument and once closes the array.
const whole_operations = (
    "f.(A)" => (A, hit) -> hit.(A),
    "f.(A) of any type" => (A, hit) -> (x -> hit(x) == 1 ? nothing : x).(A),
    "B .= f.(A) .+ view(A)" => (A, hit) -> zeros(size(A)) .= hit.(A) .+ view(A, :, 1),
    "A .= f.(B)" => (A, hit) -> A .= hit.(zeros(size(A))),
    "mapreduce" => (A, hit) -> mapreduce(hit, +, A),
    "sum of an axis" => (A, hit) -> sum(hit, A; dims = 1),
    "extrema" => (A, hit) -> extrema(hit, A),
    "map" => (A, hit) -> map(hit, A),
    "sort!" => (A, hit) -> sort!(A; dims = 1, by = hit),
    "copyto! converts" => (A, hit) -> (on_odd[] = () -> hit(1.0); copyto!(A, fill(Odd(), size(A)))),
    "A[k] = x converts" => (A, hit) -> (on_odd[] = () -> hit(1.0); for k in eachindex(A) A[k] = Odd() end))

# Those that hold the memory.
const holding = ("f.(A)", "f.(A) of any type", "B .= f.(A) .+ view(A)", "A .= f.(B)", "mapreduce", "sum of an axis", "extrema")

# By the operation itself, by a task that runs when the operation yields, by another thread while this one waits.
const ways = (
    "here" => close,
    "here, and collected" => A -> (close(A); GC.gc()),
    "by a task" => A -> wait(@async close(A)),
    "by a thread" => A -> wait(Threads.@spawn close(A)))

"Tell how the operation ended, and whether the array was closed and its memory released once."
function close_inside(@nospecialize(operation), A, used, close_it, nth)
    calls, deleted = 0, guarded_deleted()
    function hit(x)
        calls += 1
        calls == nth && close_it(A)
        return x
    end
    outcome = try
        operation(used, hit)
        :finished
    catch e
        e isa ArgumentError && occursin("got a closed one", e.msg) ? :refused : rethrow()
    end
    return outcome, calls >= nth && !isopen(A) && guarded_deleted() == deleted + 1
end

@testset "closed in $name of $kind" for (kind, make) in looks, (name, operation) in whole_operations
    for (how, close_it) in ways, nth in (1, 3)[(how == "here" ? 1 : 2):2]
        outcome, released = close_inside(operation, make()..., close_it, nth)
        @test released
        @test outcome === :finished || !(name in holding) # others check that the array is open, at each element
    end
end

# What shows an array in another order or shape holds its memory too.
const wrappers = ("an adjoint" => adjoint, "a transpose" => transpose, "a permutation" => A -> PermutedDimsArray(A, (2, 1)),
                  "a reshape" => A -> reshape(A, 4, 12), "a reinterpretation" => A -> reinterpret(Int64, A),
                  "a view of an adjoint" => A -> view(A', 1:2:8, :), "a vector of a view" => A -> vec(view(A, 2:5, :)))

@testset "closed in a sum and a broadcast of $kind" for (kind, wrap_in) in wrappers, order in (:column_major, :row_major)
    for operation in ((A, hit) -> sum(hit, A), (A, hit) -> hit.(A), (A, hit) -> A .= hit.(A))
        A = alone(6, 8; order = order)
        @test close_inside(operation, A, wrap_in(A), close, 3) == (:finished, true)
    end
    a = collect(reshape(1.0:48, 6, 8))
    A = DLArray(DLFerry.contiguous(wrap(a); order = order))
    b, B = wrap_in(a), wrap_in(A)
    @test sum(B) == sum(b) && extrema(B) == extrema(b) && norm(B, 1) ≈ norm(b, 1) && B .+ 1 == b .+ 1 && copy(B) == copy(b)
    @test maximum(B; dims = 1) == maximum(b; dims = 1)
    c = copy(b)
    @test copyto!(B, 2c) === B && B == 2c && fill!(B, 7) === B && all(==(7), B)
end

@testset "closed by a task while a pipe takes $order elements" for order in (:column_major, :row_major)
    A, pipe = alone(1000, 100; order = order), Pipe()
    numbers = collect(vec(A))
    Base.link_pipe!(pipe; reader_supports_async = true, writer_supports_async = true)
    writing = @async write(pipe.in, A)
    sleep(0.1) # until it is full
    close(A)
    @test reinterpret(Float64, read(pipe.out, 800_000)) == numbers && fetch(writing) == 800_000
    B = DLArray(DLFerry.contiguous(wrap(zeros(2, 3)); order = order))
    @test read!(IOBuffer(collect(reinterpret(UInt8, [1.0:6;]))), B) === B && B == [1 3 5; 2 4 6]
end

function plain_sum(A)
    sum = Ref(0.0)
    ccall(slow_sum, Cint, (Ptr{Float64}, Int64, Ref{Float64}, Ptr{Cvoid}), A, length(A), sum, C_NULL)
    return sum[]
end
numbers_sum(A) = DLFerry.@kernel slow_sum(A::Numbers{Float64}, sum::Value{Float64})

"The sum that one thread computes in C, of an array that another closes meanwhile; and whether it was released by then."
function close_during(sum, A, used)
    begun, deleted, result, released = count_sums(), guarded_deleted(), Ref(0.0), Ref(false)
    Threads.@threads for k in 1:2
        if k == 1
            result[] = sum(used)
        else
            while count_sums() == begun
                GC.safepoint()
            end
            close(A)
            released[] = guarded_deleted() == deleted + 1
        end
    end
    return result[], released[]
end

if Threads.nthreads() > 1
    @testset "closed by a thread while C has the address of $kind" for (kind, make, sum) in (
        ("columns", () -> (A = alone(64); (A, A)), plain_sum),
        ("a view", () -> (A = alone(96); (A, view(A, 1:64))), plain_sum),
        ("numbers", () -> (A = alone(64); (A, A)), numbers_sum),
        ("a view as numbers", () -> (A = alone(96); (A, view(A, 1:64))), numbers_sum))
        @test close_during(sum, make()...) == (64 * 65 / 2, true)
    end

    @testset "without collections an address keeps the memory" begin
        deleted = guarded_deleted()
        (function ()
            A = alone(64)
            plain_sum(A)
            GC.enable(false)
            close(A)
            GC.enable(true)
            @test !isopen(A) && guarded_deleted() == deleted
        end)()
        @test settle() >= 0 && guarded_deleted() == deleted + 1
    end
end
