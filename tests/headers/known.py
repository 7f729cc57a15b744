# SPDX-License-Identifier: Apache-2.0
"""What is known of a library whose headers stay as they are: its file of contracts, and the generator's arguments."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
sys.path.insert(0, str(HERE.parent / "foreign"))

from libraries import command  # noqa: E402


def contracts(library):
    """The file of contracts that this folder or an example has for a library, or None."""
    found = [*HERE.glob(f"{library.name}.contracts"), *EXAMPLES.glob(f"{library.name}/*.contracts")]
    return found[0] if found else None


def words_of(library, root):
    words = command(library, root)
    if contracts(library):
        words += ["--contracts", str(contracts(library))]
    return words + ["-I", str(HERE / "include"), "-I", str(HERE.parents[1] / "core/include")]
