# SPDX-License-Identifier: Apache-2.0
# Arrays that are closed in the middle of an operation, over memory that faults once it is released.
using LinearAlgebra, Libdl

let library = dlopen(foreign)
    global guarded(n, flags) = from_dlpack(ccall(dlsym(library, :foreign_guarded), Ptr{DLManagedTensorVersioned},
                                                 (Int64, UInt64), n, flags))
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
const holding = ("f.(A)", "f.(A) of any type", "B .= f.(A) .+ view(A)", "A .= f.(B)")

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
