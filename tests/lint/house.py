# SPDX-License-Identifier: Apache-2.0
"""House rules no formatter knows: SPDX lines, no loose ends, LF line ends, systems in one file."""

import re
import sys

from files import ROOT, every, is_generated

SOURCE = {".c", ".h", ".py", ".pyi", ".i", ".rs", ".go", ".jl", ".cmake", ".sh", ".in", ".json", ".toml", ".md", ".txt"}
NO_SPDX = {".json", ".md", ".toml", ".txt"}
TEMPLATES = "core/bind/project/"  # of files that are the user's once they are written
# Headers that not every system has, and macros that tell systems apart; the folders without them, but for tests; the
# files there that may have them: the twins' helpers are carried by packages, which need a mutex and open files by names
# of Windows; text.h asks which formats a compiler checks.
SYSTEM = re.compile(
    r"^\s*#\s*include <(sys/|dlfcn|unistd|pthread|threads|fcntl|sched|spawn|dirent|signal|windows|io|process|direct)"
    r"|^\s*#.*\b(_WIN(32|64)|_MSC_VER|__(MINGW32|CYGWIN|APPLE|linux|GLIBC|MUSL)__|_(POSIX_C|GNU|DEFAULT)_SOURCE)\b"
)
PORTABLE = ("core/", "bindings/")
TESTS = re.compile("/(tests?|testing)/")
SYSTEMS = {
    "bindings/go/platform.c",
    "bindings/python/src/dlferry/c/python/platform.c",
    "core/hub/platform.h",
    "core/hub/platform.c",
    "core/bind/base/system.c",
    "core/bind/base/text.h",
    "core/bind/twin/twin_helpers.h",
    "core/bind/twin/twin_helpers_files.h",
    "core/include/dlpack/dlpack.h",
}
LOOSE = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def problems(path):
    name = path.relative_to(ROOT).as_posix()
    text = path.read_bytes().decode("utf-8")
    lines = text.split("\n")
    generated = is_generated(path)
    portable = name.startswith(PORTABLE) and not TESTS.search(name) and name not in SYSTEMS
    licensed = path.suffix in NO_SPDX or name.startswith(TEMPLATES)
    if not licensed and not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:5]):
        yield f"{name}: expected an SPDX line among the first five, got none"
    if "\r" in text:
        yield f"{name}: expected LF line ends, got CR"
    if text and not text.endswith("\n"):
        yield f"{name}: expected a line end at the end of the file, got none"
    for number, line in enumerate(lines, 1):
        if LOOSE.search(line) and path.name != "house.py":
            yield f"{name}:{number}: a loose end: {line.strip()[:80]}"
        if portable and SYSTEM.search(line):
            yield f"{name}:{number}: expected what differs between systems in platform.c, got {line}"
        if line != line.rstrip() and path.suffix != ".md" and not generated:
            yield f"{name}:{number}: trailing white space"


def main():
    found, count = [], 0
    for path in every():
        if path.suffix in SOURCE or path.name == "CMakeLists.txt":
            count += 1
            found += problems(path)
    print("\n".join(found))
    print(f"house: {count} files, {len(found)} problems")
    sys.exit(bool(found))


main()
