# SPDX-License-Identifier: Apache-2.0
# The base of packages made by dlferry-bind: calls of checked C functions.

"A tensor that a kernel made: a `DLArray`, or a `Tensor` when Julia has no such element type. Takes a new reference."
function present(handle::Handle)
    weigh(byte_size(handle))
    return julia_type(unsafe_load(lent(handle)).dtype, flags(handle)) === Nothing ? Tensor(handle) : adopt(handle)
end
present(handle::Handle, ::Type{Nothing}, ::Val) = present(handle)
function present(handle::Handle, ::Type{T}, n::Val) where {T}
    A = adopt(handle, T, n)
    weigh(sizeof(T) * length(A))
    return A
end
present(t::Tensor, type...) = closing(t -> present(retained(t), type...), t)

"Import all outputs of a kernel before using any: nothing leaks if one fails."
import_made(managed::Ptr) = (imported(managed),)
import_made(managed::Ptr...) = import_each(managed...)
import_each() = ()
function import_each(managed::Ptr, rest::Ptr...)
    first = try
        Tensor(imported(managed))
    catch
        for p in rest
            free_object(p, hub.dlf_dlpack_release)
        end
        rethrow()
    end
    return (first, import_each(rest...)...)
end

# A place where C writes a number; if a kernel does not write it, it is zero.
place(::Type{T}) where {T<:Number} = Ref(zero(T))
place(::Type{T}) where {T<:Enum} = Ref(reinterpret(T, zero(Base.Enums.basetype(T))))
place(::Type{T}) where {T<:Ptr} = Ref{T}(C_NULL)

# The first value of a place that C reads and writes.
changeable(::Type{T}, x, name) where {T<:Number} = Base.unsafe_convert(T, scalar(T, x, name))
changeable(::Type{T}, x::T, name) where {T<:Enum} = x
changeable(::Type{T}, x, name) where {T<:Enum} = refuse(name, "a $T", x)

"The text of a C string, which a C function frees; `nothing` for none."
function given_text(owned::Ptr{UInt8}, free::Ptr{Cvoid})
    owned == C_NULL && return nothing
    text = unsafe_string(owned)
    ccall(free, Cvoid, (Ptr{UInt8},), owned)
    return text
end

"The texts of a list of C strings that ends with NULL, which a C function frees; none for none."
function given_texts(owned::Ptr{UInt8}, free::Ptr{Cvoid})
    texts = String[]
    owned == C_NULL && return texts
    first = Ptr{Ptr{UInt8}}(owned)
    while unsafe_load(first, length(texts) + 1) != C_NULL
        push!(texts, unsafe_string(unsafe_load(first, length(texts) + 1)))
    end
    ccall(free, Cvoid, (Ptr{UInt8},), owned)
    return texts
end

"A tensor of its own for a function that keeps it: C counts one more reference."
kept(x::Union{AbstractArray,Tensor}, name) = wrap(x)
kept(x, name) = refuse(name, "an array or a DLFerry.Tensor", x)

# dlf_stream
struct Stream
    handle::Ptr{Cvoid}
end
stream(p::Ptr, name) = Stream(p)
stream(x, name) = refuse(name, "the address of a stream", x)

# The parameters of a call, as code. `before` may throw; `inside` runs with preserved values, may throw too, and gives
# the values for C; from `enter` to `leave` nothing may throw. `open` tells whether everything entered is open.
struct Steps
    before::Vector{Any}
    preserved::Vector{Any}
    inside::Vector{Any}
    enter::Vector{Any}
    open::Vector{Any}
    types::Vector{Any}
    values::Vector{Any}
    uses::Vector{Any} # objects
    lists::Vector{Any} # code that adds those of lists
    kept::Vector{Any} # code for results of a successful call, before it leaves the objects
    texts::Vector{Any}
    leave::Vector{Any}
    opened::Vector{Any}
    made::Vector{Any} # a variable for each tensor, and its managed pointer
    results::Vector{Any}
end
Steps() = Steps((Any[] for _ in fieldnames(Steps))...)

# `said` begins the errors about the parameter.
function add!(s::Steps, name, type, said)
    quoted = said
    kind, options = type isa Symbol ? (type, []) : (type.args[1], map(esc, type.args[2:end]))
    given, held, value, result = gensym(name), gensym(name), gensym(name), gensym(name)
    pass(T, code) = (push!(s.types, T); push!(s.values, code))
    # With a concrete type, so that the call converts nothing.
    argument(T, code, value = value; stage = s.inside) = (push!(stage, :($value = $code::$T)); pass(T, value))
    lent(code, holders...) = (push!(s.before, :($given = $(esc(name))), code); push!(s.preserved, given, holders...))
    object(type, mode, argument = pointed) = (push!(s.uses, :(Use($held, $(QuoteNode(name)), $(QuoteNode(type.args[3])), $mode)));
                          pass(Ptr{Cvoid}, :($argument(uses, $(length(s.uses))))))
    slot(T) = (push!(s.before, :($held = place($T))); push!(s.preserved, held);
               argument(:(Ptr{$T}), :(Base.unsafe_convert(Ptr{$T}, $held))); push!(s.results, result))
    if kind === :Tensor
        owner = gensym(name)
        lent(:(($held, $owner) = lend_apart($given, $quoted)), held, owner)
        argument(Arg, :(enter_arg($held, $owner)); stage = s.enter)
        push!(s.open, (:(is_open($value)), quoted))
        push!(s.leave, :(leave_arg($held, $owner, $value)))
    elseif kind === :Kept
        lent(:($held = kept($given, $quoted)), held)
        argument(Handle, :($held.handle))
        push!(s.leave, :(close($held)))
    elseif kind === :List
        args = gensym(name)
        lent(:(($held, $args) = lend_list($given, $quoted)), held, args)
        argument(Ptr{Arg}, :(enter_list!($args, $held)); stage = s.enter)
        push!(s.open, (:(is_open($args)), quoted))
        push!(s.leave, :(leave_list($args, $held)))
        argument(Int64, :(Int64(length($held))), gensym(name))
    elseif kind === :Numbers
        T = options[1]
        lent(:($held = numbers($T, $given, $quoted)), held)
        argument(:(Ptr{$T}), :(first_number($T, $held)))
        argument(Int64, :(count_numbers($held)), gensym(name))
    elseif kind === :Texts
        addresses = gensym(name)
        lent(:(($held, $addresses) = lend_texts($given, $quoted)), held, addresses)
        argument(:(Ptr{Ptr{UInt8}}), :(pointer($addresses)))
        argument(Int64, :(Int64(length($addresses))), gensym(name))
    elseif kind === :Objects
        addresses, at, number, before = gensym(name), gensym(name), gensym(name), gensym(name)
        lent(:(($held, $addresses) = lend_objects($(options[3]), $given, $quoted)), held, addresses)
        push!(s.lists, :($before = add_uses!(held_uses, $held, $(QuoteNode(name)), $(QuoteNode(type.args[3])), $(use_mode(type)))))
        push!(s.inside, :($at = pointer($addresses)), :($number = length($held)))
        pass(Ptr{Ptr{Cvoid}}, :(pointed_list($at, uses, $before, $number)))
        pass(Int64, number)
    elseif kind === :Opaque
        lent(:($held = $given.held::Held), held)
        object(type, use_mode(type), type.args[2] === :ended ? place_pointed : pointed)
    elseif kind === :Maybe && type.args[2] isa Expr && type.args[2].args[1] === :Opaque
        lent(:($held = $given === nothing ? NO_OBJECT : $given.held::Held), held)
        object(type.args[2], :($given === nothing ? ABSENT : $(use_mode(type.args[2]))))
    elseif kind === :Stream
        lent(:($held = stream($given, $quoted)))
        pass(Stream, held)
    elseif kind === :New
        slot(Ptr{Cvoid})
        tensor = gensym(name)
        push!(s.made, (tensor, :($held[])))
        s.results[end] = isempty(options) ? :(present($tensor)) :
                         :(present($tensor, $(options[1]), Val($(options[2]))))
    elseif kind in (:Opened, :MaybeOpened, :Borrowed, :MaybeBorrowed)
        slot(Ptr{Cvoid})
        box, at = gensym(name), gensym(name)
        push!(s.before, :($box = place(Ptr{Cvoid})))
        push!(s.preserved, box)
        push!(s.inside, :($at = Base.unsafe_convert(Ptr{Ptr{Cvoid}}, $box)))
        opened = :(take($(options[1]), $box[]))
        push!(s.opened, startswith(string(kind), "Maybe") ? :($result = $held[] == C_NULL ? nothing : $opened) :
                        :($result = $opened))
        if kind in (:Opened, :MaybeOpened)
            free = gensym(name)
            push!(s.before, :($free = free_function($(options[1]))::Ptr{Cvoid}))
            push!(s.kept, quote
                if $held[] != C_NULL && ccall(create, Status, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Use}, Int32, Ptr{Ptr{Cvoid}}, Ptr{CError}),
                         $held[], $free, uses, count, $at, slot) != 0
                    ccall($free, Cvoid, (Ptr{Cvoid},), $held[])
                end
            end)
        else
            owner = type.args[3] == 0 ? :(Ptr{Use}(C_NULL)) : :(uses + $((type.args[3] - 1) * sizeof(Use)))
            push!(s.kept, :(ccall(borrow, Status, (Ptr{Cvoid}, Ptr{Use}, Ptr{Ptr{Cvoid}}, Ptr{CError}),
                                  $held[], $owner, $at, slot)))
        end
    elseif kind === :Value
        slot(options[1])
        s.results[end] = :($held[])
    elseif kind === :Changed
        T = options[1]
        push!(s.before, :($given = changeable($T, $(esc(name)), $quoted)))
        push!(s.before, :($held = Ref{$T}($given)))
        push!(s.preserved, held)
        argument(:(Ptr{$T}), :(Base.unsafe_convert(Ptr{$T}, $held)))
        push!(s.results, :($held[]))
    elseif kind === :Character
        slot(UInt8)
        s.results[end] = :(Char($held[]))
    elseif kind === :Text || kind === :MaybeText
        slot(Ptr{UInt8})
        push!(s.texts, (held, result))
        kind === :MaybeText && (s.results[end] = :($held[] == C_NULL ? nothing : $result))
    elseif kind === :GivenText || kind === :MaybeGivenText
        slot(Ptr{UInt8})
        free = gensym(name)
        push!(s.before, :($free = $(options[1])::Ptr{Cvoid}))
        push!(s.leave, :($result = given_text($held[], $free)))
        kind === :GivenText && (s.results[end] = :($result::String))
    elseif kind === :GivenTexts
        slot(Ptr{UInt8})
        free = gensym(name)
        push!(s.before, :($free = $(options[1])::Ptr{Cvoid}))
        push!(s.leave, :($result = given_texts($held[], $free)))
        s.results[end] = result
    elseif kind === :Fields || kind === :ChangedFields
        T = options[1]
        lent(:($held = Ref(lend_fields($given))), held)
        argument(Ptr{Cvoid}, :(place_of_fields($T, $held)))
        kind === :ChangedFields && push!(s.results, :(take_fields($held[])))
    elseif kind === :Filled
        T = options[1]
        push!(s.before, :($held = Ref{fields_layout($T)}()))
        push!(s.preserved, held)
        argument(Ptr{Cvoid}, :(place_of_fields($T, $held)))
        push!(s.results, :(take_fields($held[])))
    elseif kind === :Maybe && type.args[2] === :Cstring
        lent(:($held = $given === nothing ? C_NULL : scalar(Cstring, $given, $quoted)), held)
        argument(Cstring, :($held === C_NULL ? Cstring(C_NULL) : Base.unsafe_convert(Cstring, $held)))
    elseif kind === :Maybe
        T = options[1]
        lent(:($held = $given === nothing ? nothing : Ref{$T}(scalar($T, $given, $quoted))), held)
        argument(:(Ptr{$T}), :($held === nothing ? Ptr{$T}(C_NULL) : Base.unsafe_convert(Ptr{$T}, $held)))
    else
        T = esc(type)
        lent(:($held = scalar($T, $given, $quoted)), held)
        argument(T, :(Base.unsafe_convert($T, $held)))
    end
end

"""
    @kernel library.function(a::Tensor, x::Cdouble, out::New)::Value{Int32}
    @kernel "function" library.function(a::Tensor, x::Cdouble, out::New)::Value{Int32}

Call a checked C function, whose last parameter is a `dlf_error *`, and throw if it fails. The garbage collector may run
in other threads meanwhile. A text before it begins the errors about arguments refused before the call:
`function: x: expected ...`. The parameters:

- `Tensor`: an array or a `Tensor` (or `nothing`, if optional), lent for the call; `List`: a vector or tuple of these
- `Kept`: an array or a `Tensor` that C keeps after the call; it stays alive until C releases it
- `Numbers{T}`: a vector or tuple of numbers; a `Vector{T}` or a window of one is used in place
- `Texts`: a vector or tuple of texts
- `Opaque{mode,type}`: an object of an [`@opaque`](@ref) type, kept open and locked during the call; the mode is
  `exclusive` for a call that changes it, `shared`, `unlocked`, or `ended` for one that frees it, where C gets the place of
  its address; C's errors use the type's name
- `Objects{mode,type,T}`: a vector or tuple of objects of the type `T`, likewise
- `Stream`: its address, as a pointer
- `Maybe{T}`: a number behind a pointer, or a text for `Maybe{Cstring}`, or an object for `Maybe{Opaque{mode,type}}`; NULL
  for `nothing`
- any other type: that of a `ccall`; an integer must fit
- `Changed{T}`: a number that C reads and writes; its new value is a result, too
- `Fields{T}`: a struct of the package; `ChangedFields{T}`: one that C reads and writes

The results, several of them as a tuple: first the function's return value, if a type after the call names it, then the
parameters

- `New`, or `New{T,N}` if that is known: a tensor that the function gives
- `Opened{T}`: an object of the `@opaque` type `T`; `MaybeOpened{T}`: the same, or `nothing`
- `Filled{T}`: a struct of the package
- `Borrowed{T,k}`: one that C frees with the k-th object of the call, or never for 0; `MaybeBorrowed{T,k}`
- `Value{T}`: a number; `Character`: a `Char`; `Text`: a copy of a C string; `MaybeText`: the same, or `nothing`
- `GivenText{free}` and `MaybeGivenText{free}`: a C string that the call gives, and that `free` frees
- `GivenTexts{free}`: a list of them, likewise
"""
macro kernel(call)
    return kernel_call("", call)
end
macro kernel(said::AbstractString, call)
    return kernel_call("$said: ", call)
end
function kernel_call(said, call)
    returned = nothing
    call.head === :(::) && ((call, returned) = call.args)
    call.head === :call || error("@kernel: expected a call, got $call")
    s = Steps()
    for parameter in call.args[2:end]
        add!(s, parameter.args..., "$said$(parameter.args[1])")
    end
    if returned !== nothing # C has it last, callers first
        add!(s, :result, returned, "")
        pushfirst!(s.results, pop!(s.results))
    end
    imports = isempty(s.made) ? [] :
              [:($(Expr(:tuple, first.(s.made)...)) = import_made($(last.(s.made)...)))]
    count = Int32(length(s.uses))
    listed = !isempty(s.lists)
    objects = count > 0 || listed
    name = !isempty(said) ? Symbol(said[1:end-2]) : call.args[1] isa Symbol ? call.args[1] : call.args[1].args[end].value
    listed ? push!(s.before, :(held_uses = Use[$(s.uses...)]), s.lists...) :
    objects && push!(s.before, :(held_uses = Ref(($(s.uses...),))))
    objects && push!(s.preserved, :held_uses)
    for (held, result) in s.texts # an object may own it, and change it after the call leaves
        objects || (push!(s.leave, :($result = status == 0 && $held[] != C_NULL ? unsafe_string($held[]) : "")); continue)
        copy = gensym(result)
        push!(s.before, :($copy = Ptr{UInt8}(C_NULL)), :(duplicate = cglobal(:strdup)))
        push!(s.kept, :($copy = $held[] == C_NULL ? $copy : ccall(duplicate, Ptr{UInt8}, (Ptr{UInt8},), $held[])))
        push!(s.leave, :($result = taken_text($copy)))
    end
    the_call = :(ccall(f, Status, ($(s.types...), Ptr{CError}), $(s.values...), slot))
    steps = quote
        status = $the_call
        if status == 0
            $(s.kept...)
        end
    end
    objects && (steps = quote
        status = ccall(enter, Status, (Ptr{UInt8}, Ptr{Use}, Int32, Ptr{Bool}, Ptr{CError}), said, uses, count, C_NULL, slot)
        if status == 0
            $steps
            ccall(leave, Cvoid, (Ptr{Use}, Int32), uses, count)
        end
    end)
    return quote
        drain()
        $(s.before...)
        f, error = $(esc(call.args[1])), error_slot() # after code that may switch to another task, on another thread
        GC.@preserve error $(s.preserved...) begin
            slot = Base.unsafe_convert(Ptr{CError}, error)
            said, count = static($(QuoteNode(name))), $(listed ? :(Int32(length(held_uses))) : count)
            uses = $(listed ? :(pointer(held_uses)) : objects ? :(Ptr{Use}(pointer_from_objref(held_uses))) : :(Ptr{Use}(C_NULL)))
            create, borrow = hub.dlf_object_create, hub.dlf_object_borrow
            enter, leave = hub.dlf_object_enter, hub.dlf_object_leave
            $(s.inside...)
            Base.sigatomic_begin() # an InterruptException now would leave the entered objects open forever; it comes below
            $(s.enter...)
            open = $(foldl((a, b) -> :($a & $(b[1])), s.open; init = true))::Bool
            # Between these two nothing may allocate or dispatch: every argument is plain bits of C's type.
            state = enter_gc_safe()
            status = Status(-1)
            if open
                $steps
            end
            leave_gc_safe(state)
            $(s.leave...)
        end
        $([:($test || closed($name)) for (test, name) in s.open]...)
        status == 0 || throw(failure(error))
        $(s.opened...)
        $(imports...)
        Base.sigatomic_end()
        $(length(s.results) == 1 ? s.results[1] : isempty(s.results) ? nothing : Expr(:tuple, s.results...))
    end
end
