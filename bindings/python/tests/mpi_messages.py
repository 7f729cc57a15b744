# SPDX-License-Identifier: Apache-2.0
"""Messages between two processes in tensors' own memory, by mpi4py's upper-case calls: mpiexec -n 2 python this.

Each process writes the names of what it received into the working folder: mpiexec may lose the last lines of a program.
"""

from pathlib import Path

import dlferry
import ml_dtypes
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank = world.Get_rank()
received = []


def filled(dtype, values):
    return dlferry.from_dlpack(np.array(values, dtype))


def send(name, tensor, kind=None):
    """Rank 0 sends a tensor, and rank 1 receives it in one of its own."""
    if rank == 0:
        world.Send([tensor, kind] if kind else tensor, dest=1)
    else:
        room = dlferry.create(tensor.dtype, tensor.shape)
        address = room.data
        world.Recv([room, kind] if kind else room, source=0)
        assert room.data == address
        assert room.numpy().tobytes() == tensor.numpy().tobytes(), name
        received.append(name)


def expect(error, call):
    try:
        call()
    except error:
        return
    raise AssertionError(f"expected {error.__name__}")


KINDS = ["bool", "int8", "uint8", "int16", "int32", "int64", "uint64", "float32", "float64", "complex64", "complex128"]
for kind in KINDS:
    send(kind, filled(kind, [[0, 1, 2], [3, 4, 5]]))

# MPI has no half: the bytes travel.
send("float16", filled("float16", [1.5, -2, 3]), MPI.BYTE)
send("bfloat16", dlferry.from_dlpack(np.array([1.5, -2, 3], ml_dtypes.bfloat16)), MPI.BYTE)

# Collective calls, in place and into another tensor.
mine = filled("float64", [rank, 10])
world.Allreduce(MPI.IN_PLACE, mine)
assert mine.numpy().tolist() == [1, 20]
every = dlferry.create("float64", (2, 2))
world.Allgather(filled("float64", [rank, rank]), every)
assert every.numpy().tolist() == [[0, 0], [1, 1]]
told = filled("int32", [7, 8]) if rank == 0 else dlferry.create("int32", [2])
world.Bcast(told)
assert told.numpy().tolist() == [7, 8]

# MPI cannot receive in what is read-only, nor send what has gaps.
array = np.zeros((4, 4))
array.flags.writeable = False
refused = (BufferError, ValueError, TypeError)
expect(refused, lambda: world.Irecv(dlferry.from_dlpack(array), source=1 - rank))
expect(refused, lambda: world.Isend(dlferry.from_dlpack(array[:, ::2]), dest=1 - rank))

world.Barrier()
del mine, every, told
assert dlferry.live() == 0, dlferry.live()
Path(f"rank-{rank}.txt").write_text(" ".join(received), encoding="utf-8")
