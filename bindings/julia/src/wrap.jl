# SPDX-License-Identifier: Apache-2.0

"""
    wrap(A; readonly = false) -> Tensor

Make a tensor around a Julia array without copying: an `Array`, a strided `view`, a `PermutedDimsArray`, a transpose, a
`DLArray` or [`rowmajor`](@ref) of one. `A[i, j]` is the same element on the other side. `A` stays alive until the last
consumer releases it, on any thread. As after `reshape`, a `Vector` shares its memory from now on, and Julia refuses to
resize it; 1.11 and later resize it, and the two may part: C keeps the memory that it has. Read-only arrays stay read-only. Throws `DLFerryError`: LAYOUT for an array without strides, DTYPE for
elements that DLPack cannot name.

C: `dlf_wrap`
"""
wrap(A::AbstractArray; readonly::Bool = false) = Tensor(handle_of(A, readonly))

function handle_of(A::AbstractArray{T,N}, readonly, name = :wrap) where {T,N}
    check_axes(A, name)
    apart = steps(A, name) # first, since it refuses an array without strides
    access = (readonly || is_read_only(A) ? READ_ONLY : UInt64(0)) | layout_flags(T)
    dtype, owner = dl_dtype(T, name), hold(A)
    shape, strides = Ref(size(A)), Ref(apart)
    return GC.@preserve A shape strides begin
        wrap_memory(DLTensor(address(A, name), cpu, N, dtype, list(shape), list(strides), 0), access, owner)
    end
end

# The object that keeps an array's memory: only C if the array is known to show a tensor, else the given array, since
# only its package knows what its memory is.
hold(A::AbstractArray) = (t = tensor_of(A); t === nothing ? (A, pin(root(A))) : t)
tensor_of(A::AbstractArray) = nothing
tensor_of(A::Union{SubArray,Base.ReshapedArray,PermutedDimsArray,Transpose,Adjoint,Base.ReinterpretArray}) =
    tensor_of(parent(A))

# Another array over a Vector's memory: Julia refuses to resize shared memory, or (since 1.11, where memory is a
# separate object) leaves the old memory to the other.
pin(A::AbstractArray) = nothing
pin(A::Vector) = reshape(A, length(A), 1)

wrap(t::Tensor) = retain(t)

"""
    wrap(pointer, dtype, shape; strides = nothing, device = "cpu", readonly = false, owner) -> Tensor

Make a tensor around memory that `owner`, any Julia object, keeps in place; `owner` stays alive until the last consumer
releases it. `strides` are in elements, `nothing` means row-major. The caller guarantees the address; an impossible
memory range is refused with `ArgumentError` or `OverflowError`.

C: `dlf_wrap`
"""
function wrap(pointer::Ptr, dtype, shape::Tuple{Vararg{Integer}}; strides = nothing, device = "cpu",
              readonly::Bool = false, owner)
    strides === nothing || length(strides) == length(shape) ||
        throw(ArgumentError("wrap: expected $(length(shape)) strides, got $(length(strides))"))
    lengths, steps = collect(Int64, shape), strides === nothing ? nothing : collect(Int64, strides)
    return Tensor(GC.@preserve lengths steps begin
        tensor = DLTensor(Ptr{Cvoid}(pointer), dl_device(device), length(shape), dl_dtype(dtype, :wrap),
                          Base.pointer(lengths), steps === nothing ? C_NULL : Base.pointer(steps), 0)
        wrap_memory(tensor, (readonly ? READ_ONLY : UInt64(0)) | (dtype isa Type ? layout_flags(dtype) : UInt64(0)), owner)
    end)
end

list(values::Ref) = Ptr{Int64}(pointer_from_objref(values))

# The caller preserves the lists that the tensor points to.
function wrap_memory(tensor::DLTensor, flags, object)
    drain()
    return wrap_owned(tensor, flags, keep(object), rooting.dlfjl_forget)
end
# C counts the handle of a tensor over another tensor's memory: no Julia object must stay.
wrap_memory(tensor::DLTensor, flags, owner::Tensor) = (drain(); wrap_owned(tensor, flags, retained(owner), hub.dlf_release))

@inline function wrap_owned(tensor, flags, owner, free)
    out, error = Ref{Handle}(), error_slot()
    status = ccall(hub.dlf_wrap, Status, (Ref{DLTensor}, UInt64, Ptr{Cvoid}, Ptr{Cvoid}, Ref{Handle}, Ref{CError}),
                   tensor, flags, owner, free, out, error)
    status == 0 && return out[]
    refused = failure(error)
    free_object(owner, free)
    throw(refused)
end

"Call `f`, which may throw, with the handle of a tensor or an array. It stays open meanwhile."
function with_handle(f, t::Tensor, name)
    enter(t) || closed(name)
    try
        return GC.@preserve t f(t.handle)
    finally
        leave(t)
    end
end
function with_handle(f, A::AbstractArray, name)
    handle = handle_of(A, false, name)
    try
        return f(handle)
    finally
        release(handle)
    end
end
with_handle(f, x, name) = refuse(name, "an array or a DLFerry.Tensor", x)
