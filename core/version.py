#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copy the version number, project(dlferry VERSION ...) in CMakeLists.txt, to all files that need it.

python3 core/version.py            rewrite the places that differ
python3 core/version.py --check    list those that differ; exit status 1 if any does
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SERIES = r"(find_package\(dlferry )(\d+\.\d+)( )"
GO = r"(dlferry/bindings/go(?:/\w+)? v)(\S+)()"  # a go.mod may not name an older version than what it requires does
REQUIRE = r"(require \{name\} v)([\d.]+)(\\n)"
# Places of the number: files, and a pattern whose second group is the version (or one part of it).
PLACES = [
    ("core/include/dlferry.h", r"(#define DLF_VERSION_MAJOR )(\d+)()", "major"),
    ("core/include/dlferry.h", r"(#define DLF_VERSION_MINOR )(\d+)()", "minor"),
    ("core/include/dlferry.h", r"(#define DLF_VERSION_PATCH )(\d+)()", "patch"),
    ("bindings/python/pyproject.toml", r'(?m)(^version = ")([^"]+)(")', "full"),
    ("bindings/rust/Cargo.toml", r'(?m)(^version = ")([^"]+)(")', "full"),
    ("bindings/rust/*/Cargo.toml", r'(?m)(^version = ")([^"]+)(")', "full"),
    ("bindings/rust/*/Cargo.toml", r'(?m)(^dlferry[\w-]* = \{[^}\n]*version = "=?)([^"]+)(")', "full"),
    ("bindings/rust/Cargo.lock", r'(name = "(?:dlferry[\w-]*|testing)"\nversion = ")([^"]+)(")', "full"),
    ("bindings/rust/*/Cargo.lock", r'(name = "(?:dlferry[\w-]*|service)"\nversion = ")([^"]+)(")', "full"),
    ("bindings/julia/Project.toml", r'(?m)(^version = ")([^"]+)(")', "full"),
    ("bindings/go/tests/tensor_test.go", r'(dlferry\.Version\(\) != ")([^"]+)(")', "full"),
    ("bindings/go/*/go.mod", GO, "full"),
    ("bindings/go/tests/generated/generated_test.go", r'(hub \+ "@v)([^"]+)(")', "full"),
    ("tests/*/go/go.mod", GO, "full"),
    ("tests/bind/test_random.py", REQUIRE, "full"),
    ("tests/golden/golden.py", REQUIRE, "full"),
    ("tests/lint/readme.py", r"(\{hub\} v)([\d.]+)(\\n)", "full"),
    ("examples/try.sh", GO, "full"),
    ("examples/*/go.mod", GO, "full"),
    ("tests/bind/all.json", r'(?m)(^  "version": ")([^"]+)(")', "full"),
    ("tests/*/rust/Cargo.toml", r'(?m)(^dlferry[\w-]* = ")([^"]+)(")', "full"),
    ("tests/bench/rust/peers/Cargo.toml", r'(?m)(^dlferry[\w-]* = \{[^}\n]*version = "=?)([^"]+)(")', "full"),
    ("tests/bench/rust/peers/Cargo.lock", r'(name = "dlferry[\w-]*"\nversion = ")([^"]+)(")', "full"),
    ("tests/*/rust/Cargo.lock", r'(name = "dlferry[\w-]*"\nversion = ")([^"]+)(")', "full"),
    ("README.md", SERIES, "series"),
    ("core/README.md", r"(`libdlferry)(\d+\.\d+)(`)", "series"),
    ("core/README.md", r"(`dlferry/)([\d.]+)(`)", "full"),
    ("core/CONTRACTS.md", SERIES, "series"),
    ("core/CMakeLists.txt", SERIES, "series"),
    ("core/cmake/dlferry-config.cmake.in", SERIES, "series"),
    ("bindings/rust/README.md", r'(?m)(^dlferry[\w-]* = ")([^"]+)(")', "series"),
    ("bindings/rust/*/README.md", r'(?m)(^dlferry[\w-]* = ")([^"]+)(")', "series"),
]
# Each of these must name it somewhere, so that a renamed file does not quietly drop out.
NEEDED = ["core/include/dlferry.h", "bindings/python/", "bindings/rust/", "bindings/julia/"]


def main():
    parser = argparse.ArgumentParser(description="carry the version number to every manifest")
    parser.add_argument("--check", action="store_true", help="only say which places differ")
    check = parser.parse_args().check
    root = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    full = re.search(r"project\(dlferry VERSION (\d+\.\d+\.\d+)", root)[1]
    parts = dict(zip(("full", "major", "minor", "patch"), [full, *full.split(".")], strict=True))
    parts["series"] = f"{parts['major']}.{parts['minor']}"
    seen, stale = [], []
    for pattern, expression, part in PLACES:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            text = path.read_text(encoding="utf-8")
            found = re.findall(expression, text)
            seen += [name] * len(found)
            if all(match[1] == parts[part] for match in found):
                continue
            stale.append(f"{name}: expected {parts[part]}, got {', '.join(match[1] for match in found)}")
            if not check:
                path.write_text(re.sub(expression, rf"\g<1>{parts[part]}\g<3>", text), encoding="utf-8")
    if not re.search(rf"(?m)^## {re.escape(full)}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")):
        stale.append(f"CHANGELOG.md: expected an entry '## {full}', got none")
    lost = [place for place in NEEDED if not any(name.startswith(place) for name in seen)]
    for line in stale:
        print(f"version: {line}{'' if check else ' (rewritten)' if 'entry' not in line else ''}")
    for place in lost:
        print(f"version: {place}: expected a version number, found none")
    print(f"version: {full} in {len(seen)} places")
    if lost or (check and stale):
        sys.exit(1)


if __name__ == "__main__":
    main()
