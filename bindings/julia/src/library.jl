# SPDX-License-Identifier: Apache-2.0
using Libdl: Libdl, dlext, dlopen, dlsym

# Read once, at precompilation, so that only one file has the number.
const package_version = let text = read(joinpath(@__DIR__, "..", "Project.toml"), String)
    VersionNumber(match(r"^version = \"(.*)\""m, text)[1])
end

"""
    @library name function...

Define the constant `name`, whose fields are C functions' addresses; [`load!`](@ref) fills them in. Unlike a library
name in a `ccall`, it can be chosen at run time.
"""
macro library(name, functions...)
    type = Symbol(name, :_functions)
    fields = [:($f::Ptr{Cvoid}) for f in functions]
    return esc(quote
        mutable struct $type
            $(fields...)
            $type() = new()
        end
        const $name = $type()
    end)
end

"""
    load!(library, path; made_by = package_version)

Open a shared library and find its functions. `made_by` is the version of the generator that made a package.
"""
function load!(library, path; made_by = package_version)
    package_version >= made_by ||
        error("expected DLFerry $made_by or later, with which this package was made, got $package_version")
    package = nameof(Base.moduleroot(parentmodule(typeof(library)))) # the module may be part of another package
    isfile(path) || error("$package: expected its C library at $path, found none; ",
                          "`import Pkg; Pkg.build(\"$package\")` builds it")
    handle = dlopen(path, Libdl.RTLD_NOW | Libdl.RTLD_LOCAL)
    for name in fieldnames(typeof(library))
        setfield!(library, name, dlsym(handle, name))
    end
    return library
end

"The hub's library: `DLFERRY_LIBRARY`, or the one that `Pkg.build` made."
library_path() = get(() -> built_path(dirname(@__DIR__), "dlferry"), ENV, "DLFERRY_LIBRARY")

# The hub's functions are those that the package calls, wherever it names one of hub.
const hub_calls = sort!(unique(Symbol(call[1]) for file in readdir(@__DIR__; join = true)
                                   for call in eachmatch(r"\bhub\.(dlf_\w+)", read(file, String))))
@eval @library(hub, $(hub_calls...))

# The package's own C, deps/roots.c.
@library(rooting, dlfjl_forget)

"""
    version()

Return the version of the C library, such as `"0.3.0"`.

```julia
VersionNumber(DLFerry.version()) >= v"0.3.0"  # => true
```

C: `dlf_version`
"""
version() = unsafe_string(ccall(hub.dlf_version, Cstring, ()))

"""
    version_number()

Return the version of the C library as a number that grows: 201 is 0.2.1.

```julia
DLFerry.version_number() >= 200  # => true
```

C: `dlf_version_number`
"""
version_number() = Int(ccall(hub.dlf_version_number, Int32, ()))

# A call without this would block the collections of all other threads. With one thread there are none; since Julia 1.9
# more may join at any time.
if VERSION < v"1.9"
    @inline enter_gc_safe() = alone() ? Int8(0) : ccall(:jl_gc_safe_enter, Int8, ())
    @inline leave_gc_safe(state) = alone() ? nothing : ccall(:jl_gc_safe_leave, Cvoid, (Int8,), state)
    @inline alone() = unsafe_load(cglobal(:jl_n_threads, Cint)) == 1
else
    @inline enter_gc_safe() = ccall(:jl_gc_safe_enter, Int8, ())
    @inline leave_gc_safe(state) = ccall(:jl_gc_safe_leave, Cvoid, (Int8,), state)
    @inline alone() = false
end
