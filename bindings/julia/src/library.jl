# SPDX-License-Identifier: Apache-2.0
using Libdl: Libdl, dlext, dlopen, dlsym

# Read once, at precompilation, so that only one file has the number.
const package_version = let text = read(joinpath(@__DIR__, "..", "Project.toml"), String)
    VersionNumber(match(r"^version = \"(.*)\""m, text)[1])
end

"""
    @library name function...

Define the constant `name`, whose fields are C functions' addresses; [`load!`](@ref) fills them in. Unlike a library
name
in a `ccall`, it can be chosen at run time.
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

@library(hub, dlf_version, dlf_version_number, dlf_status_name, dlf_error_set,
         dlf_dtype_parse, dlf_dtype_format, dlf_dtype_format_short, dlf_dtype_size,
         dlf_device_parse, dlf_device_format, dlf_is_cpu_accessible, dlf_is_reachable, dlf_oneapi_enable,
         dlf_create, dlf_wrap, dlf_retain, dlf_release, dlf_dltensor, dlf_flags, dlf_live,
         dlf_is_unique, dlf_held_bytes, dlf_dlpack_version,
         dlf_object_create, dlf_object_enter, dlf_object_leave, dlf_object_close, dlf_object_is_open, dlf_object_release,
         dlf_count, dlf_byte_size, dlf_byte_range, dlf_is_contiguous, dlf_compact_strides, dlf_alignment, dlf_overlap,
         dlf_check, dlf_look, dlf_copy, dlf_copy_padded, dlf_describe, dlf_describe_json, dlf_format,
         dlf_index, dlf_slice, dlf_select, dlf_permute, dlf_reshape, dlf_broadcast, dlf_squeeze, dlf_unsqueeze, dlf_flip,
         dlf_bitcast, dlf_pack_lanes, dlf_unpack_lanes,
         dlf_read, dlf_contains, dlf_identical, dlf_equal, dlf_all_close,
         dlf_from_dlpack, dlf_from_dlpack_legacy, dlf_to_dlpack, dlf_to_dlpack_legacy, dlf_to_dlpack_copy,
         dlf_export, dlf_export_device, dlf_to_device, dlf_dlpack_release, dlf_dlpack_release_legacy,
         dlf_contract_compile, dlf_contract_match, dlf_contract_match_inputs, dlf_contract_infer, dlf_contract_create,
         dlf_contract_format, dlf_contract_free, dlf_to_float, dlf_npy_open, dlf_npy_save,
         dlf_float_decode, dlf_float_encode, dlf_python_enable, dlf_from_python, dlf_to_python)

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
