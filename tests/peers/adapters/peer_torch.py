# SPDX-License-Identifier: Apache-2.0
"""PyTorch on the CPU."""

import torch
from adapter import Adapter, NoForm
from cells import DTYPES
from witness import Seen, memory_of

NAMES = {name: getattr(torch, name) for name in DTYPES if isinstance(getattr(torch, name, None), torch.dtype)}
BACK = {dtype: name for name, dtype in NAMES.items()}


class Peer(Adapter):
    name = "PyTorch"
    dtypes = NAMES
    device = "cpu"

    def versions(self):
        return torch.__version__

    def make(self, case):
        if case.read_only:
            raise NoForm("no read-only tensors")
        if case.layout == "negative":
            raise NoForm("no negative strides")
        if case.layout == "packed":
            raise NoForm("an element is a byte at least")
        raw = torch.frombuffer(bytearray(case.image), dtype=torch.uint8).to(self.device)
        return raw.view(NAMES[case.dtype]).as_strided(case.shape, case.strides, case.offset)

    def read(self, x):
        elements = self.elements(x)
        return Seen(BACK.get(x.dtype, str(x.dtype)), tuple(x.shape), elements, x.data_ptr())

    def elements(self, x):
        if x.dtype.itemsize == 1 and BACK.get(x.dtype, "") in DTYPES and DTYPES[BACK[x.dtype]][1] < 8:
            return memory_of(x.data_ptr(), x.shape, x.stride(), 1)  # torch copies none of these
        if not x.numel():
            return b""
        return x.reshape(-1).contiguous().view(torch.uint8).cpu().numpy().tobytes()

    def take(self, x):
        return torch.from_dlpack(x)
