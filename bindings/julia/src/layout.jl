# SPDX-License-Identifier: Apache-2.0
using LinearAlgebra: LinearAlgebra, Adjoint, Transpose
# The place of a Julia array's elements: the address of its first element and its steps, in elements. Base answers for
# arrays and windows of arrays, other packages through methods of `strides` and `unsafe_convert`. The combinations below
# would otherwise be refused, or (a window of a permutation) get a wrong address.

const Window = SubArray{T,N,P,I} where {T,N,P,I<:Tuple{Vararg{Union{Integer,AbstractRange{<:Integer}}}}}
const Flipped = Union{Transpose{T,P} where {T<:Number,P},Adjoint{T,P} where {T<:Real,P}}

address(A::AbstractArray) = Ptr{Cvoid}(pointer(A))
# Arrays of other packages may have no CPU address.
@inline address(A::AbstractArray, name) =
    has_address(root(A)) ? address(A) : try address(A) catch; no_address(A, name) end
@noinline no_address(A, name) = throw(failure(:LAYOUT, "$name: expected an array with an address, got $(typeof(A))"))
has_address(A::AbstractArray) = A isa Array
address(A::Union{PermutedDimsArray,Base.ReshapedArray,Base.ReinterpretArray}) = address(parent(A))
address(A::Flipped) = address(parent(A))
function address(A::Window{T}) where {T}
    begins = map(i -> first(i) - 1, parentindices(A))
    any(i -> i isa AbstractRange && isempty(i), parentindices(A)) && return address(parent(A))
    return address(parent(A)) + sizeof(T) * sum((0, map(*, begins, steps(parent(A), :array))...))
end

# The name is that of the argument, for the error text.
steps(A::PermutedDimsArray{T,N,perm}, name) where {T,N,perm} = map(k -> steps(parent(A), name)[k], perm)
steps(A::Flipped, name) = (s = steps(parent(A), name); length(s) == 1 ? (size(parent(A), 1) * s[1], s[1]) : reverse(s))
steps(A::Window, name) = window_steps(parentindices(A), steps(parent(A), name))
function steps(A::AbstractArray, name)
    A isa Union{DenseArray,StridedArray} && return strides(A)
    apart = A isa Base.ReshapedArray ? reshaped_steps(size(A), size(parent(A)), steps(parent(A), name)) :
            A isa Base.ReinterpretArray ? reinterpreted_steps(A, parent(A), steps(parent(A), name)) :
            A isa SubArray || !applicable(strides, A) ? nothing : strides(A)
    return apart === nothing ? no_steps(A, name) : apart
end
@noinline no_steps(A, name) =
    throw(failure(:LAYOUT, "$name: expected an array with strides, got $(typeof(A)); pass collect(x)"))

window_steps(::Tuple{}, ::Tuple{}) = ()
window_steps(i::Tuple{Integer,Vararg}, s::Tuple) = window_steps(Base.tail(i), Base.tail(s))
window_steps(i::Tuple, s::Tuple) = (step(i[1]) * s[1], window_steps(Base.tail(i), Base.tail(s))...)

"The steps of an array that is reshaped from another in Julia's order of elements; `nothing` when it has none."
function reshaped_steps(size::NTuple{N,Int}, old::Tuple, apart::Tuple)::Union{Nothing,NTuple{N,Int}} where {N}
    found, k = ones(Int, N), 1
    prod(size) == 0 && return Tuple(found)
    axes = [(n, s) for (n, s) in zip(old, apart) if n != 1]
    while !isempty(axes)
        count, step = popfirst!(axes)
        while !isempty(axes) && axes[1][2] == count * step # one run with the next axis
            count *= popfirst!(axes)[1]
        end
        while count > 1
            count % size[k] == 0 || return nothing
            found[k] = step
            count, step, k = count ÷ size[k], step * size[k], k + 1
        end
    end
    return Tuple(found)
end

"The steps of an array of other elements over the same bytes; `nothing` when it has none."
function reinterpreted_steps(A::AbstractArray{T,N}, from::AbstractArray{S,M}, apart::Tuple) where {T,N,S,M}
    sizeof(T) == sizeof(S) && return apart
    (from isa DenseArray && N == M) && return Base.size_to_strides(1, size(A)...)
    axes = collect(Int, apart)
    if sizeof(S) % sizeof(T) == 0 # each element becomes several, along the first axis or along a new one
        (N > M || size(from, 1) == 1 || axes[1] == 1) || return nothing
        axes .*= sizeof(S) ÷ sizeof(T)
        return N > M ? (1, axes...) : (1, axes[2:end]...)
    elseif sizeof(T) % sizeof(S) == 0 && axes[1] == 1 # several become one
        parts = sizeof(T) ÷ sizeof(S)
        all(k -> axes[k] % parts == 0 || size(from, k) == 1, 2:M) || return nothing
        rest = axes[2:end] .÷ parts
        return N < M ? Tuple(rest) : (1, rest...)
    end
    return nothing
end

@inline check_axes(A, name) = Base.has_offset_axes(A) ? no_axes(A, name) : nothing
@noinline no_axes(A, name) =
    throw(ArgumentError("$name: expected indices that begin at 1, got $(join(axis_text.(axes(A)), ", "))"))
axis_text(axis) = "$(first(axis)):$(last(axis))"

# The array that owns the memory.
root(A::AbstractArray) = (P = parent(A); P === A ? A : root(P))

# A string's bytes, and memory lent by a read-only tensor, must not be written.
is_read_only(A::AbstractArray) = root_is_read_only(root(A))
root_is_read_only(A::AbstractArray) = false
root_is_read_only(A::Base.CodeUnits) = true

"""
    rowmajor(A)

Reverse the dimensions without copying: `rowmajor(A)[j, i]` is `A[i, j]`.

A Julia `Array` is column-major, so a row-major kernel refuses it. `rowmajor` gives the same memory as a row-major
tensor of reversed shape: `blur(rowmajor(A))` blurs an image that `A` holds as `A[column, row]`. Nothing else in this
package reverses dimensions. Applied twice it returns `A`.
"""
rowmajor(A::AbstractArray) = ndims(A) < 2 ? A : reversed(A)
# As literals, so that the compiler knows the type and a call allocates nothing.
permuted(A, perm, P) = :(PermutedDimsArray{$(eltype(P)),$(length(perm)),$perm,$(invperm(perm)),$P}($A))
@generated reversed(A::AbstractArray{T,N}) where {T,N} = permuted(:A, Tuple(N:-1:1), A)
@generated reversed(A::PermutedDimsArray{T,N,perm,iperm,P}) where {T,N,perm,iperm,P} =
    perm == Tuple(N:-1:1) ? :(parent(A)) : permuted(:(parent(A)), reverse(perm), P)
