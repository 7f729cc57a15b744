# SPDX-License-Identifier: Apache-2.0
# Julia's room: the functions of ../room.h as C pointers, for the program that embeds this runtime and calls them on the
# thread that started it.
module Room

using DLFerry, Libdl, Photo

const Managed = Ptr{DLFerry.DLManagedTensorVersioned}

const photo = Dict{String,Function}(
    "gray" => Photo.gray, "blur" => Photo.blur, "sobel" => Photo.sobel, "equalize" => Photo.equalize,
    "draw_histogram" => Photo.draw_histogram!)

"Run f; report what it throws as C does: no exception may leave for a caller that knows none."
function reporting(f, error::Ptr{Cvoid})
    try
        f()
        return Int32(0)
    catch e
        name = e isa ArgumentError ? "INVALID" : e isa DimensionMismatch ? "SHAPE" : e isa OverflowError ? "OVERFLOW" :
               e isa DLFerryError ? String(e.status) : "FOREIGN"
        text = name == "FOREIGN" ? sprint(showerror, e) : e.msg
        status = findfirst(k -> unsafe_string(ccall(DLFerry.hub.dlf_status_name, Cstring, (Int32,), k)) == name, 1:12)
        error_set = dlsym(dlopen(DLFerry.library_path()), :dlf_error_set) # which the package itself does not call
        return ccall(error_set, Int32, (Ptr{Cvoid}, Int32, Cstring), error, status, text)
    end
end

# A column-major array: strides [1, 2] where a compact DLPack tensor has [3, 1].
produce(out::Ptr{Managed}, error::Ptr{Cvoid}) = reporting(error) do
    unsafe_store!(out, Managed(C_NULL))
    unsafe_store!(out, to_dlpack(Float32[10i + j for i in 0:1, j in 0:2]))
end

consume(owned::Managed, sum::Ptr{Float64}, address::Ptr{UInt64}, error::Ptr{Cvoid}) = reporting(error) do
    t = from_dlpack(owned)
    try
        A = DLArray{Float32,2}(t)
        unsafe_store!(sum, Base.sum(i * j * Float64(A[i, j]) for i in axes(A, 1), j in axes(A, 2)))
        unsafe_store!(address, UInt64(pointer(t)))
    finally
        close(t)
    end
end

run_photo(kernel::Cstring, owned::Managed, out::Ptr{Managed}, address::Ptr{UInt64}, error::Ptr{Cvoid}) =
    reporting(error) do
        unsafe_store!(out, Managed(C_NULL))
        t = from_dlpack(owned)
        try
            name = unsafe_string(kernel)
            haskey(photo, name) || throw(ArgumentError("room_photo: expected a kernel of photo.h, got '$name'"))
            unsafe_store!(address, UInt64(pointer(t)))
            unsafe_store!(out, to_dlpack(photo[name](DLArray(t))))
        finally
            close(t)
        end
    end

# Twice: objects finalised by the first collection may keep others.
live() = (GC.gc(); GC.gc(); DLFerry.live())

const pointers = Dict(
    "room_produce" => @cfunction(produce, Int32, (Ptr{Managed}, Ptr{Cvoid})),
    "room_consume" => @cfunction(consume, Int32, (Managed, Ptr{Float64}, Ptr{UInt64}, Ptr{Cvoid})),
    "room_photo" => @cfunction(run_photo, Int32, (Cstring, Managed, Ptr{Managed}, Ptr{UInt64}, Ptr{Cvoid})),
    "room_live" => @cfunction(live, Int64, ()))

end
