# SPDX-License-Identifier: Apache-2.0
# What LinearAlgebra offers only for a StridedMatrix, for the DLArrays that are none. A DLDense needs nothing of this.
using LinearAlgebra: BlasFloat

const Rows{T} = Union{DLStrided{T,2},Transpose{T,DLDense{T,2}}}

# These work on a copy anyway.
for f in (:svd, :svdvals, :eigen, :eigvals, :factorize, :inv, :schur, :hessenberg, :lq, :pinv, :nullspace)
    @eval LinearAlgebra.$f(A::DLStrided{<:Any,2}; options...) = LinearAlgebra.$f(Array(A); options...)
end
for f in (:exp, :log, :sqrt, :cos, :sin, :tan, :cosh, :sinh, :tanh, :acos, :asin, :atan, :acosh, :asinh, :atanh)
    @eval Base.$f(A::Rows) = $f(Array(A))
end
# LAPACK takes column-major elements: these work on a copy and write it back. The result has the copy.
for f in (:lu!, :qr!, :cholesky!, :svd!, :eigen!, :schur!, :hessenberg!)
    @eval LinearAlgebra.$f(A::Rows, more...; options...) = rewritten(B -> LinearAlgebra.$f(B, more...; options...), A)
end
function rewritten(f, A)
    isreadonly(A) && refuse_write(A)
    B = Array(A)
    result = f(B)
    copyto!(A, B)
    return result
end
# Newer versions of Julia have methods for any AbstractMatrix and one of these: ours must be narrower in both arguments.
for (f, seconds) in (:lu! => (:NoPivot, :RowMaximum, :RowNonZero), :qr! => (:NoPivot, :ColumnNorm),
                     :cholesky! => (:NoPivot, :RowMaximum), :eigen! => (:Cholesky,)), second in seconds
    isdefined(LinearAlgebra, second) || continue
    @eval LinearAlgebra.$f(A::Rows, second::LinearAlgebra.$second; options...) =
        rewritten(B -> LinearAlgebra.$f(B, second; options...), A)
end

# Likewise they have methods of ldiv! for each kind of factorization and any AbstractVecOrMat: ours name the same kinds.
using LinearAlgebra: BunchKaufman, Cholesky, CholeskyPivoted, Factorization, Hessenberg, LDLt, LQ, LU, QR, QRCompactWY, QRPivoted,
                     SVD, SymTridiagonal, Tridiagonal
const factorizations = [Factorization, LU, LQ, QR, QRCompactWY, QRPivoted, Cholesky, CholeskyPivoted,
                        LDLt{<:Any,<:SymTridiagonal}, SVD, Hessenberg, Hessenberg{<:Complex,<:Any,<:AbstractMatrix{<:Real}}]
for F in factorizations
    @eval LinearAlgebra.ldiv!(F::$F, B::Shown) = divided(F, B)
end
LinearAlgebra.ldiv!(F::LU{T,Tridiagonal{T,V}}, B::Shown) where {T,V} = divided(F, B)
for adjoined in (:AdjointFactorization, :TransposeFactorization)
    isdefined(LinearAlgebra, adjoined) || continue
    for F in factorizations
        @eval LinearAlgebra.ldiv!(F::LinearAlgebra.$adjoined{<:Any,<:$F}, B::Shown) = divided(F, B)
    end
    @eval LinearAlgebra.ldiv!(F::LinearAlgebra.$adjoined{<:Any,<:LU{T,Tridiagonal{T,V}}}, B::Shown) where {T,V} = divided(F, B)
end
# Some are for elements of one type.
LinearAlgebra.ldiv!(F::QR{T}, B::Shown{T}) where {T} = divided(F, B)
LinearAlgebra.ldiv!(F::QRCompactWY{T}, B::Shown{T}) where {T} = divided(F, B)
LinearAlgebra.ldiv!(F::QRPivoted{T,<:StridedMatrix}, B::Shown{T}) where {T<:BlasFloat} = divided(F, B)
@static if isdefined(LinearAlgebra, :ClosedScalar)
    using LinearAlgebra: ClosedReal, ClosedScalar
    LinearAlgebra.ldiv!(F::BunchKaufman{T}, B::Shown{T}) where {R<:ClosedReal,T<:ClosedScalar{R}} = divided(F, B)
end
divided(F, B) = copyto!(B, LinearAlgebra.ldiv!(F, Array(B)))

# BLAS takes a matrix whose columns, or rows, have no gaps inside; for other strides a copy is multiplied.
for (C, B) in ((:(StridedMatrix{T}), :(DLStrided{T,2})), (:(StridedMatrix{T}), :(StridedMatrix{T})),
               (:(StridedVector{T}), :(StridedVector{T})))
    @eval LinearAlgebra.mul!(C::$C, A::DLStrided{T,2}, B::$B, a::Number, b::Number) where {T<:BlasFloat} = multiplied(C, A, B, a, b)
end
LinearAlgebra.mul!(C::StridedMatrix{T}, A::StridedMatrix{T}, B::DLStrided{T,2}, a::Number, b::Number) where {T<:BlasFloat} =
    multiplied(C, A, B, a, b)
multiplied(C, A, B, a, b) =
    (holding((c, x, y) -> LinearAlgebra.mul!(c, regular(x), regular(y), a, b), C, A, B); C)
# A row-major result is the transpose of the product of the transposes, in reverse order.
for A in (:(StridedMatrix{T}), :(Transpose{T,<:StridedMatrix{T}})), B in (:(StridedMatrix{T}), :(Transpose{T,<:StridedMatrix{T}}))
    @eval LinearAlgebra.mul!(C::Transpose{T,DLDense{T,2}}, A::$A, B::$B, a::Number, b::Number) where {T<:BlasFloat} =
        (LinearAlgebra.mul!(parent(C), transpose(B), transpose(A), a, b); C)
end

"The same matrix as a StridedMatrix, or the transpose of one; valid while it is held."
regular(A::StridedVecOrMat) = A
function regular(A::Bare{T,2}) where {T}
    (m, n), (down, across) = A.size, A.steps
    (m == 0 || n == 0 || UInt(A.data) % Base.datatype_alignment(T) != 0) && return Array(A)
    # The last column of the Array may end behind the memory: the view does not show that.
    down == 1 && across >= m && return view(unsafe_wrap(Array, A.data, (across, n)), 1:m, :)
    across == 1 && down >= n && return transpose(view(unsafe_wrap(Array, A.data, (down, m)), 1:n, :))
    return Array(A)
end
