# SPDX-License-Identifier: Apache-2.0
# Prints what Julia's array functions take on a DLArray beside the same wrapper around an Array, or writes it into
# DLFerry's README: arrays.jl [--short | README]. A round measures both, one after the other, in processor time; each keeps its best.
using DLFerry, LinearAlgebra
include("readme.jl")
BLAS.set_num_threads(1)

function processor_time()
    now = Ref((0, 0))
    ccall(:clock_gettime, Cint, (Cint, Ref{Tuple{Int,Int}}), 3, now) # CLOCK_THREAD_CPUTIME_ID
    return now[][1] * 1e9 + now[][2]
end

function time_of(call::F, calls, A, B, C) where {F}
    start = processor_time()
    for _ in 1:calls
        call(A, B, C)
    end
    return (processor_time() - start) / calls
end

function pass(A)
    total = 0.0
    @inbounds @simd for k in eachindex(A)
        total += A[k]
    end
    return total
end

# Name, function of three matrices, calls in a round, and whether the transpose of an Array has it.
const rows = (
    ("`mul!(C, A, B)`", (A, B, C) -> mul!(C, A, B), 10, true),
    ("`svd(A)`", (A, B, C) -> svd(A), 2, true),
    ("`ldiv!(lu(A), B)`", (A, B, C) -> ldiv!(lu(A), B), 5, false),
    ("`C .= A .+ 2 .* B`", (A, B, C) -> C .= A .+ 2 .* B, 200, true),
    ("`A .= A .+ 1`", (A, B, C) -> A .= A .+ 1, 200, true),
    ("`sum(A; dims = 1)`", (A, B, C) -> sum(A; dims = 1), 200, true),
    ("`sum(A; dims = 2)`", (A, B, C) -> sum(A; dims = 2), 200, true),
    ("`sum(A)`", (A, B, C) -> sum(A), 200, true),
    ("`maximum(A)`", (A, B, C) -> maximum(A), 200, true),
    ("`minimum(A)`", (A, B, C) -> minimum(A), 200, true),
    ("`extrema(A)`", (A, B, C) -> extrema(A), 50, true),
    ("`norm(A)`", (A, B, C) -> norm(A), 200, true),
    ("`[A B]`", (A, B, C) -> [A B], 50, true),
    ("`copy(A)`", (A, B, C) -> copy(A), 100, true),
    ("`fill!(C, 1)`", (A, B, C) -> fill!(C, 1), 200, true),
    ("a loop over `A`", (A, B, C) -> pass(A), 200, true),
    ("`copyto!(C, A)`", (A, B, C) -> copyto!(C, A), 200, true),
    ("`lu!(copyto!(C, A))`", (A, B, C) -> lu!(copyto!(C, A)), 5, false),
    ("`exp(A)`", (A, B, C) -> exp(A), 2, false),
)

dl(A::Array) = DLArray(wrap(copy(A)))
dl(A::Transpose) = DLArray(wrap(transpose(copy(parent(A)))))

function compare(call, calls, rounds, matrices)
    plain, ours = map(copy, matrices), map(dl, matrices)
    matrices[1] isa Transpose && (plain = map(A -> transpose(copy(parent(A))), matrices))
    best = (Inf, Inf)
    for _ in 1:rounds
        best = min.(best, (time_of(call, calls, plain...), time_of(call, calls, ours...)))
    end
    return best
end

function main(n, rounds, readme)
    matrices = map(_ -> rand(n, n) / n + I, 1:3)
    table = "| $n × $n `Float64`, Julia $VERSION, 1 thread | `Array`, µs | `DLArray` / `Array` | row-major `DLArray` / `transpose` |\n" *
            "|---|---|---|---|\n"
    for (name, call, calls, has_transpose) in rows
        mine = Tuple(matrices)
        column, dense = compare(call, calls, rounds, mine)
        ratio(a, b) = rpad(round(b / a; digits = 2), 4, '0')
        row = has_transpose ? ratio(compare(call, calls, rounds, map(A -> transpose(copy(A)), mine))...) : "Julia has none"
        table *= "| $name | $(round(column / 1000; digits = 1)) | $(ratio(column, dense)) | $row |\n"
    end
    put_table(readme, "arrays", table)
    t = wrap(matrices[1])
    make(t, _, _) = DLArray{Float64,2}(t)
    times = [time_of(make, 1000 * rounds, t, 0, 0) for _ in 1:rounds]
    println("\n`DLArray{Float64,2}(t)` takes $(round(Int, minimum(times))) ns.")
end

"--short" in ARGS ? main(8, 1, "") : main(200, 15, get(ARGS, 1, ""))
