# SPDX-License-Identifier: Apache-2.0
"""mpi4py: memory that MPI has allocated, and messages of a process to itself, which copy by purpose."""

import mpi4py
import numpy as np
from adapter import NoForm
from cells import Case
from mpi4py import MPI
from numpy_based import NumPyBased
from peer_numpy import array_of, seen_in
from witness import Seen


class Peer(NumPyBased):
    name = "mpi4py"
    ways = ("dlferry.wrap(MPI.buffer, dtype, shape)", "comm.Send(t)")
    flat = True
    copies = True
    tells_read_only = False
    other_way = "comm.Send([t, MPI.BYTE])"

    def versions(self):
        return f"{mpi4py.__version__}, MPICH {MPI.Get_library_version().split()[2]}"

    def make(self, case):
        if case.layout not in ("contiguous", "size-0"):
            raise NoForm("plain memory")
        memory = MPI.buffer.allocate(len(case.expected))
        memory[:] = case.expected
        return memory

    def read(self, x):
        if isinstance(x, np.ndarray):
            return seen_in(x)
        return Seen(self.case.dtype, self.case.shape, bytes(x), x.address)

    def give_to(self, dlferry, x, copy=None):
        t = dlferry.wrap(x, self.case.dtype, self.case.shape)
        return t.copy() if copy else t

    def probe_export(self, x):
        return seen_in(np.frombuffer(x, self.case.dtype))

    def take(self, x):
        out = np.empty(self.case.shape, array_of(Case(self.case.dtype, "contiguous")).dtype)
        MPI.COMM_SELF.Sendrecv(x, 0, recvbuf=out, source=0)
        return out

    def take_otherwise(self, t):
        out = np.empty(self.case.shape, self.case.dtype)
        MPI.COMM_SELF.Sendrecv([t, MPI.BYTE], 0, recvbuf=[out, MPI.BYTE], source=0)
        return out
