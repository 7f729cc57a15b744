# SPDX-License-Identifier: Apache-2.0
"""Objects of a C library in a package: classes, closing, locks."""

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import refused

pytestmark = pytest.mark.usefixtures("no_kinds_open")


def test_object__is_a_class(kinds):
    s = kinds.Sum()
    assert s.total() == 0.0 and s.add(np.array([1.0, 2.5])) is None and s.total() == 3.5
    assert kinds.open_sums() == 1
    s.close()
    s.close()
    assert kinds.open_sums() == 0
    with kinds.Sum(start=4) as a, kinds.Sum.from_values(values=np.ones(3)) as b:
        assert (a.total(), b.total(), kinds.open_sums()) == (4.0, 3.0, 2)
        assert kinds.scale(np.array([1.0, 2.0]), a).tolist() == [4.0, 8.0]
    del s, a, b
    kinds.Sum()  # closed with its last reference
    assert kinds.open_sums() == 0


def test_object__what_is_refused(kinds):
    s = kinds.Sum()
    s.close()
    closed = "sum: expected an open sum, got a closed one"
    refused(s.total, ValueError, f"sum_total: {closed}")
    refused(lambda: s.add(np.ones(1)), ValueError, f"sum_add: {closed}")
    refused(lambda: kinds.scale(np.ones(1), s), ValueError, f"scale: {closed}")
    refused(s.__enter__, ValueError, "Sum: expected an open object, got a closed one")
    refused(lambda: kinds.Sum(-1), ValueError, "sum_create: start is -1, wanted start >= 0")
    refused(lambda: kinds.Sum(13), NotImplementedError, "sum_create: expected a lucky start, got 13")
    refused(lambda: kinds.scale(np.ones(1), 3), TypeError, "scale: sum: expected a kinds.Sum, got int")
    refused(lambda: kinds.scale(np.ones(1), None), TypeError, "scale: sum: expected a kinds.Sum, got None")
    for call in (lambda: kinds.Sum("x"), lambda: kinds.Sum(1, 2), lambda: kinds.Sum(begin=1)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        kinds.Sum.total(3)
    with pytest.raises(TypeError):
        type("Mine", (kinds.Sum,), {})


def test_object__is_closed_under_a_call_and_freed_after_it(kinds):
    """The call releases the GIL; close() returns at once, and the last user frees."""
    values = np.ones(40_000_000)
    s = kinds.Sum()
    thread = threading.Thread(target=s.add, args=(values,))
    thread.start()
    while not s.busy():
        assert thread.is_alive()
    s.close()
    seen = kinds.open_sums()
    refused(s.total, ValueError, "sum_total: sum: expected an open sum, got a closed one")
    thread.join()
    assert seen == 1 and kinds.open_sums() == 0


def test_object__calls_take_turns(kinds):
    """Threads change two sums, with and without the GIL, naming them in either order, while others read them."""
    values = {n: np.ones(n) for n in (1, 20_000)}  # the second releases the GIL
    sums, rounds, met = [kinds.Sum(), kinds.Sum()], 300, kinds.met()
    errors = []

    def work(turn):
        a, b = sums if turn % 2 else sums[::-1]
        try:
            for i in range(rounds):
                a.add(values[20_000 if i % 7 == turn else 1])
                a.move(b)
                b.add(values=values[1])
                kinds.even([a, b] if i % 2 else iter([b, a]))
                b.total(), kinds.scale(values[20_000], a), a.spell()
                a.count()
                if i % 50 == 0:
                    gc.collect()
        except Exception as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(turn,)) for turn in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert (errors, kinds.met() - met) == ([], 0)
    large = sum(i % 7 == turn for turn in range(4) for i in range(rounds))
    assert sum(s.total() for s in sums) == 4 * 2 * rounds + large * 19_999
    assert sum(s.counted() for s in sums) == 4 * rounds


def test_object__one_used_twice_is_refused_if_the_call_changes_it(kinds):
    with kinds.Sum() as s, kinds.Sum(2) as other:
        refused(lambda: s.move(s), ValueError, "sum_move: from: expected another sum than sum, got the same one")
        s.move(other)
        assert (s.total(), other.total(), s.spell()) == (2, 0, "2")


def test_object__a_list_of_them(kinds):
    with kinds.Sum(1) as a, kinds.Sum(2) as b, kinds.Sum(6) as c:
        assert kinds.even((a, b, c)) is None and [s.total() for s in (a, b, c)] == [3, 3, 3]
        kinds.even([])
        c.close()
        for wrong, kind, text in [
            ([a, c], ValueError, "even: sums[1] (from 0): expected an open sum, got a closed one"),
            (
                [a, b, a],
                ValueError,
                "even: sums[2] (from 0): expected another sum than sums[0] (from 0), got the same one",
            ),
            ([a, None], TypeError, "even: sums[1]: expected a kinds.Sum, got None"),
            (a, TypeError, "even: sums: expected a sequence of objects, got Sum"),
        ]:
            refused(lambda wrong=wrong: kinds.even(wrong), kind, text)
        kinds.even(kinds.Sum(1) for _ in range(100))  # which nothing else refers to
        assert kinds.open_sums() == 2


def test_object__waits_for_its_lock_without_the_gil(kinds):
    values, s = np.ones(40_000_000), kinds.Sum()
    thread = threading.Thread(target=s.add, args=(values,))
    thread.start()
    while not s.busy():
        assert thread.is_alive()
    waiting = [threading.Thread(target=f) for f in (s.total, s.spell, lambda: s.add(values[:1]))]
    for each in waiting:
        each.start()
    assert s.busy() and all(each.is_alive() for each in waiting)  # this thread goes on
    for each in [thread, *waiting]:
        each.join()
    assert s.total() == 40_000_001 and kinds.met() == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_object__a_forked_child_ends_though_a_call_was_inside(kinds_site):
    program = """
import os, sys, threading, warnings
import numpy as np
import kinds
warnings.simplefilter("ignore")
values, s = np.ones(40_000_000), kinds.Sum()
threads = [threading.Thread(target=s.add, args=(values,)) for _ in range(2)]
for thread in threads: thread.start()
while not s.busy(): pass
child = os.fork()
if child == 0:
    s.close()
    del s, values
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for thread in threads: thread.join()
"""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(kinds_site), *sys.path[1:]])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, timeout=300)
    assert (done.stdout, done.returncode) == ("7\n", 0), done.stderr
