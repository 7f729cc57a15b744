# SPDX-License-Identifier: Apache-2.0
"""No C function has more than 90 lines, unless the comment right above it says "Long because ...".

A formatted function begins in column 0, and its last line is "}" there; both are counted.
"""

import re
import sys
import tempfile
from pathlib import Path

from files import ROOT, every, is_generated

MOST = 90
REASON = "Long because "
OTHER = re.compile(r"^(typedef|struct|union|enum|extern|#|/|\*|\s|}|$)|=\s*{$")


def functions(text):
    """The first line, the number of lines and the comment above each function."""
    lines = text.split("\n")
    comment, at = "", 0
    while at < len(lines):
        first = at
        if lines[at].startswith("/*"):
            while "*/" not in lines[at]:
                at += 1
            comment = "\n".join(lines[first : at + 1])
        elif lines[at].startswith("#"):
            while lines[at].endswith("\\"):
                at += 1
        elif lines[at] and lines[at][0].isidentifier() and not OTHER.match(lines[at]):
            while lines[at] and not lines[at].endswith(("{", ";", "}")):
                at += 1
            head = "\n".join(lines[first : at + 1])
            if head.endswith("{") and "(" in head and not OTHER.search(head):
                while lines[at] != "}":
                    at += 1
                yield first + 1, at - first + 1, comment
            comment = ""
        else:
            comment = ""
        at += 1


def problems(path, name):
    for line, size, comment in functions(path.read_text()):
        if size > MOST and REASON not in " ".join(comment.split()):
            yield f"{name}:{line}: expected at most {MOST} lines in a function, got {size}"


def can_fail():
    """True if a function of 91 lines is found, and one with a reason is not."""
    body = "static int f(int a,\n             int b) {\n" + "  a++;\n" * (MOST - 2) + "}\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.c"
        found = []
        for comment in ("", "/* Adds. */\n", f"/* Adds. {REASON}it adds. */\n"):
            path.write_text(f"typedef struct x {{\n  int y;\n}} x;\n\n{comment}{body}")
            found.append(len(list(problems(path, "f.c"))))
        path.write_text(body.replace("  a++;\n", "", 1))
        return found == [1, 1, 0] and not list(problems(path, "f.c"))


def main():
    if not can_fail():
        sys.exit("functions: the check does not find what it is for")
    found, count = [], 0
    for path in every():
        if path.suffix in {".c", ".h"} and not is_generated(path):
            count += 1
            found += problems(path, path.relative_to(ROOT).as_posix())
    print("\n".join(found))
    print(f"functions: {count} files, {len(found)} problems")
    sys.exit(bool(found))


main()
