# SPDX-License-Identifier: Apache-2.0
"""The GIL in a package: a contract's word decides, before the bytes do."""

import sys
import threading
import time

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("no_kinds_open")


def released(call):
    """Whether another thread ran while this one was inside a call that is alone to hold it back."""
    seen, stop = [], threading.Event()

    def watch():
        while not stop.is_set():
            seen.append(None)
            time.sleep(0)

    thread = threading.Thread(target=watch)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # no thread takes the GIL from one that does not release it
    try:
        thread.start()
        while not seen:
            stop.wait(0.001)
        before = len(seen)
        call()
        return len(seen) != before
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()


def test_gil__slow_releases_it_and_little_work_keeps_it(kinds):
    with kinds.Sum() as s:
        assert released(lambda: kinds.sleep(200))
        assert not released(lambda: s.add(np.ones(3)))
        assert not released(s.total)
        assert not released(lambda: kinds.word(1))
