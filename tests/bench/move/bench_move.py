# SPDX-License-Identifier: Apache-2.0
"""Copies, transposes and casts beside memcpy, loops by hand, NumPy, ml_dtypes, torch and JAX.

bench_move.py [--quick] [--readme] [--minutes N] [--out FOLDER] [--rows REGEX] [--without torch,jax,picture]

One process on one processor; a row's contenders take turns, and a ratio is the median of the rounds' own. Times are the
processor's, so that what others run on the machine matters little. Then all that is large with two threads, by the
wall's clock, and how cost grows with size, rank and strides. FOLDER gets move.csv and move.png. DLFERRY_LIBRARY and
DLFERRY_BY_HAND in the environment name the hub and the C part.
"""

import argparse
import re
import sys
from pathlib import Path

import machine

CASTS = Path(__file__).resolve().parents[2] / "casts"
sys.path.insert(0, str(CASTS))  # its exact.py and hub.py


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="under two minutes, with few rounds and small sizes")
    parser.add_argument("--minutes", type=float, help="about how long a run may take: 10, or 2 of a quick one")
    parser.add_argument("--tiny", action="store_true", help="see that it runs; the figures mean nothing")
    parser.add_argument("--readme", action="store_true", help="also write the READMEs' tables and their picture")
    parser.add_argument("--out", type=Path, default=Path("move"), help="the folder of CSV and picture")
    parser.add_argument("--rows", type=re.compile, default=re.compile(""), help="only what matches; no picture")
    parser.add_argument("--without", default="", help="what to leave out: torch,jax,picture")
    options = parser.parse_args(arguments)
    if options.readme and options.rows.pattern:
        parser.error("--readme writes all rows: leave --rows out")
    return options


def main(arguments):
    options = options_of(arguments)
    processors = machine.use_one()  # before any library counts them
    from run import Run

    run = Run(options, processors)
    run.rows()
    run.two_threads()
    run.growth()
    return run.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
