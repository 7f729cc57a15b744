# SPDX-License-Identifier: Apache-2.0
"""What is known of a library whose headers stay as they are: its file of contracts, and the generator's arguments.

known.py            # prints the libraries that have such a file
known.py --without  # names the others, which have no packages; status 77
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
sys.path.insert(0, str(HERE.parent / "foreign"))

from libraries import LIBRARIES, command  # noqa: E402


def contracts(library):
    """The file of contracts that this folder or an example has for a library, or None."""
    found = [*HERE.glob(f"{library.name}.contracts"), *EXAMPLES.glob(f"{library.name}/*.contracts")]
    return found[0] if found else None


def words_of(library, root):
    words = command(library, root)
    if contracts(library):
        words += ["--contracts", str(contracts(library))]
    return words + ["-I", str(HERE / "include"), "-I", str(HERE.parents[1] / "core/include")]


def library_of(name):
    return next(library for library in LIBRARIES if library.name == name)


def why_missing(library, roots):
    for root in roots:
        path = root / "missing" / library.name
        if path.exists():
            return path.read_text().strip()
    return "this release of Debian has no headers of it"


if __name__ == "__main__":
    without = "--without" in sys.argv
    names = [library.name for library in LIBRARIES if bool(contracts(library)) != without]
    print(f"NOT RUN: {', '.join(names)}: nothing is bound" if without else "\n".join(names))
    sys.exit(77 if without and names else 0)
