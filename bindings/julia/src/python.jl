# SPDX-License-Identifier: Apache-2.0
# Exchange with Python objects, for processes that run both languages; nothing here needs a Python package for Julia.
#
# C takes the GIL inside. A thread that waits for it must be where the garbage collector may run: the thread that holds
# the GIL may allocate in Julia, and its collection waits for all others. Finalizers never take it (queue.jl).

"""
    python_enable(library = nothing)

Find Python's functions in a library that was loaded for one user alone, such as `"/usr/lib/libpython3.13.so"`. The
functions below find them themselves in the program, and in a library loaded with `RTLD_GLOBAL`, as PythonCall and
PyCall do. Another call does nothing. Throws `DLFerryError`: FOREIGN if it cannot be loaded, UNSUPPORTED without Python's
functions.

C: `dlf_python_enable`
"""
function python_enable(library::Union{AbstractString,Nothing} = nothing)
    error = Ref{CError}()
    status = library === nothing ? ccall(hub.dlf_python_enable, Status, (Ptr{UInt8}, Ref{CError}), C_NULL, error) :
             ccall(hub.dlf_python_enable, Status, (Cstring, Ref{CError}), library, error)
    status == 0 || throw(failure(error))
    return nothing
end

# dlf_import_options
struct ImportOptions
    size::Int64
    device::DLDevice
    copy::Int32
    keep_exception::Int32
    stream::Int64
end
const STREAM_DEFAULT = Int64(-2)

"""
    from_python(object::Ptr; device = nothing, copy = :if_needed) -> Tensor

Import a `PyObject *`, such as a NumPy array or a torch tensor, without copying. Borrows `object`: the tensor keeps what it
needs. `device` moves the elements; `copy` is `:always`, `:never`, or `:if_needed` to reach it. Takes the
GIL itself, whether the caller has it or not. JAX's and TensorFlow's arrays, and tensors that require grad, are
read-only. Throws `ArgumentError` for another object, or `DLFerryError`: FOREIGN with the text of Python's exception,
UNSUPPORTED without a running Python, LAYOUT for a lazily conjugated torch tensor, READ_ONLY for one that requires grad
while torch's grad mode is enabled.

With PythonCall the pointer of `x::Py` is `PythonCall.getptr(x)`, with PyCall of `x::PyObject` it is `PyPtr(x)`; keep `x`
with `GC.@preserve`. Until Julia 1.9, with several threads, `__dlpack__` of the object must not be written in Julia.

C: `dlf_from_python`
"""
function from_python(object::Ptr; device = nothing, copy::Symbol = :if_needed)
    drain()
    place, mode = wanted_device(device), copy_mode(copy, :from_python)
    options = ImportOptions(sizeof(ImportOptions), place, mode, 0, STREAM_DEFAULT)
    handle = ask_python(hub.dlf_from_python) do f, out, error
        ccall(f, Status, (Ptr{Cvoid}, Ref{ImportOptions}, Ptr{Ptr{Cvoid}}, Ptr{CError}), object, options, out, error)
    end
    return weigh_new(Tensor(handle))
end

"""
    to_python(t; like = C_NULL) -> Ptr{Cvoid}

Make a Python object that keeps a tensor or an array; the result is a new reference to it. Without `like` it is a
`dlferry.SharedTensor`, for any consumer's `from_dlpack`, `numpy.asarray` and `memoryview`. With the pointer of a module or a class that has
`from_dlpack`, such as `numpy`, or of one of their arrays, it is an array of that kind. Takes the GIL itself. Throws
`DLFerryError`: FOREIGN with the text of Python's exception, UNSUPPORTED without a running Python; or `ArgumentError`.

C: `dlf_to_python`
"""
function to_python(t::Tensor; like::Ptr = C_NULL)
    drain()
    enter(t) || closed(:to_python)
    try
        return GC.@preserve t python_object(t.handle, like)
    finally
        leave(t)
    end
end
function to_python(A::AbstractArray; like::Ptr = C_NULL)
    handle = handle_of(A, false)
    try
        return python_object(handle, like)
    finally
        release(handle) # the object holds its own reference
    end
end

python_object(handle, like) = ask_python(hub.dlf_to_python) do f, out, error
    ccall(f, Status, (Handle, Ptr{Cvoid}, Bool, Ptr{Ptr{Cvoid}}, Ptr{CError}), handle, like, false, out, error)
end

# Python may call Julia meanwhile, so this needs places of its own. An InterruptException would lose the result.
@inline function ask_python(call, f::Ptr{Cvoid})
    out, error = Ref{Ptr{Cvoid}}(C_NULL), Ref{CError}()
    Base.sigatomic_begin()
    status = GC.@preserve out error begin
        place, slot = Ptr{Ptr{Cvoid}}(pointer_from_objref(out)), Ptr{CError}(pointer_from_objref(error))
        state = enter_gc_safe()
        status = call(f, place, slot)
        leave_gc_safe(state)
        status
    end
    Base.sigatomic_end()
    status == 0 || throw(failure(error))
    return out[]
end
