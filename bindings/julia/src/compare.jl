# SPDX-License-Identifier: Apache-2.0
# Elements as numbers, and comparison of any two tensors or arrays, with any dtypes and strides.

"Call C with a tensor or an array, lent meanwhile. `f` must not throw."
@inline function with_arg(f, x, name)
    held = lend(x, name)
    return GC.@preserve x held begin
        arg = enter_arg(held)
        arg === closed_arg && closed(name)
        result = f(arg)
        leave_arg(held, arg)
        result
    end
end

"Ask C for a truth about two tensors. It may read gigabytes, so other threads may collect garbage meanwhile."
@inline function compared(call, a, b, name)
    drain()
    lent_a, lent_b = lend(a, name), lend(b, name)
    out, error = Ref(false), error_slot()
    status, open = Status(0), true
    GC.@preserve a b lent_a lent_b out error begin
        place, slot = Ptr{Bool}(pointer_from_objref(out)), Ptr{CError}(pointer_from_objref(error))
        x, y = enter_arg(lent_a), enter_arg(lent_b)
        open = is_open(x) & is_open(y)
        if open
            state = enter_gc_safe()
            status = call(x, y, place, slot)::Status
            leave_gc_safe(state)
        end
        leave_arg(lent_a, x)
        leave_arg(lent_b, y)
    end
    open || closed(name)
    status == 0 || throw(failure(error))
    return out[]
end

"""
    equal(a, b), a == b

Tell whether two tensors or arrays have the same shape and equal numbers, for any dtypes: exactly, so an `Int64` equals
a `Float64` only without rounding. NaN equals nothing; -0 equals 0. `==` is for two tensors. `isequal` and `hash` tell
tensors apart by their identity, so that they are keys of a `Dict`.

```julia
DLFerry.equal(wrap([1.0 2.0]), Int8[1 2])  # => true
wrap([1, 2]) == wrap([1.0, 2.5])           # => false
```

C: `dlf_equal`
"""
equal(a, b) = compared(a, b, :equal) do x, y, out, error
    ccall(hub.dlf_equal, Status, (Arg, Arg, Ptr{Bool}, Ptr{CError}), x, y, out, error)
end
Base.:(==)(a::Tensor, b::Tensor) = equal(a, b)
Base.isequal(a::Tensor, b::Tensor) = a === b

"""
    identical(a, b)

Tell whether two tensors or arrays have the same dtype, shape and bits of every element.

```julia
DLFerry.identical([NaN, 1.0], [NaN, 1.0])  # => true
DLFerry.identical([0.0], [-0.0])           # => false
```

C: `dlf_identical`
"""
identical(a, b) = compared(a, b, :identical) do x, y, out, error
    ccall(hub.dlf_identical, Status, (Arg, Arg, Ptr{Bool}, Ptr{CError}), x, y, out, error)
end

"""
    all_close(a, b; rtol = 1e-5, atol = 1e-8, nans = false)

Tell whether two tensors or arrays have the same shape and `abs(a - b) <= atol + rtol * abs(b)` holds for every element,
computed in `Float64`. Equal infinities are close; NaN is close to NaN if `nans`. `isapprox(t, u)` is Base's comparison,
of norms, for two tensors.

```julia
DLFerry.all_close([1.0, 2.0], [1.0, 2.000001])       # => true
isapprox(wrap([1.0, 2.0]), wrap([1.0, 2.000001]))    # => false
```

C: `dlf_all_close`
"""
function all_close(a, b; rtol::Real = 1e-5, atol::Real = 1e-8, nans::Bool = false)
    relative, absolute = Float64(rtol), Float64(atol)
    return compared(a, b, :all_close) do x, y, out, error
        ccall(hub.dlf_all_close, Status, (Arg, Arg, Float64, Float64, Bool, Ptr{Bool}, Ptr{CError}),
              x, y, relative, absolute, nans, out, error)
    end
end

# dlf_number
struct CNumber
    kind::Int32
    reserved::Int32
    real::Float64
    imaginary::Float64
    signed::Int64
    unsigned::UInt64
end
CNumber(x::Bool, name) = CNumber(4, 0, 0, 0, 0, x)
function CNumber(x::Integer, name)
    typemin(Int64) <= x <= typemax(Int64) && return CNumber(2, 0, 0, 0, x, 0)
    0 <= x <= typemax(UInt64) && return CNumber(3, 0, 0, 0, 0, x)
    return CNumber(0, 0, scalar(Float64, x, name), 0, 0, 0)
end
CNumber(x::Real, name) = CNumber(0, 0, scalar(Float64, x, name), 0, 0, 0)
CNumber(x::Complex, name) = CNumber(1, 0, scalar(Float64, real(x), name), scalar(Float64, imag(x), name), 0, 0)
function plain_number(n::CNumber)
    n.kind == 0 && return n.real
    n.kind == 1 && return complex(n.real, n.imaginary)
    n.kind == 2 && return n.signed
    n.kind == 3 && return n.unsigned
    return n.unsigned != 0
end

"""
    contains(x, number)

Tell whether an element of a tensor or a [`DLArray`](@ref), or a lane of one, equals a number. The number is first rounded to the
precision of a dtype of reals, as in NumPy: `Float32` elements can contain 0.1.

```julia
contains(wrap(Float32[0.1, 0.2]), 0.1)  # => true
```

C: `dlf_contains`
"""
function Base.contains(x::Union{Tensor,DLArray}, number::Number)
    wanted = Ref(CNumber(number, :contains))
    GC.@preserve wanted begin
        place = Ptr{CNumber}(pointer_from_objref(wanted))
        return compared(x, x, :contains) do arg, _, out, error
            ccall(hub.dlf_contains, Status, (Arg, Ptr{CNumber}, Ptr{Bool}, Ptr{CError}), arg, place, out, error)
        end
    end
end

"""
    t[i, j]

Read one element of a tensor as a number, for any dtype with arithmetic, packed or padded: as Julia's type of that name,
else a `Float64` or an integer. Lanes are a tuple. With a range or `:` among the indices it is the copy of a
[`view`](@ref Base.view(::DLFerry.Tensor)).

```julia
wrap([1 2 3; 4 5 6])[2, 3]               # => 6
DLFerry.create("float4_e2m1fn", 3)[1]    # => 0.0
```

C: `dlf_read`
"""
function Base.getindex(t::Tensor, index::Integer...)
    d = described(t, :read)
    d.ndim == length(index) || wrong_count("read", d.ndim, length(index))
    T = julia_type(d.dtype)
    place = Int64[i isa Bool ? not_an_index(i) : scalar(Int64, i, :read) - 1 for i in index]
    d.dtype.lanes == 1 && return typed(T, lane(t, place, 0))
    values = ntuple(k -> lane(t, place, k - 1), Int(d.dtype.lanes))
    return T === Nothing ? values : convert(T, values)
end
Base.getindex(t::Tensor, indices...) = closing(copy, view(t, indices...))
typed(::Type{Nothing}, x) = x
typed(T::Type, x) = convert(T, x)

function lane(t::Tensor, place::Vector{Int64}, k)
    out, error = Ref(CNumber(false, :read)), error_slot()
    status = with_arg(t, :read) do arg
        ccall(hub.dlf_read, Status, (Arg, Ptr{Int64}, Int32, Ref{CNumber}, Ref{CError}), arg, place, k, out, error)
    end
    status == 0 || throw(failure(error))
    return plain_number(out[])
end
