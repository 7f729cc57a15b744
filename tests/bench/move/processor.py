# SPDX-License-Identifier: Apache-2.0
"""On which processors this process runs. Threads that a library starts inherit it."""

import os


def use_one():
    """The last one; returns all of them."""
    if not hasattr(os, "sched_setaffinity"):
        return set()
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(all_of_them)})
    return all_of_them


def use_all(processors):
    if processors:
        os.sched_setaffinity(0, processors)
