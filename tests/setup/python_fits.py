# SPDX-License-Identifier: Apache-2.0
"""Print this Python's version if it can make build/venv, else the missing part (exit status 1)."""

import os
import sys
import sysconfig

version = ".".join(map(str, sys.version_info[:3]))
problem = ""
if sys.implementation.name != "cpython" or not (3, 11) <= sys.version_info[:2] <= (3, 13):
    problem = f"version {version}, the pinned frameworks need CPython 3.11 to 3.13"
elif not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    problem = f"version {version}, without Python.h"
else:
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        problem = f"version {version}, {error}"
print(problem or version)
sys.exit(bool(problem))
