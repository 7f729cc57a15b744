# SPDX-License-Identifier: Apache-2.0
"""How the tests of packages run a command: its output is shown only if it fails, which ends the test."""

import subprocess
import sys


def run(*command, fails=False, **options):
    """Return what it prints, on stderr if it is to fail."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if (done.returncode != 0) != fails:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stderr if fails else done.stdout
