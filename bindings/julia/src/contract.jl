# SPDX-License-Identifier: Apache-2.0
# Contracts for Julia code: conditions on a call's arguments, checked by the hub.

# dlf_parameter
struct Parameter
    name::Ptr{UInt8}
    kind::Int32
end

# dlf_value
struct Value
    tensor::Arg
    integer::Int64
    real::Float64
    items::Ptr{Cvoid}
end
const no_value = Value(Arg(C_NULL, 0), 0, 0.0, C_NULL)

const max_ndim = 64 # DLF_MAX_NDIM

# dlf_prototype
struct CPrototype
    size::Int64
    dtype::DLDataType
    device::DLDevice
    ndim::Int64
    shape::NTuple{max_ndim,Int64}
    strides::NTuple{max_ndim,Int64}
    align::Int64
end
const axes_of_zero = ntuple(_ -> 0, max_ndim)
const no_prototype = CPrototype(sizeof(CPrototype), DLDataType(0, 0, 0), cpu, 0, axes_of_zero, axes_of_zero, 0)

# In the order of dlf_parameter_kind.
const kinds = (:input, :output, :integer, :unsigned, :real, :other, :list, :array, :given)

"""
    Contract(text, function_name, parameters; hooks = NamedTuple())

Conditions on a call's arguments, in the language of dlferry's C headers. `parameters` gives the function's parameters,
in order, their kinds: `:input`, `:output`, `:integer`, `:unsigned`, `:real`, `:list` (of inputs), `:array` (of
numbers), `:given` (a tensor that the function returns) or `:other`. `hooks` maps the names in `hook(f)` to functions of
one argument, a `NamedTuple` of the call's arguments; they are called once the inputs hold. Throws `ArgumentError` with
the reason and its place.

```julia
blur = Contract("image: T[h, w];  out: T[h, w] noalias;  T in f32|f64;  sigma > 0", "blur",
                (image = :input, sigma = :real, out = :output))
image = DLFerry.create(Float32, 3, 4)
out = DLFerry.create(blur, :out, image, 1.5)
size(out)                                            # => (3, 4)
match(blur, image, 1.5, out)                         # => nothing
try match(blur, image, -1.0, out) catch e e.msg end  # => "blur: sigma is -1, wanted sigma > 0"
```

C: `dlf_contract_compile`
"""
mutable struct Contract
    handle::Ptr{Cvoid}
    name::Symbol
    names::Vector{Symbol}
    kinds::Vector{Symbol}
    hooks::Vector{Any}
    function Contract(text::AbstractString, name, parameters; hooks = NamedTuple())
        names, given = collect(Symbol, keys(parameters)), collect(Symbol, values(parameters))
        for (x, kind) in zip(names, given)
            kind in kinds ||
                throw(ArgumentError("$name: $x: expected $(join(kinds, ", ", " or ")), got '$kind'"))
        end
        list = [Parameter(static(x), findfirst(==(kind), kinds) - 1) for (x, kind) in zip(names, given)]
        handle = derive(Ptr{Cvoid}) do out, error
            ccall(hub.dlf_contract_compile, Status,
                  (Cstring, Cstring, Ptr{Parameter}, Int32, Int64, Ref{Ptr{Cvoid}}, Ref{CError}),
                  scalar(Cstring, text, "contract"), scalar(Cstring, string(name), "contract"), list, length(list), sizeof(Parameter), out, error)
        end
        # Freeing runs no foreign code, so the finalizer may do it.
        self = finalizer(c -> ccall(hub.dlf_contract_free, Cvoid, (Ptr{Cvoid},), c.handle),
                         new(handle, Symbol(name), names, given, []))
        called = unique(Symbol(m[1]) for m in eachmatch(r"\bhook\((\w+)\)", replace(format(self), r"\"[^\"]*\"" => "")))
        for hook in called
            haskey(hooks, hook) ||
                throw(ArgumentError("$name: expected a function for hook($hook) in hooks, got none"))
            push!(self.hooks, hooks[hook])
        end
        return self
    end
end

# Never changed, and freed once.
Base.deepcopy_internal(c::Contract, ::IdDict) = c

"The arguments in the parameters' order, `nothing` for missing ones."
function ordered(c::Contract, given, named)
    length(given) <= length(c.names) ||
        throw(ArgumentError("$(c.name): expected at most $(length(c.names)) arguments, got $(length(given))"))
    arguments = Any[given..., fill(nothing, length(c.names) - length(given))...]
    for (name, x) in pairs(named)
        k = findfirst(==(name), c.names)
        (k === nothing || k <= length(given)) && throw(ArgumentError(
            "$(c.name): $name: expected one value for a parameter, got $(k === nothing ? "no such parameter" : "two values")"))
        arguments[k] = x
    end
    return arguments
end

# What must be preserved and entered for an argument; a number is its value for C already.
function lent_value(kind::Symbol, x, label)
    kind in (:input, :output, :given) && return lend(x, label)
    kind === :list && return lend_list(x, label)
    kind === :array && return x isa Union{AbstractVector,Tuple} ? Value(no_value.tensor, length(x), 0.0, static(:array)) :
                              refuse(label, "a vector or a tuple of numbers", x)
    kind === :other && return no_value
    x isa Number || refuse(label, "a number", x)
    kind === :integer && return Value(no_value.tensor, number(Int64, x, label), 0.0, C_NULL)
    kind === :unsigned && return Value(no_value.tensor, reinterpret(Int64, number(UInt64, x, label)), 0.0, C_NULL)
    return Value(no_value.tensor, 0, number(Float64, x, label), C_NULL)
end

enter_value(held::Value) = held
function enter_value(held::Tuple) # a list
    items = enter_list!(held[2], held[1])
    return Value(no_value.tensor, length(held[1]), 0.0, items)
end
enter_value(held) = Value(enter_arg(held), 0, 0.0, C_NULL)
leave_value(::Value, ::Value) = nothing
leave_value(held::Tuple, ::Value) = leave_list(held[2], held[1])
leave_value(held, v::Value) = leave_arg(held, v.tensor)
open_value(held::Tuple, ::Value) = is_open(held[2])
open_value(held, v::Value) = is_open(v.tensor)

"Call C with a contract and the arguments of a call, which stay open meanwhile, and the values of hooks."
function examine(f, c::Contract, arguments::Vector{Any}, hooked = Int64[])
    drain()
    held = Any[lent_value(kind, x, "$(c.name): $name") for (kind, x, name) in zip(c.kinds, arguments, c.names)]
    error = error_slot()
    GC.@preserve c arguments held error begin
        values = Value[enter_value(h) for h in held]
        shut = findfirst(map(!open_value, held, values))
        status = shut === nothing ? f(vcat(values, [Value(no_value.tensor, n, 0.0, C_NULL) for n in hooked]), error) : 0
        foreach(leave_value, held, values)
    end
    shut === nothing || closed("$(c.name): $(c.names[shut])")
    status == 0 || throw(failure(error))
    return nothing
end

"The values of the hooks, once the inputs hold."
function hooked(c::Contract, arguments)
    isempty(c.hooks) && return Int64[]
    inspect(hub.dlf_contract_match_inputs, c, arguments, Int64[])
    named = NamedTuple{Tuple(c.names)}(Tuple(arguments))
    return Int64[number(Int64, hook(named), "$(c.name): hook") for hook in c.hooks]
end

inspect(f::Ptr{Cvoid}, c::Contract, arguments, hooked) = examine(c, arguments, hooked) do values, error
    ccall(f, Status, (Ptr{Cvoid}, Ptr{Value}, Int64, Ref{CError}), c.handle, values, sizeof(Value), error)
end

"The number of a parameter in C, from 0."
function parameter_index(c::Contract, name::Symbol)
    k = findfirst(==(name), c.names)
    k === nothing && throw(ArgumentError("$(c.name): expected the name of a parameter, got '$name'"))
    return Int32(k - 1)
end

"""
    match(c::Contract, arguments...; named...)

Check a call; an absent optional tensor is `nothing`, or missing. Returns `nothing`. Throws `DLFerryError` (DTYPE,
LAYOUT, DEVICE, READ_ONLY), `DimensionMismatch`, or `ArgumentError` for a number out of its range or shared memory.

```julia
c = Contract("x: f32[n]; y: f32[n]", "add", (x = :input, y = :output))
match(c, zeros(Float32, 3); y = zeros(Float32, 3))  # => nothing
```

C: `dlf_contract_match`
"""
function Base.match(c::Contract, given...; named...)
    arguments = ordered(c, given, named)
    return inspect(hub.dlf_contract_match, c, arguments, hooked(c, arguments))
end

"""
    match_inputs(c::Contract, arguments...; named...)

Check only the inputs of a call, like [`match`](@ref Base.match(::DLFerry.Contract)).

```julia
c = Contract("x: f32[n]; y: f32[n]", "add", (x = :input, y = :output))
DLFerry.match_inputs(c, zeros(Float32, 3))  # => nothing
```

C: `dlf_contract_match_inputs`
"""
match_inputs(c::Contract, given...; named...) =
    inspect(hub.dlf_contract_match_inputs, c, ordered(c, given, named), Int64[])

"""
    infer(c::Contract, output, arguments...; named...)

Describe an output that the inputs determine, once they hold: a `NamedTuple` of `dtype`, `shape`, `strides` in elements,
`device` and `align` in bytes.

```julia
c = Contract("x: T[n]; y: T[n, 2]; T in f32|f64", "pair", (x = :input, y = :output))
DLFerry.infer(c, :y, zeros(Float32, 3)).shape  # => (3, 2)
```

C: `dlf_contract_infer`
"""
function infer(c::Contract, output::Symbol, given...; named...)
    arguments, index, out = ordered(c, given, named), parameter_index(c, output), Ref(no_prototype)
    examine(c, arguments, hooked(c, arguments)) do values, error
        ccall(hub.dlf_contract_infer, Status, (Ptr{Cvoid}, Ptr{Value}, Int64, Int32, Ref{CPrototype}, Ref{CError}),
              c.handle, values, sizeof(Value), index, out, error)
    end
    p = out[]
    return (dtype = dtype_name(p.dtype), shape = p.shape[1:p.ndim], strides = p.strides[1:p.ndim],
            device = device_name(p.device), align = Int(p.align))
end

"""
    create(c::Contract, output, arguments...; named...) -> Tensor

Allocate an output that the inputs determine, once they hold: a tensor of zeros.

```julia
c = Contract("x: T[n]; y: T[n, 2]; T in f32|f64", "pair", (x = :input, y = :output))
DLFerry.describe(DLFerry.create(c, :y, [1.0, 2.0]))  # => "float64[2, 2] cpu"
```

C: `dlf_contract_create`
"""
function create(c::Contract, output::Symbol, given...; named...)
    arguments, index, out = ordered(c, given, named), parameter_index(c, output), Ref{Handle}(C_NULL)
    examine(c, arguments, hooked(c, arguments)) do values, error
        ccall(hub.dlf_contract_create, Status, (Ptr{Cvoid}, Ptr{Value}, Int64, Int32, Ref{Handle}, Ref{CError}),
              c.handle, values, sizeof(Value), index, out, error)
    end
    return weigh(Tensor(out[]))
end

"""
    format(c::Contract, [parameter])

Return a contract in its usual form, or one parameter's clause.

```julia
c = Contract("x : f32[n]", "add", (x = :input,))
DLFerry.format(c, :x)  # => "f32[n]"
```

C: `dlf_contract_format`
"""
format(c::Contract, parameter::Union{Symbol,Nothing} = nothing) =
    format_clause(c, parameter === nothing ? Int32(-1) : parameter_index(c, parameter))
format_clause(c::Contract, index) = GC.@preserve c text_from() do text, capacity
    ccall(hub.dlf_contract_format, Int64, (Ptr{Cvoid}, Int32, Ptr{UInt8}, Int64), c.handle, index, text, capacity)
end

Base.show(io::IO, c::Contract) = print(io, "Contract(", c.name, ": ", format(c), ")")
