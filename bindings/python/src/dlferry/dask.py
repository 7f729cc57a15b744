# SPDX-License-Identifier: Apache-2.0
"""Tensors between the processes of Dask distributed.

Dask sends a `Tensor` without this module too, by pickle, with its elements as a buffer beside the message. After
`dlferry.dask.register(client)` the client and all of its workers use a short header of their own instead.

Dask's memory limits count a tensor's elements by an entry point of this package; nothing needs to be called for that.
"""

from . import Tensor
from ._hub import _rebuild


def serialize(tensor):
    """Return a header and the elements, without a copy if they lie without gaps."""
    if type(tensor) is not Tensor:
        raise NotImplementedError("a subclass has a state of its own, which pickle keeps")
    _, (_, buffer, dtype, shape, order, padded), _ = tensor.__reduce_ex__(5)
    frame = buffer.raw()
    return {
        "dtype": dtype,
        "shape": shape,
        "order": order,
        "padded": padded,
        "writeable": (not frame.readonly,),
    }, [frame]


def deserialize(header, frames):
    """Return a tensor around a frame; a frame that should be writable but is not is copied."""
    [frame] = map(memoryview, frames)
    [writeable] = header["writeable"]
    if writeable and frame.readonly:
        frame = bytearray(frame)
    elif not writeable:
        frame = frame.toreadonly()
    shape = tuple(header["shape"])
    return _rebuild(Tensor, frame, header["dtype"], shape, header["order"], header["padded"])


def register_sizeof(sizeof):
    """Teach dask.sizeof a tensor's bytes; Dask calls this by the entry point."""

    @sizeof.register(Tensor)
    def _(tensor):
        return object.__sizeof__(tensor) + tensor.nbytes


def register(client=None):
    """Register the serialisers in this process and, with a client, in its present and later workers first.

    A process without them could not read what a process with them sends.
    """
    from distributed import WorkerPlugin
    from distributed.protocol import dask_deserialize, dask_serialize

    class Register(WorkerPlugin):
        """What a worker does before its first task."""

        name = "dlferry"

        def setup(self, worker):
            register()

    if client is not None:
        client.register_plugin(Register())
    dask_serialize.register(Tensor)(serialize)
    dask_deserialize.register(Tensor)(deserialize)
