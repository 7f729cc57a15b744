# SPDX-License-Identifier: Apache-2.0
"""Calls of faiss with random, mostly wrong arguments, on several threads: each is refused or right; none may crash."""

import gc
import random
import sys
import tempfile
import threading

import dlferry
import faiss
import numpy as np

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 500
RECIPES = "Flat", "IVF4,Flat", "HNSW8", "LSH", "SQ8", "PCA4,Flat", "IVF4,SQ8", "PQ2x4", "IDMap,HNSW8"
WIDTHS = 8, 8, 8, 8, 7, 9, 0, 1
REFUSALS = ValueError, TypeError, OverflowError, RuntimeError, MemoryError


def array(random):
    """An array that mostly does not fit: any width, dtype, rank, order and step, often without elements."""
    rows, width = random.choice((0, 1, 3, 64)), random.choice(WIDTHS)
    dtype = random.choice((np.float32, np.float32, np.float32, np.float64, np.int32, np.float16, np.complex64))
    x = np.random.default_rng(random.randrange(9)).normal(0, 9, (rows, width)).astype(dtype)
    return random.choice(
        (
            lambda: x,
            lambda: x,
            lambda: x,
            lambda: x.T,
            lambda: x[::2],
            lambda: x[:, ::-1],
            lambda: x.ravel(),
            lambda: x[None],
            lambda: x[:, None, :],
            lambda: np.asfortranarray(x),
            lambda: np.broadcast_to(x[:1], (5, width)) if rows else x,
            lambda: None,
            lambda: "x",
        )
    )()


def call(random, indexes, space, folder):
    i = random.randrange(len(indexes))
    index, x = indexes[i], array(random)
    k = random.choice((1, 3, 0, -1, 100, 2**62, 2**63))
    name = random.choice(
        "add add search search range assign train reset ids close write parameter new properties".split()
    )
    if name == "search":
        distances, labels = index.search(x, k)
        assert distances.shape == labels.shape == (len(x), k)
        assert labels.size == 0 or -1 <= labels.min() <= labels.max()
    elif name == "range":
        lims, labels, distances = faiss.RangeSearchResult(index, x, random.choice((0.0, 1e3, -1.0, float("nan")))).all()
        if random.random() < 0.1:
            index.close()
        assert len(lims) == len(x) + 1 and lims[-1] == len(labels) == len(distances)
    elif name == "assign":
        assert index.assign(x, k=k).shape == (len(x), k)
    elif name == "ids":
        index.add_with_ids(x, np.arange(random.choice((0, 1, 3, 64)), dtype=random.choice((np.int64, np.int32))))
    elif name == "write":
        file = f"{folder}/{i}"
        index.write(file)
        assert faiss.Index.read(file).d() == index.d()
    elif name == "parameter":
        space.set_index_parameter(index, random.choice(("nprobe", "efSearch", "x")), random.choice((1, 4, 16)))
    elif name == "new" or name == "close":
        index.close()
        indexes[i] = faiss.Index(random.choice((8, 8, 8, 0, -1, 7, 2**31)), random.choice(RECIPES))
    elif name == "properties":
        assert index.d() == 8 or index.d() == 7
        assert index.ntotal() >= 0 and index.is_trained() in (0, 1) and index.metric_type() == 1
    else:
        getattr(index, name)(*(() if name == "reset" else (x,)))


def run(seed, indexes, space, folder, counts):
    own = random.Random(seed)
    for _ in range(ROUNDS):
        try:
            call(own, indexes, space, folder)
            counts[0] += 1
        except REFUSALS:
            counts[1] += 1


def searchers_and_adder():
    """Two threads search an index while a third adds to it: each search sees whole additions alone."""
    index, x = faiss.Index(8, "Flat"), np.eye(8, dtype=np.float32)
    index.add(x)
    done, wrong = threading.Event(), []

    def search():
        while not done.is_set():
            distances, labels = index.search(x, 3)
            if not ((labels[:, 0] == np.arange(8)) & (distances[:, 0] == 0)).all():
                wrong.append((distances, labels))

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        index.add(x + 5)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong and index.ntotal() == 808, (wrong, index.ntotal())


with tempfile.TemporaryDirectory() as folder:
    shared, space, counts = [faiss.Index(8, recipe) for recipe in RECIPES], faiss.ParameterSpace(), [0, 0]
    threads = [threading.Thread(target=run, args=(seed, shared, space, folder, counts)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
searchers_and_adder()
gc.collect()
assert dlferry.live() == 0, dlferry.live()
print(f"{counts[0]} calls taken, {counts[1]} refused")
