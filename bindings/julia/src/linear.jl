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
LinearAlgebra.ldiv!(F::LinearAlgebra.Factorization, B::Shown) = copyto!(B, LinearAlgebra.ldiv!(F, Array(B)))

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
