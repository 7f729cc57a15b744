# SPDX-License-Identifier: Apache-2.0
"""Prove that the demo can fail: demo_fails.py COMMAND..., which is the demo's own command.

With a hop that copies, and with a tensor that is never released, its exit status must be 1 and its table must say why.
"""

import re
import subprocess
import sys


def run(*options):
    done = subprocess.run([*sys.argv[1:], *options], stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


def main():
    failures = 0
    for options, wanted in [
        (("--copy-at", "rust"), r"python +c +gray .* no$(.|\n)*c +rust +blur .* YES, 1228800 bytes$"),
        (("--copy-at", "go"), r"rust +go +sobel .* YES, 1228800 bytes$"),
        (("--copy-at", "julia"), r"go +julia +equalize .* YES, 1228800 bytes$"),
        (("--keep",), r"live tensors: python [1-9]"),
    ]:
        status, text = run(*options)
        if status == 77:
            print(text)
            return 77
        if status != 1 or not re.search(wanted, text, re.MULTILINE):
            failures += 1
            print(f"FAILED {' '.join(options)}: exit status {status}, expected 1 and {wanted!r} in\n{text}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
