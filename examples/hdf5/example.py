# SPDX-License-Identifier: Apache-2.0
"""Write an image, its axis and their attributes into an HDF5 file, and read them back into arrays."""

import sys

import dlferry
import h5
import numpy as np

path = f"{sys.argv[1]}/data.h5"
image = np.arange(12, dtype=np.float32).reshape(3, 4)

# An id is a number, as in C, which HDF5 checks.
file = h5.fcreate(path)
shape, kind = h5.screate_simple(image.shape), h5.text_to_dtype("H5T_IEEE_F32LE")
dataset = h5.dcreate(file, "image", kind, shape)
h5.dwrite(dataset, shape, image.reshape(-1))  # a view: nothing is copied
h5.make_dataset(file, "axis", np.linspace(0, 1, 4))
h5.set_attribute(file, "image", "scale", np.array([0.5, 2]))
h5.set_attribute(file, "image", "frames", np.array([7], np.int32))
h5.set_attribute_string(file, "image", "unit", "kelvin")
for close, it in ((h5.dclose, dataset), (h5.tclose, kind), (h5.sclose, shape), (h5.fclose, file)):
    close(it)

file = h5.fopen(path)
dims, kind, size = h5.get_dataset_info(file, "image")
print(f"image  {dims[0]} x {dims[1]}, class {int(kind)}, {size} bytes each")
dataset = h5.dopen(file, "image")
shape = h5.dget_space(dataset)
room = np.empty(dims)  # of another dtype: HDF5 converts
h5.dread(dataset, shape, room.reshape(-1))
print(f"sum    {room.sum():g}, of the last row {room[2].sum():g}")

scale = np.zeros(16)  # as many numbers as bytes in the file
attribute = h5.aopen_by_name(file, "image", "scale")
h5.aread(attribute, scale)
h5.aclose(attribute)
print(f"scale  {scale[0]:g} {scale[1]:g}")
dims, kind, size = h5.get_attribute_info(file, "image", "unit")
print(f"unit   {len(dims)} axes, class {int(kind)}, {size} bytes")
print("found ", *(h5.find_dataset(file, name) for name in ("image", "axis", "no")))
kind = h5.dget_type(dataset)
print("type  ", h5.dtype_to_text(kind))
h5.tclose(kind)


def refused(call, *given):
    try:
        call(*given)
    except dlferry.Error as error:
        print(error)


refused(h5.dread, dataset, shape, np.empty(11))
refused(h5.dread, dataset, shape, room)
refused(h5.dread, dataset, shape, np.empty(12, np.complex128))
refused(h5.aread, dataset, scale)
for close, it in ((h5.dclose, dataset), (h5.sclose, shape), (h5.fclose, file)):
    close(it)
