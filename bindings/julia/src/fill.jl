# SPDX-License-Identifier: Apache-2.0

"""
    fill!(t::Tensor, x)

Set every element of a tensor, or lane of one, to a number; any strides, packed or padded. A real is rounded to the dtype;
a number that a dtype of integers does not have is an `ArgumentError`. Throws `DLFerryError` (READ_ONLY, LAYOUT if
elements lie above each other, DEVICE, UNSUPPORTED); nothing is written then. `t[i, j] = x` sets one element,
`t[:, 1] = x` a part, and `t .= x` all.

```julia
t = fill!(DLFerry.create(Float32, 2, 2), 0.5)
t[:, 1] = Float32[1, 2]
t[1, 2] = 3
DLArray(t) == [1 3; 2 0.5]  # => true
```

C: `dlf_fill`
"""
function Base.fill!(t::Tensor, x::Number)
    drain()
    number = Ref(CNumber(x, :fill))
    with_handle(t, :fill) do handle
        error = error_slot()
        GC.@preserve number error begin
            place, slot = Ptr{CNumber}(pointer_from_objref(number)), Ptr{CError}(pointer_from_objref(error))
            state = enter_gc_safe()
            status = ccall(hub.dlf_fill, Status, (Handle, Ptr{CNumber}, Ptr{CError}), handle, place, slot)
            leave_gc_safe(state)
        end
        status == 0 || throw(failure(error))
    end
    return t
end

function Base.setindex!(t::Tensor, x, indices...)
    closing(part -> assign(part, x), view(t, indices...))
    return t
end
assign(part, x::Number) = fill!(part, x)
assign(part, x::Union{Tensor,AbstractArray}) = copyto!(part, x)
assign(part, x) = refuse(:setindex!, "a number, an array or a DLFerry.Tensor", x)

# `t .= x` and `t[:, 1] .= x` do the same; arithmetic is that of arrays.
const Assigned = Base.Broadcast.Broadcasted{<:Any,<:Any,typeof(identity),<:Tuple{Any}}
Base.dotview(t::Tensor, indices...) = view(t, indices...)
Base.broadcastable(t::Tensor) = t
Base.BroadcastStyle(::Type{Tensor}) = Base.Broadcast.Style{Tensor}()
Base.Broadcast.materialize!(t::Tensor, x::Assigned) = (assign(t, only(x.args)); t)
Base.Broadcast.materialize!(::Tensor, ::Base.Broadcast.Broadcasted) =
    throw(ArgumentError("broadcast!: expected a number, an array or a DLFerry.Tensor, got a computation: write DLArray(t) .= x"))
