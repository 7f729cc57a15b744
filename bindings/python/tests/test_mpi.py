# SPDX-License-Identifier: Apache-2.0
"""mpi4py's upper-case calls on tensors' own memory, between two real processes."""

import subprocess
import sys
from pathlib import Path

from conftest import need


def test_messages__between_two_processes(tmp_path):
    need("mpi4py")
    mpiexec = Path(sys.executable).with_name("mpiexec")
    script = Path(__file__).with_name("mpi_messages.py")
    run = subprocess.run(
        [mpiexec, "-n", "2", sys.executable, "-B", script], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert (tmp_path / "rank-0.txt").read_text(encoding="utf-8") == ""
    assert len((tmp_path / "rank-1.txt").read_text(encoding="utf-8").split()) == 13
