# SPDX-License-Identifier: Apache-2.0
# Tensors and arrays go to other processes and back, with two workers.
using Distributed, Test
addprocs(2; exeflags = "--startup-file=no")
@everywhere using DLFerry

@everywhere include(joinpath($(@__DIR__), "..", "settle.jl"))

@everywhere twice(A::DLArray) = (A .*= 2; A)
@everywhere made(k) = DLArray(wrap(fill(Float32(k), 2, 3)))
@everywhere described(t::Tensor) = DLFerry.describe(t)

@testset "there and back" begin
    A = DLArray(wrap([1.0 2.0; 3.0 4.0]))
    B = fetch(@spawnat workers()[1] twice(A))
    @test B isa DLArray{Float64,2} && B == [2 4; 6 8] && A == [1 2; 3 4]
    C = fetch(@spawnat workers()[2] twice(DLArray(wrap([1.0 2.0; 3.0 4.0]'))))
    @test C isa DLArray{Float64,2} && C == [2 6; 4 8]
    t = DLFerry.create(BFloat16, 2, 2)
    @test remotecall_fetch(described, workers()[1], t) == "bfloat16[2, 2] cpu"
end

@testset "many, over both workers" begin
    arrays = pmap(made, 1:100)
    @test all(k -> arrays[k] == fill(k, 2, 3), 1:100)
    sums = pmap(A -> sum(A), arrays)
    @test sums == 6 .* (1:100)
end

@testset "a closed one arrives closed" begin
    A = DLArray(wrap([1.0]))
    close(A)
    @test remotecall_fetch(A -> !isopen(A), workers()[1], A)
end

@testset "nothing leaked" begin
    @test all(w -> remotecall_fetch(settle, w) == 0, workers())
    @test settle() == 0
end
rmprocs(workers())
