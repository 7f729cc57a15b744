# SPDX-License-Identifier: Apache-2.0
"""Read the file of this example's programs by PyPI's h5py: peer.py FOLDER"""

import sys

import h5py
import numpy as np

with h5py.File(f"{sys.argv[1]}/data.h5") as file:
    image = file["image"]
    assert image.dtype == np.float32 and (image[:] == np.arange(12).reshape(3, 4)).all(), image[:]
    assert (file["axis"][:] == np.linspace(0, 1, 4)).all(), file["axis"][:]
    assert image.attrs["scale"].tolist() == [0.5, 2] and image.attrs["frames"].tolist() == [7]
    assert image.attrs["unit"] in (b"kelvin", "kelvin"), image.attrs["unit"]
print("h5py reads the same")
