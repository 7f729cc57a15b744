# SPDX-License-Identifier: Apache-2.0
"""Read the file of this example's programs by Python's own gzip module: peer.py FOLDER"""

import gzip
import sys

with gzip.open(f"{sys.argv[1]}/data.gz") as file:
    assert file.read() == bytes(i % 251 for i in range(100000))
print("Python's gzip reads the same")
