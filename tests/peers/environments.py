# SPDX-License-Identifier: Apache-2.0
"""The Python environments of the matrix."""

import sys


class Missing(Exception):
    """An environment that cannot be had here; the text says why."""


def python_of(name, setup, say):
    """The interpreter of an environment, which is set up where it is missing."""
    if name == "main":
        return sys.executable
    raise Missing(f"no environment {name}")
