# SPDX-License-Identifier: Apache-2.0
"""House rules no formatter knows: SPDX lines, at most 500 lines, no loose ends, LF line ends, sizes of emitters."""

import re
import sys

from files import ROOT, every, is_generated

SOURCE = {".c", ".h", ".py", ".pyi", ".i", ".rs", ".go", ".jl", ".cmake", ".sh", ".in", ".json", ".toml", ".md", ".txt"}
NO_SPDX = {".json", ".md", ".toml", ".txt"}
LONGEST = 500
LONGEST_OF = {"core/include/dlferry.h": 700}  # the manual
LOOSE = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def problems(path):
    name = path.relative_to(ROOT).as_posix()
    text = path.read_bytes().decode("utf-8")
    lines = text.split("\n")
    generated = is_generated(path)
    if path.suffix not in NO_SPDX and not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:5]):
        yield f"{name}: expected an SPDX line among the first five, got none"
    longest = LONGEST_OF.get(name, LONGEST)
    if not generated and len(lines) - 1 > longest and path.suffix not in {".json", ".lock"}:
        yield f"{name}: expected at most {longest} lines, got {len(lines) - 1}"
    if "\r" in text:
        yield f"{name}: expected LF line ends, got CR"
    if text and not text.endswith("\n"):
        yield f"{name}: expected a line end at the end of the file, got none"
    for number, line in enumerate(lines, 1):
        if LOOSE.search(line) and path.name != "house.py":
            yield f"{name}:{number}: a loose end: {line.strip()[:80]}"
        if line != line.rstrip() and path.suffix != ".md" and not generated:
            yield f"{name}:{number}: trailing white space"


def emitters():
    """CONTRIBUTING.md's table of their lines, which may be a tenth off."""
    bind = ROOT / "core/bind"
    rows = re.findall(r"^\| (\w+) \| ([\d,]+) \| ([\d,]+) \|$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M)
    if not rows:
        yield "CONTRIBUTING.md: expected a table of emitters, got none"
    for language, *told in rows:
        lines = {path.name: path.read_bytes().count(b"\n") for path in bind.glob(f"emit_{language.lower()}*.c")}
        lines.pop("emit_go_header.c", None)  # generated
        tests = lines.pop(f"emit_{language.lower()}_tests.c")
        for said, real in zip((int(word.replace(",", "")) for word in told), (sum(lines.values()), tests), strict=True):
            if abs(said - real) > real / 10:
                yield f"CONTRIBUTING.md: {language}: expected about {real} lines, got {said}"


def main():
    found, count = list(emitters()), 0
    for path in every():
        if path.suffix in SOURCE or path.name == "CMakeLists.txt":
            count += 1
            found += problems(path)
    print("\n".join(found))
    print(f"house: {count} files, {len(found)} problems")
    sys.exit(bool(found))


main()
