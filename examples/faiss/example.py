# SPDX-License-Identifier: Apache-2.0
"""Search vectors with faiss, and compare what it finds with brute force in NumPy."""

import os
import sys

import faiss
import numpy as np


def vectors(count, seed):
    """Vectors of eight whole numbers from 0 to 255, the same in every language."""
    numbers = []
    for _ in range(count * 8):
        seed = (seed * 1103515245 + 12345) % 2**31
        numbers.append(seed >> 16 & 255)
    return np.array(numbers, np.float32).reshape(count, 8)


def show(what, numbers):
    print(f"{what:23}", *numbers)


def refused(call):
    try:
        call()
    except (ValueError, TypeError, RuntimeError) as error:
        print(str(error).split(" at ./")[0])


base, queries = vectors(640, 1), vectors(4, 2)
squares = ((queries[:, None] - base) ** 2).sum(2)  # exact, since whole numbers below 2**24
nearest = np.argsort(squares, axis=1)[:, :3]

index = faiss.Index(8, "Flat")
index.add(base)
show("vectors, numbers", [index.ntotal(), index.d()])
distances, labels = index.search(queries, 3)
for row in labels:
    show("nearest", row)
show("wrong labels", [(labels != nearest).sum()])
show("wrong distances", [(distances != np.take_along_axis(squares, nearest, 1)).sum()])

lims, labels, distances = faiss.RangeSearchResult(index, queries, 25000.0).all()
show("within 25000, limits", lims)
wrong = sum(set(labels[a:b]) != set(np.flatnonzero(row < 25000)) for a, b, row in zip(lims, lims[1:], squares))
show("wrong rows", [wrong])

ivf = faiss.Index(8, "IVF16,Flat")
refused(lambda: ivf.search(queries, 3))
refused(lambda: ivf.add(base))
ivf.train(base)
show("trained", [ivf.is_trained()])
ivf.add(base)
space = faiss.ParameterSpace()
for lists in (1, 16):
    space.set_index_parameter(ivf, "nprobe", lists)
    found = ivf.search(queries, 3).labels
    hits = sum(len(set(a) & set(b)) for a, b in zip(found, nearest))
    show(f"found in {lists} of 16 lists", ["all" if hits == 12 else "some" if hits else "none"])

file = os.path.join(sys.argv[1], "index")
index.write(file)
read = faiss.Index.read(file)
show("read from a file", [read.ntotal()])
show("wrong labels", [(read.search(queries, 3).labels != nearest).sum()])

refused(lambda: index.search(base[:, :7].copy(), 3))
refused(lambda: index.search(queries, 0))
refused(lambda: index.search(queries.astype(np.float64), 3))
