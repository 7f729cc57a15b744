# SPDX-License-Identifier: Apache-2.0
# Write an image, its axis and their attributes into an HDF5 file, and read them back into arrays.
import H5

refused(call, given...) =
    try
        call(given...)
    catch error
        println(error.msg)
    end

path = joinpath(ARGS[1], "data.h5")
image = reshape(Float32.(0:11), 4, 3) # a column is a row of the file: the same bytes

# An id is a number, as in C, which HDF5 checks.
file = H5.fcreate(path)
shape, kind = H5.screate_simple(reverse(size(image))), H5.text_to_dtype("H5T_IEEE_F32LE")
dataset = H5.dcreate(file, "image", kind, shape)
H5.dwrite(dataset, shape, vec(image)) # the same memory: nothing is copied
H5.make_dataset(file, "axis", collect(range(0, 1; length = 4)))
H5.set_attribute(file, "image", "scale", [0.5, 2.0])
H5.set_attribute(file, "image", "frames", Int32[7])
H5.set_attribute_string(file, "image", "unit", "kelvin")
for (close_it, id) in ((H5.dclose, dataset), (H5.tclose, kind), (H5.sclose, shape), (H5.fclose, file))
    close_it(id)
end

file = H5.fopen(path)
dims, kind, bytes = H5.get_dataset_info(file, "image")
println("image  ", dims[1], " x ", dims[2], ", class ", Int(kind), ", ", bytes, " bytes each")
dataset = H5.dopen(file, "image")
shape = H5.dget_space(dataset)
room = zeros(reverse(Int.(dims))...) # of another dtype: HDF5 converts
H5.dread!(vec(room), dataset, shape)
println("sum    ", Int(sum(room)), ", of the last row ", Int(sum(room[:, 3])))

scale = zeros(16) # as many numbers as bytes in the file
attribute = H5.aopen_by_name(file, "image", "scale")
H5.aread!(scale, attribute)
H5.aclose(attribute)
println("scale  ", scale[1], " ", Int(scale[2]))
dims, kind, bytes = H5.get_attribute_info(file, "image", "unit")
println("unit   ", length(dims), " axes, class ", Int(kind), ", ", bytes, " bytes")
println("found  ", join((H5.find_dataset(file, name) for name in ("image", "axis", "no")), " "))
kind = H5.dget_type(dataset)
println("type   ", H5.dtype_to_text(kind))
H5.tclose(kind)

refused(H5.dread!, zeros(11), dataset, shape)
refused(H5.dread!, permutedims(room), dataset, shape)
refused(H5.dread!, zeros(ComplexF64, 12), dataset, shape)
refused(H5.aread!, scale, dataset)
for (close_it, id) in ((H5.dclose, dataset), (H5.sclose, shape), (H5.fclose, file))
    close_it(id)
end
