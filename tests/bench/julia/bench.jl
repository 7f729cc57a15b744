# SPDX-License-Identifier: Apache-2.0
# Prints the nanoseconds of one call in Julia: bench.jl CALLS. Each is the best of ten runs.
using DLFerry, Photo

function measure(call::F, name, calls) where {F}
    call()
    best = minimum(1:10) do _
        start = time_ns()
        for _ in 1:calls
            call()
        end
        (time_ns() - start) / calls
    end
    println(name, " ", round(best; digits = 2))
end

function main(calls)
    a, b, out = rand(Float32, 4, 4), rand(Float32, 4, 4), zeros(Float32, 4, 4)
    measure(() -> Photo.difference!(out, a, b), "into", calls)
    measure(() -> Photo.difference(a, b), "new", calls)
end

main(isempty(ARGS) ? 100 : parse(Int, ARGS[1]))
