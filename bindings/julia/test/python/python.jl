# SPDX-License-Identifier: Apache-2.0
# A CPython inside this process, for the tests, through its C functions alone. It runs the NumPy of another one, the
# program that DLFERRY_PYTHON names.
module Python

using DLFerry: enter_gc_safe, leave_gc_safe
using Libdl

const library = Ref(C_NULL)

# Each call may wait for the GIL, or give it up for a while: other threads must be able to collect garbage meanwhile.
@generated function call(name::Val{F}, ::Type{R}, ::Type{T}, args...) where {F,R,T}
    types = Expr(:tuple, T.parameters...)
    values = [:(args[$k]) for k in eachindex(T.parameters)]
    return quote
        f = dlsym(library[], $(QuoteNode(F)))
        state = enter_gc_safe()
        result = ccall(f, $R, $types, $(values...))
        leave_gc_safe(state)
        return result
    end
end

const Object = Ptr{Cvoid}

"Start Python; returns why it cannot be started, or nothing."
function start()
    program = get(ENV, "DLFERRY_PYTHON", "")
    isempty(program) && return "needs a Python, which DLFERRY_PYTHON names"
    code = """
        import os, sys, sysconfig
        get = sysconfig.get_config_var
        print(os.path.join(get('LIBDIR'), get('LDLIBRARY')) if get('Py_ENABLE_SHARED') else '')
        print(sys.base_prefix)
        print(sysconfig.get_path('purelib'))
        """
    path, home, packages = split(read(`$program -c $code`, String), '\n')
    isfile(path) || return "needs a Python with a shared library"
    ENV["PYTHONHOME"], ENV["PYTHONPATH"] = home, packages
    library[] = dlopen(path, RTLD_NOW | RTLD_GLOBAL)
    call(Val(:Py_InitializeEx), Cvoid, Tuple{Cint}, 0)
    call(Val(:PyEval_SaveThread), Ptr{Cvoid}, Tuple{}) # this thread gives up the GIL
    run("import gc, threading, numpy")
    return nothing
end

"Call f with the GIL."
function with_gil(f)
    state = call(Val(:PyGILState_Ensure), Cint, Tuple{})
    try
        return f()
    finally
        call(Val(:PyGILState_Release), Cvoid, Tuple{Cint}, state)
    end
end

"Run a program in the module __main__."
run(code) = with_gil() do
    GC.@preserve code begin
        call(Val(:PyRun_SimpleString), Cint, Tuple{Ptr{UInt8}}, pointer(code)) == 0 || error("Python failed, see above")
    end
end

main() = call(Val(:PyImport_AddModule), Object, Tuple{Ptr{UInt8}}, pointer("__main__"))

"Get a variable of __main__ as a new reference."
get_object(name) = with_gil() do
    object = GC.@preserve name call(Val(:PyObject_GetAttrString), Object, Tuple{Object,Ptr{UInt8}}, main(), pointer(name))
    object == C_NULL ? error("expected a variable $name") : object
end

"Set a variable of __main__."
set_object(name, object) = with_gil() do
    GC.@preserve name call(Val(:PyObject_SetAttrString), Cint, Tuple{Object,Ptr{UInt8},Object}, main(), pointer(name),
                           object)
end

"Call a function with an object, or with none; returns a new reference."
function apply(f, object = C_NULL)
    result = with_gil() do
        result = call(Val(:PyObject_CallFunctionObjArgs), Object, Tuple{Object,Object,Object}, f, object, C_NULL)
        result == C_NULL && call(Val(:PyErr_Print), Cvoid, Tuple{})
        result
    end
    result == C_NULL && error("Python failed, see above")
    return result
end

"Give up references."
drop(objects...) = with_gil(() -> foreach(x -> call(Val(:Py_DecRef), Cvoid, Tuple{Object}, x), objects))

"Tell whether an expression is true."
function holds(expression)
    run("answer = bool($expression)")
    answer = get_object("answer")
    is = with_gil(() -> call(Val(:PyObject_IsTrue), Cint, Tuple{Object}, answer))
    drop(answer)
    return is == 1
end

end
