# SPDX-License-Identifier: Apache-2.0
"""PyTorch on a GPU."""

import peer_torch
import torch
from adapter import NotRun
from gpu import Gpu


class Peer(peer_torch.Peer):
    name = "PyTorch on CUDA"
    device = "cuda"

    def __init__(self):
        if not torch.cuda.is_available():
            raise NotRun("needs hardware: an NVIDIA GPU")
        torch.zeros(1, device="cuda")
        Gpu(torch.cuda.synchronize)

    def versions(self):
        return f"{torch.__version__}, {torch.cuda.get_device_name()}"
