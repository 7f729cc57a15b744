# SPDX-License-Identifier: Apache-2.0
"""The machine: on which processors this process runs, what they are, and how much memory is free."""

import os


def use_one():
    """Run on the last one, as do threads that a library starts from now on; returns all of them."""
    if not hasattr(os, "sched_setaffinity"):
        return set()
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(all_of_them)})
    return all_of_them


def use_all(processors):
    if processors:
        os.sched_setaffinity(0, processors)


def available():
    """Bytes of memory that are free now."""
    with open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def provenance(quick, processors):
    model = "a processor"
    with open("/proc/cpuinfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.partition(": ")[2].strip()
                break
    run = "A quick run" if quick else "A run"
    return f"{run} on {model}, {processors} processors; their load before it was {os.getloadavg()[0]:.1f}."
