# SPDX-License-Identifier: Apache-2.0
# Linear algebra of arrays in any order of memory. Julia compiles it for half a minute, so every day test_array.jl has a
# sample, and a release runs this.
using LinearAlgebra

@testset "each call has one method" begin
    # Newer versions of Julia have methods for each kind of factorization and second argument.
    is_ours(m) = m.module === DLFerry
    @test filter(pair -> any(is_ours, pair), Test.detect_ambiguities(DLFerry, LinearAlgebra, Base)) == []
    D = DLArray(copy(wrap(rand(4, 4) + 4I)))
    S = SymTridiagonal(4 * ones(4), ones(3))
    for F in (lu(Array(D)), lu(Tridiagonal(ones(3), 4 * ones(4), ones(3))), lq(Array(D)), qr(Array(D)), svd(Array(D)), ldlt(S),
              cholesky(Array(S)), hessenberg(Array(D)), bunchkaufman(Symmetric(Array(S)))),
        B in (DLArray(wrap(view(rand(8), 1:2:8))), DLArray(DLFerry.create(Float64, 4, 3)))
        B .= rand.()
        C = F \ Array(B)
        @test ldiv!(F, B) === B && B ≈ C
    end
end

@testset "linear algebra, of any order" begin
    A, B = rand(4, 4) + 4I, rand(4, 4)
    for kind in (X -> DLArray(wrap(copy(X))), X -> DLArray(copy(wrap(X))), X -> DLArray(wrap(copy(X); readonly = true)),
                 X -> DLArray(wrap(view(X[[1, 1, 2, 2, 3, 3, 4, 4], :], 1:2:8, :))))
        D, E = kind(A), kind(B)
        @test D == A && D * E ≈ A * B && mul!(zeros(4, 4), D, E) ≈ A * B && mul!(zeros(4), D, E[:, 1]) ≈ A * B[:, 1]
        @test inv(D) ≈ inv(A) && svd(D).S ≈ svd(A).S && svdvals(D) ≈ svdvals(A) && D \ E ≈ A \ B && det(D) ≈ det(A)
        @test lu(D).L ≈ lu(A).L && abs.(qr(D).R) ≈ abs.(qr(A).R) && sort(abs.(eigen(D).values)) ≈ sort(abs.(eigen(A).values))
        @test norm(D - A) == 0 && tr(D) ≈ tr(A) && D' * E ≈ A' * B && dot(D, E) ≈ dot(A, B) && D + D == 2A
        if isreadonly(D)
            for write! in (() -> mul!(D, A, B), () -> ldiv!(lu(A), D), () -> lu!(D), () -> lmul!(2, D), () -> axpy!(1.0, B, D),
                           () -> copyto!(D, B), () -> rmul!(D, 2.0), () -> BLAS.gemm!('N', 'N', 1.0, A, B, 0.0, D))
                @test thrown(write!) isa Union{DLFerryError,MethodError}
            end
            @test D == A
        else
            @test mul!(D, A, B) === D && D ≈ A * B
            @test ldiv!(lu(A), E) === E && E ≈ A \ B
        end
    end
    # What Julia has only for column-major elements without gaps.
    P, wide = A * A', zeros(8, 8)
    kinds = (X -> DLArray(copy(wrap(X))), X -> DLArray(wrap(view(copyto!(view(wide, 1:2:8, 1:2:8), X), :, :))),
             X -> DLArray(wrap(copyto!(view(wide, 3:6, 1:4), X))), X -> DLArray(wrap(copyto!(view(wide, 2:5, 2:5), X)')),
             X -> DLArray(wrap(copyto!(view(wide, 4:-1:1, 4:7), X))))
    for kind in kinds
        X = kind(P)
        Y = Array(X)
        @test exp(X / 100) ≈ exp(Y / 100) && exp(kind(Y / 100)) ≈ exp(Array(kind(Y / 100))) && sqrt(kind(P)) ≈ sqrt(Array(kind(P)))
        X = kind(P)
        Y = Array(X)
        for (f!, g) in ((lu!, F -> F.L * F.U), (qr!, F -> Matrix(F)), (svd!, F -> F.S))
            Z = kind(P)
            Y = Array(Z)
            @test g(f!(Z)) ≈ g(f!(Y))
            f! === svd! || @test Z ≈ Y
        end
        Z = kind(P)
        Y = Array(Z)
        @test Z * Y ≈ Y * Y && Y * Z ≈ Y * Y && Z * copy(Z) ≈ Y * Y && mul!(ones(4, 4), Z, Z, 2.0, 3.0) ≈ 2Y * Y .+ 3
        @test Z * Y[:, 1] ≈ Y * Y[:, 1] && mul!(ones(4), Z, Y[:, 1], 2.0, 3.0) ≈ 2 * (Y * Y[:, 1]) .+ 3 && pinv(Z) ≈ pinv(Y)
    end
    gaps = DLArray(wrap(view(A[[1, 1, 2, 2, 3, 3, 4, 4], :], 1:2:8, :)))
    for X in (A, transpose(A), gaps), Y in (B, transpose(B)) # into row-major elements
        R = DLArray(DLFerry.create(Float64, 4, 4))
        @test mul!(R, X, Y) === R && R ≈ Array(X) * Array(Y) && mul!(R, X, Y, 2.0, 3.0) ≈ 5 * Array(X) * Array(Y)
        R .= X .+ 2 .* Y
        @test R == X .+ 2 .* Y && (R .+ R) == 2R && (R .= R .* transpose(R)) == R
    end
    R = DLArray(DLFerry.create(Float64, 2, 3, 4))
    R .= reshape(1:24, 2, 3, 4) .+ 0.5
    @test R == reshape(1:24, 2, 3, 4) .+ 0.5 && R .+ R == 2 * Array(R)
    S = Array(R)
    R .= PermutedDimsArray(R, (1, 2, 3)) .+ R
    @test R == 2S && sum(R; dims = (1, 3)) == sum(2S; dims = (1, 3)) && maximum(R) == maximum(2S) && sum(R) == sum(2S)
    @test sum(abs2, R; dims = 2) == sum(abs2, 2S; dims = 2) && mapreduce(x -> x + 1, *, R; init = 2.0) ≈ 2prod(2S .+ 1)
    locked = DLArray(wrap(copy(P); readonly = true))
    @test locked * P ≈ P * P && thrown(() -> lu!(locked)).status === :READ_ONLY && exp(locked / 100) ≈ exp(P / 100)
end
