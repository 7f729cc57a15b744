# SPDX-License-Identifier: Apache-2.0
# What packages made by dlferry-bind are built on: tensors lent to a C function for the time of a call.

# dlf_arg
struct Arg
    tensor::Ptr{DLTensor}
    flags::UInt64
end

# A DLTensor whose shape and strides lie behind it in the same object. It is only good while it and the array it
# describes are preserved.
mutable struct Borrow{N}
    tensor::DLTensor
    size::NTuple{N,Int64}
    steps::NTuple{N,Int64}
    flags::UInt64
end

# A call that did not say so would hold up the collections of all other threads. With one thread there are none; since
# Julia 1.9 more may join at any time.
if VERSION < v"1.9"
    @inline enter_gc_safe() = alone() ? Int8(0) : ccall(:jl_gc_safe_enter, Int8, ())
    @inline leave_gc_safe(state) = alone() ? nothing : ccall(:jl_gc_safe_leave, Cvoid, (Int8,), state)
    @inline alone() = unsafe_load(cglobal(:jl_n_threads, Cint)) == 1
else
    @inline enter_gc_safe() = ccall(:jl_gc_safe_enter, Int8, ())
    @inline leave_gc_safe(state) = ccall(:jl_gc_safe_leave, Cvoid, (Int8,), state)
end

"What must be preserved while `arg` of it is in use."
lend(t::Tensor) = t
lend(::Nothing) = nothing
lend(x) = throw(ArgumentError("expected an array or a DLFerry.Tensor, got $(typeof(x))"))
@inline function lend(A::AbstractArray{T,N}) where {T,N}
    Base.require_one_based_indexing(A)
    apart = steps(A) # first: it is what refuses an array without strides
    d = DLTensor(address(A), cpu, N, dl_dtype(T), C_NULL, C_NULL, 0)
    return Borrow{N}(d, size(A), apart, is_read_only(A) ? READ_ONLY : UInt64(0))
end

@inline arg(t::Tensor) = Arg(lent(t), flags(t))
@inline arg(::Nothing) = Arg(C_NULL, 0)
@inline function arg(b::Borrow{N}) where {N}
    p, d = pointer_from_objref(b), b.tensor
    b.tensor = DLTensor(d.data, d.device, d.ndim, d.dtype, p + fieldoffset(Borrow{N}, 2),
                        p + fieldoffset(Borrow{N}, 3), 0)
    return Arg(p, b.flags)
end

"A tensor that a kernel made: a `DLArray`, or a `Tensor` when Julia has no such element type."
present(t::Tensor) = julia_type(described(t).dtype) === Nothing ? t : adopt(t)
present(t::Tensor, T::Type, n::Val) = adopt(t, T, n)

"The element type of a tensor that a kernel is called with."
element(::AbstractArray{T}) where {T} = T
element(t::Tensor) = julia_type(described(t).dtype)

"""
    @kernel library.function(a::Tensor, x::Cdouble, out::New, n::Value{Int32})

Call a checked C function, whose last parameter is a `dlf_error *`, and throw when it fails. `a::Tensor` is an array or
a `Tensor` (or `nothing`, when optional), lent for the call. `New`, or `New{T,N}` when known, stands for a tensor that
the function gives, and `Value{T}` for a number it returns: these are what the call evaluates to, a tuple when there are
several. Any other type is that of a `ccall`. The garbage collector may run in other threads meanwhile.
"""
macro kernel(call)
    call.head === :call || error("@kernel: expected a call, got $call")
    setup, preserved, prepare, types, values, imports, results = [], [], [], [], [], [], []
    for parameter in call.args[2:end]
        name, type = parameter.args
        kind, options = type isa Symbol ? (type, []) : (type.args[1], map(esc, type.args[2:end]))
        holder, value = gensym(name), gensym(name)
        push!(preserved, holder)
        push!(values, value)
        if kind === :Tensor
            array = gensym(name)
            push!(preserved, array)
            push!(setup, :($array = $(esc(name))), :($holder = lend($array)))
            push!(prepare, :($value = arg($holder)))
            push!(types, Arg)
        elseif kind === :New || kind === :Value
            T = kind === :New ? Ptr{Cvoid} : options[1]
            push!(setup, :($holder = Ref{$T}()))
            push!(prepare, :($value = Base.unsafe_convert(Ptr{$T}, $holder)))
            push!(types, :(Ptr{$T}))
            if kind === :New
                # All are imported before one is looked at, so that none leaks when that fails.
                push!(imports, :($value = from_dlpack($holder[])))
                push!(results, isempty(options) ? :(present($value)) :
                               :(present($value, $(options[1]), Val($(options[2])))))
            else
                push!(results, :($holder[]))
            end
        else
            T = esc(type)
            push!(setup, :($holder = Base.cconvert($T, $(esc(name)))))
            push!(prepare, :($value = Base.unsafe_convert($T, $holder)))
            push!(types, T)
        end
    end
    return quote
        drain()
        f, error = $(esc(call.args[1])), error_slot()
        $(setup...)
        GC.@preserve error $(preserved...) begin
            slot = Base.unsafe_convert(Ptr{CError}, error)
            $(prepare...)
            # Between these two nothing may touch the garbage collector: every argument is plain bits.
            state = enter_gc_safe()
            status = ccall(f, Status, ($(types...), Ptr{CError}), $(values...), slot)
            leave_gc_safe(state)
        end
        status == 0 || throw(failure(error))
        $(imports...)
        $(length(results) == 1 ? results[1] : isempty(results) ? nothing : Expr(:tuple, results...))
    end
end
